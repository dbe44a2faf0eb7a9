# SPDX-License-Identifier: Apache-2.0
"""A sweep over every defect of the CPU's chaos variant: each costs its own row and nothing else."""

import pytest

import chaos
from conftest import CHAOS, Program, validation_errors

OUTCOMES = {
    "none": "ok",
    "segfault": "crashed",
    "abort": "crashed",
    "exit": "crashed",
    "stack_overflow": "crashed",
    "infinite_loop": "hung",
    "wrong": "wrong",
    "nan": "nan",
    "oom": "oom",
    "leak": "ok",
    "junk": "ok",
    "replay": "wrong",
    "beyond": "wrong",
}
# Of honest measurement, that a defect breaks.
RULES = {"wrong": "wrong-result", "nan": "not-finite", "replay": "stale-output", "beyond": "out-of-bounds-write"}


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    """The one with variants that fail on purpose."""
    return Program(tmp_path_factory.mktemp("chaos"), CHAOS)


@pytest.fixture(scope="module")
def swept(program):
    return chaos.run(program, "chaos-cpu", code=chaos.CASES_FAILED)


def test_each_defect_has_its_outcome_and_reason(swept):
    rows = chaos.defects(swept[0])
    assert {defect: row["outcome"] for defect, row in rows.items()} == OUTCOMES
    assert all(row["detail"] for row in rows.values() if row["outcome"] != "ok")
    assert "signal 11" in rows["segfault"]["detail"] and "exit code 0" in rows["exit"]["detail"]
    assert rows["infinite_loop"]["detail"] == "no answer within 5 s; --hang-timeout S allows more"


def test_a_rule_that_is_broken_is_named(swept):
    rows = chaos.defects(swept[0])
    assert {defect: row["rule"] for defect, row in rows.items() if "rule" in row} == RULES
    assert rows["replay"]["detail"].startswith("stale-output: ")
    assert rows["beyond"]["detail"].startswith("out-of-bounds-write: wrote behind the")


def test_failed_rows_have_no_times(swept):
    for row in chaos.defects(swept[0]).values():
        assert (row["cold"] is not None) == (row["outcome"] == "ok")


def test_good_rows_are_as_without_the_bad_ones(swept, program):
    without = chaos.run(
        program, "chaos-cpu", "--benchmark", "naive", "--benchmark", "blocked", code=0, out="good.json"
    )[0]
    assert chaos.good(swept[0]) == chaos.good(without) != []


def test_failed_rows_have_their_last_words(swept):
    for defect, row in chaos.defects(swept[0]).items():
        if row["outcome"] != "ok":
            assert row["log_tail"][-1] == f"chaos: {defect}"


def test_the_result_validates(swept):
    assert validation_errors(swept[0], "result") == []


def test_the_table_names_every_failure_and_how_to_repeat_it(swept):
    lines = swept[1].stdout.splitlines()
    commands = set()
    for defect, row in chaos.defects(swept[0]).items():
        assert (row["repeat"] is None) == (row["outcome"] == "ok")
        if row["outcome"] != "ok":
            assert any(line.startswith(f"{row['outcome']}: hermitian/chaos/cpu/defect={defect}/") for line in lines)
            commands.add(f"    {row['repeat']}")
    assert commands <= set(lines)
    assert (
        max(len(line) for line in lines if line not in commands) <= 110
    )  # commands are there to be copied: one line each
    assert "5 cases ok, 10 failed, 0 skipped" in swept[1].stderr


@pytest.mark.parametrize("defect", ["segfault", "wrong"])
def test_the_command_repeats_the_failure_and_nothing_else(swept, program, defect):
    row = chaos.defects(swept[0])[defect]
    before = (program.folder / "chaos.json").read_bytes()
    repeated = program.shell(row["repeat"], code=chaos.CASES_FAILED)
    document = program.read_json("again/chaos-cpu.json")
    assert [(case["name"], case["outcome"]) for case in document["cases"] if case["role"] == "case"] == [
        (row["name"], row["outcome"])
    ], repeated.stderr
    assert (program.folder / "chaos.json").read_bytes() == before


def test_known_failures_run_again_only_when_asked(swept, program):
    selection = ["--benchmark", "chaos", "--axis", "defect=[none,infinite_loop]", "--hang-timeout", "2"]
    first = chaos.run(program, "chaos-cpu", *selection, code=chaos.CASES_FAILED, out="known.json")[0]
    journal = program.folder / "known.json.journal"
    finished = journal.read_bytes()
    again = chaos.run(program, "chaos-cpu", *selection, "--resume", journal, code=chaos.CASES_FAILED, out="known.json")[
        0
    ]
    assert again["cases"] == first["cases"] and journal.read_bytes() == finished
    retry = ["--resume", journal, "--retry-failed"]
    chaos.run(program, "chaos-cpu", *selection, *retry, code=chaos.CASES_FAILED, out="known.json")
    more = journal.read_bytes()[len(finished) :].decode().splitlines()
    assert [line.split("/defect=")[1].split("/")[0] for line in more if "/chaos/" in line] == ["infinite_loop"]
