# SPDX-License-Identifier: Apache-2.0
"""The command `alsbench` of the package writes recommendations, predictions and ratings as Parquet and Arrow."""

import csv
import io
import itertools
import os
import signal
import subprocess
import sys

import numpy
import pyarrow
import pyarrow.feather
import pyarrow.parquet
import pytest

from alsbench import arrow_lists, arrow_tables
from alsbench.arrow_lists import ModelChanged, ModelIds
from alsbench.arrow_output import OutputError, outputs_of
from alsbench.arrow_tables import Output
from conftest import package_command

RATINGS = [(user, item, 1 + (user * item) % 5) for user in range(1, 13) for item in range(1, 9) if (user + item) % 3]
TRAIN = ["--rank", "2", "--iterations", "2", "--device", "cpu", "--no-tuned", "--quiet"]


def table_of(path):
    if path.suffix == ".parquet":
        return pyarrow.parquet.read_table(path)
    return pyarrow.feather.read_table(path)


def types_of(table):
    """Types of its columns. Polars writes texts of any length, which pyarrow calls large_string."""
    return [pyarrow.string() if each == pyarrow.large_string() else each for each in table.schema.types]


def lines_of(path):
    with path.open(newline="") as file:
        return list(csv.DictReader(file, delimiter="\t"))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("outputs")
    for name, prefix in (("r.csv", ""), ("texts.csv", "u")):
        (folder / name).write_text("".join(f"{prefix}{user},{item},{rating}\n" for user, item, rating in RATINGS))
        (folder / "test.csv").write_text(f"{prefix}1,2,3\n{prefix}77,{'x' if prefix else 99},3\n")  # cold
        package_command(
            folder, "train", "--data", name, "--test", "test.csv", *TRAIN, "--out", "model" if not prefix else "texts"
        )
    return folder


def equal_lines(table, lines):
    """Whether the table has the columns and the values of the lines, ids as texts."""
    assert table.column_names == list(lines[0])
    assert len(table) == len(lines)
    for row, line in zip(table.to_pylist(), lines, strict=True):
        *ids, (score_name, score) = row.items()
        assert [(name, str(value)) for name, value in ids] == list(line.items())[:3]
        assert score == pyarrow.scalar(float(line[score_name]), pyarrow.float32()).as_py()
    return True


@pytest.mark.parametrize("name", ["top.parquet", "top.feather"])
@pytest.mark.parametrize(("model", "ids"), [("model", pyarrow.int64()), ("texts", pyarrow.string())])
def test_recommendations_are_those_of_the_lines(folder, name, model, ids):
    """Items are int64 in both models: only an item that is cold has a text."""
    words = ["recommend", "--model", model, "-k", "3", "--device", "cpu"]
    package_command(folder, *words, "-o", name)
    package_command(folder, *words, "-o", "top.tsv")
    table = table_of(folder / name)
    assert types_of(table) == [ids, pyarrow.int32(), pyarrow.int64(), pyarrow.float32()]
    lines = lines_of(folder / "top.tsv")
    assert len(lines) == 36 and equal_lines(table, lines)


def test_users_seen_items_and_candidates_count_in_lists(folder):
    """Users of a file come in its order, and as often; lists end where no item is left."""
    (folder / "asked.txt").write_text('\nu3\nnobody\nu77\n "u1"\nu3\n')
    (folder / "some.txt").write_text("1\n2\n3\n5\nx\n")
    (folder / "not.txt").write_text("2\n")
    words = ["recommend", "--model=texts", "-k", "3", "--device", "cpu", "--users", "asked.txt", "--seen", "texts.csv"]
    words += ["--items", "some.txt", "--without", "not.txt"]
    said = package_command(folder, *words, "-o", "some.parquet")
    assert "not in the model: 'nobody'" in said and "no training rating: 'u77'" in said
    package_command(folder, *words, "-o", "some.tsv")
    lines = lines_of(folder / "some.tsv")
    counts = [len(list(same)) for _, same in itertools.groupby(lines, lambda line: line["user"])]
    assert [line["user"] for line in lines if line["rank"] == "1"] == ["u3", "u1", "u3"]
    assert counts[0] == counts[2] and min(counts) < 3
    assert equal_lines(table_of(folder / "some.parquet"), lines)


