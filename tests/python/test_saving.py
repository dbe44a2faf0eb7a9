# SPDX-License-Identifier: Apache-2.0
"""Models that Python saves, and those of implicit and Spark that are imported: read by the program's commands, against numpy."""

import csv
import dataclasses
import re

import numpy as np
import pandas
import pyarrow
import pyarrow.parquet
import pytest
import scipy.sparse

import alsbench
from conftest import package_command, read_json, validation_errors

RANK = 4
USERS, ITEMS = [7, 100, 3], [11, 10, 9, 20, 15]
ROW = {9: 5.0, 15: 3.0, 20: 1.0}  # the ratings of a new user


def factors_of(ids):
    return np.random.default_rng(len(ids)).normal(size=(len(ids), RANK)).astype(np.float32)


def write_implicit(folder):
    """als.npz, whose rows are those of users.txt and items.txt."""
    values = {"user_factors": factors_of(USERS), "item_factors": factors_of(ITEMS)}
    np.savez(folder / "als.npz", **values, alpha=2.0, regularization=0.3)
    (folder / "users.txt").write_text("".join(f"{each}\n" for each in USERS))
    (folder / "items.txt").write_text("".join(f"{each}\n" for each in ITEMS))
    return ["als.npz", "--from", "implicit", "--users", "users.txt", "--items", "items.txt"]


def write_spark(folder):
    for side, ids in (("userFactors", USERS), ("itemFactors", ITEMS)):
        (folder / "spark" / side).mkdir(parents=True)
        features = pyarrow.array(factors_of(ids).tolist(), pyarrow.list_(pyarrow.float32()))
        table = pyarrow.table({"id": pyarrow.array(ids, pyarrow.int32()), "features": features})
        pyarrow.parquet.write_table(table, folder / "spark" / side / "part-00000.parquet")
    return ["spark", "--from", "spark"]


@pytest.fixture(params=["implicit", "explicit Spark", "implicit Spark"])
def imported(request, tmp_path):
    """The kind, the words that import its file, and the same model read in Python."""
    if request.param == "implicit":
        words = write_implicit(tmp_path)
        model = alsbench.read_implicit(tmp_path / "als.npz", device="cpu")
        ids = {"users": tuple(map(str, USERS)), "items": tuple(map(str, ITEMS))}
        return request.param, words, dataclasses.replace(model, **ids)
    feedback = request.param.split()[0]
    words = [*write_spark(tmp_path), "--feedback", feedback, "--regularization", 0.1]
    values = {"feedback": feedback, "regularization": 0.1}
    if feedback == "implicit":
        words, values = [*words, "--alpha", 3], values | {"alpha": 3.0}
    return request.param, words, alsbench.read_spark(tmp_path / "spark", device="cpu", **values)


def solution(kind):
    """The new user's row."""
    y = factors_of(ITEMS).astype(float)
    values = np.array([ROW.get(item, 0.0) for item in ITEMS])
    rated = values != 0
    if kind == "explicit Spark":
        return np.linalg.solve(y[rated].T @ y[rated] + 0.1 * 3 * np.eye(RANK), y[rated].T @ values[rated])
    c = np.where(rated, 2 * values if kind == "implicit" else 1 + 3 * values, 1)
    damping = 0.3 if kind == "implicit" else 0.1 * 3
    return np.linalg.solve((y.T * c) @ y + damping * np.eye(RANK), (c * rated) @ y)


def ranked(row):
    """Items, the best first, and their scores."""
    scores = dict(zip(ITEMS, factors_of(ITEMS).astype(float) @ row, strict=True))
    return sorted(scores.items(), key=lambda each: -each[1])


def lines_of(text):
    return list(csv.DictReader(text.splitlines(), delimiter="\t"))


