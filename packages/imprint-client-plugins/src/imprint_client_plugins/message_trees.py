"""Conversations whose messages name their parents: one branch of the tree is the one that the user sees."""

from collections.abc import Mapping

__all__ = ["branch_to"]


def branch_to(leaf: str, parents: Mapping[str, object]) -> list[str]:
    """The messages from the root to a leaf; a circle, which no service writes, is gone round once.

    Args:
        parents: The parent of every message; of a root something that is none of the messages.
    """
    branch: dict[str, None] = {}
    place: object = leaf
    while isinstance(place, str) and place in parents and place not in branch:
        branch[place] = None
        place = parents[place]
    return list(reversed(branch))
