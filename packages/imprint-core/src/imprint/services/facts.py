"""Facts: what holds, from when until when."""

from collections.abc import Sequence

import attrs

from imprint.domain.facts import Fact, FactId, NewFact
from imprint.domain.redaction import Redact
from imprint.domain.sources import WorkspaceName
from imprint.domain.times import parse_moment
from imprint.errors import EmptyTextError
from imprint.protocols.clocks import Clock
from imprint.protocols.stores import FactAddition, StoreOpener

__all__ = ["FactEnding", "WorkspaceFacts"]


@attrs.frozen
class FactEnding:
    """A fact that ended; ``changed`` is false when it had ended before that moment already."""

    fact: Fact
    changed: bool


@attrs.frozen
class WorkspaceFacts:
    """The use cases. Moments are written as people write them, see `imprint.domain.times.parse_moment`."""

    stores: StoreOpener
    clock: Clock
    redact: Redact

    def list(self, workspace: WorkspaceName, *, subject: str = "", predicate: str = "", at: str = "") -> Sequence[Fact]:
        """Facts that hold at a moment; without one, those that have not ended.

        Raises:
            InvalidTimeError: ``at`` is no moment.
        """
        moment = self._moment(at) if at else ""
        with self.stores.open(workspace) as store:
            return store.facts(subject=subject, predicate=predicate, at=moment)

    def history(self, workspace: WorkspaceName, *, subject: str = "", predicate: str = "") -> Sequence[Fact]:
        """Every fact, ended or not, oldest first."""
        with self.stores.open(workspace) as store:
            return store.facts(subject=subject, predicate=predicate, history=True)

    def add(
        self,
        workspace: WorkspaceName,
        *,
        subject: str,
        predicate: str,
        object: str,
        valid_from: str = "",
        valid_until: str = "",
        source: str = "",
    ) -> FactAddition:
        """Record a fact; one that is known already, word for word, is a success that says so.

        Args:
            valid_from: Empty: now.
            valid_until: Exclusive; empty: it holds on.
            source: Key of the source it was drawn from; purging that source takes the fact too.

        Raises:
            EmptyTextError: Subject, predicate or object is empty.
            InvalidTimeError: A moment is none.
            ReversedTimesError: It would end before it begins.
            ExcludedSourceError: The source was purged from the workspace.
        """
        words = {"subject": subject, "predicate": predicate, "object": object}
        redactions = 0
        for name, text in words.items():
            words[name], count = self.redact(" ".join(text.encode("utf-8", "replace").decode().split()))
            redactions += count
            if not words[name]:
                raise EmptyTextError(name)
        fact = NewFact(
            **words,
            valid_from=self._moment(valid_from or "now"),
            valid_until=self._moment(valid_until) if valid_until else "",
            source=source,
        )
        with self.stores.open(workspace) as store:
            return attrs.evolve(store.add_fact(fact), redactions=redactions)

    def end(self, workspace: WorkspaceName, id: FactId, *, at: str = "") -> FactEnding:
        """End a fact, now or at a moment; one that had ended before that keeps its end.

        Raises:
            UnknownFactError: No fact has this id.
            InvalidTimeError: ``at`` is no moment.
            ReversedTimesError: It would end before it begins.
        """
        moment = self._moment(at or "now")
        with self.stores.open(workspace) as store:
            fact = store.end_fact(id, moment)
        return FactEnding(fact, changed=fact.valid_until == moment)

    def _moment(self, text: str) -> str:
        return parse_moment(text, now=self.clock.now(), zone=self.clock.zone())
