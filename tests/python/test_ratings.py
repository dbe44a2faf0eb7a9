# SPDX-License-Identifier: Apache-2.0
"""Ratings from triples, Arrow, Parquet and files: what they become, and what is refused."""

import datetime
import decimal
import json
import re
import tracemalloc
import uuid
import warnings
from functools import partial

import numpy as np
import pandas
import pyarrow
import pyarrow.csv
import pyarrow.feather
import pyarrow.json
import pyarrow.parquet
import pytest
import scipy.sparse

import alsbench

TABLE = {"who": ["ann", "bob", "ann", "cas"], "what": [30, 10, 10, 20], "stars": [4.5, 3.0, 2.0, 5.0]}
NAMES = {"user": "who", "item": "what", "rating": "stars"}


def check(ratings):
    assert ratings.users.tolist() == ["ann", "bob", "cas"]
    assert ratings.items.tolist() == [10, 20, 30]
    assert ratings.matrix.dtype == np.float32
    assert ratings.matrix.toarray().tolist() == [[2, 0, 4.5], [3, 0, 0], [0, 5, 0]]


def test_triples_arrow_and_parquet_give_one_matrix(tmp_path):
    check(alsbench.ratings_of(*TABLE.values()))
    table = pyarrow.table({**TABLE, "when": [1, 2, 3, 4]})
    check(alsbench.from_arrow(table, **NAMES))
    pyarrow.parquet.write_table(table, tmp_path / "ratings.parquet")
    check(alsbench.read_parquet(tmp_path / "ratings.parquet", **NAMES))


@pytest.mark.parametrize(("duplicates", "value"), [("last", 2), ("mean", 3), ("sum", 6)])
def test_cells_that_are_rated_twice(duplicates, value):
    columns = [1, 1], [1, 1], [4, 2]
    assert alsbench.ratings_of(*columns, duplicates=duplicates).matrix.toarray().tolist() == [[value]]
    with pytest.raises(alsbench.UsageError, match="user 0, item 0: the cell has more than one rating"):
        alsbench.ratings_of(*columns)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: alsbench.ratings_of([1], [1, 2], [1]), r"shapes \(1,\), \(2,\) and \(1,\)"),
        (lambda: alsbench.ratings_of([], [], []), "there are no ratings"),
        (lambda: alsbench.ratings_of([1, 2], [1, 2], [1, np.inf]), "values: number 1 is inf"),
        (lambda: alsbench.from_arrow(pyarrow.table(TABLE)), "no column 'user'; it has 'who', 'what', 'stars'"),
        (
            lambda: alsbench.from_arrow(pyarrow.table({**TABLE, "who": ["a", None, "b", "c"]}), **NAMES),
            "column 'who': has 1 nulls, the first is number 1; remove",
        ),
        (lambda: alsbench.load_ratings("no-such-file"), "no-such-file"),
        (alsbench.load_ratings, "give either path or dataset"),
        (
            lambda: alsbench.train_test_split(scipy.sparse.csr_array(np.eye(2, dtype=np.float32)), 1.0),
            r"outside \[0, 1\)",
        ),
    ],
)
def test_what_is_no_set_of_ratings_is_refused(call, message):
    with pytest.raises(alsbench.UsageError, match=message):
        call()


