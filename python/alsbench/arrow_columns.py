# SPDX-License-Identifier: Apache-2.0
"""Columns of Arrow in the types that ids and ratings have: texts, numbers and times."""

import uuid
from typing import Any, NamedTuple

BREAKS = "[\n\r\x00]"  # no line of CSV holds them


def plain(column: Any) -> Any:
    """An array or chunked array without categories, views and extensions: UUIDs are the texts that stand for them."""
    import pyarrow

    if isinstance(column, pyarrow.ChunkedArray):
        chunks = [plain(chunk) for chunk in column.chunks] or [plain(pyarrow.array([], column.type))]
        return pyarrow.chunked_array(chunks)
    type_ = column.type
    if str(type_) == "extension<arrow.uuid>":
        texts = [None if each is None else str(uuid.UUID(bytes=each)) for each in column.storage.to_pylist()]
        return pyarrow.array(texts, pyarrow.string())
    if isinstance(type_, pyarrow.BaseExtensionType):
        return plain(column.storage)
    if pyarrow.types.is_dictionary(type_):
        values = plain(column.dictionary)
        return values.take(column.indices)
    if str(type_) in ("string_view", "binary_view"):  # no kernel of pyarrow takes rows of them
        return column.cast("large_string" if str(type_) == "string_view" else "large_binary")
    return column


def numbers_of(column: Any) -> Any:
    """A plain column, decimals of it as floats."""
    import pyarrow

    return column.cast("float64") if pyarrow.types.is_decimal(column.type) else column


class Lines(NamedTuple):
    """A column as lines of CSV have it, and the first row, from 0, whose value they cannot hold, with the reason."""

    column: Any
    row: int | None = None
    why: str = ""


def lines_of(column: Any) -> Lines:
    """A plain column of texts, bytes, numbers or times for lines of CSV. Breaks of lines in texts become blanks."""
    import pyarrow
    import pyarrow.compute as pc

    type_ = column.type
    if pyarrow.types.is_fixed_size_binary(type_):
        column, type_ = column.cast(pyarrow.binary()), pyarrow.binary()
    if pyarrow.types.is_binary(type_) or pyarrow.types.is_large_binary(type_):
        try:
            column = column.cast("large_string")
        except pyarrow.ArrowInvalid:
            row = next(i for i, value in enumerate(column) if not _is_text(value.as_py()))
            return Lines(pyarrow.nulls(len(column), pyarrow.large_string()), row, "bytes that are no text")
        type_ = column.type
    if not (pyarrow.types.is_string(type_) or pyarrow.types.is_large_string(type_)):
        return Lines(column)
    row = pc.index(pc.match_substring_regex(column, BREAKS), True).as_py()
    if row < 0:
        return Lines(column)
    return Lines(pc.replace_substring_regex(column, BREAKS, " "), row, "a line break or NUL within a text")


def _is_text(value: bytes | None) -> bool:
    try:
        return value is None or value.decode() is not None
    except UnicodeDecodeError:
        return False
