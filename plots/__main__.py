# SPDX-License-Identifier: Apache-2.0
"""python -m plots FILE... [--out FOLDER|FIGURE]: draws result files, and tables of them."""

import argparse
import pathlib
import sys

from plots import figures, style
from plots.reading import read_any, stem


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m plots", description="Draws alsbench result files.")
    parser.add_argument(
        "files", nargs="+", metavar="FILE", help="written by alsbench: .json, .json.gz, or the .csv of a run"
    )
    parser.add_argument(
        "--out",
        type=pathlib.Path,
        metavar="FOLDER|FIGURE",
        help="a folder, or for one file the figure itself (.png, .svg, .pdf); default: next to the file",
    )
    return parser.parse_args()


def figure_path(source: pathlib.Path, out: pathlib.Path | None) -> pathlib.Path:
    if out is None:
        return source.with_name(f"{stem(source)}.png")
    return out if out.suffix in (".png", ".svg", ".pdf") else out / f"{stem(source)}.png"


def main() -> None:
    options = arguments()
    files = [pathlib.Path(file) for file in options.files]
    if len(files) > 1 and options.out and options.out.suffix:
        sys.exit(f"--out {options.out}: {len(files)} files need a folder")
    results = [(file, read_any(file)) for file in files]
    for file, result in results:
        try:
            figure = figures.figure_of(result)
        except style.NothingToDraw as reason:
            print(f"plots: {file}: no figure: {reason}", file=sys.stderr)
            continue
        print(style.save(figure, figure_path(file, options.out)))


main()
