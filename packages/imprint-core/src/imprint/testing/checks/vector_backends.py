"""Checks of the group ``imprint.vector_backends``."""

from collections.abc import Mapping
from types import MappingProxyType, ModuleType

from imprint.plugins import VectorBackendInfo
from imprint.plugins.handles import PluginHandle
from imprint.testing.checks.vector_generations import generation_promises
from imprint.testing.conformance import Check, ensure, make_checks
from imprint.testing.subjects import ensure_description_is_light, ensure_description_reads_well, hold
from imprint.testing.vector_benches import (
    COUNT,
    SCORE_TOLERANCE,
    THRESHOLD,
    chunk_ids,
    ensure_best,
    ensure_scores,
    find_cosines,
    make_queries,
    make_rows,
    set_up,
)

__all__ = ["vector_backend_checks"]


def vector_backend_checks(
    plugin: ModuleType, *, expected_failures: Mapping[str, str] = MappingProxyType({})
) -> list[Check]:
    """Make the checks of a vector backend.

    Args:
        plugin: The plugin's module.
        expected_failures: Names of checks that this plugin is known to fail, with the reason.

    Raises:
        PluginInvalidError: The module does not fit the group, so there is nothing to check.
    """
    return make_checks(
        (
            describes_itself,
            describing_is_light,
            empty_feed_gives_no_hits,
            nearest_rows_come_best_first,
            hits_carry_the_cosine,
            limit_is_kept,
            among_narrows_the_search,
            scores_are_those_of_the_chunks_asked_for,
            later_rows_are_found,
            removed_rows_are_not_found,
            *generation_promises(),
        ),
        hold(plugin, "imprint.vector_backends"),
        expected_failures,
    )


def describes_itself(plugin: PluginHandle) -> None:
    """The plugin has a name of one word and a summary of one line.

    If this fails, look at ``describe_vector_backend``.
    """
    info: VectorBackendInfo = plugin.call("describe_vector_backend")
    ensure_description_reads_well(info)


def describing_is_light(plugin: PluginHandle) -> None:
    """Listing plugins loads no engine: the standard library, attrs and the plugin's own package are enough.

    If this fails, look at the imports at the top of the plugin's module and move them into ``open_vector_backend``.
    """
    ensure_description_is_light(plugin, "describe_vector_backend")


def empty_feed_gives_no_hits(plugin: PluginHandle) -> None:
    """A workspace without vectors, or whose vectors all went, can be searched and finds nothing.

    If this fails, look at engines that refuse an empty matrix or an empty index.
    """
    query = make_rows(1)[0]
    with set_up(plugin) as bench:
        for when in ("before the first row came", "after the last row went"):
            with bench.open() as backend:
                ensure(backend.search(query, 10) == [], f"search finds something {when}")
                ensure(backend.scores(query, chunk_ids(1, 2)) == [], f"scores finds something {when}")
            bench.feed.add([1, 2], make_rows(2))
            bench.feed.remove([1, 2])


def nearest_rows_come_best_first(plugin: PluginHandle) -> None:
    """On a small set the hits are exactly the nearest rows, best first.

    If this fails, look at the order of the hits, and at approximate search where ``snapshot_threshold`` rules it out.
    """
    with set_up(plugin) as bench:
        bench.feed.add(range(1, THRESHOLD), make_rows(THRESHOLD - 1))
        with bench.open() as backend:
            for query in make_queries():
                cosines = find_cosines(bench.feed, query)
                found = [hit.id for hit in backend.search(query, 10)]
                nearest = sorted(cosines, key=lambda id: -cosines[id])[:10]
                # Rows that are equally near within the rounding may change places.
                differences = [abs(cosines[id] - cosines[wanted]) for id, wanted in zip(found, nearest, strict=False)]
                ensure(len(found) == 10, f"{len(found)} hits of 10")
                ensure(max(differences) <= SCORE_TOLERANCE / 10, f"found {found}, not {nearest}")


