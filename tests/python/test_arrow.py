# SPDX-License-Identifier: Apache-2.0
"""The command `alsbench` of the package reads ratings of Parquet and Arrow."""

import datetime
import json
import math
import os
import shutil
import subprocess
import sys
import uuid

import pyarrow
import pyarrow.dataset
import pyarrow.feather
import pyarrow.parquet
import pytest

import alsbench
from alsbench.arrow import open_tables
from conftest import package_command, read_json

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


@pytest.mark.parametrize("name", ["r.parquet", "r.feather", "r.jsonl", "parts"])
def test_files_and_folders_are_read_as_they_are(files, name):
    package_command(files, "data", "convert", name, "-o", "out.csv", "-q")
    rows = (files / "out.csv").read_text().splitlines()
    assert rows[0] == "userId,movieId,rating,timestamp"
    seconds = int(TIME.replace(tzinfo=datetime.UTC).timestamp())
    wanted = [f"7,1,5,{seconds}", f"ann,1,0.5,{seconds}", f"ann,3,3.25,{seconds}", f'"bob, jr",2,4,{seconds}']
    assert sorted(rows[1:]) == sorted(wanted)
    direct = alsbench.from_arrow(TABLE)
    assert direct.matrix.nnz == len(rows) - 1


def test_folders_keep_leading_zeros(tmp_path):
    """pyarrow makes integers of them, so users 007 and 7 were one."""
    for number, user in enumerate(["007", "7", "10"]):
        (folder := tmp_path / "parts" / f"user={user}" / "rating=04").mkdir(parents=True)
        pyarrow.parquet.write_table(pyarrow.table({"item": [number, 8]}), folder / "part-0.parquet")
    package_command(tmp_path, "data", "convert", "parts", "-o", "ratings.csv", "-q")
    lines = (tmp_path / "ratings.csv").read_text().splitlines()[1:]
    assert sorted(lines) == ["007,0,4", "007,8,4", "10,2,4", "10,8,4", "7,1,4", "7,8,4"]
    ratings = alsbench.read_parquet(tmp_path / "parts")
    assert ratings.users.tolist() == ["007", "10", "7"]
    assert ratings.matrix.toarray().tolist() == [[4, 0, 0, 4], [0, 0, 4, 4], [0, 4, 0, 4]]


@pytest.mark.parametrize("format", ["parquet", "feather"])
@pytest.mark.parametrize("column", ["year", "user"])
def test_folders_that_hive_names_by_a_column_are_read_as_in_python(tmp_path, monkeypatch, format, column):
    """The column is in the names of the folders alone."""
    table = pyarrow.table(
        {"user": [11, 12, 11], "item": ["a", "b", "b"], "rating": [3.0, 4, 5], "year": [2020, 2021, 2021]}
    )
    pyarrow.dataset.write_dataset(
        table, tmp_path / "parts", format=format, partitioning=[column], partitioning_flavor="hive"
    )
    assert not list((tmp_path / "parts").glob("*.*"))
    package_command(tmp_path, "data", "convert", "parts", "-o", "r.csv", "-q")
    rows = ["userId,movieId,rating", "11,a,3", "11,b,5", "12,b,4"]
    assert (tmp_path / "r.csv").read_text().splitlines() == rows
    monkeypatch.chdir(tmp_path)
    if format == "parquet":
        ratings = alsbench.read_parquet("parts")
        assert (ratings.users.tolist(), ratings.items.tolist()) == ([11, 12], ["a", "b"])
        assert ratings.matrix.toarray().tolist() == [[3, 5], [0, 4]]
    with pytest.raises(alsbench.UsageError, match="parts: holds "):
        alsbench.load_ratings("parts")


@pytest.mark.parametrize(
    ("columns", "said"),
    [
        (
            {"client": ["a", "b"], "thing": ["x", "y"]},
            't.parquet: the header \'"client","thing"\' names no user and item',
        ),
        (
            {"0": [1, 2], "1": [2, 3], "2": [3.0, 4.0]},
            't.parquet: the header \'"0","1","2"\' names no user, item and rating',
        ),
    ],
)
def test_names_of_columns_are_no_rating(tmp_path, columns, said):
    pyarrow.parquet.write_table(pyarrow.table(columns), tmp_path / "t.parquet")
    error = package_command(tmp_path, "data", "info", "t.parquet", code=2)
    assert error.startswith(f"alsbench: error: {said}")
    chosen = ",".join(f"{role}={place}" for place, role in zip((1, 2, 3), ("user", "item", "rating")[: len(columns)]))
    package_command(tmp_path, "data", "convert", "t.parquet", "--columns", chosen, "-o", "t.csv", "-q")
    assert len((tmp_path / "t.csv").read_text().splitlines()) == 3  # with the header


