# SPDX-License-Identifier: Apache-2.0
"""scripts/show_gate and the table of what it wrote on an H200 (docs/explanation/comparing.md)."""

import subprocess

from conftest import ROOT, SMALL, plots, read_json, rows_of

GATE = ROOT / "results" / "nvidia-h200" / "gate"


def test_the_table_has_a_row_for_each_kind_of_comparison():
    table = plots("plots.comparisons", *sorted(GATE.glob("*.json.gz"))).stdout
    rows = {row[0]: row for row in rows_of(table)}
    assert set(rows) == {"aa", "slower-1", "slower-2", "slower-5", "faster-5", "code"}
    assert rows["aa"][1] == "10" and "slower" not in rows["aa"][2]
    assert rows["faster-5"][2] == "1 faster"
    for planted in ("slower-1", "slower-2", "slower-5"):
        assert rows[planted][1] == "10" and rows[planted][2].startswith("10 slower")


def test_other_files_are_refused_by_name():
    assert "small.json" in plots("plots.comparisons", SMALL, code=1).stderr


def test_show_gate_wants_a_folder():
    done = subprocess.run([ROOT / "scripts" / "show_gate"], capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert "folder" in done.stderr


def test_false_alarms_of_the_published_table_are_those_of_its_file():
    """At most one in 1,000 comparisons, in each series."""
    page = (ROOT / "docs/explanation/comparing.md").read_text(encoding="utf-8")
    rows = read_json(ROOT / "results/gates/synthetic.json")["rows"]
    equal = {row["series"]: row["gates"]["judge"] for row in rows if row["effect"] == 0}
    assert len(equal) == 8
    for series, counts in equal.items():
        assert counts["alarms"] * 1000 <= counts["comparisons"], series
        assert f"| {series} | `alsbench compare` | {counts['alarms']} |" in page
