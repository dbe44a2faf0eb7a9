# SPDX-License-Identifier: Apache-2.0
"""`alsbench data` through the binary: every writable format and back, generated sets, splits, and what is refused."""

import gzip
import io
import os
import shutil
import subprocess
import zipfile

import numpy
import pytest

RATINGS = """user,item,rating
3,10,3.5
3,12,4
7,10,0.5
7,11,2
9,12,5
9,14,1.5
"""
CELLS = {("3", "10"): 3.5, ("3", "12"): 4, ("7", "10"): 0.5, ("7", "11"): 2, ("9", "12"): 5, ("9", "14"): 1.5}
# Formats that keep no ids: users and items are numbered from the given first one.
NUMBERED = {"libmf": 0, "matrix-market": 1, "npz": 0, "cumf": 0}


@pytest.fixture
def folder(program, tmp_path, monkeypatch):
    """The program's working folder of this test alone, with a small rating file in it."""
    monkeypatch.setattr(program, "folder", tmp_path)
    (tmp_path / "ratings.csv").write_text(RATINGS, encoding="utf-8")
    return tmp_path


def left(folder):
    return {path.name for path in folder.iterdir()} - {"cache"}


def cells(program, path):
    """The ratings of a file, read by the program and written as CSV."""
    program.run("data", "convert", path, "-o", "cells.csv", "-q")
    lines = (program.folder / "cells.csv").read_text(encoding="utf-8").splitlines()
    (program.folder / "cells.csv").unlink()
    rows = [line.split(",") for line in lines if line[0].isdigit()]
    return {(user, item): float(value) for user, item, value in (row[:3] for row in rows)}


def numbered(ratings, first):
    users, items = (sorted({key[side] for key in ratings}, key=int) for side in (0, 1))
    return {(str(users.index(u) + first), str(items.index(i) + first)): v for (u, i), v in ratings.items()}


@pytest.mark.parametrize(
    "name, ending",
    [
        ("tsv", "data"),
        ("dat", "dat"),
        ("csv", "csv"),
        ("libmf", "txt"),
        ("matrix-market", "mtx"),
        ("npz", "npz"),
        ("alsset", "alsset"),
        ("cumf", None),
    ],
)
def test_each_format_and_back(program, folder, name, ending):
    target = f"copy.{ending}" if ending else "copy"
    by_name = [] if ending else ["--to", name]
    *notes, wrote = program.run("data", "convert", "ratings.csv", "-o", target, *by_name).stderr.splitlines()
    assert wrote == f"wrote {target} ({name}, 6 ratings)"
    left_out = (
        [f"ratings.csv: its ids are left out: {name} has numbers from {NUMBERED[name]} "] if name in NUMBERED else []
    )
    assert [note[: len(start)] for note, start in zip(notes, left_out, strict=True)] == left_out
    expected = numbered(CELLS, NUMBERED[name]) if name in NUMBERED else CELLS
    assert cells(program, target) == expected
    assert left(folder) == {"ratings.csv", target}


@pytest.mark.parametrize("ending", ["csv", "npz", "mtx"])
def test_a_generated_set_is_read_back_with_the_same_ratings(program, folder, ending):
    arguments = ("--scale", "0.05", "--seed", "3")
    made = program.json("data", "info", "--dataset", "ml-100k", *arguments, "--json")
    program.run("data", "generate", "ml-100k", *arguments, "-o", f"set.{ending}", "-q")
    assert left(folder) == {"ratings.csv", f"set.{ending}", f"set.test.{ending}"}
    read = program.json("data", "info", f"set.{ending}", "--test", f"set.test.{ending}", "--json")
    assert (made["train_ratings"], made["test_ratings"]) == (4500, 500)
    for key in ("train_ratings", "test_ratings", "mean"):
        assert read[key] == pytest.approx(made[key]), key


