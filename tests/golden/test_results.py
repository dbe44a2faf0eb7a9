# SPDX-License-Identifier: Apache-2.0
"""The committed results: their figures stay those that were measured, and the tables next to them are made of them."""

import dataclasses
import functools

from conftest import ROOT, files_in, read_json

RESULTS = ROOT / "results"
# Folders that are no results of a device: recorded, fitted, tuned, and compared with.
OTHERS = {
    "baselines",
    "local",
    "progress",
    "rates",
    "recorded",
    "schema",
    "static",
    "tuned",
    "drop-in",
    "lists",
    "readers",
    "gates",
    "quality",
}


def documents():
    """Every result of a device, by its path below results/ without the suffix."""
    folders = [folder for folder in sorted(RESULTS.iterdir()) if folder.is_dir() and folder.name not in OTHERS]
    files = [file for folder in folders for file in sorted(folder.rglob("*.json*"))]
    files += sorted(RESULTS.glob("recorded/*/strategies.json*"))
    return {str(file.relative_to(RESULTS)).partition(".json")[0]: file for file in files}


SAMPLE = ROOT / "tests/golden/expected/results-sample.txt"  # a file, a place in it, and the number there


def at(document, place):
    """The value at a JSON pointer whose keys hold no '/'."""
    for key in place.split("/")[1:]:
        document = document[int(key)] if isinstance(document, list) else document[key]
    return document


def test_figures_of_the_committed_results_are_as_measured():
    """Drawn once from the files of that time: a conversion or another writer must not change them."""
    known = documents()
    read = functools.cache(lambda name: read_json(known[name]))
    lines = [line.split(" ") for line in SAMPLE.read_text(encoding="utf-8").splitlines()]
    assert len(lines) >= 500
    assert [line for line in lines if repr(at(read(line[0]), line[1])) != line[2]] == []


def test_results_are_compressed_and_name_no_time_or_file():
    """As `gzip -n` does, so the same result gives the same bytes."""
    for name, file in documents().items():
        if not name.startswith("recorded/"):
            head = file.read_bytes()[:8]
            assert head == b"\x1f\x8b\x08\x00\x00\x00\x00\x00", f"{file}: scripts/keep_result keeps it"


def runs():
    """Each committed run, and its table."""
    kept = [file for file in documents().values() if file.suffix == ".gz" and read_json(file).get("kind") == "run"]
    return [(file, file.with_name(file.name.replace(".json.gz", ".csv"))) for file in kept]


def test_a_run_has_its_table_beside_it(program):
    tables = runs()
    assert {table for _, table in tables} == {
        table for table in files_in("results", "**/*.csv") if OTHERS.isdisjoint(table.relative_to(RESULTS).parts)
    }
    for file, table in tables:
        program.run("export", file, "--to", "csv", "--out", "made.csv", "-q", ALSBENCH_DISTURBED="")
        made = (program.folder / "made.csv").read_bytes()
        assert made == table.read_bytes(), f"alsbench export {file.relative_to(ROOT)} --to csv -o {table.name} makes it"


# Shares are those of today's definition in tables, and those of its day in a result.
SHARES = ("nearest_ceiling", "share_of_nearest_ceiling")


def figures(row):
    """A row with its mean as far as sums of another order agree."""
    mean = row.mean_iteration_seconds
    return {**dataclasses.asdict(row), "mean_iteration_seconds": mean and float(f"{mean:.12g}")}


def test_python_reads_the_same_of_a_run_and_of_its_table(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "python"))
    from alsbench.results import read_result
    from alsbench.results.table import read_table, table_of

    for file, table in runs():
        made, read = table_of(read_result(file)), read_table(table)
        assert (made.suite, made.build, len(made.rows)) == (read.suite, read.build, len(read.rows))
        assert set(made.device_names) == set(read.device_names), file
        for one, other in zip(map(figures, made.rows), map(figures, read.rows), strict=True):
            assert {**one, **{name: other[name] for name in SHARES}} == other, one["name"]