def test_what_is_imported_answers_the_commands_as_numpy_does(program, tmp_path, imported):
    kind, words, _ = imported
    assert "3 users, 5 items, rank 4" in package_command(tmp_path, "import", *words, "-o", "model")
    cpu = ["--device", "cpu", "-q"]
    top = lines_of(program.run("recommend", "--model", tmp_path / "model", "-k", 2, *cpu).stdout)
    for user, row in zip(USERS, factors_of(USERS).astype(float), strict=True):
        found = [(int(line["item"]), float(line["score"])) for line in top if line["user"] == str(user)]
        assert [item for item, _ in found] == [item for item, _ in ranked(row)[:2]]
        np.testing.assert_allclose([score for _, score in found], [score for _, score in ranked(row)[:2]], rtol=1e-5)
    (tmp_path / "new.tsv").write_text("".join(f"555\t{item}\t{rating}\n" for item, rating in ROW.items()))
    new = tmp_path / "more"
    program.run("fold-in", "--model", tmp_path / "model", "--data", tmp_path / "new.tsv", "--out", new, *cpu)
    np.testing.assert_allclose(np.load(new / "x.npy")[3], solution(kind), rtol=1e-4, atol=1e-6)
    assert (new / "users.txt").read_text().endswith("\n555\n")
    (tmp_path / "pair.tsv").write_text("555\t11\n")
    predicted = lines_of(program.run("predict", "--model", new, "--pairs", tmp_path / "pair.tsv", "-q").stdout)
    assert float(predicted[0]["prediction"]) == pytest.approx(dict(ranked(solution(kind)))[11], rel=1e-4)
    explained = ["explain", "--model", new, "--seen", tmp_path / "new.tsv", "--user", 555, "--item", 11]
    parts = [float(line["part"]) for line in lines_of(program.run(*explained).stdout)]
    assert sum(parts) == pytest.approx(dict(ranked(solution(kind)))[11], rel=1e-4)
    assert len(lines_of(program.run("similar", "--model", new, "-k", 2, *cpu).stdout)) == 10
    record = read_json(new / "record.json")
    assert validation_errors(record, "model") == []
    assert record["fold_ins"] == [
        {"data": str(tmp_path / "new.tsv"), "side": "users", "ratings": 3, "added": 1, "replaced": 0}
    ]


def test_python_saves_what_the_command_imports(tmp_path, imported):
    _, words, model = imported
    package_command(tmp_path, "import", *words, "-o", "model", "-q")
    model.save(tmp_path / "saved")
    for name in ("x.npy", "theta.npy", "users.txt", "items.txt"):
        assert (tmp_path / "saved" / name).read_bytes() == (tmp_path / "model" / name).read_bytes()
    records = [alsbench.read_result(tmp_path / name / "record.json") for name in ("saved", "model")]
    assert records[0].objective == records[1].objective and records[0].source == records[1].source
    assert records[0].source in ("als.npz, which implicit saved", "spark, which Spark saved")


def test_a_model_of_spark_without_its_regularization_recommends_and_folds_nothing_in(program, tmp_path):
    package_command(tmp_path, "import", *write_spark(tmp_path), "-o", "model", "-q")
    assert read_json(tmp_path / "model" / "record.json")["objective"] is None
    top = lines_of(program.run("recommend", "--model", tmp_path / "model", "-k", 1, "-d", "cpu", "-q").stdout)
    assert len(top) == 3
    (tmp_path / "new.tsv").write_text("555\t9\t5\n")
    words = ["fold-in", "--model", tmp_path / "model", "--data", tmp_path / "new.tsv", "--out", tmp_path / "more"]
    said = program.run(*words, "-d", "cpu", code=2).stderr
    assert "record.json: does not say what the model minimised" in said and "--regularization" in said
    assert not (tmp_path / "more").exists()
    again = alsbench.read_model(tmp_path / "model", device="cpu")
    assert again.objective is None and np.isnan(again.cold_prediction)


def test_a_saved_model_is_read_back_equal(tmp_path, kind, model_of):
    model = model_of(kind)
    model.save(tmp_path / "model")
    again = alsbench.read_model(tmp_path / "model", device="cpu")
    for name in ("user_factors", "item_factors", "cold_users", "cold_items"):
        np.testing.assert_array_equal(getattr(again, name), getattr(model, name))
    for name in ("objective", "feedback", "cold_prediction", "biases", "source"):
        assert getattr(again, name) == getattr(model, name), name
    assert again.items == tuple(map(str, range(len(model.item_factors)))), "rows' numbers where there is no id"
    record = read_json(tmp_path / "model" / "record.json")
    assert validation_errors(record, "model") == [] and record["source"] == "alsbench.ALS"


def test_rows_of_zeros_that_are_not_cold_stay_so(tmp_path):
    factors, cold = np.zeros((3, 2), np.float32), np.array([False, True, False])
    alsbench.Model(factors, factors, cold, ~cold, "implicit", 0.0).save(tmp_path / "model")
    again = alsbench.read_model(tmp_path / "model")
    assert again.cold_users.tolist() == cold.tolist() and again.cold_items.tolist() == (~cold).tolist()


