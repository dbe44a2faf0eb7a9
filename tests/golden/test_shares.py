# SPDX-License-Identifier: Apache-2.0
"""Every share that is printed is what the columns next to it give: a rate over the same rate of the reference rate."""

import base64
import collections
import csv
import gzip
import io
import json
import re

import pytest

from conftest import ROOT, read_json

RATES = {"flops_per_second", "compulsory_bytes_per_second", "gathered_bytes_per_second"}
EXACT = 1e-12
ROUNDED = 1e-8  # numbers of a page have nine digits
A_CEILING_AND_ITS_NOISE = 1.02


def is_run(path):
    document = read_json(path)
    return isinstance(document, dict) and document.get("kind", "run") == "run" and "cases" in document


FILES = [
    path
    for folder in (ROOT / "results", ROOT / "tests/golden/results", ROOT / "tests/golden/fixtures")
    for path in sorted(folder.rglob("*.json*"))
    if {"schema", "local"}.isdisjoint(path.parts) and is_run(path)
]
per_file = pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(ROOT).as_posix())


def csv_rows(program, path):
    text = program.run("export", path, "--to", "csv").stdout
    return list(csv.DictReader(io.StringIO(text)))


def test_there_are_files():
    assert len(FILES) > 15


@per_file
def test_shares_of_the_csv(program, path):
    rows = csv_rows(program, path)
    by_name = {row["name"]: row for row in rows}
    for row in rows:
        for share, of, rate in (
            ("share_of_nearest_ceiling", "nearest_ceiling_row", row["nearest_ceiling_rate"]),
            ("share_of_gemm", "gemm_row", "flops_per_second"),
            ("share_of_copy", "copy_row", "compulsory_bytes_per_second"),
        ):
            assert bool(row[share]) == bool(row[of])
            if row[share]:
                assert rate in RATES
                expected = float(row[rate]) / float(by_name[row[of]][rate])
                assert float(row[share]) == pytest.approx(expected, rel=EXACT), row["name"]
        if row["share_of_nearest_ceiling"]:
            assert float(row["share_of_nearest_ceiling"]) <= A_CEILING_AND_ITS_NOISE, row["name"]


def place_of(name):
    """Backend, problem and side of a row, after stage and variant, and its cache mode."""
    parts = re.sub(r"/with:[^/]*", "", name).split("/")[2:]
    backend = next(part for part in parts if part in ("cpu", "cuda"))
    side = next((part for part in parts if part.startswith("part:")), "")
    rank = next((i for i, part in enumerate(parts) if part.startswith("rank:")), 1)
    return backend, parts[rank - 1], parts[rank], side, parts[-1]


