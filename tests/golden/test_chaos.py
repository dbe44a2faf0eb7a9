"""A sweep over every defect of the CPU's chaos variant: each costs its own row and nothing else."""

import pytest

import chaos

OUTCOMES = {"none": "ok", "segfault": "crashed", "abort": "crashed", "exit": "crashed", "stack_overflow": "crashed",
            "infinite_loop": "hung", "wrong": "wrong", "nan": "nan", "oom": "oom", "leak": "ok", "junk": "ok"}


@pytest.fixture(scope="module")
def swept(program):
    return chaos.run(program, "chaos-cpu", code=chaos.CASES_FAILED)


def test_each_defect_has_its_outcome_and_reason(swept):
    rows = chaos.defects(swept[0])
    assert {defect: row["outcome"] for defect, row in rows.items()} == OUTCOMES
    assert all(row["detail"] for row in rows.values() if row["outcome"] != "ok")
    assert "signal 11" in rows["segfault"]["detail"] and "exit code 0" in rows["exit"]["detail"]
    assert "3 s" in rows["infinite_loop"]["detail"]


def test_failed_rows_have_no_times(swept):
    for row in chaos.defects(swept[0]).values():
        assert (row["cold"] is not None) == (row["outcome"] == "ok")


def test_good_rows_are_as_without_the_bad_ones(swept, program):
    without = chaos.run(program, "chaos-cpu", "--benchmark", "naive", "--benchmark", "blocked", code=0, out="good.json")[0]
    assert chaos.good(swept[0]) == chaos.good(without) != []


def test_the_table_names_every_failure(swept):
    for defect, outcome in OUTCOMES.items():
        if outcome != "ok":
            assert f"{outcome}: hermitian/chaos/cpu/defect={defect}/" in swept[1].stdout
    assert max(map(len, swept[1].stdout.splitlines())) <= 110
    assert "5 cases ok, 8 failed, 0 skipped" in swept[1].stderr


def test_a_hang_costs_its_limit_and_two_seconds_at_most(program):
    assert chaos.hang_costs(program, "chaos-cpu", 2) <= 2 + 2
