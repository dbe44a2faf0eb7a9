# SPDX-License-Identifier: Apache-2.0
"""The journal: a run that is killed, interrupted or out of disk continues with --resume and loses only what was in progress."""

import fcntl
import resource
import signal
import subprocess
import time

import pytest

from conftest import Program, read_json, text_of, write_json

SUITE = {
    "name": "resume",
    "description": "A small suite to kill.",
    "problems": [{"dataset": "ml-100k", "scale": 0.1, "rank": 8, "lambda": 0.1}],
    "measure": [
        {
            "stage": "hermitian",
            "variant": ["naive", "blocked"],
            "backend": "cpu",
            "part": ["x", "theta"],
            "cache": "hot",
        },
        {"stage": "solve", "variant": "cg", "backend": "cpu", "part": "x", "axes": {"steps": [2, 4]}},
        {"stage": "hermitian", "variant": "naive", "backend": "cuda", "part": "x"},
    ],
    "ceilings": [{"stage": "gather_copy", "backend": "cpu", "cache": "hot"}],
    "train": [{"name": "exact", "backend": "cpu", "pipeline": "exact", "iterations": 2}],
    "sampling": {"min_samples": 3, "max_samples": 3, "max_noise": 0, "max_seconds": 20},
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    program = Program(tmp_path_factory.mktemp("resume"))
    program.write_json("resume.json", SUITE)
    program.run("run", "resume.json", "--json", "whole.json")
    return program


def has_cases(journal, count):
    """And a head."""
    lines = text_of(journal).split("\n")[:-1]
    return lines and sum('"kind":"case"' in line for line in lines) >= count


def outcomes(path):
    return [(case["name"], case["outcome"]) for case in read_json(path)["cases"]]


@pytest.mark.parametrize(
    "kill, cases",
    [(signal.SIGKILL, 0), (signal.SIGKILL, 2), (signal.SIGKILL, 6), (signal.SIGINT, 1), (signal.SIGINT, 5)],
    ids=lambda value: getattr(value, "name", value),
)
def test_resuming_gives_the_rows_of_an_undisturbed_run(folder, cases, kill):
    name = f"{kill}-{cases}.json"
    journal = folder.folder / f"{name}.journal"
    stderr = folder.stopped(kill, journal, lambda: has_cases(journal, cases), "run", "resume.json", "--json", name)
    assert kill != signal.SIGINT or (
        f"cases are kept in {name}.journal." in stderr and f"--json {name} --resume\n" in stderr
    )
    kept = journal.read_bytes()
    folder.run("run", "resume.json", "--json", name, "--resume", f"{name}.journal")
    assert outcomes(folder.folder / name) == outcomes(folder.folder / "whole.json")
    assert journal.read_bytes().startswith(kept[: kept.rindex(b"\n") + 1]), "what is complete is measured once"


def test_a_finished_journal_measures_nothing_again(folder):
    before = (folder.folder / "whole.json.journal").read_bytes()
    folder.run("run", "resume.json", "--json", "again.json", "--resume", "whole.json.journal")
    assert (folder.folder / "whole.json.journal").read_bytes() == before
    assert folder.read_json("again.json")["cases"] == folder.read_json("whole.json")["cases"]


@pytest.fixture
def unfinished(folder):
    """The journal of a run that was killed after three cases, and the command that it was of."""
    lines = (folder.folder / "whole.json.journal").read_bytes().splitlines(keepends=True)
    third = [number for number, line in enumerate(lines) if b'"kind":"case"' in line][2]
    journal = folder.folder / "killed.json.journal"
    journal.write_bytes(b"".join(lines[: third + 1]))
    (folder.folder / "killed.json").unlink(missing_ok=True)
    return journal, ["run", "resume.json", "--json", "killed.json"]


def test_forgetting_to_resume_loses_nothing(folder, unfinished):
    journal, command = unfinished
    before = journal.read_bytes()
    message = folder.run(*command, code=2).stderr
    assert "killed.json.journal: holds 4 records of a run that did not end" in message and "--fresh" in message
    assert journal.read_bytes() == before and not (folder.folder / "killed.json").exists()
    again = message.split("To resume:\n")[1].splitlines()[0].strip()
    assert again.endswith(" run resume.json --json killed.json --resume")
    folder.shell(again)
    assert journal.read_bytes().startswith(before)
    assert outcomes(folder.folder / "killed.json") == outcomes(folder.folder / "whole.json")
    folder.run(*command)  # it has ended: nothing can be lost


def test_a_fresh_start_is_asked_for(folder, unfinished):
    journal, command = unfinished
    before = journal.read_bytes()
    folder.run(*command, "--fresh")
    assert not journal.read_bytes().startswith(before)
    assert outcomes(folder.folder / "killed.json") == outcomes(folder.folder / "whole.json")


def test_a_run_that_measured_nothing_has_nothing_to_lose(folder, unfinished):
    journal, command = unfinished
    journal.write_bytes(journal.read_bytes().split(b"\n")[0] + b"\n")
    folder.run(*command, "--dry-run")
    folder.run(*command)


def test_of_several_suites_each_goes_on_from_its_own_journal(folder, unfinished):
    folder.write_json("second.json", {**SUITE, "name": "second"})
    command = ["run", "second.json", "resume.json", "--out", "several", "--filter", "^solve"]
    folder.run(*command)
    journals = [folder.folder / "several" / f"{name}.json.journal" for name in ("second", "resume")]
    second = journals[0].read_bytes()
    journals[1].write_bytes(b"".join(journals[1].read_bytes().splitlines(keepends=True)[:-1]))
    before = journals[1].read_bytes()
    message = folder.run(*command, code=2).stderr
    assert "several/resume.json.journal: holds " in message
    assert [journal.read_bytes() for journal in journals] == [second, before]
    folder.shell(message.split("To resume:\n")[1].splitlines()[0].strip())
    assert journals[0].read_bytes() == second and journals[1].read_bytes().startswith(before)


@pytest.mark.parametrize("arguments", [[], ["--fresh"], ["--resume", "killed.json.journal"], ["--resume"]])
def test_no_two_runs_write_one_journal(folder, unfinished, arguments):
    journal, command = unfinished
    before = journal.read_bytes()
    with journal.open("rb") as file:
        fcntl.flock(file, fcntl.LOCK_EX)  # as the other run does
        message = folder.run(*command, *arguments, code=2).stderr
    assert "killed.json.journal: another process writes this journal" in message
    assert journal.read_bytes() == before


def test_a_run_locks_its_journal(folder):
    journal = folder.folder / "locked.json.journal"
    with folder.start("run", "resume.json", "--json", "locked.json") as process:
        while process.poll() is None and not text_of(journal):
            time.sleep(0.002)
        with journal.open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_EX)  # waits for the end of the run
        assert b'"kind":"finished"' in journal.read_bytes()
        process.communicate(timeout=60)
    assert process.returncode == 0


