# SPDX-License-Identifier: Apache-2.0
"""`alsbench export` of a model's folder: its factors with their ids, in Parquet or Arrow.

python -m alsbench export model --to parquet -o factors
"""

import argparse
import pathlib
from collections.abc import Sequence

from alsbench._commands import Parser, exit_code
from alsbench.exchange import FACTOR_KINDS, write_factors
from alsbench.model import read_model


def is_of_a_model(words: Sequence[str]) -> bool:
    """Whether the words behind `export` name a model, or a format of its factors; the program exports files."""
    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    parser.add_argument("-o", "--out", nargs="?")
    parser.add_argument("--to", nargs="?")
    found, others = parser.parse_known_args(words)
    return found.to in FACTOR_KINDS or any((pathlib.Path(word) / "record.json").exists() for word in others)


def main(words: Sequence[str]) -> int:
    """Exports a model's factors as the words say; returns the exit code."""
    return exit_code(lambda: _export(words))


def _export(words: Sequence[str]) -> str:
    parser = Parser(
        prog="alsbench export", description="Write the factors of a model with their ids", allow_abbrev=False
    )
    parser.add_argument("model", help="a model's folder")
    parser.add_argument("--to", choices=FACTOR_KINDS, required=True, help="the format of the tables")
    parser.add_argument("-o", "--out", required=True, help="folder for userFactors and itemFactors")
    parser.add_argument("-q", "--quiet", action="store_true", help="print no note on stderr")
    options = parser.parse_args(words)
    users, items = write_factors(read_model(options.model, device="cpu"), options.out, options.to)
    return "" if options.quiet else f"{options.out}: factors of {users} users and {items} items"
