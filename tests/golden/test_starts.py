# SPDX-License-Identifier: Apache-2.0
"""The table of docs/explanation/starts.md, from the committed result that it names."""

import json
import pathlib

ROOT = pathlib.Path(__file__).resolve().parents[2]


def cells_of(line):
    return [cell.strip(" `") for cell in line.strip("|").split("|")]


def documented():
    """problem -> start -> cell"""
    text = (ROOT / "docs" / "explanation" / "starts.md").read_text(encoding="utf-8")
    head, _, *rows = [
        line
        for line in text[text.index("| problem |") : text.index("## On a GPU")].splitlines()
        if line.startswith("|")
    ]
    return {cells_of(row)[0]: dict(zip(cells_of(head)[1:], cells_of(row)[1:], strict=True)) for row in rows}


def measured():
    """problem -> start -> test RMSE of each iteration"""
    curves = {}
    for case in json.loads((ROOT / "results" / "amd-epyc" / "starts.json").read_text(encoding="utf-8"))["cases"]:
        if case["training"] is None:
            continue
        problem = f"{case['problem']['name']}, lambda {case['problem']['lambda']:.2g}"
        curve = [iteration["test_rmse"] for iteration in case["training"]["iterations"]]
        curves.setdefault(problem, {})[case["name"].split("/")[1]] = curve
    return curves


def cell(curve, uniform):
    target = 1.005 * min(uniform)
    reached = [number for number, rmse in enumerate(curve, 1) if rmse <= target]
    return f"{reached[0] if reached else '-'} ({1e4 * (min(curve) - min(uniform)):+.1f})"


def test_the_table_is_that_of_the_result():
    curves = measured()
    table = documented()
    assert table.keys() == curves.keys()
    for problem, row in table.items():
        found = {start: cell(curves[problem][start], curves[problem]["uniform"]) for start in row}
        assert found == row, problem