@pytest.mark.parametrize(("model", "ids"), [("model", [3.0, 1.0]), ("texts", ["u3", "u1"])])
def test_lists_of_ids_are_tables_of_one_column(folder, model, ids):
    """Whatever it is called: its name is no id."""
    asked = pyarrow.table({"client": ids})
    pyarrow.parquet.write_table(asked, folder / "asked.parquet")
    words = ["recommend", "--model", model, "-k", "1", "--device", "cpu", "--users"]
    assert package_command(folder, *words, "asked.parquet", "-q", "-o", "list.npy") == ""
    names = (folder / model / "users.txt").read_text().split()
    assert [names[row] for row in numpy.load(folder / "list.npy")["user"]] == [str(i).removesuffix(".0") for i in ids]
    for other, said in (
        (asked.append_column("score", [[1, 2]]), 'other.parquet: has the columns "client","score"; give a table with'),
        (pyarrow.table({"client": [*ids, None]}), "other.parquet: row 3: column 'client' is empty; remove the row"),
    ):
        pyarrow.parquet.write_table(other, folder / "other.parquet")
        assert said in package_command(folder, *words, "other.parquet", "-o", "other.npy", code=2)


def test_users_who_get_nothing_make_an_empty_table(folder):
    (folder / "cold.txt").write_text("u77\n")
    package_command(
        folder, "recommend", "--model", "texts", "--users", "cold.txt", "-o", "cold.parquet", "--device", "cpu"
    )
    table = table_of(folder / "cold.parquet")
    assert table.column_names == ["user", "rank", "item", "score"] and len(table) == 0


@pytest.mark.parametrize(
    ("of", "asked"), [("users", None), ("users", "u12\nnobody\nu5\n"), ("items", None), ("items", "8\nx\n3\n")]
)
def test_similar_rows_are_those_of_the_lines(folder, of, asked):
    words = ["similar", "--model", "texts", "--of", of, "-k", "2", "--device", "cpu"]
    if asked:
        (folder / "ids.txt").write_text(asked)
        words += ["--ids", "ids.txt"]
    package_command(folder, *words, "-o", "similar.parquet")
    package_command(folder, *words, "-o", "similar.tsv")
    table = table_of(folder / "similar.parquet")
    id_type = pyarrow.string() if of == "users" else pyarrow.int64()
    assert types_of(table) == [id_type, pyarrow.int32(), id_type, pyarrow.float32()]
    lines = lines_of(folder / "similar.tsv")
    assert lines and equal_lines(table, lines)


def test_predictions_and_a_folder_of_pairs_in_parquet(folder):
    pairs = pyarrow.table({"user": [1, 99], "item": [2, 2]})
    pyarrow.parquet.write_table(pairs, folder / "pairs.parquet")
    package_command(folder, "predict", "--model", "model", "--pairs", "pairs.parquet", "--to", "arrow", "--out=p.bin")
    table = pyarrow.feather.read_table(folder / "p.bin")
    assert table.select(["user", "item", "cold"]).to_pylist() == [
        {"user": 1, "item": 2, "cold": "no"},
        {"user": 99, "item": 2, "cold": "user"},
    ]


def test_ratings_come_back_with_their_ids_and_times(folder):
    text = '"b, ""c""",7,0.5,1112486027\n007,9,4,1112486028\n007,7,3,1112486027.25\n'
    (folder / "timed.csv").write_text(text)
    said = package_command(folder, "data", "convert", "timed.csv", "-o", "timed.parquet")
    assert "wrote timed.parquet (parquet, 3 ratings)" in said
    assert sorted(table_of(folder / "timed.parquet").to_pydict()["user"]) == ["007", "007", 'b, "c"']
    package_command(folder, "data", "convert", "timed.parquet", "-o", "again.csv", "-q")
    package_command(folder, "data", "convert", "timed.csv", "-o", "once.csv", "-q")
    assert (folder / "again.csv").read_text() == (folder / "once.csv").read_text()


