# SPDX-License-Identifier: Apache-2.0
"""Results of the program as typed objects: read_result() of any file that it wrote."""

import os
from typing import Any

from alsbench.errors import UsageError
from alsbench.results.decode import decode
from alsbench.results.files import read_json
from alsbench.results.records import DOCUMENTS, Result


def read_result(path: str | os.PathLike) -> Result:
    """The result in a file that a command wrote with --json, or in a model's record.json, of the version of the schema that this package reads.

    The file may be compressed with gzip.

    Raises OSError where it cannot be read, and UsageError that names the file, the place and what is wrong there.
    """
    return result_of(read_json(path), os.fspath(path))


def result_of(document: Any, source: str) -> Result:
    """The result in a document that was read; source names it in messages."""
    kind = document.get("kind") if isinstance(document, dict) else None
    if not isinstance(kind, str) or kind not in DOCUMENTS:
        raise UsageError(f"{source}: its kind is {kind!r}; give a file of kind {', '.join(DOCUMENTS)}")
    version = document.get("schema_version")
    if not isinstance(version, str) or not version.startswith("2."):
        remedy = (
            "convert it with scripts/convert_results.py" if str(version).startswith("1.") else "use another alsbench"
        )
        raise UsageError(f"{source}: has the schema version {version!r}, and this alsbench reads 2.x; {remedy}")
    return decode(DOCUMENTS[kind], document, f"{source}: ")
