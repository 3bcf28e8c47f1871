"""The page that says what is proved says it of the versions that are driven."""

import json
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
NAMES = {"@anthropic-ai/claude-code": "Claude Code", "@openai/codex": "Codex"}


def test_the_page_names_the_versions_that_are_driven():
    pinned = json.loads((ROOT / "tests" / "clients" / "package.json").read_text("utf-8"))["dependencies"]
    page = (ROOT / "docs" / "explanation" / "real-clients.md").read_text("utf-8")

    assert pinned.keys() == NAMES.keys()
    for package, version in pinned.items():
        assert set(re.findall(rf"{NAMES[package]} (\d+\.\d+\.\d+)", page)) == {version}
