"""What Codex keeps about hooks that its user trusts: ``[hooks.state."FILE:EVENT:GROUP:INDEX"]`` in ``config.toml``.

A hook is known by its place, so whoever takes one out has to move the entries of those behind it, or they would be
skipped without a word.
"""

from collections import Counter
from collections.abc import Iterator, Mapping

from imprint.domain.config_text.json_text import JsonPath, JsonText
from imprint.domain.config_text.toml_text import TomlValue, find_table, put_table, take_table

__all__ = ["are_trusted", "without_hooks"]

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


def without_hooks(
    config: bytes, hooks_file: str, gone: Mapping[str, list[JsonPath]], hooks: JsonText, place: str
) -> bytes:
    """Drop what is kept about hooks that are taken out, and move what is kept about those behind them.

    Others stand behind one in its own group too; a group goes with the last of its hooks.

    Args:
        gone: By event, where they stood.
        hooks: Their file, as it was.
    """
    for event, places in gone.items():
        prefix = f"{hooks_file}:{_NAMES[event]}:"
        taken = {(int(one[2]), int(one[4])) for one in places}
        sizes = Counter(group for group, _ in taken)
        emptied = {group for group, size in sizes.items() if hooks.count(("hooks", event, group, "hooks")) == size}
        # None comes to stand where one stands that has not been moved yet.
        for key, group, index, values in sorted(_entries(config, prefix, place), key=lambda entry: entry[1:3]):
            moved = (
                group - sum(other < group for other in emptied),
                index - sum(other == group and number < index for other, number in taken),
            )
            is_gone = group in emptied or (group, index) in taken
            if is_gone or moved != (group, index):
                config = take_table(config, (*_STATE, key), place)
            if not is_gone and moved != (group, index):
                config = put_table(config, (*_STATE, f"{prefix}{moved[0]}:{moved[1]}"), values, place)
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