def test_a_parquet_file_that_is_none_is_named(tmp_path):
    table = pyarrow.table(TABLE)
    pyarrow.parquet.write_table(table, tmp_path / "r.parquet")
    (tmp_path / "cut.parquet").write_bytes((tmp_path / "r.parquet").read_bytes()[:600])
    for name, stars in (("nan.parquet", [1.0, np.nan, 2.0, 3.0]), ("null.parquet", [1.0, 2.0, None, 3.0])):
        pyarrow.parquet.write_table(pyarrow.table({**TABLE, "stars": stars}), tmp_path / name)
    for name, names, said in (
        ("cut.parquet", NAMES, "Parquet magic bytes not found.*; give the whole file, or write it again"),
        ("nowhere.parquet", NAMES, "does not exist; give a rating file or folder"),
        (
            "r.parquet",
            {},
            "has no column 'user'; it has 'who', 'what', 'stars': say which they are with user=, item= and",
        ),
        ("nan.parquet", NAMES, "column 'stars': number 1 is nan; remove the rating"),
        ("null.parquet", NAMES, "column 'stars': has 1 nulls, the first is number 2; remove these rows"),
    ):
        with pytest.raises(alsbench.UsageError, match=f"^{re.escape(str(tmp_path / name))}: {said}"):
            alsbench.read_parquet(tmp_path / name, **names)


def test_the_remedy_for_a_table_is_a_call_that_reads_it(tmp_path):
    table = pyarrow.table(TABLE)
    pyarrow.parquet.write_table(table, tmp_path / "r.parquet")
    pyarrow.feather.write_feather(table, tmp_path / "r.feather")
    (tmp_path / "parts").mkdir()
    pyarrow.parquet.write_table(table, tmp_path / "parts" / "0.parquet")
    (tmp_path / "r.json").write_text("".join(json.dumps(row) + "\n" for row in table.to_pylist()))
    for name in ("r.parquet", "parts", "r.feather", "r.json"):
        with pytest.raises(alsbench.UsageError) as refused:
            alsbench.load_ratings(tmp_path / name)
        called = re.search(
            r"call alsbench\.(read_parquet|from_arrow)\((.*)\) with user=, item= and rating=", str(refused.value)
        )
        if name in ("r.parquet", "parts"):
            assert called[1] == "read_parquet"
        given = eval(called[2], {"pyarrow": pyarrow})
        check(getattr(alsbench, called[1])(given, **NAMES))


def test_a_file_is_read_and_split_as_by_the_program(program, tmp_path):
    rng = np.random.default_rng(1)
    cells = rng.choice(40 * 30, 300, replace=False)
    lines = [f"u{cell // 30}\t{cell % 30}\t{rng.integers(1, 6)}\n" for cell in cells]
    (tmp_path / "all.tsv").write_text("".join(lines))
    outputs = ["-o", tmp_path / "train.tsv", "--test-out", tmp_path / "test.tsv"]
    program.run("data", "split", tmp_path / "all.tsv", *outputs, "--seed", "5")
    held_out = alsbench.load_ratings(tmp_path / "all.tsv", seed=5)
    whole = alsbench.load_ratings(tmp_path / "all.tsv", test_fraction=0)
    train, test = alsbench.train_test_split(whole.matrix, seed=5)
    assert (train != held_out.matrix).nnz == 0 and (test != held_out.test).nnz == 0
    written = {tuple(line.split()[:2]) for line in (tmp_path / "test.tsv").read_text().splitlines()}
    rows, columns = test.nonzero()
    assert {(str(whole.users[row]), str(whole.items[column])) for row, column in zip(rows, columns)} == written


@pytest.mark.parametrize("by", ["time", "user-time", "leave-last-out", "leave-one-out"])
def test_every_way_to_split_is_the_programs(program, tmp_path, by):
    rng = np.random.default_rng(2)
    cells = rng.choice(30 * 20, 200, replace=False)
    lines = [f"{cell // 20}\t{cell % 20}\t{rng.integers(1, 6)}\t{rng.integers(0, 50)}\n" for cell in np.sort(cells)]
    (tmp_path / "all.tsv").write_text("".join(lines))
    program.run(
        *("data", "split", tmp_path / "all.tsv", "-o", tmp_path / "train.tsv", "--test-out", tmp_path / "test.tsv"),
        *("--by", by, "--seed", "5"),
    )
    held_out = alsbench.load_ratings(tmp_path / "all.tsv", by=by, seed=5)
    whole = alsbench.load_ratings(tmp_path / "all.tsv", test_fraction=0)
    times = np.array([int(line.split()[3]) for line in lines])  # in the order of the matrix: users, then items
    for given in (times, times.astype("datetime64[s]")):
        train, test = alsbench.train_test_split(whole.matrix, seed=5, by=by, times=given)
        assert (train != held_out.matrix).nnz == 0 and (test != held_out.test).nnz == 0
    written = {tuple(line.split()[:2]) for line in (tmp_path / "test.tsv").read_text().splitlines()}
    rows, columns = test.nonzero()
    assert {(str(whole.users[row]), str(whole.items[column])) for row, column in zip(rows, columns)} == written


