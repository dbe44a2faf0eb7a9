# SPDX-License-Identifier: Apache-2.0
"""`alsbench import`: what implicit or Spark saved, as a model's folder for the other commands.

python -m alsbench import als.npz --from implicit -o model
"""

import argparse
import pathlib
from collections.abc import Sequence

from alsbench._commands import Parser, exit_code
from alsbench.errors import UsageError
from alsbench.exchange import read_implicit, read_spark
from alsbench.model import Model, ids_of_rows


def main(words: Sequence[str]) -> int:
    """Imports a model as the words say; returns the exit code."""
    return exit_code(lambda: _import(words))


def _import(words: Sequence[str]) -> str:
    options = _parser().parse_args(words)
    model = _read(options)
    users = _ids(options.users, "--users", len(model.user_factors))
    items = _ids(options.items, "--items", len(model.item_factors))
    model.save(options.out, users=users, items=items)
    if options.quiet:
        return ""
    return f"{options.out}: {len(model.user_factors)} users, {len(model.item_factors)} items, rank {model.rank}"


def _parser() -> argparse.ArgumentParser:
    parser = Parser(
        prog="alsbench import", description="Make a model of what implicit or Spark saved", allow_abbrev=False
    )
    parser.add_argument(
        "file", help="file of implicit's AlternatingLeastSquares.save, or folder of Spark's ALSModel.save"
    )
    parser.add_argument("--from", dest="source", choices=("implicit", "spark"), required=True, help="who saved it")
    parser.add_argument("-o", "--out", required=True, help="folder for the model: a new one, or that of a model")
    spark = parser.add_argument_group("what Spark does not save")
    spark.add_argument("--feedback", choices=("explicit", "implicit"), help="implicitPrefs (explicit)")
    spark.add_argument("--regularization", type=float, metavar="R", help="regParam, which fold-in and explain need")
    spark.add_argument("--alpha", type=float, metavar="A", help="alpha of implicit feedback (1)")
    implicit = parser.add_argument_group("what implicit does not save")
    implicit.add_argument("--users", metavar="FILE", help="the users' ids in the order of their rows, one a line")
    implicit.add_argument("--items", metavar="FILE", help="likewise of the items")
    parser.add_argument("-q", "--quiet", action="store_true", help="print no note on stderr")
    return parser


def _read(options: argparse.Namespace) -> Model:
    of_spark = {
        name: value for name in ("feedback", "regularization", "alpha") if (value := getattr(options, name)) is not None
    }
    unneeded = (
        of_spark if options.source == "implicit" else [name for name in ("users", "items") if getattr(options, name)]
    )
    if unneeded:
        raise UsageError(f"--{next(iter(unneeded))}: {options.file} says it, being of {options.source}; leave it out")
    if options.alpha is not None and options.feedback != "implicit":
        raise UsageError("--alpha: explicit feedback has none; give --feedback implicit, or leave it out")
    try:
        if options.source == "implicit":
            return read_implicit(options.file)
        return read_spark(options.file, **of_spark)
    except FileNotFoundError:
        raise UsageError(f"{options.file}: is missing; give a file that implicit saved") from None
    except UsageError as error:
        said = str(error)
        raise UsageError(said if options.file in said else f"{options.file}: {said}") from None


def _ids(path: str | None, option: str, rows: int) -> list[str]:
    if path is None:
        return []
    try:
        text = pathlib.Path(path).read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{option} {path}: {error}; give a file of UTF-8 with an id a line") from None
    return ids_of_rows(map(_unquoted, text.removesuffix("\n").split("\n")), rows, f"{option} {path}")


def _unquoted(line: str) -> str:
    """The id of a line, as the program reads lists of ids: without blanks around it, unless quotes hold them."""
    field = line.strip(" \t")
    return field[1:-1].replace('""', '"') if len(field) > 1 and field[0] == field[-1] == '"' else field
