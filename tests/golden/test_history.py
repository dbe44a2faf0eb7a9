# SPDX-License-Identifier: Apache-2.0
"""`alsbench history`: a store of simulated runs, its shifts, accepted ones, and damage."""

import gzip
import json
import pathlib
import random

import pytest

from conftest import SMALL, plots, read_json, validation_errors
from made_history import creeping, day_of, noisy, result_of

HERE = pathlib.Path(__file__).parent
RUNS, STEP = 26, 13  # the step comes with run 13, on 2026-02-14


def run_of(number, factor, drift=1.0):
    """The small result as if measured on another day: 0.2 % of noise, `factor` on one CUDA case."""
    noise = random.Random(number)
    document = read_json(SMALL)
    document["provenance"]["time_utc"] = f"2026-02-{number + 1:02d}T12:00:00Z"
    for case in document["cases"]:
        for mode in filter(case.get, ("cold", "hot")):
            scale = drift * (1 + noise.gauss(0, 0.002))
            if case["role"] == "case" and case["backend"] == "cuda" and "ml-1m" in case["name"]:
                scale *= factor
            case[mode]["statistics"]["median_seconds"] *= scale
    return document


def fill(program, name, runs):
    folder = program.folder / name
    for run in runs:
        program.write_json("run.json", run)
        program.run("history", folder, "--add", "run.json", "-q")
    return folder


def test_runs_added_at_the_same_time_are_all_kept(program):
    folder, names = program.folder / "crowded", [f"run-{number}.json" for number in range(16)]
    for number, name in enumerate(names):
        program.write_json(name, run_of(number, 1))
    running = [program.start("history", folder, "--add", name, "-q") for name in names]
    assert [process.communicate(timeout=60)[1] for process in running] == [""] * len(names)
    assert len(json.loads(program.run("history", folder, "--json", "-q").stdout)["runs"]) == len(names)
    assert not list(folder.glob("*.tmp"))


def test_a_copy_of_a_run_is_no_second_run(program):
    runs = [run_of(number, 1) for number in range(RUNS)]
    folder = fill(program, "copied", runs)
    shown = program.run("history", folder).stderr
    for file in sorted(folder.iterdir()):
        file.with_name(f"copy-{file.name}").write_bytes(file.read_bytes())
        file.with_name(f"{file.name}.gz").write_bytes(gzip.compress(file.read_bytes()))
    assert program.run("history", folder).stderr == shown and f"{RUNS} runs" in shown


def test_runs_may_be_compressed(program):
    runs = [run_of(number, 1) for number in range(RUNS)]
    folder = fill(program, "packed", runs)
    shown = program.run("history", folder).stdout
    for file in sorted(folder.iterdir())[:2]:
        file.with_name(f"{file.name}.gz").write_bytes(gzip.compress(file.read_bytes()))
        file.unlink()
    fill(program, "packed", runs)
    assert len(list(folder.iterdir())) == len(runs), "what is there is not added again"
    assert program.run("history", folder).stdout == shown


@pytest.fixture(scope="module")
def stepped(program):
    """5 % slower from run STEP on."""
    return fill(program, "stepped", [run_of(number, 1.05 if number >= STEP else 1) for number in range(RUNS)])


def states(program, folder, *arguments, code):
    document = json.loads(program.run("history", folder, "--json", "-q", *arguments, code=code).stdout)
    assert validation_errors(document, "history") == []
    return [
        (shift["state"], document["runs"][shift["run"]]["time_utc"][:10], document["series"][shift["series"]]["name"])
        for shift in document["shifts"]
    ]


def test_a_step_is_found_where_it_is_and_nowhere_else(program, stepped):
    assert len(list(stepped.glob("*.json"))) == RUNS
    assert validation_errors(json.loads(next(stepped.glob("*.json")).read_text()), "history_run") == []
    ((state, day, name),) = states(program, stepped, code=1)
    assert state == "alarm" and "ml-1m" in name and "cuda" in name
    assert day == "2026-02-14"
    result = program.run("history", stepped, code=1)
    assert "+5." in result.stdout and f"{RUNS} runs" in result.stderr


def test_a_machine_that_became_slower_as_a_whole_is_no_step_of_a_case_with_controls(program):
    folder = fill(
        program, "drifting", [run_of(number, 1, drift=1.2 if number >= STEP else 1) for number in range(RUNS)]
    )
    found = states(program, folder, code=1)
    assert found and not [name for _, _, name in found if "ml-1m" in name and "cuda" in name]


