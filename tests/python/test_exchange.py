# SPDX-License-Identifier: Apache-2.0
"""Models of other libraries are read, and factors and recommendations come out as Arrow and Parquet."""

import re
import sys

import numpy as np
import pyarrow
import pyarrow.feather
import pyarrow.parquet
import pytest
import scipy.sparse

import alsbench
from alsbench.implicit.als import AlternatingLeastSquares
from conftest import package_command


@pytest.fixture(scope="module")
def ratings():
    return alsbench.load_ratings(dataset="ml-100k", scale=0.2).matrix


@pytest.fixture(scope="module")
def model(ratings):
    return alsbench.ALS(rank=8, iterations=3, device="cpu").fit(ratings).model_


def test_a_model_that_implicit_saved_is_read(tmp_path, ratings):
    theirs = AlternatingLeastSquares(factors=8, alpha=2.0, regularization=0.3, iterations=3, random_state=1)
    theirs.fit(ratings, show_progress=False)
    theirs.save(str(tmp_path / "saved.npz"))
    model = alsbench.read_implicit(tmp_path / "saved.npz", device="cpu")
    np.testing.assert_array_equal(model.user_factors, theirs.user_factors)
    ids, scores = model.recommend([3, 4], ratings[[3, 4]], N=6)
    expected, their_scores = theirs.recommend([3, 4], ratings[[3, 4]], N=6)
    np.testing.assert_array_equal(ids, expected)
    np.testing.assert_allclose(scores, their_scores, rtol=1e-6)
    np.testing.assert_allclose(model.fold_in(ratings[[3]])[0], theirs.recalculate_user(3, ratings[[3]]), rtol=2e-5)


def test_what_implicit_did_not_save_is_refused(tmp_path):
    np.savez(tmp_path / "other.npz", x=np.zeros(3))
    with pytest.raises(
        alsbench.UsageError, match=r"other.npz: user_factors is not a file in the archive; give a file that"
    ):
        alsbench.read_implicit(tmp_path / "other.npz")
    (tmp_path / "text.npz").write_text("nothing", encoding="utf-8")
    with pytest.raises(alsbench.UsageError, match=r"text.npz: holds no archive of arrays; give a file that"):
        alsbench.read_implicit(tmp_path / "text.npz")
    np.save(tmp_path / "one.npy", np.zeros(3))
    for name, content in (("junk.npz", b"PK\x03\x04junk"), ("empty.npz", b""), ("one.npy", None)):
        if content is not None:
            (tmp_path / name).write_bytes(content)
        with pytest.raises(alsbench.UsageError, match=rf"{name}: .*; give a file that AlternatingLeastSquares.save"):
            alsbench.read_implicit(tmp_path / name)


@pytest.mark.parametrize(
    ("users", "said"),
    [
        (np.ones(3), r"user_factors are of shape \(3,\)"),
        (np.array([[1, 2], [3, np.nan]]), "user_factors: factor 1 of row 1 is nan"),
    ],
)
def test_factors_of_implicit_that_are_none_are_named(tmp_path, users, said):
    np.savez(tmp_path / "bad.npz", user_factors=users, item_factors=np.ones((2, 2)), alpha=1.0, regularization=0.1)
    with pytest.raises(alsbench.UsageError, match="bad.npz: " + said):
        alsbench.read_implicit(tmp_path / "bad.npz")


@pytest.mark.parametrize(
    ("ids", "features", "said"),
    [
        ([2, None], [[1.0, 2.0], [1.0, 2.0]], "has a row of no id"),
        ([2, 1, 2], [[1.0, 2.0], [1.0, 2.0], [3.0, 4.0]], "has a row of the id 2 twice"),
        ([2, 1], [[1.0, 2.0], [1.0, None]], "factor 1 of row 0 is nan"),
    ],
)
def test_rows_of_spark_that_are_none_are_named(tmp_path, ids, features, said):
    for side in ("userFactors", "itemFactors"):
        (tmp_path / side).mkdir()
        pyarrow.parquet.write_table(
            pyarrow.table({"id": ids, "features": features}), tmp_path / side / "part-0.parquet"
        )
    with pytest.raises(alsbench.UsageError, match="userFactors: " + said):
        alsbench.read_spark(tmp_path)


def write_spark(folder, side, ids, rank, parts=2):
    """As Spark writes it: several files, ids in no order, and a file that says that all are there."""
    generator = np.random.default_rng(len(ids))
    factors = {each: generator.normal(size=rank).astype(np.float32) for each in ids}
    (folder / side).mkdir(parents=True)
    (folder / side / "_SUCCESS").touch()
    mixed = generator.permutation(ids)
    for part in range(parts):
        own = mixed[part::parts]
        table = pyarrow.table(
            {
                "id": pyarrow.array(own, pyarrow.int32()),
                "features": pyarrow.array([factors[each].tolist() for each in own], pyarrow.list_(pyarrow.float32())),
            }
        )
        pyarrow.parquet.write_table(table, folder / side / f"part-{part:05}-x.snappy.parquet")
    return factors


