"""Broken plugins of homes, each named after the one check that it fails."""

from itertools import count
from pathlib import PurePosixPath

import attrs
from mutants import heavy_home, sound_home
from mutants.making import replace_hooks

SOUND = sound_home
_LOOKS = count()


def _untidy_summary():
    return attrs.evolve(SOUND.describe_home(), summary="Two\nlines")


def _asks_a_program_first(host):
    host.run(("boxes", "list"))
    return SOUND.find_homes(host)


def _names_no_folder(host):
    return (attrs.evolve(home, name="box:1") for home in SOUND.find_homes(host))


def _trusts_what_it_reads(host):
    written = host.files.read(SOUND.root_of(host) / "box.conf") or b""
    written.decode()
    return SOUND.find_homes(host)


def _numbers_them(host):
    homes = list(SOUND.find_homes(host))
    return iter([attrs.evolve(home, variables=(f"BOX_{next(_LOOKS)}",)) for home in homes])


def _finds_it_everywhere(place, host):
    return SOUND.box_of(host) if SOUND.has_box(host) else None


def _asks_the_running_box(place, host):
    home = SOUND.find_home_around(place, host)
    if home is not None:
        host.run(("boxes", "name"))
    return home


def _knows_no_way_in(path, source, target):
    """Of the homes themselves; what is elsewhere it knows."""
    if source != target and not source.name and str(path) == "/boxes/box/home":
        return None
    return SOUND.translate_path(path, source, target)


def _goes_one_level_up(path, source, target):
    return path.parent if source == target else SOUND.translate_path(path, source, target)


def _climbs_out(path, source, target):
    if source.name and not target.name and not SOUND.is_plain(path):
        return PurePosixPath("/boxes/box/..")
    return SOUND.translate_path(path, source, target)


def _forgets_the_way_back(path, source, target):
    """Of some folders, so that no other promise is touched."""
    if not source.name and str(path).startswith("/boxes/box/a"):
        return None
    return SOUND.translate_path(path, source, target)


def _drops_the_end(path, source, target):
    translated = SOUND.translate_path(path, source, target)
    if translated is not None and source != target and translated.name == "below it":
        return translated.parent
    return translated


def _serves_everybody(command, source, target):
    return command if source == target else ("run-outside", *command)


def _puts_the_home_last(command, source, target):
    words = SOUND.wrap_command(command, source, target)
    return (*words, str(target.path)) if words and source != target else words


MUTANTS = {
    "describes-itself": replace_hooks(SOUND, describe_home=_untidy_summary),
    "describing-is-light": heavy_home,
    "bare-machines-have-no-homes": replace_hooks(SOUND, find_homes=_asks_a_program_first),
    "homes-are-well-formed": replace_hooks(SOUND, find_homes=_names_no_folder),
    "any-machine-is-taken": replace_hooks(SOUND, find_homes=_trusts_what_it_reads),
    "looking-twice-finds-the-same": replace_hooks(SOUND, find_homes=_numbers_them),
    "homes-are-found-around-their-places": replace_hooks(SOUND, find_home_around=_finds_it_everywhere),
    "looking-around-runs-nothing": replace_hooks(SOUND, find_home_around=_asks_the_running_box),
    "homes-can-be-reached": replace_hooks(SOUND, translate_path=_knows_no_way_in),
    "translating-within-a-system-changes-nothing": replace_hooks(SOUND, translate_path=_goes_one_level_up),
    "translated-paths-are-plain": replace_hooks(SOUND, translate_path=_climbs_out),
    "translating-there-and-back-ends-where-it-began": replace_hooks(SOUND, translate_path=_forgets_the_way_back),
    "what-lies-below-stays-below": replace_hooks(SOUND, translate_path=_drops_the_end),
    "strange-homes-are-refused": replace_hooks(SOUND, wrap_command=_serves_everybody),
    "wrapping-keeps-the-arguments": replace_hooks(SOUND, wrap_command=_puts_the_home_last),
}