def no_pyarrow(folder):
    """An environment in which Python has no pyarrow."""
    (folder / "pyarrow").mkdir()
    (folder / "pyarrow" / "__init__.py").write_text("raise ModuleNotFoundError(\"No module named 'pyarrow'\")")
    return {**os.environ, "PYTHONPATH": os.pathsep.join([str(folder), os.environ.get("PYTHONPATH", "")])}


def broken(folder):
    whole = (folder / "r.parquet").read_bytes()
    (folder / "cut.parquet").write_bytes(whole[:1500])
    page = whole.index(b"PAR1") + 4
    (folder / "page.parquet").write_bytes(whole[:page] + bytes(100) + whole[page + 100 :])
    shutil.copytree(folder / "parts", folder / "broken")
    (folder / "broken" / "last.parquet").write_bytes(whole[:1500])
    (folder / "bad.jsonl").write_text('{"user": 1, "item": 2, "rating": 3}\n{"user": 1, "item":\n')
    (folder / "none.jsonl").write_text("")


def test_texts_of_json_lines_stay_as_they_are(tmp_path):
    """pyarrow takes those that are dates for times, and "2020-01-01" for the same as "2020-01-01T00:00:00"."""
    lines = [
        {"user": "2020-01-01", "item": "a", "rating": 1, "timestamp": "2020-01-02T00:00:00+02:00"},
        {"user": "2020-01-01T00:00:00", "item": "a", "rating": 2.5, "timestamp": "2020-01-02"},
    ]
    (tmp_path / "r.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    package_command(tmp_path, "data", "convert", "r.jsonl", "-o", "r.csv", "-q")
    written = (tmp_path / "r.csv").read_text(encoding="utf-8").splitlines()
    assert written[1:] == ["2020-01-01,a,1,1577916000", "2020-01-01T00:00:00,a,2.5,1577923200"]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("cut.parquet", "cut.parquet: Parquet magic bytes not found"),
        ("page.parquet", "page.parquet: "),
        ("broken", "broken/last.parquet: Parquet magic bytes not found"),
        ("bad.jsonl", "bad.jsonl:2: JSON parse error"),
        ("none.jsonl", "none.jsonl: "),
    ],
)
def test_what_cannot_be_read_is_one_error_with_a_remedy(files, name, said):
    broken(files)
    for words in (["data", "info", name], ["data", "convert", name, "-o", "out.parquet"]):
        error = package_command(files, *words, code=2)
        assert error.startswith(f"alsbench: error: {said}") and error.count("\n") == 1
        assert error.endswith("; give the whole file, or write it again\n") and "/dev/fd" not in error
    assert not (files / "out.parquet").exists()


def test_without_pyarrow_the_error_says_how_to_install_it(files):
    error = package_command(files, "data", "info", "r.parquet", code=3, env=no_pyarrow(files))
    assert error == "alsbench: error: r.parquet: No module named 'pyarrow'; pip install 'alsbench[arrow]'\n"


def test_a_reader_that_is_killed_is_not_taken_for_the_end(files):
    """The first two thirds are read, and the process that reads them ends without a word."""
    (files / "sitecustomize.py").write_text(
        "import sys\n"
        "if '-m' in sys.orig_argv and 'alsbench.arrow' in sys.orig_argv:\n"
        "    import os\n"
        "    os.write(1, b'user,item,rating\\n1,2,3\\n')\n"
        "    os.kill(os.getpid(), 9)\n"
    )
    path = os.pathsep.join([str(files), os.environ.get("PYTHONPATH", "")])
    error = package_command(files, "data", "info", "r.parquet", code=3, env={**os.environ, "PYTHONPATH": path})
    assert "error: r.parquet: the process that reads it was ended" in error


@pytest.mark.parametrize(
    ("columns", "said"),
    [
        ({"rating": [1.0, math.nan, 2.0]}, "row 2: rating 'nan' is not a finite number; correct or remove the row"),
        ({"rating": [1.0, 2.0, None]}, "row 3: rating '' is not a finite number; correct or remove the row"),
        ({"user": [None, 1, 2]}, "row 1: id '' is not"),
        ({"item": [None, 1, 2], "user": ["a", "b", "c"]}, "row 1: id '' is not"),
    ],
)
def test_a_cell_that_is_none_is_named_by_file_and_row(tmp_path, columns, said):
    table = pyarrow.table({"user": [1, 2, 3], "item": [1, 2, 3], "rating": [1.0, 2.0, 3.0], **columns})
    pyarrow.parquet.write_table(table, tmp_path / "bad.parquet")
    assert f"alsbench: error: bad.parquet: {said}" in package_command(tmp_path, "data", "info", "bad.parquet", code=2)