def test_a_split_makes_two_files(folder):
    package_command(folder, "data", "split", "r.csv", "-o", "part.parquet", "--test-fraction", "0.25", "-q")
    parts = [table_of(folder / name) for name in ("part.parquet", "part.test.parquet")]
    rows = [tuple(row.values()) for part in parts for row in part.to_pylist()]
    assert sorted(rows) == sorted(RATINGS)
    assert [len(part) for part in parts] == [len(RATINGS) - len(parts[1]), round(len(RATINGS) / 4)]
    package_command(
        folder, "data", "convert", "part.parquet", "--test", "part.test.parquet", "-o", "both.feather", "-q"
    )
    assert len(table_of(folder / "both.test.feather")) == len(parts[1])


def test_what_fails_leaves_nothing_and_an_older_file_stays(folder):
    (folder / "bad.csv").write_text("1,2,3\n1,3,x\n")
    (folder / "kept.parquet").write_bytes(b"older")
    before = set(os.listdir(folder))
    said = package_command(folder, "data", "convert", "bad.csv", "-o", "kept.parquet", code=2)
    assert "bad.csv:2: rating 'x' is not a finite number" in said
    said = package_command(folder, "data", "convert", "r.csv", "-o", "nowhere/r.parquet", code=3)
    assert "cannot write 'nowhere/r.parquet': No such file or directory; choose a writable folder" in said
    said = package_command(folder, "recommend", "--model", "model", "--to", "parquet", code=2)
    assert "such a file is not written to stdout; give -o a name" in said
    pyarrow.parquet.write_table(pyarrow.table({"user": [1], "item": [2], "rating": [3]}), folder / "in.parquet")
    said = package_command(folder, "data", "convert", "in.parquet", "-o", "./in.parquet", code=2)
    assert "-o 'in.parquet' and 'in.parquet' are one file" in said
    assert set(os.listdir(folder)) == before | {"in.parquet"}
    assert (folder / "kept.parquet").read_bytes() == b"older"


def stopped_by(number, folder, words, line):
    """The exit code and stderr of a command that gets the signal as from a terminal, while it reads slow.csv."""
    os.mkfifo(folder / "slow.csv")
    with (
        subprocess.Popen(
            # A shell's jobs in the background ignore SIGINT.
            ["env", "--default-signal=INT", sys.executable, "-m", "alsbench", *words, "-o", "stopped.parquet"],
            cwd=folder,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        ) as process,
        (folder / "slow.csv").open("w") as pipe,  # once the program reads it
    ):
        pipe.write(line)
        pipe.flush()
        assert any(name.startswith("stopped.parquet.") for name in os.listdir(folder))
        if number == signal.SIGINT:
            os.killpg(process.pid, number)
        else:
            process.send_signal(number)
        said = process.stderr.read()
    (folder / "slow.csv").unlink()
    return process.returncode, said


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
@pytest.mark.parametrize(
    ("words", "line"),
    [
        (["data", "convert", "slow.csv"], "1,2,3\n"),
        (["recommend", "--model", "model", "--users", "slow.csv"], "1\n"),
    ],
)
def test_a_stopped_command_leaves_the_older_file(folder, words, line, number):
    (folder / "stopped.parquet").write_text("older")
    code, said = stopped_by(number, folder, words, line)
    assert code == 128 + number and "Traceback" not in said and "free space" not in said
    assert [name for name in os.listdir(folder) if "stopped" in name] == ["stopped.parquet"]
    assert (folder / "stopped.parquet").read_text() == "older"


def test_what_a_killed_command_left_is_removed_by_the_next(folder):
    """SIGKILL leaves the temporary file, which the next command that writes there removes; those of living ones stay."""
    os.mkfifo(folder / "endless.csv")
    command_line = [sys.executable, "-m", "alsbench", "data", "convert", "endless.csv", "-o", "gone.parquet"]
    with (
        subprocess.Popen(command_line, cwd=folder, stderr=subprocess.DEVNULL) as process,
        (folder / "endless.csv").open("w"),
    ):
        (left,) = (name for name in os.listdir(folder) if name.startswith("gone.parquet."))
        living = left.replace(f".{process.pid}.", f".{os.getpid()}.")
        (folder / living).touch()
        package_command(folder, "data", "convert", "r.csv", "-o", "other.parquet", "-q")
        assert (folder / left).exists()
        process.kill()
    (folder / "endless.csv").unlink()
    assert (folder / left).exists()
    package_command(folder, "data", "convert", "r.csv", "-o", "other.parquet", "-q")
    assert not (folder / left).exists() and (folder / living).exists()
    (folder / living).unlink()


