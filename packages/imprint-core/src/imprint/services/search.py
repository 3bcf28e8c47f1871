"""Searching: a question becomes ranked passages, or the answer that nothing is relevant."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack
from itertools import islice

import attrs

from imprint.domain.duplicates import fold_duplicates
from imprint.domain.queries import ParsedQuery, parse_query
from imprint.domain.ranking import fuse, prior_of
from imprint.domain.relevance import LOOKED_AT, Evidence, information_of, is_relevant, share_covered
from imprint.domain.sources import StoredChunk, WorkspaceName
from imprint.errors import EmptyQueryError, PluginError
from imprint.protocols.clocks import Clock
from imprint.protocols.embedders import Embedder
from imprint.protocols.stores import ChunkFilter, StoreOpener, WorkspaceStore
from imprint.protocols.vectors import IndexNotice, SupportsNotices, VectorBackend, VectorFeed
from imprint.services.candidates import Candidates, Neighbourhood, find_candidates

__all__ = ["BackendOpener", "EmbedderOpener", "Search", "SearchReport", "SearchRequest", "SearchResult"]

EmbedderOpener = Callable[[], AbstractContextManager[Embedder]]
BackendOpener = Callable[[WorkspaceName, VectorFeed], AbstractContextManager[VectorBackend]]

_CONSIDERED = 40
_READ_PER_RESULT = 3
"""So many of the best by score are read: room for what is folded, gone meanwhile, or lifted by a prior."""


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
class SearchResult:
    """A passage that answers.

    Attributes:
        score: Higher is better; only within one report.
        duplicates: Other passages of the workspace that say the same.
    """

    workspace: WorkspaceName
    passage: StoredChunk
    score: float
    duplicates: tuple[StoredChunk, ...] = ()


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
            StoreError: A store cannot be read.
        """
        if not request.query.strip():
            raise EmptyQueryError
        question = parse_query(request.query)
        with ExitStack() as stack:
            stores = [
                stack.enter_context(self.stores.open(name)) for name in request.workspaces if self.stores.exists(name)
            ]
            near, notes = self._neighbourhoods(stores, question, stack)
            searched = [
                _Searched(store, find_candidates(store, question, request.where, near=near.get(store.workspace)))
                for store in stores
            ]
            notes += [str(notice) for one in near.values() for notice in _notices(one.backend)]
            ranked = _rank(
                searched, question, now=self.clock.now(), most=max(_CONSIDERED, _READ_PER_RESULT * request.limit)
            )
        relevant = is_relevant(_evidence(ranked[:LOOKED_AT], searched, question))
        return SearchReport(
            query=request.query,
            workspaces=request.workspaces,
            relevant=relevant,
            results=_fold(ranked[: _READ_PER_RESULT * request.limit])[: request.limit] if relevant else (),
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


@attrs.frozen(eq=False)
class _Searched:
    store: WorkspaceStore
    candidates: Candidates


@attrs.frozen
class _Ranked:
    workspace: WorkspaceName
    passage: StoredChunk
    score: float
    cosine: float | None


def _rank(searched: Sequence[_Searched], question: ParsedQuery, *, now: str, most: int) -> list[_Ranked]:
    """Fuse the candidates of all workspaces in one go, so that their scores can be compared; read the best."""
    lexical = {(at, id): score for at, one in enumerate(searched) for id, score in one.candidates.lexical.items()}
    cosines = {(at, id): score for at, one in enumerate(searched) for id, score in one.candidates.cosines.items()}
    best = dict(islice(fuse(lexical, cosines).items(), most))
    ranked = []
    for at, one in enumerate(searched):
        for passage in one.store.chunks([id for where, id in best if where == at]):
            score = best[at, passage.id] + prior_of(passage, names=question.names, now=now)
            ranked.append(_Ranked(one.store.workspace, passage, score, cosines.get((at, passage.id))))
    return sorted(ranked, key=lambda item: -item.score)


def _evidence(best: Sequence[_Ranked], searched: Sequence[_Searched], question: ParsedQuery) -> Iterator[Evidence]:
    frequencies: Counter[str] = Counter()
    for one in searched:
        frequencies.update(one.candidates.frequencies)
    information = information_of(question.terms, frequencies, sum(one.candidates.chunks for one in searched))
    for item in best:
        yield Evidence(covered=share_covered(item.passage, information), cosine=item.cosine)


def _fold(ranked: Sequence[_Ranked]) -> tuple[SearchResult, ...]:
    """Fold within each workspace only: what another one holds is not mentioned beside it."""
    folds = {
        (name, fold.shown.id): fold.duplicates
        for name in {item.workspace for item in ranked}
        for fold in fold_duplicates(item.passage for item in ranked if item.workspace == name)
    }
    return tuple(
        SearchResult(
            workspace=item.workspace,
            passage=item.passage,
            score=item.score,
            duplicates=folds[item.workspace, item.passage.id],
        )
        for item in ranked
        if (item.workspace, item.passage.id) in folds
    )


def _notices(backend: VectorBackend) -> Iterable[IndexNotice]:
    return backend.notices() if isinstance(backend, SupportsNotices) else ()


def _by_words(workspace: WorkspaceName, reason: str) -> str:
    return f"workspace {workspace!r} was searched by words only: {reason}"