def test_a_faster_case_is_told_and_0(program):
    folder = fill(program, "faster", [run_of(number, 0.9 if number >= STEP else 1) for number in range(RUNS)])
    assert [state for state, _, _ in states(program, folder, code=0)] == ["faster"]


def accepted(program, **changes):
    shift = {
        "name": "hermitian/naive/cuda/*",
        "device": "NVIDIA H200",
        "from": "2026-02-13",
        "to": "2026-02-15",
        "max_ratio": 1.06,
        "reason": "checks the row's length now",
        "expires": "2026-12-31",
        **changes,
    }
    document = {"schema_version": "2.0.0", "kind": "accepted_shifts", "shifts": [shift]}
    assert validation_errors(document, "accepted_shifts") == []
    return program.write_json("accepted.json", document)


def test_an_accepted_shift_is_0_until_it_expires(program, stepped):
    path = accepted(program)
    assert states(program, stepped, "--accepted", path, "--today", "2026-12-31", code=0)[0][0] == "accepted"
    assert states(program, stepped, "--accepted", path, "--today", "2027-01-01", code=1)[0][0] == "expired"
    assert (
        "checks the row's length"
        in program.run("history", stepped, "--accepted", path, "--today", "2027-01-01", code=1).stdout
    )


@pytest.mark.parametrize(
    "changes",
    [
        {"name": "hermitian/tiled/cuda/*"},
        {"device": "NVIDIA A100"},
        {"max_ratio": 1.02},
        {"to": "2026-02-13"},
        {"from": "2026-02-15"},
    ],
)
def test_another_case_device_size_or_day_is_not_accepted(program, stepped, changes):
    path = accepted(program, **changes)
    assert states(program, stepped, "--accepted", path, "--today", "2026-06-01", code=1)[0][0] == "alarm"


def test_an_accepted_shift_without_reason_or_expiry_is_2(program, stepped):
    path = accepted(program)
    for field in ("reason", "expires", "max_ratio"):
        document = read_json(path)
        del document["shifts"][0][field]
        program.write_json("bad.json", document)
        result = program.run("history", stepped, "--accepted", "bad.json", code=2)
        assert f"bad.json: /shifts/0: lacks '{field}'" in result.stderr


@pytest.mark.parametrize(
    "field, value",
    [
        ("expires", "2026-99-31"),
        ("expires", "2026-02-29"),
        ("expires", "2026-12-31T00:00:00Z"),
        ("expires", "1-03-01-01"),
        ("from", "yesterday"),
        ("to", "2026-2-15"),
        ("to", "2026-02-31T12:00:00Z"),
        ("to", "2026-02-14T25:00:00Z"),
        ("from", "2026-02-14T11:00:00+01:00"),
        ("from", "2026-02-14T"),
    ],
)
def test_a_date_that_is_none_is_2(program, stepped, field, value):
    path = accepted(program)
    document = read_json(path)
    document["shifts"][0][field] = value
    program.write_json("bad.json", document)
    stderr = program.run("history", stepped, "--accepted", "bad.json", code=2).stderr
    assert f"bad.json: /shifts/0/{field}: '{value}' is not a date" in stderr


def test_a_time_of_a_day_bounds_a_shift_too(program, stepped):
    path = accepted(program, **{"from": "2026-02-14T11:00:00Z", "to": "2026-02-14T13:00:00Z"})
    assert states(program, stepped, "--accepted", path, "--today", "2026-06-01", code=0)[0][0] == "accepted"


@pytest.mark.parametrize("day", ["garbage", "2026-13-01", "2026-06-31", ""])
def test_today_is_a_day(program, stepped, day):
    assert f"'{day}' is not a date" in program.run("history", stepped, "--today", day, code=2).stderr


def test_adding_looks_at_no_accepted_shifts(program):
    for option in ("--accepted", "--today"):
        stderr = program.run("history", "added", "--add", SMALL, option, "2026-12-31", code=2).stderr
        assert "--add" in stderr and option in stderr
    assert not (program.folder / "added").exists()


@pytest.mark.parametrize("time", ["../../escaped", "2026-02-01T12:00:00Z/../../escaped", "", "\x1b[31mnow"])
def test_a_time_that_is_none_never_becomes_the_name_of_a_file(program, time):
    document = run_of(0, 1)
    document["provenance"]["time_utc"] = time
    program.write_json("odd.json", document)
    before = sorted(program.folder.rglob("*"))
    error = program.run("history", "odd", "--add", "odd.json", code=2).stderr
    assert "odd.json: is damaged: /provenance/time_utc:" in error and "\x1b" not in error
    assert sorted(program.folder.rglob("*")) == before