@pytest.mark.parametrize(
    ("by", "times", "message"),
    [
        ("year", None, "no split by 'year' is known"),
        ("time", None, "needs times; give one for each rating"),
        ("time", [1, 2, 3], r"times have shape \(3,\), but there are 2 ratings"),
        ("user-time", [0.5, np.nan], "times: number 1 is nan"),
        ("time", np.array(["2020-01-01", "NaT"], "datetime64[us]"), "times: number 1 is NaT"),
        ("time", [1, None], "times: number 1 is None"),
        ("time", np.ma.array([1, 2], mask=[True, False]), "times: number 0 is masked"),
        ("time", [datetime.datetime(2020, 1, 1), datetime.datetime.now(datetime.UTC)], "some have a time zone"),
    ],
)
def test_times_that_do_not_fit_are_refused(by, times, message):
    with pytest.raises(alsbench.UsageError, match=message):
        alsbench.train_test_split(scipy.sparse.csr_array(np.eye(2, dtype=np.float32)), by=by, times=times)


ZONE = datetime.timezone(datetime.timedelta(hours=9))
LATE = ["2021-01-01", "9999-12-31", "2020-01-01"]  # of which the second is the last
TIMES = {
    "Timestamps after 2262": [pandas.Timestamp(each) for each in ("2020-01-02", "9999-12-31", "2020-01-01")],
    "Timestamps of nanoseconds": [
        pandas.Timestamp(each) for each in ("2020-01-02", "9999-12-31", "2020-01-01T00:00:00.000000001")
    ],
    "datetime64 of days": np.array(LATE, "datetime64[D]"),
    "datetime64 of microseconds": np.array(LATE, "datetime64[us]"),
    "pandas": pandas.Series(pandas.to_datetime(LATE)),
    "pandas with a zone": pandas.Series(pandas.to_datetime(LATE[:1] + ["2022-01-01"] + LATE[2:], utc=True)),
    "an index with a zone": pandas.DatetimeIndex(["2021-01-01", "2022-01-01", "2020-01-01"], tz="Europe/Berlin"),
    "datetime": [datetime.datetime.fromisoformat(each) for each in LATE],
    "dates": [datetime.date.fromisoformat(each) for each in LATE],
    "Arrow": pyarrow.array([datetime.datetime(2020, 1, d, tzinfo=ZONE) for d in (2, 3, 1)]),
    "large integers": np.array([2**63, 2**64 - 1, 3], np.uint64),
    "fractions": [1.5, 1.75, 1.25],
    "integers that may lack": pandas.Series([2, 3, 1], dtype="Int64"),
}


@pytest.mark.parametrize("name", TIMES)
def test_times_keep_their_order_in_every_type(name):
    row = scipy.sparse.csr_array(np.array([[1, 2, 3]], np.float32))
    _, test = alsbench.train_test_split(row, by="leave-last-out", times=TIMES[name])
    assert test.toarray().tolist() == [[0, 2, 0]]


@pytest.mark.parametrize("times", [["2020-01-01"] * 2, [True, False], [1 + 2j, 3]])
def test_times_of_another_type_are_refused(times):
    with pytest.raises(TypeError, match="give numbers, datetime64 or datetime"):
        alsbench.train_test_split(scipy.sparse.csr_array(np.eye(2, dtype=np.float32)), by="time", times=times)