def test_an_explanation_is_written_as_a_table(folder):
    words = ["explain", "--model", "texts", "--seen", "texts.csv", "--user", "u1", "--item", "5"]
    said = package_command(folder, *words, "-o", "why.parquet")
    assert said.startswith("score ")
    package_command(folder, *words, "-o", "why.tsv")
    table, lines = table_of(folder / "why.parquet"), lines_of(folder / "why.tsv")
    assert types_of(table) == [pyarrow.int64(), pyarrow.float32(), pyarrow.float64()]
    assert lines and [{name: float(value) for name, value in line.items()} for line in lines] == table.to_pylist()


def test_ids_that_tsv_cannot_hold_are_in_tables(folder):
    quoted = "".join(f'"""{user}","{item}, ",{rating}\n' for user, item, rating in RATINGS)
    (folder / "quoted.csv").write_text(quoted)
    package_command(folder, "train", "--data", "quoted.csv", "--test-fraction", "0", *TRAIN, "--out", "quoted")
    package_command(folder, "predict", "--model", "quoted", "--pairs", "quoted.csv", "-o", "p.parquet")
    expected = sorted((f'"{user}', f"{item}, ") for user, item, _ in RATINGS)
    assert sorted((row["user"], row["item"]) for row in table_of(folder / "p.parquet").to_pylist()) == expected
    words = ["explain", "--model", "quoted", "--seen", "quoted.csv", "--user", '"1', "--item", "1, "]
    package_command(folder, *words, "--to", "arrow", "-o", "why")
    assert set(table_of(folder / "why")["item"].to_pylist()) == {f"{item}, " for user, item, _ in RATINGS if user == 1}


def test_commands_that_write_no_table_say_which_do(folder):
    said = package_command(folder, "evaluate", "--model", "model", "--test", "r.csv", "--json", "e.parquet", code=2)
    assert "data split, explain, predict, recommend and similar of the Python package's alsbench" in said


def test_a_link_stays_and_what_is_no_file_is_not_replaced(folder):
    (folder / "link.parquet").symlink_to("behind.parquet")
    os.mkfifo(folder / "fifo")
    (folder / "behind.parquet").touch(0o600)
    package_command(folder, "data", "convert", "r.csv", "-o", "link.parquet", "-q")
    assert (folder / "behind.parquet").stat().st_mode & 0o777 == 0o600
    assert (folder / "link.parquet").is_symlink() and len(table_of(folder / "behind.parquet")) == len(RATINGS)
    for name in ("fifo", "."):
        said = package_command(folder, "data", "convert", "r.csv", "--to", "parquet", "-o", name, code=2)
        assert f"-o '{name}': is no regular file" in said
    assert (folder / "fifo").is_fifo()


@pytest.fixture
def lists(tmp_path):
    """A model of two users and 40 items, one of which is no number, and an array of their lists."""
    (tmp_path / "record.json").write_text("{}")
    (tmp_path / "users.txt").write_text("18446744073709551615\nb\u2028c\n")
    (tmp_path / "items.txt").write_text("".join(f"{i}\n" for i in range(39)) + "07\n")
    array = numpy.zeros(2, [("user", "<i4"), ("item", "<i4", (40,)), ("score", "<f4", (40,))])
    array["user"], array["item"], array["score"] = [0, 1], [range(40), [*range(39), -1]], numpy.arange(40) / 8
    file = io.BytesIO()
    numpy.save(file, array)
    return file.getvalue()