def hits_carry_the_cosine(plugin: PluginHandle) -> None:
    """A hit's score is the cosine of its row and the query, between -1 and 1.

    If this fails, look at the engine's metric: many return a distance, 1 minus the cosine.
    """
    with set_up(plugin) as bench:
        bench.fill_and_compact()
        with bench.open() as backend:
            query = make_queries()[0]
            ensure_scores(backend.search(query, 10), find_cosines(bench.feed, query))


def limit_is_kept(plugin: PluginHandle) -> None:
    """A search gives as many hits as were asked for, or all rows if there are fewer.

    If this fails, look at a limit beyond the number of rows: engines raise or fill up with rows of no meaning.
    """
    with set_up(plugin) as bench:
        bench.feed.add(range(1, 21), make_rows(20))
        with bench.open() as backend:
            query = make_queries()[0]
            ensure(len(backend.search(query, 7)) == 7, "a limit of 7 is not kept")
            hits = backend.search(query, 1_000)
            ensure(sorted(hit.id for hit in hits) == list(range(1, 21)), f"of 20 rows it gives {len(hits)}")


def among_narrows_the_search(plugin: PluginHandle) -> None:
    """With ``among`` only those chunks are found, the nearest of them, and unknown ids are passed over.

    If this fails, look at filters that are applied after the engine has picked its nearest rows.
    """
    with set_up(plugin) as bench:
        bench.fill_and_compact()
        with bench.open() as backend:
            for query in make_queries():
                cosines = find_cosines(bench.feed, query)
                farthest = sorted(cosines, key=lambda id: cosines[id])[:5]
                found = [hit.id for hit in backend.search(query, 10, among=chunk_ids(*farthest, COUNT + 99))]
                ensure(sorted(found) == sorted(farthest), f"among {sorted(farthest)} it finds {sorted(found)}")
            ensure(backend.search(query, 10, among=[]) == [], "among no chunks it finds some")


def scores_are_those_of_the_chunks_asked_for(plugin: PluginHandle) -> None:
    """``scores`` gives the cosine of each chunk that has a vector, and passes over the others.

    If this fails, look at ids without a vector: they are left out, not scored 0.
    """
    with set_up(plugin) as bench:
        bench.fill_and_compact()
        with bench.open() as backend:
            query = make_queries()[0]
            hits = backend.scores(query, chunk_ids(3, 250, COUNT + 99))
            ensure(sorted(hit.id for hit in hits) == [3, 250], f"for 3, 250 and an unknown id it gives {hits}")
            ensure_scores(hits, find_cosines(bench.feed, query))


def later_rows_are_found(plugin: PluginHandle) -> None:
    """Rows that came after opening are found by the next search.

    If this fails, look at whether every search asks ``feed.position()`` and reads the batches after its own.
    """
    rows = make_rows(COUNT + 1)
    with set_up(plugin) as bench:
        bench.feed.add(range(1, COUNT + 1), rows[:-1])
        with bench.open() as backend:
            backend.search(rows[-1], 1)
            bench.feed.add([COUNT + 1], rows[-1:])
            ensure_best(backend, rows[-1], COUNT + 1)


def removed_rows_are_not_found(plugin: PluginHandle) -> None:
    """Rows that went after opening are gone from the next search, from ``scores`` and from ``among``.

    If this fails, look at the ``removed`` ids of the batches, and at caches of results.
    """
    rows = make_rows(COUNT)
    with set_up(plugin) as bench:
        bench.feed.add(range(1, COUNT + 1), rows)
        with bench.open() as backend:
            ensure_best(backend, rows[6], 7)
            bench.feed.remove([7])
            for hits in (
                backend.search(rows[6], 10),
                backend.scores(rows[6], chunk_ids(7, 8)),
                backend.search(rows[6], 10, among=chunk_ids(7, 8)),
            ):
                ensure(7 not in {hit.id for hit in hits}, "a removed row is found")
