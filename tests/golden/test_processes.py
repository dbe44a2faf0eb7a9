# SPDX-License-Identifier: Apache-2.0
"""One training in several processes that MPI started: the bits of one process, and all end where one is lost."""

import os
import shutil
import signal
import subprocess
import time

import pytest

from conftest import BINARY, Program, read_json

TRAIN = ["train", "--dataset", "ml-100k", "--rank", 8, "--no-tuned", "--progress", "none", "--device", "cpu"]
PARTS = ("x.npy", "theta.npy")
# Open MPI asks root, and more processes than cores, to say that they are meant.
ALLOWED = {
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_rmaps_base_oversubscribe": "1",
}
PATIENT = {"OMPI_MCA_odls_base_sigkill_timeout": "4"}  # seconds from SIGTERM to SIGKILL: this machine may be busy
# Notes the process and how it ended. mpirun tells both to end, and the shell waits for the program.
MEMBER = """"$@" 2> err.$OMPI_COMM_WORLD_RANK &
program=$!
trap : TERM
echo $program > pid.$OMPI_COMM_WORLD_RANK
wait $program; wait $program; echo $? > code.$OMPI_COMM_WORLD_RANK
"""

needs_mpi = pytest.mark.skipif(
    not shutil.which("mpirun") or not (BINARY.parent / "libalsbench_mpi.so").exists(), reason="no MPI"
)


def factors_in(folder):
    return {name: (folder / name).read_bytes() for name in PARTS}


def mpirun(program, processes, *words, code=0):
    command = ["mpirun", "-n", str(processes), *[str(word) for word in words]]
    return program.shell(command, code=code, timeout=120, **ALLOWED)


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    """The program, what one process printed, and the factors that it ended with."""
    program = Program(tmp_path_factory.mktemp("processes"))
    done = program.run(*TRAIN, "--iterations", 6, "--out", "one")
    return program, done.stdout, factors_in(program.folder / "one")


@needs_mpi
@pytest.mark.parametrize("processes", [2, 4])
def test_processes_train_the_model_of_one(trained, processes):
    program, printed, factors = trained
    out = f"of_{processes}"
    done = mpirun(program, processes, BINARY, *TRAIN, "--iterations", 6, "--out", out)
    assert done.stdout == printed, "one process prints, and prints the same"
    assert done.stderr.count("written:") == 1
    assert factors_in(program.folder / out) == factors
    record = read_json(program.folder / out / "record.json")
    assert record["team"]["members"] == processes
    assert all(len(iteration["members"]) == processes for iteration in record["iterations"])


def wait_for(path, seconds=60):
    end = time.monotonic() + seconds
    while not path.exists() or not path.read_text(encoding="utf-8").strip():
        assert time.monotonic() < end, f"{path} is not there"
        time.sleep(0.05)
    return path.read_text(encoding="utf-8")


@needs_mpi
def test_all_end_where_one_is_killed_and_the_checkpoint_stays(tmp_path):
    program = Program(tmp_path)
    (tmp_path / "member.sh").write_text(MEMBER, encoding="utf-8")
    endless = [*TRAIN, "--iterations", 1000000, "--checkpoint", "saved", "--every", 3]
    words = ["mpirun", "-n", "4", "bash", "member.sh", BINARY, *endless]
    with subprocess.Popen(
        [str(word) for word in words],
        cwd=tmp_path,
        env={**program.environment, **ALLOWED, **PATIENT},
        stderr=subprocess.DEVNULL,
    ) as running:
        wait_for(tmp_path / "saved" / "record.json")
        pids = [int(wait_for(tmp_path / f"pid.{member}")) for member in range(4)]
        os.kill(pids[2], signal.SIGKILL)
        assert running.wait(timeout=60) != 0
    for member in (0, 1, 3):
        assert wait_for(tmp_path / f"code.{member}").strip() == "3"
        assert "another process of the training" in (tmp_path / f"err.{member}").read_text(encoding="utf-8")

    record = read_json(tmp_path / "saved" / "record.json")
    kept = len(record["iterations"])
    assert kept % 3 == 0
    program.run(*TRAIN, "--iterations", kept + 1, "--resume", "saved", "--out", "resumed")
    program.run(*TRAIN, "--iterations", kept + 1, "--out", "at_once")
    assert factors_in(tmp_path / "resumed") == factors_in(tmp_path / "at_once")


@needs_mpi
def test_processes_that_would_train_something_else_are_refused(tmp_path):
    (tmp_path / "own.sh").write_text('exec "$@" --seed $OMPI_COMM_WORLD_RANK\n', encoding="utf-8")
    done = mpirun(Program(tmp_path), 2, "bash", "own.sh", BINARY, *TRAIN, code=2)
    assert "process 1 would train something other than process 0" in done.stderr


def test_a_program_without_its_part_for_mpi_says_so(tmp_path):
    shutil.copy(BINARY, tmp_path / "alsbench")
    alone = Program(tmp_path, tmp_path / "alsbench")
    done = alone.run(*TRAIN, code=3, OMPI_COMM_WORLD_RANK="0")
    assert "its part for MPI is missing" in done.stderr
    assert "without MPI" in done.stderr
