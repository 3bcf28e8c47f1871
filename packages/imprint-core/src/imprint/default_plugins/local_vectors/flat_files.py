"""The flat file: one immutable segment on disk, mapped into memory, so that all processes share one copy.

Its first page says in words what it is. Behind it lie the columns, each beginning at a multiple of 64 bytes: the rows
rounded to bytes, the rows themselves (float16), their scales (float32), their ids (int64) and, where the ids do not
ascend, their order (int64). The rows stand in the order in which the feed gave them.
"""

import json
import mmap
import shutil
import sys
from collections.abc import Iterable
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any, BinaryIO, Final

import attrs
import numpy

from imprint.default_plugins.local_vectors.kernels import Ids
from imprint.default_plugins.local_vectors.segments import Segment, order_of, segment_of
from imprint.default_plugins.local_vectors.verification import discard, is_verified
from imprint.failpoints import reach
from imprint.plugins import Generation, ModelIdentity, VectorBatch
from imprint.protocols.vectors import IndexNotice

__all__ = ["FlatHeader", "map_flat_file", "write_flat_file"]

_MAGIC: Final = b"imprint vectors 1\n"
_PAGE: Final = 4_096
_ALIGNMENT: Final = 64


@attrs.frozen(kw_only=True)
class FlatHeader:
    """What the first page says.

    Attributes:
        model: Digest of the model.
        ordered: Whether the ids ascend, so that no order is stored.
    """

    width: int
    rows: int
    model: str
    position: int
    epoch: str
    ordered: bool
    byte_order: str = sys.byteorder

    def to_page(self) -> bytes:
        """Write it as the first page."""
        return (_MAGIC + json.dumps(attrs.asdict(self)).encode() + b"\n").ljust(_PAGE)

    @classmethod
    def from_page(cls, page: bytes) -> "FlatHeader | None":
        """Read it back; `None` where the page says something else."""
        if not page.startswith(_MAGIC):
            return None
        try:
            return cls(**json.loads(page.removeprefix(_MAGIC)))
        except (TypeError, ValueError):
            return None


def write_flat_file(
    path: Path, batches: Iterable[VectorBatch], model: ModelIdentity, *, position: int, epoch: str
) -> int | None:
    """Write the rows of a feed to a new file, never holding more than a batch and the ids.

    Returns:
        The number of rows; `None` where a row was replaced meanwhile, so that its id came twice.
    """
    all_ids = [numpy.empty(0, dtype=numpy.int64)]
    all_scales = [numpy.empty(0, dtype=numpy.float32)]
    with path.open("xb") as file, TemporaryFile(dir=path.parent) as halves:
        file.write(bytes(_PAGE))
        for batch in batches:
            part = segment_of(batch.ids, batch.rows)
            file.write(part.codes.tobytes())
            halves.write(part.rows.tobytes())
            all_ids.append(part.ids)
            all_scales.append(part.scales)
        ids = numpy.concatenate(all_ids)
        order = order_of(ids)
        if order is not None and not numpy.diff(ids[order]).all():
            return None
        reach("index.half-written")
        _align(file)
        halves.seek(0)
        shutil.copyfileobj(halves, file, 1 << 20)
        for column in (numpy.concatenate(all_scales), ids, order):
            if column is not None:
                _align(file)
                file.write(column.tobytes())
        header = FlatHeader(
            width=model.width,
            rows=len(ids),
            model=model.digest,
            position=position,
            epoch=epoch,
            ordered=order is None,
        )
        file.seek(0)
        file.write(header.to_page())
    return len(ids)


def map_flat_file(path: Path, generation: Generation, model: ModelIdentity) -> Segment | IndexNotice:
    """Map a published file after checking that it is the one that was published."""
    try:
        with path.open("rb") as file:
            header = _read_header(file) if is_verified(path, file, generation.digest) else None
            expected = FlatHeader(
                width=model.width,
                rows=generation.rows,
                model=model.digest,
                position=generation.position,
                epoch=generation.epoch,
                ordered=header is not None and header.ordered,
            )
            if header == expected:
                return _columns(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ), expected)
    except OSError as error:
        return IndexNotice(path.name, f"it cannot be read ({error.strerror or error})")
    return discard(path)


def _read_header(file: BinaryIO) -> FlatHeader | None:
    file.seek(0)
    return FlatHeader.from_page(file.read(_PAGE))


def _columns(memory: mmap.mmap, header: FlatHeader) -> Segment:
    offset = _PAGE

    def column(type: Any, width: int = 1) -> "numpy.ndarray[Any, Any]":
        nonlocal offset
        offset += -offset % _ALIGNMENT
        values = numpy.frombuffer(memory, dtype=type, count=header.rows * width, offset=offset)
        offset += values.nbytes
        return values

    codes = column(numpy.int8, header.width).reshape(header.rows, header.width)
    rows = column(numpy.float16, header.width).reshape(header.rows, header.width)
    scales = column(numpy.float32)
    ids: Ids = column(numpy.int64)
    order = None if header.ordered else column(numpy.int64)
    return Segment(ids, order, scales, codes, rows)


def _align(file: BinaryIO) -> None:
    file.write(bytes(-file.tell() % _ALIGNMENT))