def test_the_same_seed_gives_the_same_file(program, folder):
    for name, seed in (("a.csv", 1), ("b.csv", 1), ("c.csv", 2)):
        words = ["data", "generate", "ml-100k", "--scale", "0.02", "--seed", seed, "-o", name, "-q"]
        program.run(*words, ALSBENCH_CACHE_DIR=str(folder / f"cache-{name}"))
    a, b, c = ((folder / name).read_bytes() for name in ("a.csv", "b.csv", "c.csv"))
    assert a == b and a != c


def test_a_uniform_set_has_no_test_file(program, folder):
    program.run("data", "generate", "ml-100k", "--scale", "0.05", "--uniform-row-length", "7", "-o", "set.csv", "-q")
    assert left(folder) == {"ratings.csv", "set.csv"}
    degrees = program.json("data", "info", "set.csv", "--json")["user_degrees"]
    assert set(degrees.values()) == {7}


def test_a_split_parts_every_rating_once(program, folder):
    outputs = ["-o", "train.csv", "--test-out", "held.csv", "-q"]
    program.run("data", "split", "ratings.csv", *outputs, "--test-fraction", "0.5", "--seed", "4")
    train, held = cells(program, "train.csv"), cells(program, "held.csv")
    assert len(train) == len(held) == 3
    assert {**train, **held} == CELLS


@pytest.mark.parametrize("action", ["convert", "split"])
def test_a_line_taken_for_a_comment_is_named(program, folder, action):
    (folder / "tags.csv").write_text("item,user,rating\n#a,1,3\nb,2,4\nb,3,4\nc,1,4\n", encoding="utf-8")
    share = ["--test-fraction", "0.5"] if action == "split" else []
    said = program.run("data", action, "tags.csv", "-o", "x.csv", *share).stderr
    assert "warning: tags.csv: line 2, '#a,1,3', is a comment with as many fields as the lines" in said


def test_ids_that_cut_blanks_make_one_are_named(program, folder):
    (folder / "blanks.csv").write_text("user,item,rating\nann,x,3\nbob,x,4\n ann,y,3\n", encoding="utf-8")
    said = "blanks.csv: line 2: the user 'ann' is that of another line, ' ann': blanks around a field are cut"
    assert said in program.run("data", "convert", "blanks.csv", "-o", "x.csv").stderr
    assert (folder / "x.csv").read_text(encoding="utf-8").endswith("\nann,x,3\nann,y,3\nbob,x,4\n")
    (doubt,) = program.json("data", "info", "blanks.csv", "--json")["warnings"]
    assert f"blanks.csv: {doubt}".startswith(said) and doubt.endswith("; put ids whose blanks count in quotes")


def test_a_header_with_two_columns_of_times_asks_for_one(program, folder):
    text = "user,item,rating,rated_at,created_at\n" + "".join(f"{u},{u % 2},4,{u},{u + 9}\n" for u in range(4))
    (folder / "timed.csv").write_text(text, encoding="utf-8")
    for action in ("convert", "split"):
        said = program.run("data", action, "timed.csv", "-o", "x.csv", code=2).stderr
        assert "timed.csv:1: " in said and "'rated_at' and 'created_at'" in said and "--columns time=4" in said
    assert program.json("data", "info", "timed.csv", "--json")["train_ratings"] == 4
    program.run("data", "convert", "timed.csv", "-o", "x.csv", "--columns", "time=created_at", "-q")
    assert (folder / "x.csv").read_text(encoding="utf-8").splitlines()[1] == "0,0,4,9"
    program.run("data", "convert", "timed.csv", "-o", "y.csv", "--columns", "time=none", "-q")
    assert (folder / "y.csv").read_text(encoding="utf-8").splitlines()[1] == "0,0,4"
    assert "its times are left out" in program.run("data", "convert", "timed.csv", "-o", "z.npz").stderr