def test_a_model_that_spark_saved_is_read(tmp_path):
    users = write_spark(tmp_path, "userFactors", [7, 100, 3], 4)
    items = write_spark(tmp_path, "itemFactors", [11, 10, 9, 20, 15], 4)
    model = alsbench.read_spark(tmp_path, device="cpu", regularization=0.1)
    assert model.users == ("3", "7", "100") and model.items == ("9", "10", "11", "15", "20")
    for row, user in enumerate(model.users):
        np.testing.assert_array_equal(model.user_factors[row], users[int(user)])
    found, scores = model.recommend(1, N=2, filter_already_liked_items=False)
    expected = sorted(items, key=lambda item: -float(items[item].astype(float) @ users[7].astype(float)))[:2]
    assert [int(model.items[item]) for item in found] == expected and scores.dtype == np.float32
    row = np.array([[5, 0, 3, 0, 0]], np.float32)
    y, values = model.item_factors[[0, 2]].astype(float), np.array([5.0, 3.0])
    solution = np.linalg.solve(y.T @ y + 0.1 * 2 * np.eye(4), y.T @ values)
    np.testing.assert_allclose(model.fold_in(scipy.sparse.csr_array(row))[0], solution, rtol=1e-4)
    with pytest.raises(alsbench.UsageError, match="give read_spark feedback=, regularization= and"):
        alsbench.read_spark(tmp_path, device="cpu").fold_in(scipy.sparse.csr_array(row))


def test_a_folder_of_spark_that_cannot_be_read_is_named_once(tmp_path):
    said = r"userFactors: does not exist; give the folder that ALSModel\.save of Spark wrote"
    with pytest.raises(alsbench.UsageError, match=f"^{re.escape(str(tmp_path))}/nope/{said}$"):
        alsbench.read_spark(tmp_path / "nope")
    (tmp_path / "userFactors").mkdir()
    (tmp_path / "userFactors" / "part-0.parquet").write_bytes(b"PAR1 and no more")
    with pytest.raises(alsbench.UsageError, match=r"userFactors/part-0.parquet: .*; give the folder"):
        alsbench.read_spark(tmp_path)
    pyarrow.parquet.write_table(pyarrow.table({"id": [1]}), tmp_path / "userFactors" / "part-0.parquet")
    with pytest.raises(alsbench.UsageError, match="userFactors: has no column 'features'; it has 'id'; give"):
        alsbench.read_spark(tmp_path)


