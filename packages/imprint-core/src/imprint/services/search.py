"""Searching: a question becomes ranked passages, or the answer that nothing is relevant."""

from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager, ExitStack

import attrs

from imprint.domain.queries import ParsedQuery, correct_query, parse_query
from imprint.domain.sources import KINDS, WorkspaceName
from imprint.errors import EmptyQueryError, InvalidKindError, PluginError
from imprint.protocols.clocks import Clock
from imprint.protocols.embedders import Embedder
from imprint.protocols.stores import StoreOpener, WorkspaceStore
from imprint.protocols.text_indexes import ChunkFilter
from imprint.protocols.vectors import IndexNotice, SupportsNotices, VectorBackend, VectorFeed
from imprint.services.answers import Searched, SearchResult, choose_results, information_asked, rank_passages
from imprint.services.candidates import Neighbourhood, find_candidates
from imprint.services.spelling import find_corrections

__all__ = ["BackendOpener", "EmbedderOpener", "Search", "SearchReport", "SearchRequest", "SearchResult"]

EmbedderOpener = Callable[[], AbstractContextManager[Embedder]]
BackendOpener = Callable[[WorkspaceName, VectorFeed], AbstractContextManager[VectorBackend]]


@attrs.frozen(kw_only=True)
class SearchRequest:
    """What is asked, and where.

    Attributes:
        workspaces: Those to be searched; only what they hold is ever found.
        limit: At most so many results.
    """

    query: str
    workspaces: tuple[WorkspaceName, ...]
    limit: int = 8
    where: ChunkFilter = attrs.field(factory=ChunkFilter)


@attrs.frozen(kw_only=True)
class SearchReport:
    """What was found.

    Attributes:
        relevant: False when nothing in the workspaces answers; there are no results then.
        results: Best first.
        notes: What the reader should know about how it was searched.
    """

    query: str
    workspaces: tuple[WorkspaceName, ...]
    relevant: bool
    results: tuple[SearchResult, ...]
    notes: tuple[str, ...] = ()


@attrs.frozen
class Search:
    """The use case.

    Attributes:
        open_embedder: Called only when a workspace has vectors; `None` searches by words only.
        open_backend: Given a workspace and its vectors of the embedder's model.
    """

    stores: StoreOpener
    open_embedder: EmbedderOpener | None
    open_backend: BackendOpener
    clock: Clock

    def run(self, request: SearchRequest) -> SearchReport:
        """Search.

        Raises:
            EmptyQueryError: Nothing is asked.
            InvalidKindError: What is asked for is of no kind that there is.
            StoreError: A store cannot be read.
        """
        if not request.query.strip():
            raise EmptyQueryError
        if unknown := [kind for kind in request.where.kinds if kind not in KINDS]:
            raise InvalidKindError(unknown[0], KINDS)
        with ExitStack() as stack:
            stores = [
                stack.enter_context(self.stores.open(name)) for name in request.workspaces if self.stores.exists(name)
            ]
            question, frequencies, corrected = _understand(request.query, stores)
            near, notes = self._neighbourhoods(stores, question, stack)
            searched = [
                Searched(
                    store,
                    find_candidates(store, question, request.where, frequencies=counts, near=near.get(store.workspace)),
                )
                for store, counts in zip(stores, frequencies, strict=True)
            ]
            ranked = rank_passages(searched, question, now=self.clock.now(), limit=request.limit)
            notes += corrected
            notes += [str(notice) for one in near.values() for notice in _notices(one.backend)]
        results = choose_results(ranked, information_asked(searched, question), limit=request.limit)
        return SearchReport(
            query=request.query,
            workspaces=request.workspaces,
            relevant=bool(results),
            results=results,
            notes=tuple(dict.fromkeys(notes)),
        )

    def _neighbourhoods(
        self, stores: Sequence[WorkspaceStore], question: ParsedQuery, stack: ExitStack
    ) -> tuple[dict[WorkspaceName, Neighbourhood], list[str]]:
        """The question as a vector, beside the index of each store that has vectors of its model; and what to say.

        A model that no store has vectors of is never loaded; one that cannot be loaded leaves the search by words.
        """
        models = {store.workspace: store.known_models() for store in stores}
        without = [store.workspace for store in stores if not models[store.workspace] and store.chunk_count()]
        notes = [_by_words(name, "it has no vectors yet") for name in without]
        if not any(models.values()) or self.open_embedder is None:
            return {}, notes
        try:
            embedder = stack.enter_context(self.open_embedder())
            vector = embedder.embed_query(question.embedded)
            near = {}
            for store in stores:
                if embedder.identity in models[store.workspace]:
                    backend = self.open_backend(store.workspace, store.feed(embedder.identity))
                    near[store.workspace] = Neighbourhood(stack.enter_context(backend), vector)
                elif models[store.workspace]:
                    others = ", ".join(model.name for model in models[store.workspace])
                    notes.append(
                        _by_words(store.workspace, f"its vectors are of {others}, not {embedder.identity.name}")
                    )
        except PluginError as error:
            return {}, [*notes, f"searched by words only: {error}"]
        return (near if vector.any() else {}), notes


def _understand(text: str, stores: Sequence[WorkspaceStore]) -> tuple[ParsedQuery, list[dict[str, int]], list[str]]:
    """The question, in how many chunks of each store its terms occur, and what was read as something else."""
    question = parse_query(text)
    frequencies = [store.document_frequencies(question.terms) for store in stores]
    corrections = find_corrections(text, stores, question, frequencies)
    if corrections:
        question = parse_query(correct_query(text, corrections))
        frequencies = [store.document_frequencies(question.terms) for store in stores]
    notes = [f"searched for {meant!r}: {word!r} occurs nowhere" for word, meant in corrections.items()]
    return question, frequencies, notes


def _notices(backend: VectorBackend) -> Iterable[IndexNotice]:
    return backend.notices() if isinstance(backend, SupportsNotices) else ()


def _by_words(workspace: WorkspaceName, reason: str) -> str:
    return f"workspace {workspace!r} was searched by words only: {reason}"
