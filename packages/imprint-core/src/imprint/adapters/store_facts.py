"""The facts of a store."""

import sqlite3

from imprint.adapters.store_connections import StoreConnection
from imprint.domain.facts import Fact, FactId, NewFact
from imprint.domain.purge import is_key_excluded
from imprint.errors import ExcludedSourceError, ReversedTimesError, UnknownFactError
from imprint.protocols.stores import FactAddition

__all__ = ["FACT_COLUMNS", "StoredFacts", "fact_of"]

FACT_COLUMNS = "id, subject, predicate, object, valid_from, valid_until, source, recorded_at"
_LARGEST_ID = 2**63 - 1


class StoredFacts(StoreConnection):
    """Meets `imprint.protocols.stores.FactStore`."""

    def facts(self, *, subject: str = "", predicate: str = "", at: str = "", history: bool = False) -> list[Fact]:
        conditions, values = ["1"], []
        if subject:
            conditions.append("subject = ?")
            values.append(subject)
        if predicate:
            conditions.append("predicate = ?")
            values.append(predicate)
        if not history:
            conditions.append("(valid_until = '' OR valid_until > ?)")
            values.append(at or self._clock.now())
            if at:
                conditions.append("valid_from <= ?")
                values.append(at)
        with self._file.read() as connection:
            rows = connection.execute(
                f"SELECT {FACT_COLUMNS} FROM facts WHERE {' AND '.join(conditions)} ORDER BY valid_from, id", values
            ).fetchall()
        return [fact_of(row) for row in rows]

    def add_fact(self, fact: NewFact) -> FactAddition:
        if fact.valid_until and fact.valid_until <= fact.valid_from:
            raise ReversedTimesError(fact.valid_from, fact.valid_until)
        with self._write(durable=True) as permit:
            if fact.source and is_key_excluded(fact.source, permit.exclusions):
                raise ExcludedSourceError(fact.source, self._workspace)
            known = permit.connection.execute(
                f"SELECT {FACT_COLUMNS} FROM facts WHERE subject = ? AND predicate = ? AND object = ? AND source = ? "
                "AND valid_from <= ? AND valid_until = ? ORDER BY id LIMIT 1",
                (fact.subject, fact.predicate, fact.object, fact.source, fact.valid_from, fact.valid_until),
            ).fetchone()
            if known is not None:
                return FactAddition(fact_of(known), added=False)
            row = permit.connection.execute(
                "INSERT INTO facts (subject, predicate, object, valid_from, valid_until, source, recorded_at) "
                f"VALUES (?, ?, ?, ?, ?, ?, ?) RETURNING {FACT_COLUMNS}",
                (
                    fact.subject,
                    fact.predicate,
                    fact.object,
                    fact.valid_from,
                    fact.valid_until,
                    fact.source,
                    self._clock.now(),
                ),
            ).fetchone()
            return FactAddition(fact_of(row), added=True)

    def end_fact(self, id: FactId, at: str) -> Fact:
        with self._write(durable=True) as permit:
            fact = _find_fact(permit.connection, id)
            if at < fact.valid_from:
                raise ReversedTimesError(fact.valid_from, at)
            permit.connection.execute(
                "UPDATE facts SET valid_until = ? WHERE id = ? AND (valid_until = '' OR valid_until > ?)", (at, id, at)
            )
            return _find_fact(permit.connection, id)


def _find_fact(connection: sqlite3.Connection, id: FactId) -> Fact:
    row = None
    if abs(id) <= _LARGEST_ID:
        row = connection.execute(f"SELECT {FACT_COLUMNS} FROM facts WHERE id = ?", (id,)).fetchone()
    if row is None:
        raise UnknownFactError(id)
    return fact_of(row)


def fact_of(row: tuple[int, str, str, str, str, str, str, str]) -> Fact:
    """The fact in a row of `FACT_COLUMNS`."""
    id, subject, predicate, object, valid_from, valid_until, source, recorded_at = row
    return Fact(
        id=FactId(id),
        subject=subject,
        predicate=predicate,
        object=object,
        valid_from=valid_from,
        valid_until=valid_until,
        source=source,
        recorded_at=recorded_at,
    )