def test_a_set_file_holds_the_test_ratings_too(program, folder):
    (folder / "held.csv").write_text("user,item,rating\n7,14,3\n11,10,4\n", encoding="utf-8")
    program.run("data", "convert", "ratings.csv", "--test", "held.csv", "-o", "set.alsset", "-q")
    copy = program.json("data", "info", "set.alsset", "--json")
    source = program.json("data", "info", "ratings.csv", "--test", "held.csv", "--json")
    assert (copy["train_ratings"], copy["test_ratings"], copy["users"]) == (6, 2, 4)
    assert {**copy, "id": ""} == {**source, "id": ""}


@pytest.mark.parametrize(
    "arguments, complaint",
    [
        (("convert", "absent.csv", "-o", "x.npz"), "absent.csv"),
        (("convert", "ratings.csv", "-o", "x.parquet"), "such as .csv"),
        (("convert", "ratings.csv", "-o", "x", "--to", "netflix"), "matrix-market"),
        (("convert", "ratings.csv", "-o", "x.csv", "--format", "scv"), "scv"),
        (("convert", "ratings.csv"), "--out"),
        (("generate", "netflx", "-o", "x.csv"), "netflix"),
        (("generate", "ml-100k", "--scale", "0", "-o", "x.csv"), "scale"),
        (("generate", "ml-100k", "--device", "gpu", "-o", "x.csv"), "list devices"),
        (("generate", "ml-100k", "--empty-rows", "1", "-o", "x.csv"), "empty rows"),
        (("split", "ratings.csv", "-o", "x.csv", "--test-fraction", "1.5"), "1.5"),
        (
            ("split", "ratings.csv", "-o", "x.csv", "--test-out", "./x.csv"),
            "--test-out './x.csv' and -o 'x.csv' are one file",
        ),
        (("split", "ratings.csv", "-o", "x.alsset", "--test-out", "y.alsset"), "holds both parts"),
        (("split", "ratings.csv", "-o", "x.csv", "--test-out", "y.npz"), "both files are written as csv"),
        (("split", "ratings.csv", "-o", "x.csv", "--test-out", "y"), "--to"),
        (("split", "ratings.csv", "-o", "x.csv", "--test-fraction", "0"), "data convert"),
        (("split", "ratings.csv", "-o", "x.csv", "--test-fraction", "0.999"), "no training rating"),
        (("split", "ratings.csv", "-o", "x.csv", "--test-fraction", "0.001"), "no test rating"),
        (("split", "ratings.csv", "--data", "other.csv", "-o", "x.csv"), "path excludes --data"),
        (("convert", "ratings.csv", "--data", "other.csv", "-o", "x.csv"), "path excludes --data"),
        (("info", "ratings.csv", "--data", "other.csv"), "path excludes --data"),
        (("generate", "ml-100k", "--dataset", "ml-1m", "-o", "x.csv"), "name excludes --dataset"),
        (("info",), "path"),
        (("info", "ratings.csv", "--duplicates", "first"), "first"),
        (("shuffle",), "see alsbench data --help"),
    ],
)
def test_wrong_arguments_end_with_2_and_write_nothing(program, folder, arguments, complaint):
    result = program.run("data", *arguments, code=2)
    assert complaint in result.stderr and result.stdout == ""
    assert left(folder) == {"ratings.csv"}


@pytest.mark.parametrize(
    "arguments",
    [
        ("split", "ratings.csv", "-o", "ratings.csv"),
        ("split", "ratings.csv", "-o", "linked.csv"),
        ("split", "linked.csv", "-o", "./ratings.csv"),
        ("split", "hard.csv", "-o", "ratings.csv"),
        ("split", "ratings.csv", "-o", "x.csv", "--test-out", "ratings.csv"),
        ("split", "x.test.csv", "-o", "x.csv"),
        ("convert", "ratings.csv", "-o", "ratings.csv"),
        ("convert", "ratings.csv", "--test", "x.test.csv", "-o", "x.test.csv"),
        ("convert", "ratings.csv", "--test", "x.test.csv", "-o", "x.csv"),
        ("convert", "--data", "netflix", "-o", "netflix/mv_1.txt", "--to", "csv"),
        ("generate", "ratings.csv", "-o", "ratings.csv"),
    ],
)
def test_nothing_that_is_read_is_overwritten(program, folder, arguments):
    (folder / "linked.csv").symlink_to("ratings.csv")
    os.link(folder / "ratings.csv", folder / "hard.csv")
    (folder / "x.test.csv").write_text(RATINGS, encoding="utf-8")
    (folder / "netflix").mkdir()
    (folder / "netflix" / "mv_1.txt").write_text("1:\n7,3,2005-09-06\n", encoding="utf-8")
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    result = program.run("data", *arguments, code=2)
    assert "would be overwritten; give another name" in result.stderr
    assert {path: path.read_bytes() for path in before} == before
    assert left(folder) == {"ratings.csv", "linked.csv", "hard.csv", "x.test.csv", "netflix"}


