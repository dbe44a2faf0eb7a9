# SPDX-License-Identifier: Apache-2.0
"""How far the default is from what was tuned, and from exact at small lambdas; exact solvers: tables of runs, and what the committed results say."""

import pytest

from conftest import ROOT, plots, read_json

DEFAULTS = sorted(ROOT.glob("results/*/defaults.json.gz"))
SMALL_LAMBDAS = sorted(ROOT.glob("results/*/small-lambdas.csv"))


def table(path):
    module = path.name.partition(".")[0].replace("-", "_")
    return plots(f"plots.{module}", path).stdout.splitlines()


def cells(line):
    return [cell.strip() for cell in line.split("|")[1:-1]]


def table_of_a_run(program, name, problems):
    suite = read_json(ROOT / f"configs/suites/{name}.json")
    suite["problems"] = problems
    program.write_json("small.json", suite)
    program.run("run", "small.json", "--device", "cpu", "--json", f"{name}.json", "-q")
    return [cells(line) for line in table(program.folder / f"{name}.json")]


def test_the_distances_to_the_tuned_of_a_run(program):
    problems = [{"dataset": "ml-100k", "scale": 0.2, "rank": rank, "lambda": 0.1} for rank in (8, 32)]
    head, rule, *rows = table_of_a_run(program, "defaults", problems)
    assert len(head) == len(rule) and [row[0] for row in rows] == ["ml-100k@0.2, 8", "ml-100k@0.2, 32"]
    for row in rows:
        exact, default, neighbour, tuned = (float(cell) for cell in row[2:6])
        assert float(row[6]) == pytest.approx(default / tuned, abs=0.02)
        assert float(row[7]) == pytest.approx(neighbour / tuned, abs=0.02)
        assert float(row[8]) < 1e-3 and exact > 0


def test_the_distances_to_exact_of_a_run(program):
    head, rule, row = table_of_a_run(program, "small-lambdas", [{"dataset": "ml-100k", "rank": 16, "lambda": 0.033}])
    assert len(head) == len(rule) == len(row)
    assert [row[0], row[2]] == ["ml-100k, 16", "0.033"] and float(row[3]) > 0.9
    default, four, three, two = map(float, row[4:])
    assert abs(default) <= 1e-3 and abs(four) <= abs(three) < abs(two)


def test_exact_solvers_of_a_run(program):
    head, rule, row = table_of_a_run(program, "direct-solvers", [{"dataset": "ml-100k", "rank": 8, "lambda": 0.1}])
    assert len(head) == len(rule) == len(row)
    assert row[0] == "ml-100k, 8" and all(float(cell) > 0 for cell in row[1:])


@pytest.mark.parametrize("path", DEFAULTS, ids=lambda path: path.parent.name)
def test_committed_defaults_are_near_the_tuned_ones(path):
    for row in map(cells, table(path)[2:]):
        assert float(row[6]) <= 1.25 and float(row[8]) <= 1e-3, row


@pytest.mark.parametrize("path", SMALL_LAMBDAS, ids=lambda path: path.parent.name)
def test_committed_defaults_are_accurate_at_small_lambdas(path):
    for row in map(cells, table(path)[2:]):
        assert abs(float(row[4])) <= 1e-3, row
