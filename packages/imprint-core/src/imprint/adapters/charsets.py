"""Guessing the encoding of text that says nothing about it."""

__all__ = ["guess_encoding"]

# One encoding a script, as files are really written. The many that differ from these in a sign or two are as likely as
# a coin's side, and wrong more often.
_CANDIDATES = [
    *("cp1252", "cp1250", "cp1251", "koi8_r", "cp866", "cp1253", "cp1254", "cp1255", "cp1256"),
    *("cp932", "euc_jp", "gb18030", "big5", "cp949"),
]


def guess_encoding(sample: bytes) -> str | None:
    """The most plausible encoding of a sample; `None` where there is none, or the extra that guesses is missing.

    Slow: to be asked only when nothing else decides.
    """
    try:
        from charset_normalizer import from_bytes  # Few files need it, and it takes long to import.
    except ImportError:
        return None
    best = from_bytes(sample, steps=3, chunk_size=1024, cp_isolation=_CANDIDATES).best()
    # Where no language is recognised, one encoding with a byte a character is as likely as the other.
    return best.encoding if best and (best.coherence or best.multi_byte_usage) else None
