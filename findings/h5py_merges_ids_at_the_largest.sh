#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# h5py writes an id that its data set's type cannot hold as the largest that it can: a thousand users become one, in silence.
#
# Versions: h5py 3.16.0, numpy 2.4.6; beside it pyarrow 26.0.1.
# Behaviour: where an array's type is another than that of the data set, HDF5 converts it and clips: all 64-bit ids from 2^31 on
#   are 2147483647 in a data set of int32, ids below 0 are 0 in one of uint32, and half stars lose their half in one of int8.
#   Reading into a narrower array by read_direct or astype clips, too. Nothing is said, and counts and shapes are right.
# Likely guess: an error, as from pyarrow; or numpy's wrap to the lower 32 bits, which leaves ids apart from each other and has
#   negative ones that a check finds. A clipped id is a valid one. Pull request 2774 added "unsafe casting" to the page of
#   create_dataset, which in numpy is the wrap; nothing is said of assignments.
#   Right: create_dataset(data=ids) without dtype=, or ids.astype(numpy.int32) after a check of their maximum.
# Output seen: 1,000 users from 2^31 on, in int32: h5py 1 user 2147483647, numpy 1000 users from -2147483648, pyarrow
#   ArrowInvalid; ratings 0.5 1.5 4.5 in int8: h5py 0 1 4
#
# Run by hand. The packages are installed into a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/python" -m pip install --quiet --disable-pip-version-check \
  h5py==3.16.0 numpy==2.4.6 pyarrow==26.0.1

(cd "$folder" && venv/bin/python -) <<'PY'
import sys

import h5py
import numpy as np
import pyarrow

USERS = 1000
ids = np.arange(2**31, 2**31 + USERS)
with h5py.File("ratings.h5", "w") as file:
    file.create_dataset("user", (USERS,), dtype="int32")[:] = ids
    file.create_dataset("rating", (3,), dtype="int8")[:] = [0.5, 1.5, 4.5]
    users, stars = file["user"][:], file["rating"][:]
own = np.empty(USERS, "int32")
own[:] = ids
try:
    refused = pyarrow.array(ids).cast(pyarrow.int32()).type
except pyarrow.ArrowInvalid as error:
    refused = type(error).__name__
kept = set(users.tolist())
wrapped = len(set(own.tolist()))
print(f"{USERS:,} users from 2^31 on, in int32: h5py {len(kept)} user {max(kept)}, ", end="")
print(f"numpy {wrapped} users from {own.min()}, pyarrow {refused}; ratings 0.5 1.5 4.5 in int8: h5py", *stars)
if wrapped != USERS or refused != "ArrowInvalid":
    sys.exit("no example: numpy or pyarrow converts otherwise")
if kept != {2**31 - 1} or stars.tolist() != [0, 1, 4]:
    sys.exit("changed: h5py converts otherwise")
PY
