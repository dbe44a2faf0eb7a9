# SPDX-License-Identifier: Apache-2.0
"""python -m plots FILE.json... [--out FOLDER|FIGURE]: draws result files."""

import argparse
import pathlib
import sys

from plots import figures, results, style


def arguments():
    parser = argparse.ArgumentParser(prog="python -m plots", description="Draws alsbench result files.")
    parser.add_argument("files", nargs="+", metavar="FILE.json", help="written by alsbench run --json")
    parser.add_argument(
        "--out",
        type=pathlib.Path,
        metavar="FOLDER|FIGURE",
        help="a folder, or for one file the figure itself (.png, .svg, .pdf); default: beside the file",
    )
    return parser.parse_args()


def figure_path(source, out):
    if out is None:
        return source.with_suffix(".png")
    return out if out.suffix in (".png", ".svg", ".pdf") else out / f"{source.stem}.png"


def main():
    options = arguments()
    files = [pathlib.Path(file) for file in options.files]
    if len(files) > 1 and options.out and options.out.suffix:
        sys.exit(f"--out {options.out}: {len(files)} files need a folder")
    try:
        documents = [(file, results.load(file)) for file in files]
    except results.ResultError as error:
        sys.exit(f"plots: {error}")
    for file, document in documents:
        try:
            figure = figures.figure_of(document)
        except figures.NothingToDraw as reason:
            print(f"plots: {file}: no figure: {reason}", file=sys.stderr)
            continue
        print(style.save(figure, figure_path(file, options.out)))


main()