def test_a_test_file_that_is_not_written_may_be_the_source(program, folder):
    (folder / "x.test.csv").write_text(RATINGS, encoding="utf-8")
    program.run("data", "convert", "x.test.csv", "-o", "x.csv", "-q")
    assert cells(program, "x.csv") == cells(program, "x.test.csv") == CELLS


@pytest.mark.parametrize("target", [("set.alsset",), ("set", "--to", "cumf")])
def test_a_set_that_is_split_is_not_split_again(program, folder, target):
    program.run("data", "generate", "ml-100k", "--scale", "0.02", "-o", *target, "-q")
    result = program.run("data", "split", target[0], "-o", "x.csv", "--test-fraction", "0.5", code=2)
    assert f"{target[0]}: is already split into 1800 training and 200 test ratings" in result.stderr
    assert left(folder) == {"ratings.csv", target[0]}


def test_a_device_and_a_pipe_without_a_writer_are_refused(program, folder):
    os.mkfifo(folder / "pipe")
    for arguments in (("info", "pipe"), ("info", "pipe", "--format", "csv"), ("info", "ratings.csv", "--test", "pipe")):
        result = program.run("data", *arguments, code=2)
        assert "pipe: it is a pipe that nobody writes into; name a file" in result.stderr
    result = program.run("data", "info", "/dev/zero", code=2)
    assert "/dev/zero: is neither a file, a folder nor a pipe; write it into a file" in result.stderr


PACKED = {
    "gz": gzip.compress,
    "zst": lambda text: subprocess.run(["zstd", "-q"], input=text, capture_output=True, check=True).stdout,
    "zip": lambda text: zip_of({"ml/README.txt": b"none", "ml/ratings.csv": text}),
}


def zip_of(files):
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, text in files.items():
            packed.writestr(name, text)
    return archive.getvalue()


def piped(program, content, *arguments, code=0):
    """The program with a pipe as its standard input."""
    result = subprocess.run(
        [program.path, *arguments], input=content, cwd=program.folder, env=program.environment, capture_output=True
    )
    assert result.returncode == code, result.stderr
    return result.stderr.decode()


