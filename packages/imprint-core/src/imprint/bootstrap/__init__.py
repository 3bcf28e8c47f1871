"""The composition root: settings, adapters and plugins become services.

* `application`: every service of a process, built when it is first asked for.
* `chosen_plugins`: the embedder and the vector backend that the settings choose.
* `preparation`: files made ready to be indexed, by this process and by workers.
* `embedding_workers`: processes that embed.
* `faults`: the log of what must not happen.
"""

from imprint.bootstrap.application import Application, open_application
from imprint.bootstrap.embedding_workers import serve_embedding
from imprint.bootstrap.faults import record_fault
from imprint.bootstrap.preparation import serve_preparation

__all__ = ["Application", "open_application", "record_fault", "serve_embedding", "serve_preparation"]
