# SPDX-License-Identifier: Apache-2.0
"""Whole commands, timed in turn with those of other programs, and where that was: for the scripts that compare."""

import argparse
import datetime
import os
import pathlib
import platform
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]


def options_of(description, name):
    """A parser of the options that such scripts have. Their files are kept in a folder called `name`."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=str(ROOT / "build" / "alsbench"))
    parser.add_argument("--python", default=sys.executable, help="of an environment with numpy and pyarrow")
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--folder", type=pathlib.Path, default=pathlib.Path(tempfile.gettempdir()) / name)
    parser.add_argument("--out", type=pathlib.Path)
    return parser


def environment(threads):
    """Without a place for cached sets."""
    kept = {k: v for k, v in os.environ.items() if k not in ("HOME", "XDG_CACHE_HOME", "ALSBENCH_CACHE_DIR")}
    return {**kept, "OMP_NUM_THREADS": str(threads), "POLARS_MAX_THREADS": str(threads)}


def output_of(command, threads):
    done = subprocess.run(command, env=environment(threads), capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command[:3]))} ...: {done.stderr.strip()[-400:]}; mend it and run this again")
    return done.stdout


def timed(command, threads):
    """(seconds, bytes): of the whole command, and its highest resident size."""
    with tempfile.TemporaryFile("w+") as log:
        begin = time.perf_counter()
        child = subprocess.Popen(command, env=environment(threads), stdout=log, stderr=log)
        _, status, usage = os.wait4(child.pid, 0)
        seconds = time.perf_counter() - begin
        if status != 0:
            log.seek(0)
            sys.exit(f"{' '.join(map(str, command[:3]))} ...: ended with status {status}: {log.read()[-400:]}")
    return seconds, usage.ru_maxrss * 1024


def has(python, module):
    return subprocess.run([python, "-c", f"import {module}"], capture_output=True).returncode == 0


def provenance(program, python, modules):
    about = output_of([*program, "--version"], 1).splitlines()
    versions = {"alsbench": about[0]}
    for module in modules:
        versions[module] = output_of([python, "-c", f"import {module}; print({module}.__version__)"], 1).strip()
    lines = pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    models = [line.split(":")[1].strip() for line in lines if "model name" in line]
    return {
        "git_commit": about[1].removeprefix("commit: "),
        "time_utc": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        "processor": models[0] if models else platform.processor(),
        "cores": len(os.sched_getaffinity(0)),
        "load_average": os.getloadavg()[0],
        "versions": versions,
    }