def test_the_program_evaluates_what_was_fitted(program, tmp_path, ratings):
    train, test = alsbench.train_test_split(ratings, 0.2, 3)
    als = alsbench.ALS(rank=4, iterations=2, device="cpu").fit(train)
    users, items = (
        [f"{prefix}{row}" for row in range(count)] for prefix, count in zip("ui", ratings.shape, strict=True)
    )
    als.save(tmp_path / "model", users=users, items=items)
    cells = scipy.sparse.coo_array(test)
    lines = (f"u{user}\ti{item}\t{value}\n" for user, item, value in zip(*cells.coords, cells.data, strict=True))
    (tmp_path / "test.tsv").write_text("".join(lines))
    words = ["evaluate", "--model", tmp_path / "model", "--test", tmp_path / "test.tsv", "--json"]
    document = program.json(*words, "-q")
    assert document["rmse"] == pytest.approx(als.evaluate(test).rmse, rel=1e-6)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["none.npz", "--from", "implicit"], "none.npz: is missing; give"),
        (["text.npz", "--from", "implicit"], "text.npz: .*; give a file that"),
        (["cut.npz", "--from", "implicit"], "cut.npz: .*; give a file that"),
        (["ranks.npz", "--from", "implicit"], "ranks.npz: .*; give one rank"),
        (["als.npz", "--from", "spark"], "als.npz/userFactors: .*; give the folder"),
        (["spark", "--from", "spark", "--regularization", "-1"], "lambda"),
        (["spark", "--from", "spark", "--alpha", "3"], "--alpha: explicit feedback has none; give --feedback implicit"),
        (["spark", "--from", "spark", "--users", "users.txt"], "--users: spark says it.*; leave it out"),
        (["als.npz", "--from", "implicit", "--alpha", "3"], "--alpha: als.npz says it.*; leave it out"),
        (
            ["als.npz", "--from", "implicit", "--users", "items.txt"],
            "--users items.txt: has 5 ids for 3 rows; give one",
        ),
        (
            ["als.npz", "--from", "implicit", "--users", "twice.txt"],
            "--users twice.txt: the id '7' is there twice; give",
        ),
        (["als.npz", "--from", "implicit", "--users", "no.txt"], "--users no.txt: .*; give a file"),
        (["als.npz", "--from", "mahout"], "--from: invalid choice: 'mahout'"),
        (["als.npz"], "--from; see `alsbench import --help`"),
    ],
)
def test_what_cannot_be_imported_leaves_nothing(tmp_path, words, said):
    write_implicit(tmp_path)
    write_spark(tmp_path)
    (tmp_path / "text.npz").write_text("nothing")
    (tmp_path / "cut.npz").write_bytes((tmp_path / "als.npz").read_bytes()[:200])
    (tmp_path / "twice.txt").write_text("7\n8\n7\n")
    np.savez(
        tmp_path / "ranks.npz", user_factors=np.ones((2, 3)), item_factors=np.ones((2, 2)), alpha=1, regularization=1
    )
    error = package_command(tmp_path, "import", *words, "-o", "model", code=2)
    assert error.startswith("alsbench: error: ") and len(error.splitlines()) == 1
    assert re.search(said, error), error
    assert not (tmp_path / "model").exists()


def test_what_is_no_model_is_not_replaced(tmp_path, model_of):
    model = model_of("explicit")
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "x.npy").write_text("mine")
    with pytest.raises(alsbench.UsageError, match=r"mine: holds 'x.npy' and is not a model.*; name a new"):
        model.save(tmp_path / "mine")
    assert [path.name for path in (tmp_path / "mine").iterdir()] == ["x.npy"]
    assert (tmp_path / "mine" / "x.npy").read_text() == "mine"
    write_implicit(tmp_path)
    package_command(tmp_path, "import", "als.npz", "--from", "implicit", "-o", "mine", code=2)
    model.save(tmp_path / "model")
    package_command(tmp_path, "import", "als.npz", "--from", "implicit", "-o", "model")
    assert np.load(tmp_path / "model" / "x.npy").shape == (3, RANK), "a model is replaced"


