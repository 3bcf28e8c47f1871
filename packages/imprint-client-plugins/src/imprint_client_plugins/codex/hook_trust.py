"""What Codex keeps about hooks that its user trusts: ``[hooks.state."FILE:EVENT:GROUP:INDEX"]`` in ``config.toml``.

A hook is known by its place, so whoever takes a group out has to move the entries of those behind it, or they would be
skipped without a word.
"""

from collections.abc import Iterator, Mapping

from imprint.domain.config_text.json_text import JsonPath
from imprint.domain.config_text.toml_text import TomlValue, find_table, put_table, take_table

__all__ = ["are_trusted", "without_groups"]

_STATE = ("hooks", "state")
_NAMES = {
    "SessionStart": "session_start",
    "Stop": "stop",
    "SubagentStop": "subagent_stop",
    "PreCompact": "pre_compact",
    "SessionEnd": "session_end",
    "UserPromptSubmit": "user_prompt_submit",
}


def are_trusted(config: bytes, hooks_file: str, places: Mapping[str, list[JsonPath]], place: str) -> bool:
    """Whether each of our hooks has been trusted where it stands; Codex itself sees whether it was changed since.

    Args:
        places: By event, where our hooks stand in the file.
    """
    return all(
        find_table(config, (*_STATE, _key(hooks_file, event, int(found[2]), int(found[4]))), place)
        for event, all_found in places.items()
        for found in all_found
    )


def without_groups(config: bytes, hooks_file: str, groups: Mapping[str, list[int]], place: str) -> bytes:
    """Drop what is kept about groups that are taken out, and move what is kept about those behind them.

    Args:
        groups: By event, the groups' numbers.
    """
    for event, numbers in groups.items():
        for number in sorted(numbers, reverse=True):
            config = _without_group(config, f"{hooks_file}:{_NAMES[event]}:", number, place)
    return config


def _without_group(config: bytes, prefix: str, number: int, place: str) -> bytes:
    for key, group, index, values in sorted(_entries(config, prefix, place), key=lambda entry: entry[1]):
        if group < number:
            continue
        config = take_table(config, (*_STATE, key), place)
        if group > number:
            config = put_table(config, (*_STATE, f"{prefix}{group - 1}:{index}"), values, place)
    return config


def _entries(config: bytes, prefix: str, place: str) -> Iterator[tuple[str, int, int, Mapping[str, TomlValue]]]:
    state = find_table(config, _STATE, place)
    for key, values in state.items() if isinstance(state, dict) else ():
        group, _, index = key.removeprefix(prefix).partition(":")
        if key.startswith(prefix) and group.isdecimal() and index.isdecimal() and isinstance(values, dict):
            plain = {name: value for name, value in values.items() if isinstance(value, str | bool)}
            yield key, int(group), int(index), plain


def _key(hooks_file: str, event: str, group: int, index: int) -> str:
    return f"{hooks_file}:{_NAMES[event]}:{group}:{index}"
