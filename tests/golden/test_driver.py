# SPDX-License-Identifier: Apache-2.0
"""When CUDA's driver starts, shown by a library in its place that starts as slowly as a test wants, and then has no GPU."""

import os
import subprocess

import pytest

from conftest import read_json

pytestmark = pytest.mark.skipif(os.environ.get("ALSBENCH_CUDA_BUILT") != "1", reason="the program has no CUDA")

# cuInit leaves a file `begun`, and ends once there is a file `go`, or after a minute.
DRIVER = r"""
#include <fcntl.h>
#include <unistd.h>
#include <cstring>
extern "C" {
int cuDriverGetVersion(int* version) { *version = 13000; return 0; }
int cuInit(unsigned) {
  close(open("begun", O_CREAT | O_WRONLY, 0600));
  for (int waited = 0; waited < 6000 && access("go", F_OK) != 0; ++waited) usleep(10000);
  return 100;  // no device
}
int cuGetProcAddress_v2(const char* name, void** function, int, unsigned long long, int* found) {
  *function = std::strcmp(name, "cuInit") == 0 ? (void*)cuInit
              : std::strcmp(name, "cuGetProcAddress") == 0 ? (void*)cuGetProcAddress_v2
                                                           : (void*)cuDriverGetVersion;
  if (found != nullptr) *found = 0;
  return 0;
}
int cuGetProcAddress(const char* name, void** function, int version, unsigned long long flags) {
  return cuGetProcAddress_v2(name, function, version, flags, nullptr);
}
}
"""


@pytest.fixture
def slow(program, monkeypatch):
    """The program where the driver is that library."""
    (program.folder / "driver.cpp").write_text(DRIVER)
    words = ["g++", "-shared", "-fPIC", "-Wl,-soname,libcuda.so.1", "driver.cpp", "-o", "libcuda.so.1"]
    subprocess.run(words, cwd=program.folder, check=True)
    for left in ("begun", "go"):
        (program.folder / left).unlink(missing_ok=True)
    monkeypatch.setenv("LD_LIBRARY_PATH", str(program.folder))
    (program.folder / "ratings.csv").write_text(
        "".join(f"{u},{i},{(u + i) % 5 + 1}\n" for u in range(9) for i in range(9))
    )
    return program


TRAIN = ["train", "--data", "ratings.csv", "--rank", "4", "--iterations", "1"]


def test_ratings_are_read_while_the_driver_starts(slow, monkeypatch):
    monkeypatch.setenv("ALSBENCH_LOG", "debug")
    with slow.start(*TRAIN, "--out", "model") as process:
        for line in process.stderr:
            if "both orders are there" in line:
                break
        (slow.folder / "go").touch()
        error = process.communicate(timeout=60)[1]
    assert process.returncode == 0 and "devices: they are open" in error
    assert (slow.folder / "begun").exists()
    parts = read_json(slow.folder / "model" / "record.json")["start_seconds"]
    assert 0 < parts["device"] < 30 and 0 < parts["load"] < 30


def test_wrong_ratings_are_said_where_the_gpu_is_missing_too(slow):
    (slow.folder / "go").touch()
    (slow.folder / "ratings.csv").write_text("1,1,5\n1,2,much\n")
    assert "ratings.csv:2" in slow.run(*TRAIN, "--device", "0", code=2).stderr


def test_a_gpu_that_the_driver_does_not_have_is_said(slow):
    (slow.folder / "go").touch()
    assert "--device 0: there are 0 CUDA devices here" in slow.run(*TRAIN, "--device", "0", code=3).stderr


def test_a_training_on_the_cpu_starts_no_driver(slow):
    slow.run(*TRAIN, "--device", "cpu")
    assert not (slow.folder / "begun").exists()
