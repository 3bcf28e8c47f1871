"""Doc."""

import os


# Says hello.
@decorator
@other(
    1,
)
async def hello():
    def inner():
        return 1
    return inner


class A:
    x = 1

    @property
    def name(self):
        return 1

    class B:
        def deep(self):
            return 2


if True:
    def conditional():
        return 3