@pytest.mark.parametrize(
    ("ids", "what"),
    [
        ([1.0, np.nan], "nan"),
        (["a", None], "None"),
        (pandas.Series(["a", None]), "nan"),
        (pandas.Series([1, None], dtype="Int64"), "nan|<NA>"),
        (pandas.to_datetime(["2020-01-01", None]), "NaT"),
        (np.ma.array([1, 2], mask=[False, True]), "masked"),
        (np.array(["a", np.nan], np.dtypes.StringDType(na_object=np.nan)), "nan"),
    ],
)
def test_what_is_no_id_is_named_with_its_place(ids, what):
    with pytest.raises(alsbench.UsageError, match=f"users: number 1 is (?:{what}), which is no id"):
        alsbench.ratings_of(ids, [1, 2], [3, 4])
    with pytest.raises(alsbench.UsageError, match=f"items: number 1 is (?:{what}), which is no id"):
        alsbench.ratings_of([1, 2], ids, [3, 4])


def test_what_is_no_table_of_arrow_is_named():
    """An `AttributeError` or a `KeyError` said so."""
    with pytest.raises(TypeError, match=r"the table is a DataFrame; give a pyarrow.Table: .*from_pandas\(table\)"):
        alsbench.from_arrow(pandas.DataFrame({"user": [1], "item": [2], "rating": [3]}))
    twice = pyarrow.Table.from_arrays([pyarrow.array([1])] * 4, ["user", "user", "item", "rating"])
    with pytest.raises(alsbench.UsageError, match="the table has 2 columns 'user'; it has 'user', 'user', 'item'"):
        alsbench.from_arrow(twice)


def test_ids_that_are_tuples_are_one_id_each():
    pairs = np.fromiter([("a", 1), ("b", 1), ("a", 1)], object, 3)
    ratings = alsbench.ratings_of(pairs, [1, 2, 2], [1, 2, 3])
    assert ratings.matrix.shape == (2, 2) and list(ratings.users) == [("a", 1), ("b", 1)]


@pytest.mark.parametrize(("floats", "limit"), [(np.float64, 2**53), (np.float32, 2**24), (np.float16, 2**11)])
def test_integers_that_floats_have_merged_are_no_ids(floats, limit):
    ids = np.array([limit - 1, limit, limit + 1], np.int64)
    assert alsbench.ratings_of(ids, [1, 1, 1], [1, 2, 3]).matrix.shape == (3, 1)
    assert alsbench.ratings_of(ids[:1].astype(floats), [1], [1]).users.tolist() == [limit - 1]
    for negative in (1, -1):
        with pytest.raises(
            alsbench.UsageError, match=f"users: number 1 is .* {floats.__name__} does not tell .* integers or texts"
        ):
            alsbench.ratings_of((negative * ids).astype(floats), [1, 2, 3], [1, 2, 3])


@pytest.mark.parametrize(("floats", "limit"), [(float, 2**53), (np.float32, 2**24)])
def test_floats_among_objects_are_held_to_the_same(floats, limit):
    """A frame that is made of records has such columns; two ids of them were one."""
    ids = np.array([floats(1), floats(limit), floats(limit + 1)], object)
    with pytest.raises(alsbench.UsageError, match=f"users: number 1 is .* {np.dtype(floats)} does not tell"):
        alsbench.ratings_of(ids, [1, 1, 1], [1, 2, 3])
    assert alsbench.ratings_of(ids[:1], [1], [1]).users.tolist() == [1]


