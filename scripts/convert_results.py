#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Converts documents of schema 1.x to 2.0, in place: convert_results.py PATH...

A path is a file, or a folder whose .json, .json.gz and .journal.gz files are converted. A file that gzip compressed stays compressed.
One that is of schema 2.x already, or of a kind that has no conversion, is left as it is.
"""

import gzip
import json
import pathlib
import sys

from schema_1 import judging, runs, tunings

GZIP = b"\x1f\x8b"
CONVERSIONS = {**judging.CONVERSIONS, **runs.CONVERSIONS, **tunings.CONVERSIONS}


def kind_of(document):
    """Records of trainings had no kind."""
    return "training" if document.get("$schema") == "train.schema.json" else document.get("kind")


def converted(document):
    """The document in schema 2.0; None where it is to be left as it is."""
    if not isinstance(document, dict):
        return None
    # Shifts are accepted by people, and had no version.
    old = document.get("schema_version", "1.0.0" if kind_of(document) == "accepted_shifts" else "")
    conversion = CONVERSIONS.get(kind_of(document))
    return conversion(document) if conversion and old.startswith("1.") else None


def indent_of(text):
    """Of the first member; None where all stands on one line."""
    second = text.partition("\n")[2]
    return (len(second) - len(second.lstrip(" "))) or None


def converted_text(text):
    """Indented as the text is; None where it is to be left as it is."""
    document = converted(json.loads(text))
    end = "\n" if text.endswith("\n") else ""
    return None if document is None else json.dumps(document, indent=indent_of(text), ensure_ascii=False) + end


def convert_file(path):
    """Whether it was converted."""
    content = path.read_bytes()
    packed = content.startswith(GZIP)
    text = (gzip.decompress(content) if packed else content).decode()
    new = tunings.recording(text) if ".journal" in path.name else converted_text(text)
    if new is None or new == text:
        return False
    new = new.encode()
    path.write_bytes(gzip.compress(new, mtime=0) if packed else new)
    return True


def files_of(path):
    if not path.is_dir():
        return [path]
    return sorted(each for each in path.rglob("*") if each.name.endswith((".json", ".json.gz", ".journal.gz")))


def main(paths):
    count = failed = 0
    for path in (file for each in paths for file in files_of(pathlib.Path(each))):
        try:
            count += convert_file(path)
        except (OSError, ValueError, KeyError, TypeError) as error:
            failed += 1
            print(f"{path}: not converted: {type(error).__name__}: {error}", file=sys.stderr)
    print(f"{count} files converted")
    return 1 if failed else 0


if __name__ == "__main__":
    if len(sys.argv) < 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1:]))
