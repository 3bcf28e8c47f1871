"""Checks of the group ``imprint.vector_backends``: what a backend writes beside the store, and what becomes of that."""

import shutil
from collections.abc import Callable

from imprint.plugins.handles import PluginHandle
from imprint.testing.conformance import ensure
from imprint.testing.vector_benches import (
    COUNT,
    DEFECTS,
    ensure_best,
    ensure_recall,
    make_queries,
    make_rows,
    set_up,
)

__all__ = ["generation_promises"]


def generation_promises() -> tuple[Callable[[PluginHandle], None], ...]:
    """Those that each backend keeps."""
    return (
        compacting_keeps_the_results,
        refused_generation_is_not_counted,
        generation_is_caught_up_with,
        deleted_folder_is_rebuilt,
        damaged_files_are_not_trusted,
        restored_store_is_noticed_on_opening,
        restored_store_is_noticed_while_open,
        compacting_leaves_other_readers_alone,
    )


def compacting_keeps_the_results(plugin: PluginHandle) -> None:
    """After compacting, a search finds what it found before; an approximate index may miss one row in ten.

    If this fails, look at what is written: rows that came after the last generation, and the parameters of the index.
    """
    with set_up(plugin) as bench:
        bench.feed.add(range(1, COUNT + 1), make_rows(COUNT))
        with bench.open() as backend:
            backend.compact()
            ensure_recall(backend, bench.feed)


def refused_generation_is_not_counted(plugin: PluginHandle) -> None:
    """Where the store refuses a generation, ``compact`` says `False`, and searching goes on as before.

    If this fails, look at the result of ``feed.publish``: on `False` the file is deleted.
    """
    with set_up(plugin) as bench:
        bench.feed.refuses_generations = True
        bench.feed.add(range(1, COUNT + 1), make_rows(COUNT))
        with bench.open() as backend:
            ensure(backend.compact() is False, "compact says that it published one")
            ensure_recall(backend, bench.feed)


def generation_is_caught_up_with(plugin: PluginHandle) -> None:
    """On opening over an older generation, rows that came since are found, and rows that went are not.

    If this fails, look at what is read after ``generation.position``: both the rows and the removed ids.
    """
    extra = make_rows(COUNT + 5)[COUNT:]
    with set_up(plugin) as bench:
        bench.fill_and_compact()
        bench.feed.add(range(COUNT + 1, COUNT + 6), extra)
        bench.feed.remove([7])
        with bench.open() as backend:
            ensure_best(backend, extra[2], COUNT + 3)
            hits = backend.search(make_rows(7)[6], 10)
            ensure(7 not in {hit.id for hit in hits}, "a removed row is found")


def deleted_folder_is_rebuilt(plugin: PluginHandle) -> None:
    """When its folder is deleted the backend still answers, from the feed.

    If this fails, look at how a generation is opened whose file is missing.
    """
    with set_up(plugin) as bench:
        bench.fill_and_compact()
        shutil.rmtree(bench.folder, ignore_errors=True)
        with bench.open() as backend:
            ensure_recall(backend, bench.feed)


def damaged_files_are_not_trusted(plugin: PluginHandle) -> None:
    """Whatever happens to a file of its folder, the backend answers rightly after it is opened again.

    If this fails, look at where the digest of the generation is checked: before the file is mapped or parsed. An
    interpreter that dies here has mapped a damaged file.
    """
    with set_up(plugin) as bench:
        bench.fill_and_compact()
        kept = bench.folder.with_name("kept")
        if not bench.folder.exists():
            return
        shutil.copytree(bench.folder, kept)
        for name in sorted(path.relative_to(kept) for path in kept.rglob("*") if path.is_file()):
            for defect, spoil in DEFECTS.items():
                shutil.rmtree(bench.folder, ignore_errors=True)
                shutil.copytree(kept, bench.folder)
                (bench.folder / name).write_bytes(spoil((kept / name).read_bytes()))
                with bench.open() as backend:
                    ensure_recall(backend, bench.feed, f" after {name} was {defect}")


def restored_store_is_noticed_on_opening(plugin: PluginHandle) -> None:
    """After the store was restored from a backup, files of the time before are not used.

    If this fails, look at where ``generation.epoch`` is compared with ``feed.epoch``.
    """
    with set_up(plugin) as bench:
        bench.fill_and_compact()
        bench.feed.restore(range(1, COUNT + 1), make_rows(COUNT, seed=2))
        with bench.open() as backend:
            ensure_recall(backend, bench.feed)


def restored_store_is_noticed_while_open(plugin: PluginHandle) -> None:
    """A store that is restored while the backend is open gives its new contents at the next search.

    If this fails, look at what is compared before every search: ``feed.epoch`` too, not only ``feed.position()``.
    """
    with set_up(plugin) as bench:
        bench.feed.add(range(1, COUNT + 1), make_rows(COUNT))
        with bench.open() as backend:
            backend.search(make_queries()[0], 1)
            bench.feed.restore(range(1, COUNT + 1), make_rows(COUNT, seed=2))
            ensure_recall(backend, bench.feed)


def compacting_leaves_other_readers_alone(plugin: PluginHandle) -> None:
    """A reader that is open while another one compacts goes on finding what is there.

    If this fails, look at how files are written: under a new name and renamed, never over a file that may be mapped.
    """
    rows = make_rows(COUNT + 200, seed=3)
    with set_up(plugin) as bench:
        bench.fill_and_compact()
        with bench.open() as reader, bench.open() as writer:
            ensure_recall(reader, bench.feed)
            bench.feed.add(range(COUNT + 1, COUNT + 201), rows[:200])
            writer.compact()
            ensure_best(reader, rows[150], COUNT + 151)
            bench.feed.remove(range(1, 101))
            writer.compact()
            ensure_recall(reader, bench.feed)