def test_a_folder_is_no_file_of_accepted_shifts(program, stepped):
    assert "is a folder" in program.run("history", stepped, "--accepted", program.folder, code=2).stderr


def test_too_few_runs_are_3_and_never_0(program):
    folder = program.folder / "young"
    program.run("history", folder, "--add", SMALL)
    program.run("history", folder, "--add", SMALL)
    assert len(list(folder.glob("*.json"))) == 1, "the same result is one run"
    stderr = program.run("history", folder, code=3).stderr
    assert "5 cases have 1 run: a shift is detectable at none of them; 14 runs are needed" in stderr
    assert "no series has the 14 runs that detect a shift at every place" in stderr


def series_of(program, name, *series, driver=lambda run: None):
    """A history of cases with these seconds, and its number of runs."""
    return fill(program, name, [result_of(run, seconds, driver(run)) for run, seconds in enumerate(zip(*series))])


def shifts(program, folder, *arguments, code):
    """The first runs after the shifts of each case."""
    document = json.loads(program.run("history", folder, "--json", "-q", *arguments, code=code).stdout)
    found = {}
    for shift in document["shifts"]:
        found.setdefault(document["series"][shift["series"]]["name"].split("/")[0], []).append(shift["run"])
    return found


CONSTANT = [1e-3] * 48


def test_the_first_run_after_a_shift_is_named(program):
    at = {"case-0": 24, "case-1": 6, "case-2": 41, "case-3": 42}
    folder = series_of(
        program, "exact", *([1.05e-3 if run >= first else 1e-3 for run in range(48)] for first in at.values())
    )
    for window in (6, 7, 12):
        assert shifts(program, folder, "--window", window, code=1) == {case: [first] for case, first in at.items()}


def test_a_shift_soon_after_an_accepted_one_is_an_alarm(program):
    gaps = (6, 8, 9, 10)

    def second_after(gap):
        return noisy(gap, 48, 0.005, lambda run: 1 if run < 30 else 1.1 if run < 30 + gap else 1.1 * 1.08)

    folder = series_of(program, "second", *map(second_after, gaps))
    path = accepted(program, name="case-*", **{"from": day_of(30), "to": day_of(30)}, max_ratio=1.12)
    found = states(program, folder, "--accepted", path, "--today", "2026-06-01", code=1)
    assert [(state, day) for state, day, _ in found] == [
        one for gap in gaps for one in (("accepted", day_of(30)), ("alarm", day_of(30 + gap)))
    ]


def test_the_last_runs_are_looked_at(program):
    doubled = [noisy(last, 40, 0.01, lambda run, last=last: 1 if run < 40 - last else 2) for last in (6, 7, 8)]
    folder = series_of(program, "last", *doubled, *[CONSTANT] * 19)
    assert shifts(program, folder, code=1) == {"case-0": [34], "case-1": [33], "case-2": [32]}


def test_runs_that_could_tell_no_shift_are_3_and_say_how_many_it_takes(program):
    doubled = noisy(3, 18, 0.01, lambda run: 1 if run < 7 else 2)
    results = [result_of(run, [one, *[1e-3] * 21]) for run, one in enumerate(doubled)]
    for begin, end in ((0, 12), (12, 14), (14, 16)):
        folder = fill(program, "growing", results[begin:end])
        stderr = program.run("history", folder, "-q", code=3).stderr
        assert f"22 cases have {end} runs: a shift is detectable at none of them; 21 runs are needed" in stderr
    folder = fill(program, "growing", results[16:])
    assert shifts(program, folder, code=1) == {"case-0": [7]}
    stderr = program.run("history", folder, code=1).stderr
    assert (
        "22 cases have 18 runs: a shift is detectable where 7 to 11 of them lie before it; 21 runs are needed" in stderr
    )


def test_a_new_driver_is_not_told_by_the_old_one(program):
    steady = noisy(5, 30, 0.01, lambda run: 1)
    folder = series_of(program, "two-drivers", steady, driver=lambda run: "580.1" if run < 25 else "590.1")
    assert "case-0/cold has 5 runs" in program.run("history", folder, code=3).stderr


