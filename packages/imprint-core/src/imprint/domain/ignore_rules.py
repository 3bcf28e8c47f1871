"""Ignore rules: what the lines of a ``.gitignore`` say about a path, exactly as git reads them.

Git compares bytes. Rules and paths are therefore text in *byte form*: one character a byte, as
`bytes.decode("latin-1")` gives it. For ASCII that is the text itself.
"""

import re
from collections.abc import Iterable, Iterator, Sequence

import attrs

from imprint.domain.wildcards import translate_wildcards

__all__ = ["IgnoreRules", "parse_ignore_rules"]

_SPECIAL = frozenset("*?[\\")


@attrs.frozen(kw_only=True)
class _Rule:
    pattern: str
    ignores: bool
    folders_only: bool
    by_name: bool


@attrs.frozen(kw_only=True)
class _Patterns:
    """Rules of one kind made ready: most rules are a literal name or a suffix, which need no regular expression."""

    names: frozenset[str] = frozenset()
    suffixes: tuple[str, ...] = ()
    name_regex: re.Pattern[str] | None = None
    paths: frozenset[str] = frozenset()
    path_regex: re.Pattern[str] | None = None

    def last_names(self) -> Iterator[str]:
        """The last components of what the literal rules match."""
        yield from self.names
        yield from (path.rpartition("/")[2] for path in self.paths)

    def match(self, name: str, path: str) -> bool:
        return (
            name in self.names
            or name.endswith(self.suffixes)
            or (self.name_regex is not None and self.name_regex.fullmatch(name) is not None)
            or path in self.paths
            or (self.path_regex is not None and self.path_regex.fullmatch(path) is not None)
        )


@attrs.frozen
class _Run:
    """Neighbouring rules with the same verdict; among them the order says nothing."""

    ignores: bool
    anything: _Patterns
    folders: _Patterns | None


@attrs.frozen
class IgnoreRules:
    """The rules of one file, for paths below the folder it lies in."""

    _runs: tuple[_Run, ...]
    _last_names: frozenset[str]
    _suffixes: tuple[str, ...]
    _has_regexes: bool

    def __bool__(self) -> bool:
        return bool(self._runs)

    def verdict(self, name: str, path: str, *, is_folder: bool) -> bool | None:
        """Whether the rules ignore a path (true), ask for it (false), or say nothing (`None`); the last rule wins.

        Args:
            name: The last component of the path.
            path: From the folder of the ignore file on, ``/`` between components.
        """
        if not self._has_regexes and name not in self._last_names and not name.endswith(self._suffixes):
            return None  # Most files of a tree end here.
        for run in self._runs:
            if run.anything.match(name, path) or (is_folder and run.folders and run.folders.match(name, path)):
                return run.ignores
        return None


def parse_ignore_rules(data: bytes, *, ignore_case: bool = False) -> IgnoreRules:
    """Parse an ignore file. Total: a line that git could never match matches nothing.

    Args:
        ignore_case: The repository's ``core.ignoreCase``.
    """
    lines = data.removeprefix(b"\xef\xbb\xbf").decode("latin-1").split("\n")
    rules = [rule for line in lines if (rule := _parse_line(line)) is not None]
    runs: list[_Run] = []
    start = 0
    for end in range(1, len(rules) + 1):
        if end == len(rules) or rules[end].ignores != rules[start].ignores:
            runs.append(_prepare_run(rules[start:end], ignore_case=ignore_case))
            start = end
    groups = [patterns for run in runs for patterns in (run.anything, run.folders) if patterns]
    return IgnoreRules(
        tuple(reversed(runs)),
        frozenset(name for group in groups for name in group.last_names()),
        tuple(suffix for group in groups for suffix in group.suffixes),
        any(group.name_regex or group.path_regex for group in groups),
    )


def _parse_line(line: str) -> _Rule | None:
    if line.startswith("#"):
        return None
    line = _strip_trailing_spaces(line.removesuffix("\r"))
    ignores = not line.startswith("!")
    pattern = line if ignores else line[1:]
    folders_only = pattern.endswith("/")
    pattern = pattern.removesuffix("/")
    by_name = "/" not in pattern
    if not pattern:
        return None
    return _Rule(pattern=pattern.removeprefix("/"), ignores=ignores, folders_only=folders_only, by_name=by_name)


def _strip_trailing_spaces(line: str) -> str:
    """Strip spaces at the end; a backslash keeps the one it stands before."""
    end = len(line)
    while end and line[end - 1] == " ":
        end -= 1
    escapes = len(line[:end]) - len(line[:end].rstrip("\\"))
    return line[: end + 1] if escapes % 2 and end < len(line) else line[:end]


def _prepare_run(rules: Sequence[_Rule], *, ignore_case: bool) -> _Run:
    folders = [rule for rule in rules if rule.folders_only]
    return _Run(
        rules[0].ignores,
        _prepare_patterns((rule for rule in rules if not rule.folders_only), ignore_case=ignore_case),
        _prepare_patterns(folders, ignore_case=ignore_case) if folders else None,
    )


def _prepare_patterns(rules: Iterable[_Rule], *, ignore_case: bool) -> _Patterns:
    names, suffixes, paths = set[str](), list[str](), set[str]()
    name_regexes, path_regexes = list[str](), list[str]()
    for rule in rules:
        if not ignore_case and _SPECIAL.isdisjoint(rule.pattern):
            (names if rule.by_name else paths).add(rule.pattern)
        elif not ignore_case and rule.by_name and rule.pattern[0] == "*" and _SPECIAL.isdisjoint(rule.pattern[1:]):
            suffixes.append(rule.pattern[1:])
        elif (regex := translate_wildcards(rule.pattern)) is not None:
            (name_regexes if rule.by_name else path_regexes).append(regex)
    return _Patterns(
        names=frozenset(names),
        suffixes=tuple(suffixes),
        name_regex=_union(name_regexes, ignore_case=ignore_case),
        paths=frozenset(paths),
        path_regex=_union(path_regexes, ignore_case=ignore_case),
    )


def _union(regexes: Sequence[str], *, ignore_case: bool) -> re.Pattern[str] | None:
    if not regexes:
        return None
    flags = re.DOTALL | re.ASCII | (re.IGNORECASE if ignore_case else re.NOFLAG)
    return re.compile("|".join(f"(?:{regex})" for regex in regexes), flags)
