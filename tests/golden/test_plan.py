# SPDX-License-Identifier: Apache-2.0
"""The job scripts of `alsbench plan`: clean, as documented, and run where their engine is installed."""

import os
import re
import shutil
import stat

import pytest

from conftest import BINARY, Program, read_json
from test_shards import SUITE, rows

SHARDS = 3
PLAN = ["plan", "shards.json", "--device", "cpu", "--shards", SHARDS]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    program = Program(tmp_path_factory.mktemp("plan"))
    program.write_json("shards.json", SUITE)
    program.run("run", "shards.json", "--device", "cpu", "--json", "whole.json")
    return program


def script(folder, engine, *options):
    return folder.run(*PLAN, "--emit", engine, *options).stdout


def merge_command(text):
    (line,) = [line for line in text.splitlines() if " merge " in line]
    assert line == text.splitlines()[-1], "it is the last line"
    return line[line.index(str(BINARY)) :]


def is_the_run(folder, text):
    folder.shell(merge_command(text))
    merged = read_json(folder.folder / "shards" / "shards" / "merged.json")
    return rows(merged) == rows(folder.read_json("whole.json"))


@pytest.mark.parametrize("engine", ["slurm", "parallel"])
@pytest.mark.parametrize("device", ["cpu", "0"])
def test_scripts_are_clean(folder, engine, device):
    text = script(folder, engine, "--folder", "it's a folder", "--filter", "^(solve|hermitian)")
    if device == "0":
        text = folder.run("plan", "quick", "--emit", engine, "--shards", 2, "--throttle", 2).stdout
        assert ("--gres=gpu:1" if engine == "slurm" else "CUDA_VISIBLE_DEVICES=$(($2 - 1))") in text
    (folder.folder / "script").write_text(text)
    folder.shell(["bash", "-n", "script"])
    if shutil.which("shellcheck") is None:
        pytest.skip("shellcheck is not installed")
    folder.shell(["shellcheck", "script"])


def test_the_reframe_file_is_python(folder):
    text = script(folder, "reframe", "--throttle", 2)
    compile(text, "shards.py", "exec")
    assert f"parameter(range({SHARDS}))" in text and "set it to 2" in text and '"--resume"' in text


def test_a_slurm_task_that_is_killed_is_queued_again_and_goes_on(folder):
    """The script as Slurm runs a task of the array; only scontrol is played."""
    text = script(folder, "slurm", "--throttle", 2)
    assert "#SBATCH --array=0-2%2\n" in text and "#SBATCH --requeue\n" in text
    (folder.folder / "job.sbatch").write_text(text)
    bin_folder = folder.folder / "bin"
    bin_folder.mkdir()
    played = {
        "scontrol": 'echo "$@" >> requeued',
        # Killed in its first life, as soon as it has a row.
        "dying": f'case "$*" in *1/3*) [ -e died ] || {{ touch died; "{folder.path}" "$@" & pid=$!; '
        "until grep -q kind.:.case shards/shards/1.json.journal 2>/dev/null; do sleep 0.01; done; "
        f'kill -9 $pid; wait $pid; exit; }};; esac; exec "{folder.path}" "$@"',
    }
    for name, line in played.items():
        path = bin_folder / name
        path.write_text(f"#!/bin/bash\n{line}\n")
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
    (folder.folder / "job.sbatch").write_text(text.replace(f"\n{folder.path} run", "\ndying run"))
    tasks = ["0", "1", "2", "1"]
    for life, task in enumerate(tasks):
        folder.shell(
            ["bash", "job.sbatch"],
            code=137 if life == 1 else 0,
            PATH=f"{bin_folder}:{os.environ['PATH']}",
            SLURM_ARRAY_TASK_ID=task,
            SLURM_JOB_ID=f"10{task}",
            SLURM_RESTART_COUNT="1" if life == 3 else "0",
        )
    assert (folder.folder / "requeued").read_text() == "requeue 101\n"
    assert is_the_run(folder, text)


def test_a_machine_without_gnu_parallel_is_told_so(folder):
    (folder.folder / "job.sh").write_text(script(folder, "parallel"))
    (folder.folder / "none").mkdir()
    result = folder.shell(["/bin/bash", "job.sh"], code=3, PATH=str(folder.folder / "none"))
    assert "GNU parallel is missing" in result.stderr and result.stdout == ""


def test_gnu_parallel_runs_the_shards(folder):
    if shutil.which("parallel") is None:
        pytest.skip("GNU parallel is not installed")
    shutil.rmtree(folder.folder / "shards", ignore_errors=True)
    text = script(folder, "parallel", "--throttle", 2)
    (folder.folder / "job.sh").write_text(text)
    folder.shell(["bash", "job.sh"])
    assert len(list((folder.folder / "shards" / "shards").glob("?.json"))) == SHARDS
    assert is_the_run(folder, text)


def test_what_decides_the_measurements_is_handed_on(folder):
    options = ["--filter", "^solve/.* ?x", "--scale", 0.2, "--seed", 3, "--launches", 2, "-b", "cg", "--counters"]
    text = folder.run("plan", "quick", "--emit", "slurm", "--shards", 1, "-d", "cpu", *options).stdout
    (line,) = re.findall(r"^\S+ run .*", text, re.MULTILINE)
    for part in (
        "--filter '^solve/.* ?x'",
        "--scale 0.2",
        "--seed 3",
        "--launches 2",
        "--benchmark cg",
        "--counters",
        "--device cpu",
    ):
        assert part in line


def test_what_cannot_be_divided_is_refused(folder):
    message = folder.run(*PLAN[:-1], 99, "--emit", "slurm", code=2).stderr
    assert "--shards 99: suite shards has " in message and "use at most " in message
    assert (
        "has no case for --device 0"
        in folder.run("plan", "shards.json", "--emit", "slurm", "--shards", 1, code=2).stderr
    )
    before = (folder.folder / "shards.json").read_bytes()
    folder.run(*PLAN, "--emit", "slurm", "--out", "shards.json", code=2)
    assert (folder.folder / "shards.json").read_bytes() == before
    folder.write_json("lines.json", {**SUITE, "name": "a\nb"})
    folder.run("plan", "lines.json", "-d", "cpu", "--emit", "slurm", "--shards", 1, code=2)
