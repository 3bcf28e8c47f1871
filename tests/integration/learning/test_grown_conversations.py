"""A conversation that grows while something else is done with it."""

from learning_home import WORKSPACE, Home

from imprint.domain.sources import SourceKey

KEY = SourceKey("conversation:claude-code/one")


def test_what_was_said_after_a_copy_was_taken_is_not_deleted_with_what_was_copied(home: Home):
    """A move copies a source, and then deletes what it copied from where it was."""
    home.say("one", "first")
    home.learn()
    with home.open() as application, application._stores.open(WORKSPACE) as store:
        copies = store.copy_sources([KEY])
        home.say("one", "second", begin=1)
        home.learn()

        removed = store.remove_copied(copies)

    assert removed == frozenset()
    assert home.passages(KEY) == ["first", "second"]


def test_a_conversation_that_was_moved_is_learned_anew_where_it_is_allowed(home: Home):
    """As a refresh takes in again what was moved out of a root."""
    home.say("one", "first")
    home.learn()
    with home.open() as application, application._stores.open(WORKSPACE) as store:
        assert store.remove_copied(store.copy_sources([KEY])) == {KEY}

    home.learn()

    assert home.passages(KEY) == ["first"]