def test_a_wider_filter_measures_the_missing_cache_mode(folder):
    folder.run("run", "resume.json", "--json", "mode.json", "--filter", "^solve.*/cold$")
    folder.run("run", "resume.json", "--json", "mode.json", "--filter", "^solve", "--resume", "mode.json.journal")
    cases = folder.read_json("mode.json")["cases"]
    assert [bool(c["cold"] and c["hot"]) for c in cases if c["role"] == "case"] == [True, True]


@pytest.mark.parametrize(
    "arguments, differing",
    [
        (["--scale", "0.2"], "scale: null there, 0.2 here"),
        (["--seed", "7"], "seed: null there, 7 here"),
        (["--device", "cpu"], "devices/0: "),
        (["--max-samples", "4"], "sampling/max_samples: 3 there, 4 here"),
    ],
)
def test_another_selection_is_refused(folder, arguments, differing):
    before = (folder.folder / "whole.json.journal").read_bytes()
    result = folder.run(
        "run", "resume.json", "--json", "other.json", "--resume", "whole.json.journal", *arguments, code=2
    )
    assert differing in result.stderr
    assert (folder.folder / "whole.json.journal").read_bytes() == before
    assert not (folder.folder / "other.json").exists()


def test_another_version_of_the_suite_is_refused(folder):
    (folder.folder / "changed").mkdir(exist_ok=True)
    changed = write_json(folder.folder / "changed" / "resume.json", {**SUITE, "timeout_seconds": 59})
    stderr = folder.run("run", changed, "--json", "other.json", "--resume", "whole.json.journal", code=2).stderr
    assert "suite_hash: " in stderr and "hang_timeout: 60" in stderr


def test_a_file_that_is_no_journal_is_refused(folder):
    assert (
        "is no journal"
        in folder.run("run", "resume.json", "--json", "other.json", "--resume", "whole.json", code=2).stderr
    )


def test_a_folder_that_cannot_be_written(folder):
    result = folder.run("run", "resume.json", "--out", "/proc/nowhere", code=3)
    assert "/proc/nowhere" in result.stderr and "choose a writable folder" in result.stderr


def test_a_full_disk_keeps_what_is_complete(folder):
    """The journal may grow to a limit in the midst of a record; no line of it is torn, and the run goes on afterwards."""

    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (12_000, resource.RLIM_INFINITY))

    result = subprocess.run(
        [folder.path, "run", "resume.json", "--json", "full.json"],
        cwd=folder.folder,
        env=folder.environment,
        capture_output=True,
        text=True,
        preexec_fn=limit,
        timeout=60,
    )
    journal = folder.folder / "full.json.journal"
    assert result.returncode == 3, result.stderr
    assert "cannot write" in result.stderr and "kept in full.json.journal. To resume:" in result.stderr
    assert not (folder.folder / "full.json").exists()
    assert 0 < journal.stat().st_size <= 12_000 and journal.read_bytes().endswith(b"\n")
    folder.run("run", "resume.json", "--json", "full.json", "--resume", "full.json.journal")
    assert outcomes(folder.folder / "full.json") == outcomes(folder.folder / "whole.json")
