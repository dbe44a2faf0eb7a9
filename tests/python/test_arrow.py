# SPDX-License-Identifier: Apache-2.0
"""The command `alsbench` of the package reads ratings of Parquet and Arrow."""

import datetime
import json
import os
import subprocess
import sys

import pyarrow
import pyarrow.dataset
import pyarrow.feather
import pyarrow.parquet
import pytest

import alsbench
from alsbench.arrow import with_pipes

USERS = ["ann", "bob, jr", "ann", "7"]
TIME = datetime.datetime(2005, 9, 6, 23, 59, 59)
TABLE = pyarrow.table(
    {
        "user": pyarrow.array(USERS).dictionary_encode(),
        "item": [1, 2, 3, 1],
        "rating": [0.5, 4, 3.25, 5],
        "timestamp": [TIME, TIME, TIME, TIME],
        "genres": [["a"], ["b"], [], ["c"]],
    }
)


@pytest.fixture
def files(tmp_path):
    pyarrow.parquet.write_table(TABLE, tmp_path / "r.parquet")
    pyarrow.feather.write_feather(TABLE, tmp_path / "r.feather")
    objects = [json.dumps(row, default=str) + "\n" for row in TABLE.to_pylist()]
    (tmp_path / "r.jsonl").write_text("".join(objects), encoding="utf-8")
    pyarrow.dataset.write_dataset(TABLE.slice(0, 2), tmp_path / "parts", format="parquet")
    pyarrow.parquet.write_table(TABLE.slice(2), tmp_path / "parts" / "more.parquet")
    return tmp_path


def command(folder, *arguments, code=0):
    """python -m alsbench, its stderr."""
    words = [sys.executable, "-m", "alsbench", *arguments]
    result = subprocess.run(words, cwd=folder, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    assert result.returncode == code, result.stderr
    return result.stderr


@pytest.mark.parametrize("name", ["r.parquet", "r.feather", "r.jsonl", "parts"])
def test_files_and_folders_are_read_as_they_are(files, name):
    command(files, "data", "convert", name, "-o", "out.csv", "-q")
    rows = (files / "out.csv").read_text().splitlines()
    assert rows[0] == "userId,movieId,rating,timestamp"
    seconds = int(TIME.replace(tzinfo=datetime.UTC).timestamp())
    wanted = [f"7,1,5,{seconds}", f"ann,1,0.5,{seconds}", f"ann,3,3.25,{seconds}", f'"bob, jr",2,4,{seconds}']
    assert sorted(rows[1:]) == sorted(wanted)
    direct = alsbench.from_arrow(TABLE)
    assert direct.matrix.nnz == len(rows) - 1


def test_a_file_that_ends_early_is_not_taken_for_a_whole_one(files):
    content = (files / "r.parquet").read_bytes()
    (files / "cut.parquet").write_bytes(content[:-20])
    said = command(files, "data", "info", "cut.parquet", code=2)
    assert "cut.parquet: " in said and "error: /dev/fd/" in said


def test_outputs_and_other_files_stay_as_they_are(files):
    (files / "r.csv").write_text("1,2,3\n")
    words = ["data", "convert", str(files / "r.csv"), "-o", str(files / "r.parquet"), "--out", str(files / "r.feather")]
    assert with_pipes(words) == words


def test_options_stay_as_they_are_in_a_folder_of_tables(files, monkeypatch):
    monkeypatch.chdir(files)
    words = ["recommend", "--model", "m", "-k", "5", "--quiet"]
    assert with_pipes(words) == words


def test_an_option_with_an_equals_sign_is_replaced(files):
    (word,) = with_pipes([f"--data={files / 'r.parquet'}"])
    assert word.startswith("--data=/dev/fd/")
    with os.fdopen(int(word.rpartition("/")[2]), encoding="utf-8") as pipe:
        assert pipe.readline() == '"user","item","rating","timestamp"\n'


def test_the_program_says_how_to_read_such_files(files):
    program = os.path.join(os.path.dirname(alsbench.__file__), "bin", "alsbench")
    result = subprocess.run([program, "data", "info", "r.parquet"], cwd=files, capture_output=True, text=True)
    assert result.returncode == 2
    assert "r.parquet: is a file of Parquet, which Python's pyarrow reads: python -m alsbench.arrow" in result.stderr