@pytest.mark.parametrize(
    "ids", [[1.5, 2**60, 2**60 + 1], [b"a", b"a\0", b"b"], ["a", "a\0", "b"]], ids=["numbers", "bytes", "texts"]
)
def test_ids_come_out_as_they_went_in(ids):
    """numpy's floats merge large integers, and its texts end before NULs, as raw UUIDs and hashes may have them."""
    column = np.array(ids, object)
    ratings = alsbench.ratings_of(column[::-1], [1, 1, 1], [3, 4, 5])
    assert ratings.users.tolist() == ids
    assert ratings.matrix.toarray()[:, 0].tolist() == [5, 4, 3]
    if isinstance(ids[0], bytes):
        table = pyarrow.table({"user": pyarrow.array(ids, pyarrow.binary()), "item": [1, 1, 1], "rating": [5, 4, 3]})
        assert (
            alsbench.from_arrow(table).users.tolist()
            == alsbench.ratings_of(ids, [1] * 3, [1] * 3).users.tolist()
            == ids
        )


@pytest.mark.parametrize(
    "column", [list, lambda ids: np.array(ids, object), lambda ids: pandas.Series(ids, dtype=object)]
)
@pytest.mark.parametrize("ids", [[1, 2**63 + 1, 2**63 + 2], [2**64 + 1, 2**64 + 2], [-1, 2**63 + 1, 2**63 + 2]])
def test_integers_that_numpy_takes_for_floats_stay_apart(column, ids):
    """numpy has no integers that hold both 2^63 and what is below, but for uint64."""
    ratings = alsbench.ratings_of(column(ids[::-1]), [1] * len(ids), np.arange(len(ids)))
    assert ratings.users.tolist() == ids
    assert ratings.matrix.toarray()[:, 0].tolist() == list(range(len(ids)))[::-1]


def test_decimals_are_ratings():
    """As DuckDB has literals such as 4.5, and PostgreSQL its numerics."""
    marks = [decimal.Decimal("4.5"), decimal.Decimal("2.25")]
    table = pyarrow.table(
        {"user": ["a", "b"], "item": [1, 2], "rating": pyarrow.array(marks, pyarrow.decimal128(5, 2))}
    )
    for ratings in (alsbench.from_arrow(table), alsbench.ratings_of(["a", "b"], [1, 2], marks)):
        assert ratings.matrix.toarray().tolist() == [[4.5, 0], [0, 2.25]]
    with pytest.raises(alsbench.UsageError, match="number 1 is NaN"):
        alsbench.ratings_of(["a", "b"], [1, 2], [*marks[:1], decimal.Decimal("NaN")])


@pytest.mark.parametrize("column", ["user", "item", "rating"])
def test_a_category_without_a_name_is_missing(column):
    """Hive's partition of NULL is one."""
    table = {"user": [1, 2], "item": [1, 2], "rating": [1.0, 2.0]}
    table[column] = pyarrow.DictionaryArray.from_arrays([0, 1], pyarrow.array(["7", None]))
    with pytest.raises(alsbench.UsageError, match=f"column '{column}': has 1 nulls, the first is number 1"):
        alsbench.from_arrow(pyarrow.table(table))


def test_uuids_of_arrow_are_their_texts():
    """As on the command line; one of them ends with a NUL, which numpy's bytes lose."""
    texts = ["00010203-0405-0607-0809-0a0b0c0d0e00", "00010203-0405-0607-0809-0a0b0c0d0e01"]
    numbers = pyarrow.array([uuid.UUID(text).bytes for text in texts], pyarrow.binary(16))
    users = pyarrow.ExtensionArray.from_storage(pyarrow.uuid(), numbers)
    table = pyarrow.table({"user": users, "item": users.take([1, 0]), "rating": [1.0, 2.0]})
    ratings = alsbench.from_arrow(table)
    assert (ratings.users.tolist(), ratings.items.tolist()) == (texts, texts)
    assert ratings.matrix.toarray().tolist() == [[0, 1], [2, 0]]


