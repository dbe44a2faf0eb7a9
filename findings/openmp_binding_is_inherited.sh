#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# With OMP_PROC_BIND set, an import of scikit-learn leaves one processor to all processes that are started afterwards.
#
# Versions: scikit-learn 1.9.1 (PyPI) with GCC's libgomp, Linux, Python 3.11.
# Behaviour: libgomp binds the thread that loads it to the first place while it is loaded, before any parallel region.
#   OMP_PLACES alone or GOMP_CPU_AFFINITY do it, too. What this thread starts inherits one processor: a subprocess counts one,
#   and unsetting the variables for it does not help. scikit-learn itself counts that thread's processors, and uses one thread.
# Likely guess: variables of OpenMP place the threads of OpenMP, from the first parallel region on, so a script with
#   OMP_PROC_BIND=close may start the programs that it measures. They run on one processor, all of them on the same.
#   Right: read os.sched_getaffinity(0) before the import, and set it again before a program is started.
# Output seen (2 processors): before the import, after it, of a subprocess, of one without the variables, of its OpenMP, of the
#   own one: OMP_PROC_BIND=close: 2 1 1 1 1 1; OMP_PLACES=cores: 2 1 1 1 1 1; neither: 2 2 2 2 2 2
#
# Needs two processors and GNU coreutils; run by hand. scikit-learn is installed into a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/python" -m pip install --quiet --disable-pip-version-check scikit-learn==1.9.1 numpy==2.4.6 scipy==1.17.1
cat >"$folder/import.py" <<'PY'
"""Prints processors: before the import, after it, of a subprocess, of one without variables, of its OpenMP, of the own one."""

import os
import subprocess
import sys

before = len(os.sched_getaffinity(0))
from sklearn.utils._openmp_helpers import _openmp_effective_n_threads  # noqa: E402

after = len(os.sched_getaffinity(0))
clean = {name: value for name, value in os.environ.items() if not name.startswith(("OMP_", "GOMP_"))}
script = "from sklearn.utils._openmp_helpers import _openmp_effective_n_threads as threads; print(threads())"


def said(words, environment):
    return int(subprocess.run(words, env=environment, check=True, capture_output=True, text=True).stdout)


children = [said(["nproc"], os.environ), said(["nproc"], clean), said([sys.executable, "-c", script], clean)]
print(before, after, *children, _openmp_effective_n_threads())
PY

seen() { # variables
  env -u OMP_PROC_BIND -u OMP_PLACES -u GOMP_CPU_AFFINITY -u OMP_NUM_THREADS "$@" "$folder/venv/bin/python" "$folder/import.py"
}
own=$(env -u OMP_NUM_THREADS nproc)
echo "processors before the import, after it, of a subprocess, of one without the variables, of its OpenMP, of the own OpenMP:"
for variables in OMP_PROC_BIND=close OMP_PLACES=cores; do
  bound=$(seen "$variables")
  echo "$variables: $bound"
  if [ "$own" -lt 2 ] || [ "$bound" != "$own 1 1 1 1 1" ]; then
    echo "changed, or fewer than two processors: $variables binds other things" >&2
    exit 1
  fi
done
free=$(seen OMP_DYNAMIC=false)
echo "neither: $free"
if [ "$free" != "$own $own $own $own $own $own" ]; then
  echo "changed: processors are missing without a binding" >&2
  exit 1
fi
