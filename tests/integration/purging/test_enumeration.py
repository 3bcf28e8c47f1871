"""What a store enumerates for a target is what the exclusion covers, though it judges few of its sources."""

import sys
from itertools import product
from pathlib import PurePosixPath

from imprint.domain.identifiers import index_text
from imprint.domain.purge import Exclusion, is_excluded, keep_out_conversations, path_of
from imprint.domain.sources import Chunk, Source, SourceKey, SourceKind, WorkspaceName

DEFAULT = WorkspaceName("default")
PATHS = [
    *("/w/App/a.md", "/w/app/b.md", "/w/app2/c.md", "/w/é/d.md", "/w/É/e.md", "/w/a b/f%_*?.md", "/w/app"),
    *(r"C:\W\App\a.md", r"c:\w\APP\b.md", "C:/W/app2/c.md", r"\\wsl$\Debian\w\app\d.md", r"\\?\C:\W\App\e.md"),
    *("C:\\W\\\N{KELVIN SIGN}\\f.md", r"C:\W\k\g.md", "C:\\W\\É\\h.md"),
]
KEYS = [
    "text:a",
    "text:a/b",
    "text:a/bc",
    "text:A/b",
    "text:é/b",
    "text:a b/c",
    "memory:0123",
    "http://x/App/a.md",
    "text:",
]
TARGETS = [
    *(
        *PATHS,
        *KEYS,
        "/w",
        "/",
        "/w/app/",
        "/w/APP",
        "/w/a b",
        "/w/é",
        "C:\\",
        r"c:\w",
        r"C:\w\app",
        r"\\wsl.localhost\Debian",
    ),
    *(
        r"\\wsl.localhost\debian\W\App",
        r"C:\W\K",
        "C:\\w\\é",
        "text",
        "text:a/",
        "http://x/",
        "http://x/App",
        "f%_*?.md",
    ),
]


def make_sources() -> list[Source]:
    """One for each path and key, one drawn from each, and of each path a conversation and what was drawn from that."""
    drawn = []
    for number, key in enumerate((*PATHS, *KEYS)):
        path = path_of(key)
        drawn.append(Source(key=SourceKey(key), kind=SourceKind.DOCUMENT, path=path))
        drawn.append(Source(key=SourceKey(f"memory:of-{number}"), kind=SourceKind.MEMORY, origin=key))
        drawn.append(Source(key=SourceKey(f"text:at-{number}"), kind=SourceKind.DOCUMENT, path=path))
        said = SourceKey(f"conversation:x/{number}")
        drawn.append(Source(key=said, kind=SourceKind.CONVERSATION, path=path))
        drawn.append(Source(key=SourceKey(f"memory:said-{number}"), kind=SourceKind.MEMORY, origin=said))
    return drawn


def test_nothing_that_is_covered_is_missed_and_nothing_else_is_taken(device):
    sources = make_sources()
    exclusions = [
        Exclusion(workspace=DEFAULT, target=target, recursive=recursive, added_at="")
        for target, recursive in product(TARGETS, [False, True])
    ]
    exclusions.append(
        Exclusion(
            workspace=DEFAULT,
            target="/elsewhere/main",
            recursive=True,
            added_at="",
            elsewhere=(PurePosixPath("/w/App"), PurePosixPath("/w/é")),
        )
    )

    with device.open() as application, application._stores.open(DEFAULT) as store:
        store.replace_sources(
            [(source, [(Chunk(text="x"), index_text(Chunk(text="x"), source))]) for source in sources]
        )
        said = [(str(one.path), one.key) for one in sources if one.kind is SourceKind.CONVERSATION and one.path]
        for exclusion in exclusions:
            found = store.enumerate_target(exclusion).selection

            extended = keep_out_conversations(exclusion, said)
            assert found.exclusion == extended
            assert set(found.keys) == {source.key for source in sources if is_excluded(source, [extended])}, exclusion


def test_few_of_many_sources_are_judged(device):
    """Judging one costs twenty times what passing it over costs, and others wait for the write lock meanwhile."""
    judged = 0

    def count(frame, event, argument):
        nonlocal judged
        judged += event == "call" and frame.f_code.co_name == "is_excluded"

    with device.open() as application, application._stores.open(DEFAULT) as store:
        batch = [Source(key=SourceKey(f"/w/app{number}/file.py"), kind=SourceKind.CODE) for number in range(300)]
        store.replace_sources([(source, [(Chunk(text="x"), index_text(Chunk(text="x"), source))]) for source in batch])
        sys.setprofile(count)
        try:
            deletion = store.purge(Exclusion(workspace=DEFAULT, target="/w/app7", recursive=True, added_at=""))
        finally:
            sys.setprofile(None)

    assert deletion.selection.keys == ("/w/app7/file.py",)
    assert judged < 30