def test_without_pyarrow_the_error_says_how_to_install_it(tmp_path, monkeypatch, model):
    for name in [name for name in sys.modules if name.partition(".")[0] == "pyarrow"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    for call in (
        lambda: alsbench.read_spark(tmp_path),
        lambda: alsbench.read_parquet(tmp_path / "r.parquet"),
        lambda: alsbench.factor_tables(model),
        lambda: alsbench.write_factors(model, tmp_path),
        lambda: alsbench.recommendation_table(model, 1, np.array([1]), np.array([1.0])),
    ):
        with pytest.raises(alsbench.MachineError, match=r"pip install 'alsbench\[arrow\]'"):
            call()


def test_what_spark_did_not_save_is_refused(tmp_path):
    with pytest.raises(alsbench.UsageError, match=r"userFactors: .*; give the folder that ALSModel.save"):
        alsbench.read_spark(tmp_path)
    write_spark(tmp_path, "userFactors", [1, 2], 4)
    write_spark(tmp_path, "itemFactors", [1, 2], 5)
    with pytest.raises(alsbench.UsageError, match="give one rank"):
        alsbench.read_spark(tmp_path)
    with pytest.raises(alsbench.UsageError, match="feedback: is 'both'"):
        alsbench.read_spark(tmp_path, feedback="both")


def test_factors_go_to_parquet_and_back(tmp_path, model):
    alsbench.write_factors(model, tmp_path / "out")
    again = alsbench.read_spark(tmp_path / "out", device="cpu")
    warm = ~model.cold_items
    np.testing.assert_array_equal(again.user_factors, model.user_factors[~model.cold_users])
    np.testing.assert_array_equal(again.item_factors, model.item_factors[warm])
    assert again.items == tuple(str(row) for row in np.flatnonzero(warm))
    with pytest.raises(alsbench.UsageError, match="userFactors: is there already"):
        alsbench.write_factors(model, tmp_path / "out")


def read_factors(path):
    if path.suffix == ".parquet":
        return pyarrow.parquet.read_table(path)
    return pyarrow.feather.read_table(path, memory_map=False)


def test_more_numbers_than_an_array_of_lists_holds_are_several(model, monkeypatch):
    """Offsets of 32 bits wrapped around, from 2^31 numbers on."""
    whole = alsbench.factor_tables(model)
    monkeypatch.setattr("alsbench.exchange._MOST_NUMBERS", 5 * model.rank)
    for table, expected in zip(alsbench.factor_tables(model), whole, strict=True):
        assert table.equals(expected) and table.column("features").num_chunks == -(-len(expected) // 5)


@pytest.mark.parametrize("kind", ["parquet", "arrow"])
def test_the_command_exports_the_factors_of_a_model(tmp_path, model, kind):
    model.save(tmp_path / "model")
    said = package_command(tmp_path, "export", "model", "--to", kind, "-o", "new/out")
    tables = alsbench.factor_tables(alsbench.read_model(tmp_path / "model"))
    assert said == f"alsbench: new/out: factors of {tables[0].num_rows} users and {tables[1].num_rows} items\n"
    for side, table in zip(("userFactors", "itemFactors"), tables, strict=True):
        (file,) = (tmp_path / "new/out" / side).iterdir()
        assert read_factors(file).equals(table)
    assert sorted(path.name for path in (tmp_path / "new/out").iterdir()) == ["itemFactors", "userFactors"]
    said = package_command(tmp_path, "export", "model", "--to", kind, "-o", "new/out", code=2)
    assert said.startswith("alsbench: error: new/out/userFactors: is there already; name another folder")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--to", "csv", "-o", "out"], "export: argument --to: invalid choice: 'csv'"),
        (["--to", "parquet"], "export: the following arguments are required: -o/--out"),
    ],
)
def test_an_export_that_cannot_be_is_refused(tmp_path, model, words, said):
    model.save(tmp_path / "model")
    assert package_command(tmp_path, "export", "model", *words, code=2).startswith(f"alsbench: error: {said}")
    assert not (tmp_path / "out").exists()


def test_factors_that_cannot_be_written_leave_nothing(tmp_path, model, monkeypatch):
    """The disk is full when the items' factors are written."""
    write, calls = pyarrow.parquet.write_table, []

    def full(table, path):
        calls.append(path)
        if len(calls) == 2:
            raise OSError(28, "No space left on device")
        write(table, path)

    monkeypatch.setattr(pyarrow.parquet, "write_table", full)
    with pytest.raises(alsbench.MachineError, match=r"cannot write into .*No space left on device.*free space"):
        alsbench.write_factors(model, tmp_path / "out")
    assert len(calls) == 2 and not (tmp_path / "out").exists()


def test_the_program_alone_names_the_package_that_exports_models(program, model):
    model.save(program.folder / "model")
    said = program.run("export", "model", "--to", "parquet", "-o", "out", code=2).stderr
    assert "export: model is a model" in said and "python -m alsbench export" in said


def test_ids_are_numbers_where_all_of_them_are():
    factors, warm = np.ones((2, 3), np.float32), np.zeros(2, bool)
    kinds = {("5", "17"): pyarrow.int32(), ("05", "17"): pyarrow.string(), ("a", "17"): pyarrow.string()}
    for ids, kind in kinds.items():
        model = alsbench.Model(factors, factors, warm, warm, "explicit", 3.0, users=ids)
        users, items = alsbench.factor_tables(model)
        assert users.schema.field("id").type == kind and users.column("id").to_pylist() in ([5, 17], list(ids))
        assert items.column("id").to_pylist() == [0, 1]
        assert users.schema.field("features").type == pyarrow.list_(pyarrow.float32())


def test_recommendations_are_a_table(model, ratings):
    users = [2, 5]
    items, scores = model.recommend(users, ratings[users], N=3, items=[4, 5])
    table = alsbench.recommendation_table(model, users, items, scores)
    assert table.column_names == ["user", "rank", "item", "score"]
    rows = [(user, rank, item) for user, rank, item, _ in zip(*table.to_pydict().values(), strict=True)]
    expected = [
        (user, rank + 1, item)
        for user, row in zip(users, items.tolist(), strict=True)
        for rank, item in enumerate(row)
        if item >= 0
    ]
    assert rows == expected and 0 < len(rows) <= 4
    with pytest.raises(alsbench.UsageError, match="give what recommend returned for 1 users"):
        alsbench.recommendation_table(model, 2, items, scores)
