"""The value by which a plugin of homes says what it is."""

import attrs

__all__ = ["HomeInfo"]


@attrs.frozen(kw_only=True)
class HomeInfo:
    """What a plugin of homes says about itself.

    Attributes:
        name: What its entry point is named.
        summary: One line for lists: whose homes it finds.

    .. versionadded:: 0.1
    """

    name: str
    summary: str
