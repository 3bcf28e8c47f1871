"""The embedded default: what loading costs, how fast it embeds beside model2vec, and the whole second pass.

    python benchmarks/embedding.py [MEGABYTES]

The texts are the standard library's source, cut every 600 characters. Ratios are to model2vec on the same folder in the
same run; it tokenises with all processor cores, the embedded default with one.
"""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import subprocess
import sys
import sysconfig
import time
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory

from imprint.adapters.clocks import SystemClock
from imprint.adapters.data_folders import DataFolder
from imprint.adapters.registry_db import open_registry
from imprint.adapters.store_db import SqliteStoreOpener
from imprint.default_plugins.local_vectors import open_vector_backend
from imprint.domain.identifiers import embedding_text, index_text, to_embed
from imprint.domain.names import DEFAULT_WORKSPACE
from imprint.domain.sources import Chunk, Source, SourceKey, SourceKind
from imprint.plugins import VectorBackendSettings
from imprint.services.embedding import Embedding
from imprint_memvec.embedder import load_embedder
from imprint_memvec.identity import MODEL_FOLDER
from measure import best_of, emit

CHUNK = 600
BATCH = 200
QUESTION = "which workspace does a session use"

LOAD = """
import resource, time
def used():
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024
import attrs, imprint.plugins
cpu, memory = used(); wall = time.perf_counter()
from imprint_memvec.embedder import load_embedder
load_embedder().embed_query("which workspace does a session use")
later, more = used()
print(time.perf_counter() - wall, later - cpu, more - memory)
"""


def main() -> None:
    megabytes = float(sys.argv[1]) if len(sys.argv) > 1 else 5
    measure_loading()
    embedder = load_embedder()
    emit("memvec: one question", best_of(200, lambda: embedder.embed_query(QUESTION)) * 1e3, "ms", budget=0.1)
    sources = list(read_sources(megabytes * 1e6))
    measure_documents(
        embedder, [embedding_text(to_embed(chunk, source)) for source, chunks in sources for chunk in chunks]
    )
    measure_pass(embedder, sources)


def measure_loading() -> None:
    """In fresh processes, beyond what imprint itself has imported by then."""
    runs = [
        tuple(map(float, subprocess.run([sys.executable, "-c", LOAD], capture_output=True, check=True).stdout.split()))
        for _ in range(5)
    ]
    wall, cpu, memory = min(runs)
    emit("memvec: load and first question", wall * 1e3, "ms", cpu_ms=round(cpu * 1e3, 1), budget=400)
    emit("memvec: memory added by loading", memory, "MB", budget=80)


def read_sources(size: float) -> Iterator[tuple[Source, list[Chunk]]]:
    """Files of the standard library, in parts of at most one transaction."""
    read = 0
    for path in sorted(Path(sysconfig.get_path("stdlib")).rglob("*.py")):
        text = path.read_text(encoding="utf-8", errors="replace")
        chunks = [Chunk(text=text[start : start + CHUNK]) for start in range(0, len(text), CHUNK)]
        for part in range(0, len(chunks), BATCH):
            source = Source(
                key=SourceKey(f"{path}:{part}"), kind=SourceKind.CODE, path=PurePosixPath(path), language="python"
            )
            yield source, chunks[part : part + BATCH]
        read += len(text)
        if read > size:
            return


def measure_documents(embedder, texts: list[str]) -> None:
    from model2vec import StaticModel

    reference = StaticModel.from_pretrained(MODEL_FOLDER)
    size = sum(len(text.encode()) for text in texts)
    batches = [texts[start : start + BATCH] for start in range(0, len(texts), BATCH)]

    def embed_all() -> None:
        for batch in batches:
            embedder.embed_documents(batch)

    theirs = best_of(2, lambda: reference.encode(texts, use_multiprocessing=False))
    begun = time.process_time()
    cold = best_of(1, embed_all)
    cpu = time.process_time() - begun
    warm = best_of(2, embed_all)
    for name, seconds in (("memvec: documents, first time", cold), ("memvec: documents, words known", warm)):
        emit(
            name,
            size / seconds / 1e6,
            "MB/s",
            texts_a_second=round(len(texts) / seconds),
            ratio_to="seconds of model2vec",
            ratio=round(seconds / theirs, 3),
        )
    emit("memvec: documents, first time, one core's time", size / cpu / 1e6, "MB/s of CPU time")


def measure_pass(embedder, sources: list[tuple[Source, list[Chunk]]]) -> None:
    """From the store into the store and the index, over text that is indexed already."""
    clock = SystemClock()
    with TemporaryDirectory() as path:
        folder = DataFolder(Path(path) / "data")
        with (
            open_registry(folder, clock) as registry,
            SqliteStoreOpener(folder, registry, clock).open(DEFAULT_WORKSPACE) as store,
        ):
            begun = time.perf_counter()
            store.replace_sources(
                [(source, [(chunk, index_text(chunk, source)) for chunk in chunks]) for source, chunks in sources]
            )
            written = time.perf_counter() - begun
            cpu = time.process_time()
            report = Embedding(
                open_embedder=lambda: nullcontext(embedder),
                open_backend=lambda workspace, feed: open_vector_backend(
                    VectorBackendSettings(folder=folder.index(workspace), feed=feed)
                ),
                delete_index=lambda *_: None,
                clock=clock,
            ).run(store, Silent())
            cpu = time.process_time() - cpu
    facts = {"chunks": report.embedded, "cpu_s": round(cpu, 2), "seconds": round(report.seconds, 2)}
    emit("embedding pass, store to index", report.text_bytes / report.seconds / 1e6, "MB/s", budget=3, **facts)
    emit("text pass and embedding pass", report.text_bytes / (report.seconds + written) / 1e6, "MB/s", budget=3)


class Silent:
    """Progress that nobody looks at."""

    def start(self, activity: str, total_bytes: int | None) -> None: ...
    def advance(self, count: int, bytes: int, current: str) -> None: ...
    def finish(self) -> None: ...


if __name__ == "__main__":
    main()