@pytest.mark.parametrize("percent", [0.3, 0.4])
def test_a_creep_is_found(program, percent):
    """Ten commits, each below the bound of `ab` and of `history`."""
    levels = [(1 + percent / 100) ** commit for commit in range(11)]
    commits = noisy(6, 66, 0.002, lambda run: levels[run // 6])
    assert shifts(program, series_of(program, f"ten-of-{percent}", commits), code=1)


@pytest.mark.parametrize("runs_a_step", [3, 4, 6])
def test_the_sum_of_a_creep_is_told_and_no_commit_is_blamed(program, runs_a_step):
    folder = fill(program, f"sum-of-{runs_a_step}", creeping(runs_a_step))
    document = json.loads(program.run("history", folder, "--json", "-q", code=1).stdout)
    assert validation_errors(document, "history") == []
    (creep,) = document["shifts"]
    assert creep["state"] == "alarm" and abs(creep["ratio"] - 1.004**10) < 0.01
    first, last = creep["run"], creep["creep_last_run"]
    assert first <= 4 * runs_a_step and last >= 7 * runs_a_step
    told = f"creep: {100 * (creep['ratio'] - 1):+.2f}% in all since {day_of(first - 1)}T12:00:00Z"
    assert creep["note"] == f"{told}, over {last - first + 1} runs, in steps each below the bound"
    shown = program.run("history", folder, code=1).stdout
    before, after = (document["runs"][run]["git_commit"][:12] for run in (first - 1, last))
    assert before != after
    assert creep["note"] in shown and f" {before}..{after} " in shown


def test_a_creep_is_accepted_as_a_shift_is(program):
    folder = fill(program, "accepted-creep", creeping(6))
    days = {"name": "case-*", "from": day_of(0), "to": day_of(65)}
    for most, state, code in ((1.05, "accepted", 0), (1.02, "alarm", 1)):
        path = accepted(program, **days, max_ratio=most)
        found = states(program, folder, "--accepted", path, "--today", "2026-06-01", code=code)
        assert [one for one, _, _ in found] == [state]
    shown = program.run("history", folder, "--accepted", accepted(program, **days, max_ratio=1.05)).stdout
    assert "in steps each below the bound; until 2026-12-31: checks the row's length now" in shown


def test_separate_steps_are_no_creep(program):
    steps = noisy(6, 60, 0.003, lambda run: 1.03 ** (run // 15))
    folder = series_of(program, "separate-steps", steps)
    assert shifts(program, folder, code=1) == {"case-0": [15, 30, 45]}
    assert "creep" not in program.run("history", folder, code=1).stdout


def test_one_step_of_the_creep_is_none(program):
    steps = noisy(6, 36, 0.002, lambda run: 1 if run < 18 else 1.004)
    assert shifts(program, series_of(program, "one-step", steps), code=0) == {}


@pytest.mark.parametrize(
    "damage",
    [
        lambda text: "",
        lambda text: text[: len(text) // 2],
        lambda text: text.replace("NVIDIA H200", "NVIDIA H100", 1),
        lambda text: text.replace('"2.0.0"', '"3.0.0"', 1),
        lambda text: text.replace('"2.0.0"', '"1.0.0"', 1),
        lambda text: "[]",
    ],
)
def test_a_damaged_file_is_named_and_4(program, stepped, damage):
    victim = sorted(stepped.glob("*.json"))[5]
    text = victim.read_text()
    try:
        victim.write_text(damage(text))
        assert victim.name in program.run("history", stepped, code=4).stderr
    finally:
        victim.write_text(text)


def draw(program, file, figure):
    plots("plots.history", program.folder / file, "--out", program.folder / figure)
    return (program.folder / figure).read_text(encoding="utf-8")


def test_shifts_are_drawn(program, stepped):
    program.run("history", stepped, "--json", "shifts.json", "-q", code=1)
    drawing = draw(program, "shifts.json", "shifts.svg")
    for words in (
        "Shifts in the time relative to the controls",
        "alarm +",
        "hermitian/naive/cuda",
        "NVIDIA H200",
        f"{RUNS} runs",
    ):
        assert words in drawing
    assert "(creep)" not in drawing


def test_a_creep_is_drawn_as_one(program):
    folder = fill(program, "drawn-creep", creeping(6))
    program.run("history", folder, "--json", "creep.json", "-q", code=1)
    drawing = draw(program, "creep.json", "creep.svg")
    assert "alarm +" in drawing and "% (creep)" in drawing


def test_a_missing_or_empty_history_is_4(program):
    assert "no such history" in program.run("history", "nowhere", code=4).stderr
    (program.folder / "empty").mkdir()
    assert "is empty" in program.run("history", "empty", code=4).stderr