def test_ids_of_floats_are_the_integers_that_they_stand_for(tmp_path, monkeypatch):
    """As pandas has a column with gaps. No text of them has an exponent, whatever their size."""
    table = {"user": [1.0, 123456789012.0, 2.0**53 - 1, 1.0], "item": [1, 1, 2, 2], "rating": [1.5, 2, 3, 4]}
    pyarrow.parquet.write_table(pyarrow.table(table), tmp_path / "r.parquet", row_group_size=1)
    assert package_command(tmp_path, "data", "convert", "r.parquet", "-o", "r.csv", "-q") == ""
    rows = (tmp_path / "r.csv").read_text().splitlines()
    assert rows == ["userId,movieId,rating", "1,1,1.5", "1,2,4", "123456789012,1,2", "9007199254740991,2,3"]
    monkeypatch.chdir(tmp_path)
    assert alsbench.read_parquet("r.parquet").users.tolist() == [int(row.split(",")[0]) for row in rows[2:]]


@pytest.mark.parametrize("role", ["user", "item"])
@pytest.mark.parametrize(
    ("floats", "value", "said"),
    [
        (pyarrow.float64(), 2.0**53, "9007199254740992.0, and float64 does not tell integers of this size apart"),
        (pyarrow.float32(), 2.0**24, "16777216.0, and float32 does not tell integers of this size apart"),
        (pyarrow.float64(), math.nan, "nan, and is no id; remove the row"),
    ],
)
def test_floats_that_python_takes_for_no_ids_are_none_on_the_command_line(
    tmp_path, monkeypatch, role, floats, value, said
):
    columns = {"user": [1.0, 2, 3], "item": [5.0, 6, 7], "rating": [1.0, 2.0**60, 3]}
    columns[role] = pyarrow.array([1, value, 2.5], floats)
    pyarrow.parquet.write_table(pyarrow.table(columns), tmp_path / "r.parquet")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(alsbench.UsageError):
        alsbench.read_parquet("r.parquet")
    for words in (["data", "info"], ["data", "convert", "-o", "r.csv"]):
        error = package_command(tmp_path, *words, "r.parquet", code=2)
        assert error.startswith(f"alsbench: error: r.parquet: row 2: column '{role}' has {said}"), error
    assert not (tmp_path / "r.csv").exists()


@pytest.mark.parametrize("name", ["r.arrow", "r.ipc", "r.feather"])
def test_arrow_in_its_format_of_streams_is_read(tmp_path, monkeypatch, name):
    """Hugging Face's data sets and Polars' write_ipc_stream are such files."""
    table = TABLE.select(["genres", "user", "item", "rating"])
    with pyarrow.ipc.new_stream(str(tmp_path / name), table.schema) as file:
        file.write_table(table.slice(0, 3))
        file.write_table(table.slice(3))
    package_command(tmp_path, "data", "convert", name, "-o", "r.csv", "-q")
    rows = ["7,1,5", "ann,1,0.5", "ann,3,3.25", '"bob, jr",2,4']
    assert (tmp_path / "r.csv").read_text().splitlines() == ["userId,movieId,rating", *rows]
    monkeypatch.chdir(tmp_path)
    with pytest.raises(alsbench.UsageError) as refused:
        alsbench.load_ratings(name)
    call = f"alsbench.from_arrow(pyarrow.ipc.open_stream('{name}').read_all())"
    assert call in str(refused.value) and eval(call).matrix.nnz == 4
    whole = (tmp_path / name).read_bytes()
    for size in (len(whole) - 8, len(whole) - 100, 40):  # the first of them ends with a batch
        (tmp_path / "cut.arrow").write_bytes(whole[:size])
        error = package_command(tmp_path, "data", "info", "cut.arrow", code=2)
        assert error.startswith("alsbench: error: cut.arrow: ") and error.endswith(
            "give the whole file, or write it again\n"
        )


def test_a_stream_without_rows_holds_no_ratings(tmp_path):
    with pyarrow.ipc.new_stream(str(tmp_path / "r.arrow"), TABLE.schema):
        pass
    error = package_command(tmp_path, "data", "info", "r.arrow", code=2)
    assert error.startswith("alsbench: error: r.arrow: holds no ratings")


REVIEW = 'Good.\nRead it, "twice"\r\nand a NUL: \0'