def test_large_ids_that_pyarrow_read_as_floats_are_refused(tmp_path):
    file = tmp_path / "ratings.csv"
    file.write_text("user,item,rating\n" + "".join(f"{2**63 + i},{i},3\n" for i in range(9)))
    with pytest.raises(alsbench.UsageError, match=r"column 'user': number 0 is 9\.2.*e\+18, and float64"):
        alsbench.from_arrow(pyarrow.csv.read_csv(file))
    options = pyarrow.csv.ConvertOptions(column_types={"user": pyarrow.uint64()})
    ratings = alsbench.from_arrow(pyarrow.csv.read_csv(file, convert_options=options))
    assert ratings.users.tolist() == [2**63 + i for i in range(9)]


@pytest.mark.parametrize("column", [7, (each for each in (1, 2)), [].append])
def test_what_is_no_column_is_named(column):
    with pytest.raises(TypeError, match=r"items: is a .*; give a column"):
        alsbench.ratings_of([1, 2], column, [1, 2])


def test_masked_values_and_ids_of_two_kinds_are_refused():
    with pytest.raises(alsbench.UsageError, match="values: number 1 is masked"):
        alsbench.ratings_of([1, 2], [1, 2], np.ma.array([1, 2], mask=[False, True]))
    with pytest.raises(TypeError, match="users: are of types int, str"):
        alsbench.ratings_of(["a", 3], [1, 2], [1, 2])
    table = pyarrow.table({"user": [1.0, float("nan")], "item": [1, 2], "rating": [1, 2]})
    with pytest.raises(alsbench.UsageError, match="column 'user': number 1 is nan"):
        alsbench.from_arrow(table)


@pytest.mark.parametrize("value", [1e39, -1e300])
def test_a_number_beyond_the_floats_is_named_as_it_is(value):
    """It is finite, and no float has it."""
    said = rf"has the value {re.escape(str(value))}, which is too large for a float; divide the ratings"
    with pytest.raises(alsbench.UsageError, match=f"values: number 1 {said}"):
        alsbench.ratings_of([1, 2], [3, 4], [1.0, value])
    for matrix in ([[1.0, 0, 2], [0, 0, value]], [[1.0, 0, 2], [0, np.nan, value]]):
        for given in (scipy.sparse.csr_matrix(matrix), np.array(matrix)):
            with pytest.raises(alsbench.UsageError, match=f"X: row 1, column 2 {said}"):
                alsbench.ALS(rank=2, device="cpu").fit(given)
    with pytest.raises(alsbench.UsageError, match="number 1 is inf"):
        alsbench.ratings_of([1, 2], [3, 4], [1.0, np.inf])


@pytest.mark.parametrize(
    "read", [alsbench.from_arrow, lambda table: alsbench.ratings_of(*map(list, zip(*rows_in(table))))]
)
def test_a_long_id_costs_its_own_length(read):
    ids = [f"user {i}" for i in range(999)] + ["x" * 100_000]
    table = pyarrow.table({"user": ids, "item": [i % 7 for i in range(1000)], "rating": [1.0] * 1000})
    tracemalloc.start()
    ratings = read(table)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 50_000_000  # 400 MB as an array of that width
    assert ratings.users.tolist() == sorted(ids)


def rows_in(table):
    return zip(*(column.to_pylist() for column in table.columns))


@pytest.mark.parametrize(
    "make", [pyarrow.string(), pyarrow.large_string(), pyarrow.dictionary(pyarrow.int32(), pyarrow.string())]
)
def test_texts_of_arrow_are_numbered_in_their_order(make):
    column = pyarrow.chunked_array([pyarrow.array(["b", "\u00e9"]).cast(make), pyarrow.array(["a", "b"]).cast(make)])
    table = pyarrow.table({"user": column, "item": [1, 1, 1, 2], "rating": [1, 2, 3, 4]})
    ratings = alsbench.from_arrow(table)
    assert ratings.users.tolist() == ["a", "b", "\u00e9"]
    assert ratings.matrix.toarray().tolist() == [[3, 0], [1, 4], [2, 0]]


