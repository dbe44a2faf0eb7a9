# SPDX-License-Identifier: Apache-2.0
"""JSON files, compressed with gzip or not: the content tells, not the name."""

import gzip
import io
import json
import os
import pathlib
import zlib
from typing import Any

from alsbench.errors import UsageError

_LONGEST = 1 << 30  # bytes; no document has more


def read_json(path: str | os.PathLike) -> Any:
    """Raises OSError where the file cannot be read, and UsageError that names it where it is damaged."""
    try:
        return json.loads(_unpacked(pathlib.Path(path)))
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{path}: is not JSON ({error}); was it cut off?") from None


def _unpacked(path: pathlib.Path) -> bytes:
    content = path.read_bytes()
    if not content.startswith(b"\x1f\x8b"):
        return content
    try:
        text = gzip.GzipFile(fileobj=io.BytesIO(content)).read(_LONGEST + 1)
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise UsageError(f"{path}: its gzip data is damaged ({error}); fetch or record it again") from None
    if len(text) > _LONGEST:
        raise UsageError(f"{path}: is longer than any document, 1 GiB; name another file")
    return text