def test_a_model_that_no_folder_can_hold_is_refused(tmp_path):
    ones, warm = np.ones((2, 3), np.float32), np.zeros(2, bool)
    refused = {
        "user_factors: row 0 is cold, and is not zero": {"cold_users": ~warm},
        "item_factors: factor 0 of row 0 is nan": {"item_factors": ones * np.nan},
        "users: has 3 ids for 2 rows": {"users": ("a", "b", "c")},
        "items: the id 'a' is there twice": {"items": ("a", "a")},
        r"items: the id 'a\\nb' has a line break": {"items": ("a\nb", "c")},
        "set its objective": {"biases": True},
    }
    model = alsbench.Model(ones, ones, warm, warm, "explicit", 3.0)
    for said, change in refused.items():
        with pytest.raises(alsbench.UsageError, match=said):
            dataclasses.replace(model, **change).save(tmp_path / "model")
        assert not (tmp_path / "model").exists()
    (tmp_path / "file").write_text("")
    with pytest.raises(alsbench.MachineError, match="cannot write into a folder"):
        model.save(tmp_path / "file")


@pytest.mark.parametrize(
    ("ids", "texts"),
    [
        (np.array([7.0, 100, 3]), ["7", "100", "3"]),  # as pandas has a column with gaps
        ([b"ann", b"bob", np.bytes_(b"cas")], ["ann", "bob", "cas"]),
        ([0.5, 2, "x"], ["0.5", "2", "x"]),
    ],
)
def test_ids_are_saved_as_the_program_reads_them(program, tmp_path, ids, texts):
    """Floats were written as 7.0, which no column of integers has, and bytes as b'ann'."""
    write_implicit(tmp_path)
    alsbench.read_implicit(tmp_path / "als.npz", device="cpu").save(tmp_path / "model", users=ids)
    assert (tmp_path / "model" / "users.txt").read_text().splitlines() == texts
    (tmp_path / "list.txt").write_text(texts[1] + "\n")
    lines = program.run("recommend", "--model", tmp_path / "model", "--users", tmp_path / "list.txt", "-k", 1).stdout
    assert lines.splitlines()[1].split("\t")[0] == texts[1]


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (None, "number 1 is None, which is no id"),
        (np.nan, "number 1 is nan, which is no id"),
        (pandas.NA, "number 1 is <NA>, which is no id"),
        (np.datetime64("NaT"), "number 1 is NaT, which is no id"),
        ("", "the id '' is empty"),
        ("a\r", r"the id 'a\\r' has a line break"),
        (b"\xff", r"the id b'\\xff' is no text"),
    ],
)
def test_what_is_no_id_is_not_saved(tmp_path, wrong, said):
    """`None` and `nan` became ids of these names."""
    write_implicit(tmp_path)
    model = alsbench.read_implicit(tmp_path / "als.npz", device="cpu")
    with pytest.raises(alsbench.UsageError, match=f"^users: {said}"):
        model.save(tmp_path / "model", users=[1, wrong, 3])


def test_lists_of_ids_are_read_as_by_the_program(tmp_path):
    """A byte order mark became a part of the first id, and quotes of the others."""
    write_implicit(tmp_path)
    (tmp_path / "users.txt").write_bytes('\ufeff7\r\n"a ""b"", c"\r\n 3 \r\n'.encode())
    package_command(tmp_path, "import", "als.npz", "--from", "implicit", "--users", "users.txt", "-o", "model", "-q")
    assert alsbench.read_model(tmp_path / "model").users == ("7", 'a "b", c', "3")


def test_added_users_keep_the_ids_and_have_their_own(tmp_path, ratings, model_of):
    model = model_of("explicit")
    count = len(model.user_factors)
    named = dataclasses.replace(model, users=tuple(f"u{row}" for row in range(count)))
    more = named.with_users([3, count], ratings[[7, 9]], ids=["u3", "new"])
    assert more.users == (*named.users, "new")
    more.save(tmp_path / "model")
    assert alsbench.read_model(tmp_path / "model").source == "alsbench.ALS; with rows that were folded in"
    assert named.with_users([3], ratings[[7]]).users == named.users, "no row is added"
    assert model.with_users([count], ratings[[7]]).users == ()
    for rows, ids, said in (
        ([count], [], f"ids: row {count} has none"),
        ([count + 1], ["new"], f"ids: row {count} has none"),
        ([count], ["u3"], "the id 'u3' is there twice"),
        ([count], ["a", "b"], "ids: has 2 ids for 1 rows"),
    ):
        with pytest.raises(alsbench.UsageError, match=said):
            named.with_users(rows, ratings[[7]], ids)
    with pytest.raises(alsbench.UsageError, match="ids: the model has none"):
        model.with_users([count], ratings[[7]], ["new"])


def test_the_program_alone_names_the_package(program):
    said = program.run("import", "als.npz", "--from", "implicit", "-o", "model", code=2).stderr
    assert "python -m alsbench import" in said and "pip install" in said