@pytest.mark.parametrize(
    ("ids", "read"),
    [
        (["1", "2", "10"], [1, 2, 10]),
        (["18446744073709551615", "1"], [1, 18446744073709551615]),
        (["01", "2"], ["01", "2"]),
        (["a", "1"], ["1", "a"]),
    ],
)
def test_a_column_of_integers_has_integer_ids(tmp_path, ids, read):
    lines = [f"{user},{item},3\n" for user in ids for item in (5, 7)]
    (tmp_path / "r.csv").write_text("user,item,rating\n" + "".join(lines))
    ratings = alsbench.load_ratings(tmp_path / "r.csv", test_fraction=0)
    assert ratings.users.tolist() == read and ratings.items.tolist() == [5, 7]
    assert ratings.items.dtype.kind == "i" and (np.sort(ratings.users) == ratings.users).all()


def test_columns_of_a_file_are_named_or_numbered(tmp_path):
    (tmp_path / "r.csv").write_text("shop,seen,mark,buyer\n10,7,4.5,ann\n20,8,3,bob\n10,9,2,bob\n")
    for columns in (
        {"user": "buyer", "item": "shop", "rating": "mark"},
        {"user": 4, "item": 1, "rating": 3},
        "user=4,item=shop,rating=3",
    ):
        ratings = alsbench.load_ratings(tmp_path / "r.csv", columns=columns, test_fraction=0)
        assert ratings.users.tolist() == ["ann", "bob"]
        assert ratings.matrix.toarray().tolist() == [[4.5, 0], [2, 3]]
    with pytest.raises(alsbench.UsageError, match=r"names no user, item and rating; its columns are 1 'shop'"):
        alsbench.load_ratings(tmp_path / "r.csv")
    with pytest.raises(alsbench.UsageError, match="'grade' is none of user, item, rating and time"):
        alsbench.load_ratings(tmp_path / "r.csv", columns={"grade": 3})


def test_names_in_place_of_ratings_have_values(tmp_path):
    (tmp_path / "events.csv").write_text("visitor,itemid,event\n1,2,view\n1,3,buy\n2,3,search\n")
    read = partial(alsbench.load_ratings, tmp_path / "events.csv", columns={"rating": "event"}, test_fraction=0)
    assert read(values={"view": 1, "buy": 2.5, "search": None}).matrix.toarray().tolist() == [[1, 2.5]]
    with pytest.raises(alsbench.UsageError, match="'search' is none of view, buy"):
        read(values={"view": 1, "buy": 2.5})
    with pytest.raises(alsbench.UsageError, match="has a comma"):
        read(values={"view,buy": 1})


@pytest.mark.parametrize("read", [alsbench.ratings_of, lambda *columns: alsbench.from_arrow(arrow_of(*columns))])
def test_doubts_about_columns_are_warnings(read):
    """-1 stands for no rating in MyAnimeList's data, and was trained on without a word."""
    users, items = np.repeat(["ann", "bob", "null"], 4), np.tile([10, 20, 30, 40], 3)
    with pytest.warns(UserWarning) as said:
        read(users, items, np.array([5, 8, -1, 7, 6, 9, -1, 1, 2, 3, 4, 10.0]))
    assert [str(each.message) for each in said] == [
        "one user is 'null': if that stands for no user, remove the lines that have it",
        "2 ratings are -1, and all others lie from 1 to 10: if -1 stands for no rating, remove the lines that have it",
    ]
    assert said[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        read(users[:8], items[:8], np.arange(8) % 5)


def arrow_of(*columns):
    return pyarrow.table(dict(zip(("user", "item", "rating"), columns, strict=True)))


def test_doubts_about_a_file_are_warnings(tmp_path):
    (tmp_path / "r.csv").write_text("1,10,5\n2,10,4\n3,20,3\n")
    with pytest.warns(UserWarning, match="each of the 3 users has one rating"):
        alsbench.load_ratings(tmp_path / "r.csv", test_fraction=0)