@pytest.mark.parametrize("name", ["r.parquet", "r.jsonl"])
def test_texts_of_several_lines_beside_the_ratings_are_passed_over(tmp_path, name):
    """Yelp's and Amazon's reviews are such texts."""
    rows = [
        {"user": "a", "text": REVIEW, "item": "x", "rating": 3},
        {"user": "b", "text": "", "item": "x", "rating": 4},
    ]
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows), tmp_path / "r.parquet")
    (tmp_path / "r.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    package_command(tmp_path, "data", "convert", name, "-o", "r.csv", "-q")
    assert (tmp_path / "r.csv").read_text().splitlines() == ["userId,movieId,rating", "a,x,3", "b,x,4"]
    error = package_command(tmp_path, "data", "info", name, "--columns", "item=text", code=2)
    said = f"alsbench: error: {name}: row 1: column 'text' has a line break or NUL within a text, which no id may have"
    assert error.startswith(said)


def test_a_name_of_several_lines_is_one(tmp_path):
    """As spreadsheets have them."""
    table = pyarrow.table({"Mark\n(1 to 5)": [3.0, 4], "user": [1, 2], "item": [1, 2]})
    pyarrow.parquet.write_table(table, tmp_path / "r.parquet")
    words = ["data", "convert", "r.parquet", "-o", "r.csv", "-q", "--columns", "rating=Mark (1 to 5)"]
    package_command(tmp_path, *words)
    assert (tmp_path / "r.csv").read_text().splitlines()[1:] == ["1,1,3", "2,2,4"]


def test_bytes_that_are_no_text_are_passed_over(tmp_path):
    """Such as a picture beside the ratings; bytes that are texts are ids, as Impala and Spark may write them."""
    table = {"user": [b"ann", "bj\u00f6rn".encode()], "item": [1, 2], "rating": [3, 4], "picture": [b"a", b"\xff\xd8"]}
    pyarrow.parquet.write_table(pyarrow.table(table), tmp_path / "r.parquet")
    package_command(tmp_path, "data", "convert", "r.parquet", "-o", "r.csv", "-q")
    rows = ["userId,movieId,rating", "ann,1,3", "bj\u00f6rn,2,4"]
    assert (tmp_path / "r.csv").read_text(encoding="utf-8").splitlines() == rows
    error = package_command(tmp_path, "data", "info", "r.parquet", "--columns", "user=picture", code=2)
    assert error.startswith("alsbench: error: r.parquet: row 2: column 'picture' has bytes that are no text")


UUIDS = ["00010203-0405-0607-0809-0a0b0c0d0e00", "ffffffff-0000-4000-8000-000000000001"]


def as_uuids(texts):
    """A column of UUIDs as DuckDB writes it."""
    numbers = pyarrow.array([uuid.UUID(text).bytes for text in texts], pyarrow.binary(16))
    return pyarrow.ExtensionArray.from_storage(pyarrow.uuid(), numbers)


@pytest.mark.parametrize(
    ("name", "users"),
    [
        ("r.parquet", as_uuids(UUIDS)),
        ("r.arrow", as_uuids(UUIDS)),
        ("r.arrow", pyarrow.array(UUIDS, pyarrow.string_view())),
        ("r.arrow", pyarrow.DictionaryArray.from_arrays([0, 1], pyarrow.array(UUIDS, pyarrow.string_view()))),
    ],
    ids=["uuid-parquet", "uuid-arrow", "view", "category-of-views"],
)
def test_uuids_and_views_are_texts(tmp_path, name, users):
    """Polars writes views and categories of them to Arrow."""
    table = pyarrow.table({"user": users, "item": [1, 2], "rating": [3, 4]})
    if name == "r.parquet":
        pyarrow.parquet.write_table(table, tmp_path / name)
    else:
        with pyarrow.ipc.new_file(str(tmp_path / name), table.schema) as file:
            file.write_table(table)
    package_command(tmp_path, "data", "convert", name, "-o", "r.csv", "-q")
    rows = ["userId,movieId,rating", f"{UUIDS[0]},1,3", f"{UUIDS[1]},2,4"]
    assert (tmp_path / "r.csv").read_text().splitlines() == rows


def test_a_cell_that_a_table_has_twice_is_named_by_its_rows(tmp_path):
    pyarrow.parquet.write_table(
        pyarrow.table({"user": [1, 2, 1], "item": [1, 1, 1], "rating": [1, 2, 3]}), tmp_path / "r.parquet"
    )
    error = package_command(tmp_path, "data", "info", "r.parquet", code=2)
    assert "r.parquet: row 3: the same user and item as r.parquet: row 1; remove one" in error


def test_unknown_columns_are_named_with_their_file(tmp_path):
    pyarrow.parquet.write_table(pyarrow.table({"a": [1], "b": [1], "c": [1.0]}), tmp_path / "other.parquet")
    error = package_command(tmp_path, "data", "info", "other.parquet", code=2)
    assert error.startswith("alsbench: error: other.parquet: the header ") and "1 'a', 2 'b', 3 'c'" in error


def test_a_table_keeps_its_name(files):
    """In what the program says, in its JSON and in the record of a model."""
    said = package_command(files, "data", "info", "parts", "--json", "info.json")
    assert "parts: read as Parquet: user 'user', item 'item'" in said
    assert read_json(files / "info.json")["id"] == "parts"
    assert "r.jsonl: read as JSON: " in package_command(files, "data", "info", "r.jsonl")
    pyarrow.parquet.write_table(
        pyarrow.table({"user": [1, 2], "item": [1, 2], "rating": [1, 2]}), files / "one.parquet"
    )
    assert "warning: one.parquet: each of the 2 users has one" in package_command(files, "data", "info", "one.parquet")
    words = ["--rank", "2", "--iterations", "1", "--device", "cpu", "--no-tuned"]
    words += ["--test", "r.feather", "--out", "model"]
    said = package_command(files, "train", "--data", "r.parquet", *words)
    assert "/dev/fd" not in said + (files / "model" / "record.json").read_text()
    assert read_json(files / "model" / "record.json")["data"]["id"] == "r.parquet"


def test_several_processes_do_not_read_a_table(files):
    error = package_command(files, "tune", "stage", "update", "--data", "r.parquet", "--device", "cpu", code=2)
    assert "r.parquet: is read through a pipe, and this command reads its ratings in several processes" in error
    assert error.endswith("alsbench data convert r.parquet -o ratings.alsset\n")


def tables_of(words, monkeypatch):
    monkeypatch.setenv("ALSBENCH_TABLES", "left over")
    open_tables(words)
    return [line.split(" ", 3) for line in os.environ.get("ALSBENCH_TABLES", "").splitlines()]


def test_outputs_and_other_files_are_not_read(files, monkeypatch):
    (files / "r.csv").write_text("1,2,3\n")
    words = ["data", "convert", str(files / "r.csv"), "-o", str(files / "r.parquet"), "--out", str(files / "r.feather")]
    assert tables_of(words, monkeypatch) == []


def test_options_are_not_read_in_a_folder_of_tables(files, monkeypatch):
    monkeypatch.chdir(files)
    assert tables_of(["recommend", "--model", "m", "-k", "5", "--quiet"], monkeypatch) == []


def test_a_table_that_is_named_twice_is_read_once(files, monkeypatch):
    path = str(files / "r.parquet")
    ((table, status, kind, name),) = tables_of([f"--data={path}", "--seen", path], monkeypatch)
    assert (kind, name) == ("Parquet", path)
    with os.fdopen(int(table), encoding="utf-8") as pipe, os.fdopen(int(status)) as end:
        assert pipe.readline() == '"user","item","rating","timestamp"\n'
        assert len(pipe.readlines()) == len(TABLE) and end.read() == "0 "


def test_a_table_is_not_overwritten_while_it_is_read(files):
    before = (files / "r.parquet").read_bytes()
    error = package_command(files, "data", "convert", "r.parquet", "--to", "csv", "-o", "./r.parquet", code=2)
    assert "r.parquet" in error and (files / "r.parquet").read_bytes() == before


def test_the_program_says_how_to_read_such_files(files):
    program = os.path.join(os.path.dirname(alsbench.__file__), "bin", "alsbench")
    result = subprocess.run([program, "data", "info", "r.parquet"], cwd=files, capture_output=True, text=True)
    assert result.returncode == 2
    assert "r.parquet: is a file of Parquet, which Python's pyarrow reads: python -m alsbench.arrow" in result.stderr


def test_a_pipe_of_a_table_that_cannot_be_read_is_not_taken_for_ratings(files):
    """The program alone says where to look; the package's command says what is wrong."""
    broken(files)
    program = os.path.join(os.path.dirname(alsbench.__file__), "bin", "alsbench")
    line = '"$1" -m alsbench.arrow page.parquet | "$2" data info -'
    result = subprocess.run(
        ["sh", "-c", line, "sh", sys.executable, program], cwd=files, capture_output=True, text=True
    )
    assert result.returncode == 2
    assert "page.parquet: " in result.stderr
    assert "error: /dev/stdin: is not the whole, since what writes it failed; see its message\n" in result.stderr
