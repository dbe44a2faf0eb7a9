# SPDX-License-Identifier: Apache-2.0
"""The journal: a run that is killed, interrupted or out of disk goes on with --resume and loses only what was in progress."""

import json
import os
import resource
import signal
import subprocess
import time

import pytest

from conftest import Program

SUITE = {
    "name": "resume",
    "description": "A small suite to kill.",
    "problems": [{"dataset": "ml-100k", "scale": 0.1, "rank": 8, "lambda": 0.1}],
    "measure": [
        {"stage": "hermitian", "variant": ["naive", "blocked"], "backend": "cpu", "side": ["x", "theta"], "cache": "hot"},
        {"stage": "solve", "variant": "cg", "backend": "cpu", "side": "x", "axes": {"steps": [2, 4]}},
        {"stage": "hermitian", "variant": "naive", "backend": "cuda", "side": "x"},
    ],
    "roofs": [{"stage": "gather_copy", "backend": "cpu", "cache": "hot"}],
    "train": [{"name": "exact", "backend": "cpu", "pipeline": "exact", "iterations": 2}],
    "sampling": {"min_samples": 3, "max_samples": 3, "max_noise": 0, "max_seconds": 20},
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    program = Program(tmp_path_factory.mktemp("resume"))
    (program.folder / "resume.json").write_text(json.dumps(SUITE))
    program.run("run", "resume.json", "--json", "whole.json")
    return program


def start(program, *arguments, **options):
    environment = {**os.environ, "ALSBENCH_CACHE_DIR": str(program.folder / "cache")}
    return subprocess.Popen([program.path, "run", "resume.json", *arguments], cwd=program.folder, env=environment,
                            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, **options)


def cases_in(journal):
    lines = journal.read_bytes().split(b"\n") if journal.exists() else []
    return sum(b'"kind":"case"' in line for line in lines[:-1])


def outcomes(path):
    return [(case["name"], case["outcome"]) for case in json.loads(path.read_text())["cases"]]


def stopped_run(program, name, cases, kill):
    """What a run says that got the signal once its journal had that many cases; one that ended before is run again."""
    journal = program.folder / f"{name}.journal"
    while True:
        journal.unlink(missing_ok=True)
        with start(program, "--json", name) as process:
            while process.poll() is None and not (journal.exists() and b"\n" in journal.read_bytes() and cases_in(journal) >= cases):
                time.sleep(0.002)
            process.send_signal(kill)
            stderr = process.communicate(timeout=60)[1]
        if process.returncode != 0:
            assert process.returncode == (130 if kill == signal.SIGINT else -kill), stderr
            return stderr


@pytest.mark.parametrize("kill, cases", [(signal.SIGKILL, 0), (signal.SIGKILL, 2), (signal.SIGKILL, 6), (signal.SIGINT, 1), (signal.SIGINT, 5)],
                         ids=lambda value: getattr(value, "name", value))
def test_resuming_gives_the_rows_of_an_undisturbed_run(folder, cases, kill):
    name = f"{kill}-{cases}.json"
    stderr = stopped_run(folder, name, cases, kill)
    assert kill != signal.SIGINT or f"--resume {name}.journal" in stderr
    kept = (folder.folder / f"{name}.journal").read_bytes()
    folder.run("run", "resume.json", "--json", name, "--resume", f"{name}.journal")
    assert outcomes(folder.folder / name) == outcomes(folder.folder / "whole.json")
    resumed = (folder.folder / f"{name}.journal").read_bytes()
    assert resumed.startswith(kept[:kept.rindex(b"\n") + 1]), "what is complete is measured once"


def test_a_finished_journal_measures_nothing_again(folder):
    before = (folder.folder / "whole.json.journal").read_bytes()
    folder.run("run", "resume.json", "--json", "again.json", "--resume", "whole.json.journal")
    assert (folder.folder / "whole.json.journal").read_bytes() == before
    assert json.loads((folder.folder / "again.json").read_text())["cases"] == \
        json.loads((folder.folder / "whole.json").read_text())["cases"]


def test_a_wider_filter_measures_the_missing_cache_mode(folder):
    folder.run("run", "resume.json", "--json", "mode.json", "--filter", "^solve.*/cold$")
    folder.run("run", "resume.json", "--json", "mode.json", "--filter", "^solve", "--resume", "mode.json.journal")
    cases = json.loads((folder.folder / "mode.json").read_text())["cases"]
    assert [bool(c["cold"] and c["hot"]) for c in cases if c["role"] == "case"] == [True, True]


@pytest.mark.parametrize("arguments, differing", [
    (["--scale", "0.2"], "scale: null there, 0.2 here"),
    (["--seed", "7"], "seed: null there, 7 here"),
    (["--device", "cpu"], "devices/0: "),
    (["--max-samples", "4"], "sampling/max_samples: 3 there, 4 here"),
])
def test_another_selection_is_refused(folder, arguments, differing):
    before = (folder.folder / "whole.json.journal").read_bytes()
    result = folder.run("run", "resume.json", "--json", "other.json", "--resume", "whole.json.journal", *arguments, code=2)
    assert differing in result.stderr
    assert (folder.folder / "whole.json.journal").read_bytes() == before
    assert not (folder.folder / "other.json").exists()


def test_another_version_of_the_suite_is_refused(folder):
    (folder.folder / "changed").mkdir(exist_ok=True)
    changed = folder.folder / "changed" / "resume.json"
    changed.write_text(json.dumps({**SUITE, "timeout_seconds": 59}))
    stderr = folder.run("run", changed, "--json", "other.json", "--resume", "whole.json.journal", code=2).stderr
    assert "suite_hash: " in stderr and "hang_timeout: 60" in stderr


def test_a_file_that_is_no_journal_is_refused(folder):
    assert "is no journal" in folder.run("run", "resume.json", "--json", "other.json", "--resume", "whole.json", code=2).stderr


def test_a_folder_that_cannot_be_written(folder):
    result = folder.run("run", "resume.json", "--out", "/proc/nowhere", code=3)
    assert "/proc/nowhere" in result.stderr and "choose a writable folder" in result.stderr


def test_a_full_disk_keeps_what_is_complete(folder):
    """The journal may grow to a limit in the midst of a record; no line of it is torn, and the run goes on afterwards."""
    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (12_000, resource.RLIM_INFINITY))

    # Python ignores SIGXFSZ, and restore_signals=False hands that down: writes fail instead, as on a full disk.
    with start(folder, "--json", "full.json", preexec_fn=limit, restore_signals=False) as process:
        stderr = process.communicate(timeout=60)[1]
    journal = folder.folder / "full.json.journal"
    assert process.returncode == 3, stderr
    assert "cannot write" in stderr and "--resume full.json.journal" in stderr
    assert not (folder.folder / "full.json").exists()
    assert 0 < journal.stat().st_size <= 12_000 and journal.read_bytes().endswith(b"\n")
    folder.run("run", "resume.json", "--json", "full.json", "--resume", "full.json.journal")
    assert outcomes(folder.folder / "full.json") == outcomes(folder.folder / "whole.json")
