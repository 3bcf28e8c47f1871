"""What a conversation showed is remembered beside it, goes with it, and comes once."""

from learning_home import WORKSPACE, Home

from imprint.domain.purge import Exclusion


def memories(home: Home) -> dict[str, tuple[str, str, str]]:
    """Kind, text and origin of every memory, by key."""
    with home.open() as application, application._stores.open(WORKSPACE) as store:
        return {
            found.source.key: (
                str(found.source.memory_kind),
                store.source_chunks(found.source.key)[0].chunk.text,
                found.source.origin,
            )
            for found in store.sources(kinds=["memory"])
        }


def test_a_decision_is_remembered_with_its_evidence_and_once(home: Home) -> None:
    home.say("s1", "We decided to keep SQLite.", "Good, I keep it.")
    home.learn()
    first = memories(home)

    home.say("s1", "And now?", "Nothing more.", begin=2)
    home.learn()

    ((kind, text, origin),) = first.values()
    assert kind == "decision"
    assert text.startswith("We decided to keep SQLite.\n(said by the user, line 1 of conversation:claude-code/s1)")
    assert first.items() <= memories(home).items()
    assert sorted(one[0] for one in memories(home).values()) == ["decision", "summary"]
    assert all(one[2] == origin for one in memories(home).values())


def test_purging_a_conversation_takes_what_was_drawn_from_it(home: Home) -> None:
    home.say("s1", "We decided to keep SQLite.", "Good, I keep it.")
    home.learn()
    ((_, _, origin),) = memories(home).values()

    with home.open() as application, application._stores.open(WORKSPACE) as store:
        store.purge(Exclusion(workspace=WORKSPACE, target=origin, recursive=False, added_at=""))

    assert memories(home) == {}
    assert home.passages(origin) == []


def test_a_secret_that_was_said_is_not_stored(home: Home) -> None:
    secret = "ghp_" + "aB3dE6gH9" * 4
    home.say("s1", f"We decided to use {secret} here.", "Fine, it is done.")

    report = home.learn()

    assert report.redactions >= 1
    with home.open() as application, application._stores.open(WORKSPACE) as store:
        assert not store.holds_text(secret)