@pytest.mark.parametrize("ending", PACKED)
def test_packed_ratings_are_read_from_files_and_pipes(program, folder, ending):
    if ending == "zst" and not shutil.which("zstd"):
        pytest.skip("no zstd")
    content = PACKED[ending](RATINGS.encode())
    (folder / f"packed.csv.{ending}").write_bytes(content)
    assert cells(program, f"packed.csv.{ending}") == CELLS
    piped(program, content, "data", "convert", "-", "-o", "piped.csv", "-q")
    assert cells(program, "piped.csv") == CELLS
    (folder / "cut").write_bytes(content[: len(content) // 2])
    assert "cut: " in program.run("data", "info", "cut", code=2).stderr
    # The set of either is that of the plain file.
    hashes = [
        program.json("data", "info", name, "--json")["content_hash"] for name in ("ratings.csv", f"packed.csv.{ending}")
    ]
    assert hashes[0] == hashes[1]


def test_commands_read_pipes(program, folder):
    train = ["train", "--data", "-", "--rank", "2", "--iterations", "1", "-d", "cpu", "--out", "model"]
    said = piped(program, RATINGS.encode(), *train, "--test-fraction", "0")
    assert "-: read as csv: user 'user', item 'item', rating 'rating'" in said
    pairs = piped(program, b"3,10\n", "predict", "--model", "model", "--pairs", "/dev/stdin", "-o", "pairs.tsv")
    assert pairs == "" and (folder / "pairs.tsv").read_text().splitlines()[1].startswith("3\t10\t")
    for command in (["tune", "pipeline"], ["run", "quick"]):
        said = piped(program, RATINGS.encode(), *command, "--data", "-", "--rank", "2", "-d", "cpu", code=2)
        assert "-: is no file, and this command reads its ratings in several processes" in said
    assert "-:3: " in piped(program, b"1,2,3\n1,3,3\n1,4,x\n", "data", "info", "-", code=2).replace("/dev/stdin", "-")


def test_an_archive_of_several_files_asks_for_one(program, folder):
    (folder / "none.zip").write_bytes(zip_of({}))
    assert "none.zip: the archive is empty; give one" in program.run("data", "info", "none.zip", code=2).stderr
    (folder / "all.zip").write_bytes(zip_of({"a/u1.base": RATINGS.encode(), "a/u1.test": b"3,14,1\n"}))
    result = program.run("data", "info", "all.zip", code=2)
    assert "all.zip: the archive holds 2 files; name one: all.zip/a/u1.base and all.zip/a/u1.test" in result.stderr
    assert cells(program, "all.zip/u1.base") == CELLS
    first = program.json("data", "info", "all.zip/u1.base", "--test", "all.zip/u1.test", "--json")
    assert (first["train_ratings"], first["test_ratings"]) == (6, 1)
    # A change of the archive is noticed by the cache.
    (folder / "all.zip").write_bytes(zip_of({"a/u1.base": b"1,2,3\n2,3,4\n"}))
    assert program.json("data", "info", "all.zip/u1.base", "--json")["train_ratings"] == 2
    refused = program.run("data", "convert", "all.zip/u1.base", "-o", "all.zip", "--to", "csv", code=2)
    assert "which is read and would be overwritten" in refused.stderr


@pytest.mark.parametrize(
    "text, place",
    [
        ("", "bad.csv"),
        ("1,1,5\n1,2\n", "bad.csv:2"),
        ("1,1,5\n2,1,nan\n", "bad.csv:2"),
        ("1,1,5\n1,1,4\n", "bad.csv:2"),
        ("\x00\x01\x02\x03\n", "bad.csv"),
    ],
)
def test_damaged_files_end_with_2_and_their_place(program, folder, text, place):
    (folder / "bad.csv").write_text(text, encoding="utf-8")
    result = program.run("data", "convert", "bad.csv", "-o", "x.npz", "--format", "csv", code=2)
    assert place in result.stderr, result.stderr
    assert left(folder) == {"ratings.csv", "bad.csv"}


def test_duplicates_follow_the_option(program, folder):
    (folder / "twice.csv").write_text("1,1,5\n1,1,2\n1,2,1\n", encoding="utf-8")
    for rule, value in (("last", 2), ("mean", 3.5), ("sum", 7)):
        program.run("data", "convert", "twice.csv", "-o", "once.csv", "--duplicates", rule, "-q")
        assert cells(program, "once.csv") == {("1", "1"): value, ("1", "2"): 1}


def test_the_last_of_several_ratings_keeps_its_time(program, folder):
    """Each line that is written was there; of a mean and a sum the latest time is kept."""
    (folder / "twice.csv").write_text("user,item,rating,timestamp\n1,1,5,200\n1,1,3,150\n1,2,1,9\n", encoding="utf-8")
    for rule, line in (("last", "1,1,3,150"), ("mean", "1,1,4,200"), ("sum", "1,1,8,200")):
        program.run("data", "convert", "twice.csv", "-o", "once.csv", "--duplicates", rule, "-q")
        assert (program.folder / "once.csv").read_text().splitlines()[1:] == [line, "1,2,1,9"]


def test_a_folder_that_is_not_there_is_an_error_of_the_machine(program, folder):
    result = program.run("data", "convert", "ratings.csv", "-o", "no/x.csv", code=3)
    assert "no/x.csv" in result.stderr and "No such file" in result.stderr
    assert left(folder) == {"ratings.csv"}


def test_a_set_is_written_to_a_pipe(program):
    (program.folder / "piped.csv").write_text("1,10,3.5\n2,11,4\n")
    assert "2,11,4" in program.run("data", "convert", "piped.csv", "-o", "/dev/stdout", "--to", "csv").stdout


def test_indices_of_an_npz_are_integers(program):
    """As numpy writes them: a fraction would be cut, and a rating change its place."""
    arrays = {
        "format": numpy.bytes_("csr"),
        "data": numpy.array([1.0, 2.0], numpy.float32),
        "indptr": numpy.array([0, 1, 2]),
        "shape": numpy.array([2, 3]),
    }
    numpy.savez(program.folder / "whole.npz", indices=numpy.array([0, 2]), **arrays)
    program.run("data", "info", "whole.npz")
    numpy.savez(program.folder / "cut.npz", indices=numpy.array([0.0, 1.5]), **arrays)
    error = program.run("data", "info", "cut.npz", code=2).stderr
    assert "cut.npz" in error and "indices.npy" in error and "no integers" in error


@pytest.mark.parametrize("dtype", ["uint8", "uint16", "uint32", "uint64", "int8", "int16", "int32", "int64", "float64"])
def test_an_npz_of_any_number_is_read_exactly(program, folder, dtype):
    largest = min(2**24, numpy.iinfo(dtype).max) if dtype != "float64" else 2**24
    arrays = {"indices": numpy.array([0, 2]), "indptr": numpy.array([0, 2]), "shape": numpy.array([1, 3])}
    numpy.savez(folder / "a.npz", data=numpy.array([1, largest], dtype), format=b"csr", **arrays)
    assert list(cells(program, "a.npz").values()) == [1, largest]


@pytest.mark.parametrize("dtype, value", [("uint64", 2**64 - 1), ("int64", 2**24 + 1), ("uint32", 2**24 + 1)])
def test_integers_that_no_float_holds_are_refused(program, folder, dtype, value):
    arrays = {"indices": numpy.array([0, 2]), "indptr": numpy.array([0, 2]), "shape": numpy.array([1, 3])}
    numpy.savez(folder / "a.npz", data=numpy.array([1, value], dtype), format=b"csr", **arrays)
    error = program.run("data", "info", "a.npz", code=2).stderr
    assert f"data.npy: element 1 is {value}, and only integers from -2^24 to 2^24 are read" in error


def test_a_number_beyond_the_floats_is_named_as_it_is(program, folder):
    arrays = {"indices": numpy.array([0, 2]), "indptr": numpy.array([0, 2]), "shape": numpy.array([1, 3])}
    numpy.savez(folder / "a.npz", data=numpy.array([1, -1e39]), format=b"csr", **arrays)
    error = program.run("data", "info", "a.npz", code=2).stderr
    assert "data.npy: element 1 is -1e+39, which is too large for a float; divide the ratings" in error
    numpy.savez(folder / "a.npz", data=numpy.array([1, numpy.inf]), format=b"csr", **arrays)
    assert "value inf of entry 2 is not finite" in program.run("data", "info", "a.npz", code=2).stderr


def test_an_element_type_that_is_not_read_says_what_to_save(program, folder):
    arrays = {"indices": numpy.array([0, 2]), "indptr": numpy.array([0, 2]), "shape": numpy.array([1, 3])}
    numpy.savez(folder / "a.npz", data=numpy.array([1, 2j]), format=b"csr", **arrays)
    assert "are not read; save matrix.astype('float32')" in program.run("data", "info", "a.npz", code=2).stderr
