"""Our reading of ignore rules is git's: generated rules and paths, judged by both."""

import itertools
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from imprint.domain.ignore_rules import IgnoreRules, parse_ignore_rules

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")

NAMES = ["a", "b", "ab", "a.b", "[a]", "A", "é", "a b", "a-", "b\\", "!a", "#b", "ba.a"]
PATHS = [
    "/".join(parts)
    for parts in [
        *((name,) for name in NAMES),
        *itertools.product(NAMES, ["a", "b", "ab", "a.b", "é"]),
        *itertools.product(["a", "b", "ab", "é"], ["a", "b", "ab"], ["a", "b", "a.b"]),
        *itertools.product(["a", "ab"], ["a", "b"], ["b"], ["a", "b"]),
    ]
]
PIECES = [
    *["a", "b", "A", "é", ".", "-", " ", "\\", "!", "#", "\r", "]", "^"],
    *["*", "**", "***", "?", "/", "**/", "/**", "/**/", "\\*", "\\/", "\\ "],
    *["[ab]", "[!a]", "[^a]", "[a-b]", "[b-a]", "[]a]", "[a", "[\\]a]", "[[:alpha:]]", "[![:punct:]]", "[[:x:]]"],
    *["[[:]", "[a/b]", "[!/]", "[a-]", "[--a]", "[[a]"],
]


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("repository")
    subprocess.run(["git", "init", "-q", folder], check=True)
    return folder


def ignored_by_git(repository: Path, rules: bytes, *, ignore_case: bool) -> set[str]:
    (repository / ".gitignore").write_bytes(rules)
    case = f"core.ignoreCase={'true' if ignore_case else 'false'}"
    options = ["-c", case, "-c", "core.excludesFile=/dev/null"]
    answer = subprocess.run(
        ["git", *options, "check-ignore", "--no-index", "-z", "--stdin"],
        cwd=repository,
        input="".join(f"{path}\0" for path in PATHS).encode(),
        capture_output=True,
        check=False,
    )
    assert answer.returncode in (0, 1), answer.stderr
    return {path.decode() for path in answer.stdout.split(b"\0") if path}


def ignored_by_us(rules: IgnoreRules) -> set[str]:
    return {path for path in PATHS if is_ignored(rules, path.encode().decode("latin-1").split("/"))}


def is_ignored(rules: IgnoreRules, components: list[str]) -> bool:
    return any(
        rules.verdict(components[depth - 1], "/".join(components[:depth]), is_folder=depth < len(components))
        for depth in range(1, len(components) + 1)
    )


@given(
    lines=st.lists(st.lists(st.sampled_from(PIECES), min_size=1, max_size=5).map("".join), min_size=1, max_size=5),
    ignore_case=st.booleans(),
)
@example(lines=["a**/b"], ignore_case=False)
@example(lines=["a*", "!ab", "/a/"], ignore_case=False)
@example(lines=["é", "?"], ignore_case=False)
@settings(
    max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
def test_generated_rules_ignore_what_git_ignores(repository: Path, lines: list[str], ignore_case: bool) -> None:
    data = "\n".join(lines).encode()

    rules = parse_ignore_rules(data, ignore_case=ignore_case)

    assert ignored_by_us(rules) == ignored_by_git(repository, data, ignore_case=ignore_case)
