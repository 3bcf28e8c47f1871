"""Write the `server.json` with which a release is published in the MCP registry.

The registry takes an entry from whoever owns both the namespace and the package that it names, so the publisher gives
both: ``python tools/make_server_json.py --namespace io.github.OWNER --package NAME``. What the registry, or a client
that installs the entry, would still miss is said on stderr.
"""

import argparse
import json
import re
import sys
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from imprint.domain.settings import specs

PACKAGE = Path(__file__).parent.parent / "packages" / "imprint-mcp"
SCHEMA = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"
SERVER = "imprint"
LONGEST_DESCRIPTION = 100
OTHER_VARIABLES: Mapping[str, Mapping[str, str]] = {
    "IMPRINT_DATA_DIR": {"description": "Folder that holds everything stored.", "format": "filepath"},
    "IMPRINT_WORKSPACE": {
        "description": "Workspace of every session, instead of its project's. It has to exist; else leave it out."
    },
}


def main() -> int:
    """Write the file, or print it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--namespace", required=True, help="what the publisher owns, such as io.github.OWNER")
    parser.add_argument("--package", required=True, help="what imprint-mcp is called on PyPI")
    parser.add_argument("--repository", default="", help="address of the code, where it is public")
    parser.add_argument("--output", type=Path, help="the file; else it is printed")
    given = parser.parse_args()
    if not re.fullmatch(r"[a-zA-Z0-9][a-zA-Z0-9.-]*[a-zA-Z0-9]", given.namespace):
        parser.error("a namespace is a domain turned round, such as io.github.OWNER, without a slash")
    if not re.fullmatch(r"[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9._-]*[a-zA-Z0-9]", given.package):
        parser.error(f"{given.package!r} is no name of a package")
    if given.repository and not re.fullmatch(r"https://\S+", given.repository):
        parser.error("the repository has to be an https address")
    project = tomllib.loads((PACKAGE / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    if len(project["description"]) > LONGEST_DESCRIPTION:
        parser.error(f"the package's description has more than {LONGEST_DESCRIPTION} characters")
    document = compose(project, f"{given.namespace}/{SERVER}", given.package, given.repository)
    text = json.dumps(document, indent=2, ensure_ascii=False) + "\n"
    if given.output is None:
        sys.stdout.write(text)
    else:
        given.output.write_text(text, encoding="utf-8")
    readme = (PACKAGE / project["readme"]).read_text(encoding="utf-8")
    for duty in list_duties(project, readme, document):
        sys.stderr.write(f"to do: {duty}\n")
    return 0


def compose(project: Mapping[str, Any], name: str, package: str, repository: str) -> dict[str, Any]:
    """The document; version and description are the package's."""
    document = {
        "$schema": SCHEMA,
        "name": name,
        "title": "Imprint",
        "description": project["description"],
        "version": project["version"],
        "packages": [
            {
                "registryType": "pypi",
                "registryBaseUrl": "https://pypi.org",
                "identifier": package,
                "version": project["version"],
                "runtimeHint": "uvx",
                "transport": {"type": "stdio"},
                "environmentVariables": list(list_variables()),
            }
        ],
    }
    if repository:
        host = repository.split("/")[2].removeprefix("www.")
        document["repository"] = {"url": repository, "source": host.partition(".")[0]}
    return document


def list_variables() -> Iterator[dict[str, str]]:
    """What a user may set, none of which is needed."""
    for name, about in OTHER_VARIABLES.items():
        yield {"name": name, **about}
    for spec in specs():
        if spec.environment:
            yield {"name": spec.environment, "description": spec.help}


def list_duties(project: Mapping[str, Any], readme: str, document: Mapping[str, Any]) -> Iterator[str]:
    """What is still to be done to the package before it is uploaded: what is uploaded cannot be changed."""
    (package,) = document["packages"]
    if project["name"] != package["identifier"]:
        yield f"name the package {package['identifier']!r} in its pyproject.toml"
    if package["identifier"] not in project["scripts"]:
        yield f"add a script {package['identifier']!r} to its pyproject.toml: uvx runs the program of that name"
    if not re.search(rf"mcp-name: {re.escape(document['name'])}(?![\w./-])", readme):
        yield f"put '<!-- mcp-name: {document['name']} -->' into its README: by that the registry knows whose it is"


if __name__ == "__main__":
    sys.exit(main())
