# SPDX-License-Identifier: Apache-2.0
"""How far the default is from what was tuned: the table of a run, and the tables of the docs from the committed files."""

import json
import subprocess
import sys

import pytest

from conftest import ROOT

COMMITTED = sorted(ROOT.glob("results/*/defaults.json"))


def table(*files):
    command = [sys.executable, "-m", "plots.defaults", *files]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


def cells(line):
    return [cell.strip() for cell in line.split("|")[1:-1]]


def test_the_table_of_a_run(program):
    suite = json.loads((ROOT / "configs/suites/defaults.json").read_text(encoding="utf-8"))
    suite["problems"] = [{"dataset": "ml-100k", "scale": 0.2, "rank": rank, "lambda": 0.1} for rank in (8, 32)]
    (program.folder / "small.json").write_text(json.dumps(suite))
    program.run("run", "small.json", "--device", "cpu", "--json", "small-result.json", "-q")
    head, rule, *rows = [cells(line) for line in table(program.folder / "small-result.json")]
    assert len(head) == len(rule) and [row[0] for row in rows] == ["ml-100k@0.2, 8", "ml-100k@0.2, 32"]
    for row in rows:
        exact, default, neighbour, tuned = (float(cell) for cell in row[2:6])
        assert float(row[6]) == pytest.approx(default / tuned, abs=0.02)
        assert float(row[7]) == pytest.approx(neighbour / tuned, abs=0.02)
        assert float(row[8]) < 1e-3 and exact > 0


@pytest.mark.parametrize("path", COMMITTED, ids=lambda path: path.parent.name)
def test_the_docs_hold_the_tables_of_the_committed_files(path):
    page = (ROOT / "docs/explanation/tuning.md").read_text(encoding="utf-8")
    assert "\n".join(table(path)) in page, f"paste what python -m plots.defaults {path.relative_to(ROOT)} prints"


@pytest.mark.parametrize("path", COMMITTED, ids=lambda path: path.parent.name)
def test_committed_defaults_are_near_the_tuned_ones(path):
    for row in map(cells, table(path)[2:]):
        assert float(row[6]) <= 1.25 and float(row[8]) <= 1e-3, row
