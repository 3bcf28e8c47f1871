"""Whether anything of a purged target is left on this device."""

import json
from collections.abc import Iterable, Iterator
from contextlib import suppress

import attrs

from imprint.domain.purge import Exclusion, path_of
from imprint.domain.purge_reports import PendingWork, PurgeCheck, PurgeVerification
from imprint.domain.sources import WorkspaceName
from imprint.protocols.purges import PurgeStore, StoreTraces, TextSearch
from imprint.services.purge import Purge

__all__ = ["PurgeVerifier"]

_SHORTEST_LINE = 16
"""Shorter lines are found by chance."""

_LINES_A_FILE = 40
_MOST_LINES = 400


@attrs.frozen(kw_only=True)
class PurgeVerifier:
    """The use case.

    Attributes:
        search: Reads every byte of the data folder, those of other workspaces left out.
    """

    purge: Purge
    search: TextSearch

    def verify(self, workspace: WorkspaceName, target: str) -> PurgeVerification:
        """Check that a purge left nothing; may take as long as reading the workspace's files.

        A target that is not excluded is looked for likewise, a folder with all below it.

        Raises:
            EmptyTextError: The target is empty.
            StoreError: The store cannot be read.
        """
        exclusion, recorded = self._find_exclusion(workspace, target)
        checks: tuple[PurgeCheck, ...] = ()
        originals: list[tuple[str, str]] = []
        path = path_of(exclusion.target)
        if path is not None:
            originals = list(self.purge.targets.texts(path))
        if self.purge.stores.exists(workspace):
            with self.purge.stores.open(workspace) as store:
                traces = store.find_traces(exclusion)
                pending = store.unfinished_purges()
                checks = (*_check_store(traces, pending), self._check_text(workspace, store, originals))
        else:
            checks = (self._check_text(workspace, None, originals),)
        return PurgeVerification(
            workspace=workspace,
            target=exclusion.target,
            recursive=exclusion.recursive,
            checks=checks,
            exclusion=recorded,
            untouched=tuple(_untouched(exclusion.target, [name for name, _ in originals])),
        )

    def _find_exclusion(self, workspace: WorkspaceName, target: str) -> tuple[Exclusion, Exclusion | None]:
        """What to look for, and the exclusion that is recorded for it."""
        spellings = self.purge.spellings(target)
        for spelling in spellings:
            if recorded := self.purge.find_exclusion(workspace, spelling):
                return recorded, recorded
        path = path_of(spellings[0])
        recursive = path is not None and self.purge.targets.is_folder(path)
        return self.purge.exclusion_of(workspace, spellings[0], recursive=recursive), None

    def _check_text(
        self, workspace: WorkspaceName, store: PurgeStore | None, originals: list[tuple[str, str]]
    ) -> PurgeCheck:
        lines = _distinctive_lines(form for _, text in originals for form in (text, _said_in_json(text)))
        if not originals:
            return PurgeCheck(name="text", passed=True, detail="there is no original to compare with")
        if not lines:
            detail = f"no line of {_number(len(originals), 'original')} is long enough to look for"
            return PurgeCheck(name="text", passed=True, detail=detail)
        left: dict[str, str] = {}
        shared: dict[str, bool] = {}
        for line, file in self.search.find(workspace, lines):
            if line not in shared:
                shared[line] = store is not None and store.holds_text(line)
            if not shared[line]:
                left[line] = file
        looked = f"{len(lines)} lines of {_number(len(originals), 'original')} were looked for in every file"
        if left:
            places = ", ".join(sorted(set(left.values())))
            return PurgeCheck(name="text", passed=False, detail=f"{looked}; {len(left)} are in {places}")
        kept = sum(shared.values())
        also = f"; {kept} are in other sources too, and stay" if kept else ""
        return PurgeCheck(name="text", passed=True, detail=looked + also)


def _check_store(traces: StoreTraces, pending: tuple[PendingWork, ...]) -> Iterator[PurgeCheck]:
    yield PurgeCheck(
        name="rows",
        passed=not (traces.sources or traces.facts),
        detail=f"{_number(traces.sources, 'source')}, {_number(traces.facts, 'fact')}",
    )
    yield PurgeCheck(
        name="full text",
        passed=not traces.full_text_fault,
        detail=traces.full_text_fault or "holds the words of stored passages and no others",
    )
    yield PurgeCheck(
        name="index",
        passed=not traces.unlisted_files and PendingWork.INDEX not in pending,
        detail=f"{_number(len(traces.unlisted_files), 'file')} that no published index names",
    )
    scrubbed = traces.scrubbed >= traces.purges
    yield PurgeCheck(
        name="file",
        passed=scrubbed,
        detail=f"written anew after purge {traces.scrubbed} of {traces.purges}",
    )
    yield PurgeCheck(
        name="free pages",
        passed=scrubbed or not traces.free_pages,
        detail=_explain_later(traces.free_pages, scrubbed, "free page"),
    )
    emptied = traces.emptied >= traces.purges and scrubbed
    yield PurgeCheck(
        name="journal",
        passed=emptied or (scrubbed and not traces.journal_bytes),
        detail=_explain_later(traces.journal_bytes, emptied, "byte"),
    )


def _explain_later(number: int, done: bool, noun: str) -> str:
    """What is there after the work was done came later, and holds nothing of the purge."""
    return _number(number, noun) + (", all from after the purge" if done and number else "")


def _distinctive_lines(texts: Iterable[str]) -> list[str]:
    """Some long lines of each text, each once."""
    lines: dict[str, None] = {}
    for text in texts:
        stripped = {line.strip() for line in text.splitlines()}
        long = sorted((line for line in stripped if len(line) >= _SHORTEST_LINE), key=lambda line: (-len(line), line))
        lines |= dict.fromkeys(long[:_LINES_A_FILE])
        if len(lines) >= _MOST_LINES:
            break
    return list(lines)[:_MOST_LINES]


def _said_in_json(text: str) -> str:
    """What may be somebody's words in a file of JSON or JSON lines, such as a transcript: its lines are never stored.

    Ids, moments and folders are none; other sources may share these.
    """
    said: list[str] = []
    for document in (text, *text.splitlines()):
        with suppress(ValueError, RecursionError):
            waiting = [json.loads(document)] if document.lstrip().startswith(("{", "[")) else []
            while waiting:
                value = waiting.pop()
                if isinstance(value, str):
                    is_said = " " in value or not value.isascii()
                    said += [value] if is_said and path_of(value) is None else []
                elif isinstance(value, dict | list):
                    waiting += value.values() if isinstance(value, dict) else value
            if document is text and said:
                break
    return "\n".join(said)


def _untouched(target: str, originals: list[str]) -> Iterator[str]:
    if originals:
        yield (
            f"the original {target}"
            if originals == [target]
            else f"{_number(len(originals), 'original')} below {target}"
        )
    yield "backups and bundles that were made before"
    yield "other workspaces"


def _number(number: int, noun: str) -> str:
    return f"{number:,} {noun}" + ("" if number == 1 else "s")
