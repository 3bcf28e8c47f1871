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


def test_a_conversation_learned_as_it_grew_has_the_memories_of_one_learned_at_once(home: Home) -> None:
    texts = [
        "Please look at src/queue.py.",
        "It is `src/queue.py`; I ran `pytest tests/test_queue.py`.",
        "We decided to keep SQLite.",
        "The bug was a stale lock. The fix was to renew it in src/lock.py.",
        "we decided to  keep sqlite.",
        "Noted in src/lock.py and src/lock.py.",
        "From now on use tabs.",
        "As you like.",
    ]
    for place in range(0, len(texts), 2):
        home.say("s1", *texts[place : place + 2], begin=place)
        home.learn()
    grown = memories(home)

    home.claude("s1").unlink()
    with home.open() as application, application._stores.open(WORKSPACE) as store:
        store.remove_sources([key for key in home.sources() if "s1" in key or key.startswith("memory:")])
    home.say("s1", *texts)
    home.learn()

    assert sorted(one[0] for one in grown.values()) == ["bug", "decision", "preference", "summary"]
    assert memories(home) == grown


def test_only_what_a_conversation_grew_by_is_read(home: Home) -> None:
    """What was drawn before is not drawn again: a memory that somebody forgot stays forgotten."""
    home.say("s1", "We decided to keep SQLite.", "Good.", "And now?", "Now we wait.")
    home.learn()
    with home.open() as application, application._stores.open(WORKSPACE) as store:
        store.remove_sources([key for key, one in memories(home).items() if one[0] == "decision"])

    home.say("s1", "We decided to keep Python.", "Good.", begin=4)
    home.learn()

    assert [text.partition("\n")[0] for kind, text, _ in memories(home).values() if kind == "decision"] == [
        "We decided to keep Python."
    ]


def test_without_its_summary_a_conversation_is_read_from_its_beginning(home: Home) -> None:
    home.say("s1", "We decided to keep SQLite.", "Good.", "And now?", "Now we wait.")
    home.learn()
    before = memories(home)
    with home.open() as application, application._stores.open(WORKSPACE) as store:
        store.remove_sources(before)

    home.say("s1", "And then?", "Then we go.", begin=4)
    home.learn()

    assert sorted(one[0] for one in memories(home).values()) == ["decision", "summary"]


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