def markdown_rows(text):
    """With the columns that all rows have in common, which are said above the table."""
    lines = [line for line in text.splitlines() if line.startswith("| ")]
    header, *rows = [[cell.strip().strip("`") for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines]
    said = re.search(r"^Same in all rows: `?(.*?)`?\.$", text, re.MULTILINE)
    same = dict(one.rsplit(" ", 1) for one in said.group(1).split("; ") if " " in one) if said else {}
    return [collections.defaultdict(str, {**same, **dict(zip(header, row))}) for row in rows if row[0][:3] != "---"]


def half_of_the_last_digit(text):
    return 0.5 * 10.0 ** -len(text.partition(".")[2])


def assert_printed(share, own, others, what, whole=True):
    """A share in %, and the rates, as they are printed: within what rounding may do.

    In a table that is not whole the fastest of the others may be missing.
    """
    other = max(others, key=float)
    own_slack, other_slack = half_of_the_last_digit(own), half_of_the_last_digit(other)
    most = 100 * (float(own) + own_slack) / max(float(other) - other_slack, other_slack)
    least = 100 * (float(own) - own_slack) / (float(other) + other_slack)
    slack = 1.01 * half_of_the_last_digit(share)
    assert float(share) <= most + slack, what
    assert float(share) >= least - slack or not whole, what


COLUMN_OF = {
    "fma": "GFLOP/s",
    "mma": "GFLOP/s",
    "gemm_batched": "GFLOP/s",
    "copy": "GB/s",
    "read": "GB/s",
    "gather_l1": "gathered GB/s",
    "gather_l2": "gathered GB/s",
}


def gemms_of(case):
    """The GEMMs that a row is compared with, by the type of its factors; the fastest counts."""
    factors = re.search(r"factors=(\w+)", case)
    kind = factors.group(1) if factors else "fp32"
    kinds = {"bf16": ["fp16"], "int8": ["int8", "fp16"]}.get(kind, [kind])
    return ["gemm_batched " + kind for kind in kinds]


def configured(row):
    """A row of the Markdown table: its case, and the parameters of its columns."""
    return row["case"] + "".join(f" {name}={row[name]}" for name in ("factors", "precision") if row.get(name))


def measures(other, reference, row):
    """Whether a row of the table measured a reference rate of another one: a ceiling wherever the device was measured."""
    stage, _, precision = reference.partition(" ")
    here, there = place_of(row["case"]), place_of(other["case"])
    return (
        other["case"].startswith(stage + "/")
        and "/with:" in other["case"]  # not a case of its own
        and other[COLUMN_OF[stage]]
        and (not precision or f"precision={precision}" in configured(other))
        and here[0] == there[0]
        and (stage not in ("copy", "read") or here[4] == there[4])
        and (stage != "gemm_batched" or here == there)
    )


@per_file
def test_shares_of_the_markdown(program, path):
    text = program.run("export", path, "--to", "markdown").stdout
    rows, whole = markdown_rows(text), " rows are left out" not in text
    for row in rows:
        nearest = row["nearest ceiling"].split(" (")[0]
        gemms = gemms_of(configured(row))
        for share, references in (("% ceiling", [nearest]), ("% gemm", gemms), ("% copy", ["copy"])):
            column = COLUMN_OF[references[0].split(" ")[0]] if row[share] else None
            measured = [other for other in rows if column and any(measures(other, one, row) for one in references)]
            rates = [other[column] for other in measured]
            if share == "% copy" and nearest != "copy":  # of a row in the cache: of its own problem and part
                continue
            if rates:
                assert_printed(row[share], row[column], rates, row["case"], whole)
            assert rates or not (whole and row[share]), row["case"]


def page_data(program, *files):
    program.run("report", *files, "--out", "shares.html")
    text = (program.folder / "shares.html").read_text(encoding="utf-8")
    packed = re.search(r'id="data"[^>]*>([^<]*)<', text).group(1)
    return json.loads(gzip.decompress(base64.b64decode(packed.strip())))


def measurements(document):
    for case in document["cases"]:
        for mode in ("cold", "hot"):
            if case.get(mode):
                yield case, f"{case['name']}/{mode}", case[mode]


@per_file
def test_shares_of_the_report(program, path):
    (file,) = page_data(program, path)
    rates = {name: measured for _, name, measured in measurements(file["document"])}
    for _, name, measured in measurements(file["document"]):
        assert "share_of_ceiling" not in measured
        for share in measured["shares"]:
            expected = measured[share["rate"]] / rates[share["row"]][share["rate"]]
            assert share["share"] == pytest.approx(expected, rel=ROUNDED), name


def test_files_without_the_ceilings_say_so(program):
    rows = csv_rows(program, ROOT / "results/nvidia-h200/paper-fig4.json.gz")
    cases = [row for row in rows if row["role"] == "case" and row["flops_per_second"]]
    assert cases and all({"fma", "gather_l1"} <= set(row["unmeasured_ceilings"].split(";")) for row in cases)
    text = program.run("export", ROOT / "results/nvidia-h200/paper-fig4.json.gz", "--to", "markdown").stdout
    assert "(not measured: fma, gather_l1)" in text


SUITE = {
    "name": "shares",
    "description": "A case of each bound, with all ceilings of a CPU.",
    "problems": [{"dataset": "ml-100k", "scale": 0.2, "rank": 8, "lambda": 0.1}],
    "measure": [
        {"stage": "hermitian", "variant": "blocked", "backend": "cpu", "part": "x"},
        {"stage": "bias", "backend": "cpu", "part": "x"},
        {"stage": "rmse", "backend": "cpu", "part": "x", "cache": "hot"},
    ],
    "ceilings": [
        {"stage": "copy"},
        {"stage": "read"},
        {"stage": "fma", "cache": "hot"},
        {"stage": "gather_l1", "cache": "hot"},
        {"stage": "gemm_batched"},
    ],
    "sampling": {"min_samples": 3, "max_samples": 3, "max_noise": 0, "max_seconds": 20},
}


@pytest.fixture(scope="module")
def run(program):
    program.write_json("shares.json", SUITE)
    result = program.run("run", "shares.json", "--json", "shares-result.json", "--csv", "shares.csv")
    return result.stdout, program.read_json("shares-result.json")


def table_cells(table):
    """Rows of a table as dictionaries, by where the columns of its head stand."""
    head, *lines = table
    heads = list(re.finditer(r"\S+(?: \S+)*", head))
    names = [name.group() for name in heads]
    starts, ends = [name.start() for name in heads], [name.end() for name in heads]
    for line in lines:
        cells = dict.fromkeys(names, "")
        for word in re.finditer(r"\S+(?: \S+)*", line):
            begin, end = word.span()
            # text begins where its head does, a number ends there
            column = next(
                (name for name, start, last in zip(names, starts, ends) if begin == start or end == last), None
            )
            assert column, line
            cells[column] = word.group()
        yield cells


def test_shares_of_the_table(run):
    lines = run[0].splitlines()
    start = next(i for i, line in enumerate(lines) if line.startswith("case "))
    end = next((i for i in range(start, len(lines)) if not lines[i]), len(lines))
    rows = list(table_cells(lines[start:end]))
    columns = {**COLUMN_OF, "gather_l1": "gather"}
    checked = 0
    for row in rows:
        for share, name in (("% ceiling", row["ceiling"].rstrip("?")), ("% gemm", "gemm_batched")):
            if not row[share] or columns[name] not in row:  # columns at the end are left out where a table has no room
                continue
            rates = [
                other[columns[name]]
                for other in rows
                if other["case"].startswith(name + "/") and (name[0] != "g" or other["cache"] in ("hot", row["cache"]))
                if name not in ("copy", "read", "gemm_batched") or other["cache"] == row["cache"]
            ]
            assert len(rates) == 1, row
            assert_printed(row[share], row[columns[name]], rates, row)
            checked += 1
    assert checked >= 6, run[0]


def test_shares_of_the_written_file(run):
    rates = {name: measured for _, name, measured in measurements(run[1])}
    kinds = set()
    for case, name, measured in measurements(run[1]):
        kinds |= {share["of"] for share in measured["shares"]}
        assert case["role"] == "case" or not measured["shares"]
        assert measured["unmeasured_ceilings"] == []
        for share in measured["shares"]:
            expected = measured[share["rate"]] / rates[share["row"]][share["rate"]]
            assert share["share"] == pytest.approx(expected, rel=EXACT), name
        ceilings = [share["kind"] for share in measured["shares"]]
        assert ceilings == sorted(ceilings)  # "ceiling" before "comparison"
    assert kinds == {"copy", "read", "fma", "gather_l1", "gemm_batched fp32"}
