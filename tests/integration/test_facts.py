"""Facts, on a real store."""

import attrs
import pytest

from imprint.domain.facts import Fact, FactId
from imprint.domain.purge import Exclusion
from imprint.domain.redaction import Redactor
from imprint.domain.sources import WorkspaceName
from imprint.errors import (
    EmptyTextError,
    ExcludedSourceError,
    InvalidTimeError,
    ReversedTimesError,
    UnknownFactError,
)
from imprint.services.facts import WorkspaceFacts
from imprint.testing.fakes import FixedClock

WORKSPACE = WorkspaceName("default")


@pytest.fixture
def clock() -> FixedClock:
    return FixedClock("2026-03-01T12:00:00.000Z")


@pytest.fixture
def facts(device, clock: FixedClock) -> WorkspaceFacts:
    return WorkspaceFacts(attrs.evolve(device.stores, clock=clock), clock, Redactor().redact)


def add(facts: WorkspaceFacts, object: str, **when: str) -> Fact:
    return facts.add(WORKSPACE, subject="Acme", predicate="uses", object=object, **when).fact


def objects(facts: WorkspaceFacts, **narrow: str) -> list[str]:
    return [fact.object for fact in facts.list(WORKSPACE, **narrow)]


def test_a_fact_holds_from_now_on(facts: WorkspaceFacts):
    addition = facts.add(WORKSPACE, subject=" Acme ", predicate="uses", object="uv\n  daily", source="/adr.md")

    assert addition.added is True
    assert addition.fact == Fact(
        id=FactId(1),
        subject="Acme",
        predicate="uses",
        object="uv daily",
        valid_from="2026-03-01T12:00:00.000Z",
        valid_until="",
        source="/adr.md",
        recorded_at="2026-03-01T12:00:00.000Z",
    )
    assert list(facts.list(WORKSPACE)) == list(facts.history(WORKSPACE)) == [addition.fact]


def test_a_fact_repeated_exactly_is_recorded_once(facts: WorkspaceFacts, clock: FixedClock):
    first = add(facts, "uv")
    clock.moment = "2026-03-02T12:00:00.000Z"

    again = facts.add(WORKSPACE, subject="acme", predicate="USES", object="uv")

    assert (again.fact, again.added) == (first, False)
    assert add(facts, "UV") != first
    assert add(facts, "uv", valid_from="2026-01-01") != first
    assert len(facts.history(WORKSPACE)) == 3


def test_a_fact_that_ended_may_hold_again(facts: WorkspaceFacts, clock: FixedClock):
    first = add(facts, "uv")
    clock.moment = "2026-03-02T12:00:00.000Z"
    facts.end(WORKSPACE, first.id)

    assert facts.add(WORKSPACE, subject="Acme", predicate="uses", object="uv").added is True


def test_facts_are_those_of_a_moment(facts: WorkspaceFacts):
    add(facts, "pip", valid_from="2020-01-01", valid_until="2023-01-01")
    add(facts, "poetry", valid_from="2023-01-01", valid_until="2026-12-31")
    add(facts, "uv", valid_from="2026-06-01")

    assert objects(facts) == ["poetry", "uv"]
    assert objects(facts, at="2022-12-31T23:59") == ["pip"]
    assert objects(facts, at="2023-01-01") == ["poetry"]
    assert objects(facts, at="2026-07-01") == ["poetry", "uv"]
    assert objects(facts, at="2019-01-01") == []
    assert [fact.object for fact in facts.history(WORKSPACE)] == ["pip", "poetry", "uv"]


def test_facts_are_narrowed_by_subject_and_predicate(facts: WorkspaceFacts):
    add(facts, "uv")
    facts.add(WORKSPACE, subject="Acme", predicate="likes", object="ruff")
    facts.add(WORKSPACE, subject="Lab", predicate="uses", object="pip")

    assert objects(facts, subject="acme") == ["uv", "ruff"]
    assert objects(facts, predicate="Uses") == ["uv", "pip"]
    assert objects(facts, subject="Acme", predicate="likes") == ["ruff"]
    assert [fact.object for fact in facts.history(WORKSPACE, subject="lab")] == ["pip"]


def test_ending_a_fact_twice_keeps_the_earlier_end(facts: WorkspaceFacts, clock: FixedClock):
    fact = add(facts, "uv")
    clock.moment = "2026-03-05T00:00:00.000Z"

    ending = facts.end(WORKSPACE, fact.id)
    clock.moment = "2026-03-09T00:00:00.000Z"
    again = facts.end(WORKSPACE, fact.id)
    corrected = facts.end(WORKSPACE, fact.id, at="2026-03-03")

    ended = attrs.evolve(fact, valid_until="2026-03-05T00:00:00.000Z")
    assert (ending.fact, ending.changed) == (ended, True)
    assert (again.fact, again.changed) == (ended, False)
    assert (corrected.fact.valid_until, corrected.changed) == ("2026-03-03T00:00:00.000Z", True)
    assert objects(facts) == []


def test_a_fact_cannot_end_before_it_begins(facts: WorkspaceFacts):
    fact = add(facts, "uv")

    with pytest.raises(ReversedTimesError):
        facts.end(WORKSPACE, fact.id, at="yesterday")
    with pytest.raises(ReversedTimesError):
        add(facts, "pip", valid_from="2026-01-02", valid_until="2026-01-02")

    assert list(facts.history(WORKSPACE)) == [fact]


@pytest.mark.parametrize("id", [7, 0, -1, 10**30])
def test_ending_an_unknown_fact_is_an_error(facts: WorkspaceFacts, id: int):
    with pytest.raises(UnknownFactError) as caught:
        facts.end(WORKSPACE, FactId(id))

    assert caught.value.id == id


def test_what_is_no_moment_or_empty_is_refused(facts: WorkspaceFacts):
    with pytest.raises(InvalidTimeError):
        add(facts, "uv", valid_from="soon")
    with pytest.raises(InvalidTimeError):
        facts.list(WORKSPACE, at="soon")
    with pytest.raises(EmptyTextError) as caught:
        add(facts, " \n")

    assert caught.value.what == "object"
    assert list(facts.history(WORKSPACE)) == []


def test_facts_of_a_purged_source_stay_out(facts: WorkspaceFacts, device):
    device.registry.add_exclusion(Exclusion(workspace=WORKSPACE, target="/w", recursive=True, added_at=""))

    with pytest.raises(ExcludedSourceError):
        add(facts, "uv", source="/w/a.md")

    assert list(facts.history(WORKSPACE)) == []


def test_a_secret_is_not_recorded(facts):
    secret = "ghp_" + "aB3dE6gH9" * 4

    addition = facts.add(WORKSPACE, subject="the bot", predicate="logs in with", object=secret)

    assert addition.fact.object == "[redacted GitHub token]"
    assert addition.redactions == 1
