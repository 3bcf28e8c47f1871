"""Guessing the encoding of text that says nothing about it."""

__all__ = ["guess_encoding"]


def guess_encoding(sample: bytes) -> str | None:
    """The most plausible encoding of a sample, or `None`. Slow: ask only when nothing else decides."""
    from charset_normalizer import from_bytes  # deferred: few files need it, and it takes long to import

    best = from_bytes(sample, steps=3, chunk_size=1024, cp_exclusion=["utf_7", "utf_16", "utf_32"]).best()
    return best.encoding if best else None