@pytest.mark.parametrize("kind", ["parquet", "arrow"])
def test_types_of_lists_are_those_of_the_ids_in_them(tmp_path, monkeypatch, lists, kind):
    """Items are numbers in the second list alone; batches of it come after those with a text, and before."""
    monkeypatch.setattr(arrow_lists, "_ANSWERS", 40)
    output = Output(tmp_path / "top", kind, "npy", "-o", False, ModelIds(tmp_path))
    for flipped in (False, True):
        head, body = lists[:-648], lists[-648:]
        content = head + (body[324:] + body[:324] if flipped else body)
        assert arrow_tables.write_table(io.BytesIO(content), output, output.path) == 79
        table = (
            pyarrow.parquet.read_table(output.path) if kind == "parquet" else pyarrow.feather.read_table(output.path)
        )
        assert types_of(table) == [pyarrow.string(), pyarrow.int32(), pyarrow.string(), pyarrow.float32()]
        rows = sorted(zip(*(table[name].to_pylist() for name in ("user", "rank", "item")), strict=True))
        expected = [("18446744073709551615", i + 1, str(i) if i < 39 else "07") for i in range(40)]
        assert rows == sorted(expected + [("b\u2028c", i + 1, str(i)) for i in range(39)])
    one = lists[:-648].replace(b"(2,)", b"(1,)") + lists[-324:]
    arrow_tables.write_table(io.BytesIO(one), output, output.path)
    table = pyarrow.parquet.read_table(output.path) if kind == "parquet" else pyarrow.feather.read_table(output.path)
    assert types_of(table)[2] == pyarrow.int64()


def test_a_full_disk_is_named(tmp_path, lists):
    output = Output(tmp_path / "top.parquet", "parquet", "npy", "-o", False, ModelIds(tmp_path))
    with pytest.raises(OSError, match=r"^No space left on device"):
        arrow_tables.write_table(io.BytesIO(lists), output, "/dev/full")


def test_lists_of_another_model_or_without_their_end_are_refused(tmp_path, lists):
    ids = ModelIds(tmp_path)
    assert list(arrow_lists.batches(io.BytesIO(b""), ids)) == []
    with pytest.raises(EOFError):
        list(arrow_lists.batches(io.BytesIO(lists[:-4]), ids))
    os.replace(tmp_path / "users.txt", tmp_path / "record.json")
    (tmp_path / "users.txt").write_text("1\n2\n")
    with pytest.raises(ModelChanged, match="another model took this one's place"):
        list(arrow_lists.batches(io.BytesIO(lists), ids))


@pytest.mark.parametrize("kind", ["parquet", "arrow"])
def test_types_that_later_rows_need_are_those_of_all(tmp_path, monkeypatch, kind):
    """Ids are numbers until a text comes; 07 is none. Files of many blocks are written again then."""
    monkeypatch.setattr(arrow_tables, "_BLOCK_BYTES", 64)
    ids = [*(str(i) for i in range(40)), "07", *(str(i) for i in range(40, 60))]
    lines = "userId,movieId,rating,timestamp\n" + "".join(f'"{each}",{i},2.5,{i}\n' for i, each in enumerate(ids))
    lines += "8,61,0.1,5.5\n"
    output = Output(tmp_path / "r", kind, "csv", "-o", False)
    assert arrow_tables.write_table(io.BytesIO(lines.encode()), output, output.path) == 62
    table = pyarrow.parquet.read_table(output.path) if kind == "parquet" else pyarrow.feather.read_table(output.path)
    assert types_of(table) == [pyarrow.string(), pyarrow.int64(), pyarrow.float32(), pyarrow.float64()]
    assert table["user"].to_pylist() == [*ids, "8"] and table["timestamp"].to_pylist()[-2:] == [60, 5.5]
    assert os.listdir(tmp_path) == ["r"]


def test_only_commands_that_write_tables_are_changed():
    for words in (
        ["train", "--data", "r.csv", "--out", "m.parquet"],
        ["recommend", "--model", "m", "-o", "top.tsv"],
        ["recommend", "--model", "m", "-o", "top.parquet", "--to", "npy"],
        ["data", "info", "r.parquet"],
        ["--help"],
        ["predict", "-o"],
    ):
        assert outputs_of(words) == (words, [])
    words, (output,) = outputs_of(["recommend", "-k", "5", "-otop.pq", "--model", "m"])
    assert words == ["recommend", "-k", "5", "--model", "m", "--to", "npy"]
    assert (str(output.path), output.kind) == ("top.pq", "parquet")
    with pytest.raises(OutputError):
        outputs_of(["recommend", "--to", "arrow", "-o", "-"])
