# SPDX-License-Identifier: Apache-2.0
"""Models in use: they prove themselves, are evaluated and predict; checked against numpy in double."""

import csv
import hashlib
import json
import math

import numpy
import pytest

from conftest import read_json, validation_errors, write_json
from models_oracle import (
    TRAIN,
    Oracle,
    evaluate,
    numbers,
    predicted,
    ranking,
    ratings,
    text,
)

pytest_plugins = ["models_oracle"]


@pytest.fixture(scope="module")
def program(trained_program):
    return trained_program


def test_the_record_has_the_sha256_of_every_file(program):
    folder = program.folder / "model"
    record = read_json(folder / "record.json")
    assert validation_errors(record, "training") == []
    assert {file["name"] for file in record["files"]} == {"x.npy", "theta.npy", "users.txt", "items.txt"}
    for file in record["files"]:
        content = (folder / file["name"]).read_bytes()
        assert file["bytes"] == len(content)
        assert file["sha256"] == hashlib.sha256(content).hexdigest()


@pytest.mark.parametrize("name", ["x.npy", "theta.npy", "users.txt", "items.txt"])
def test_a_changed_file_is_named_and_nothing_is_written(program, copy, name):
    content = bytearray((copy / name).read_bytes())
    content[-3] ^= 1
    (copy / name).write_bytes(content)
    for command in (["evaluate", "--test", "test.csv"], ["predict", "--pairs", "test.csv"], ["recommend"]):
        out = [] if command[0] == "evaluate" else ["-o", "unwritten.tsv"]
        error = program.run(*command, "--model", "copy", *out, code=2).stderr
        assert f"copy/{name}: has the SHA-256" in error and "copy the model again, or train it again" in error
    assert not (program.folder / "unwritten.tsv").exists()


def test_a_model_of_schema_1_is_refused_with_the_converter(program, copy):
    record = read_json(copy / "record.json") | {"schema_version": "1.9.0"}
    write_json(copy / "record.json", record)
    error = program.run("evaluate", "--model", "copy", "--test", "test.csv", code=2).stderr
    assert "record.json: has schema version 1.9.0" in error and "scripts/convert_results.py" in error


@pytest.mark.parametrize("missing, said", [("record.json", "is no model"), ("items.txt", "items.txt: is missing")])
def test_a_missing_file_is_named(program, copy, missing, said):
    (copy / missing).unlink()
    assert said in program.run("evaluate", "--model", "copy", "--test", "test.csv", code=2).stderr


def test_the_test_rmse_is_that_which_training_reported(program):
    reported, found = numbers(program.trained.stdout), evaluate(program, "--model", "model", "--test", "test.csv")
    document = program.json("evaluate", "--model", "model", "--test", "test.csv", "--json")
    assert validation_errors(document, "evaluation") == []
    iterations = program.read_json("model/record.json")["iterations"]
    assert document["rmse"] == pytest.approx(iterations[-1]["test_metric"], rel=1e-6)
    assert found["rmse"] == pytest.approx(reported["test_rmse"], abs=2e-6)
    assert found["cold_test_ratings"] == reported["cold_test_ratings"] == 3
    assert (found["unknown_users"], found["unknown_items"]) == (0, 0)  # training has seen the ids


def test_errors_are_those_of_the_formulas(program):
    # Ids that no part of the training has seen.
    test = [*ratings()[1], (70000, 0, 3.5), (100, 70001, 0.5)]
    (program.folder / "more.csv").write_text(text(test))
    document = program.json("evaluate", "--model", "model", "--test", "more.csv", "--json")
    oracle = Oracle(program.folder / "model")
    errors = numpy.array([rating - oracle.predict(user, item) for user, item, rating in test])
    assert document["rmse"] == pytest.approx(math.sqrt((errors**2).mean()), rel=1e-6)
    assert document["mae"] == pytest.approx(abs(errors).mean(), rel=1e-6)
    assert document["test"] == {"ratings": len(test), "cold": 5, "unknown_users": 1, "unknown_items": 1}


def test_every_format_of_test_ratings_gives_the_same(program):
    cells = ratings()[1]
    expected = evaluate(program, "--model", "model", "--test", "test.csv")
    (program.folder / "test.tsv").write_text("user\titem\trating\n" + text(cells, "\t"))
    (program.folder / "test.dat").write_text(text(cells, "::"))
    (program.folder / "test.libmf").write_text(text(cells, " "))
    program.run("data", "convert", "train.csv", "--test", "test.csv", "-o", "both.alsset")
    for name in ("test.tsv", "test.dat", "test.libmf", "both.alsset"):
        assert evaluate(program, "--model", "model", "--test", name) == expected, name


def test_ids_that_are_texts_stay_texts(program):
    """ "07" and "7" are two users where one id of the column is no number."""
    train = [("07", "a", 1), ("7", "a", 5), ("x", "b", 3), ("07", "b", 1), ("7", "b", 5), ("x", "a", 3)]
    (program.folder / "texts.csv").write_text(text(train))
    program.run("train", "--data", "texts.csv", "--test-fraction", "0", *TRAIN, "--out", "texts")
    (program.folder / "pairs.csv").write_text("07,a\n7,a\n")
    low, high = (float(line.split("\t")[2]) for line in predicted(program, "texts", "pairs.csv")[1:])
    assert low < 2 < 4 < high


@pytest.mark.parametrize("k, least", [(1, None), (5, None), (10, 4), (100, None)])
def test_ranking_metrics_are_those_of_their_definitions(program, k, least):
    threshold = [] if least is None else ["--relevant", least]
    arguments = ["--model", "model", "--test", "test.csv", "--train", "train.csv", "-k", k, *threshold]
    document = program.json("evaluate", *arguments, "--json")
    assert validation_errors(document, "evaluation") == []
    expected, users = ranking(Oracle(program.folder / "model"), *ratings(), k, -math.inf if least is None else least)
    found = document["ranking"]
    measures = [found[name] for name in ("precision", "recall", "ndcg", "map")]
    numpy.testing.assert_allclose(measures, expected, rtol=1e-9)
    assert (found["k"], found["users"], found["cold_users"]) == (k, users, 1 if least in (None, 4) else 0)
    assert 0 < found["precision"] < 1
    printed = numbers(program.run("evaluate", *arguments).stdout)
    assert printed[f"ndcg@{k}"] == pytest.approx(found["ndcg"], abs=1e-6)


def test_test_ratings_that_are_trained_on_do_not_count_as_missed(program):
    (program.folder / "overlap.csv").write_text(text(ratings()[1] + ratings()[0][:3]))
    result = program.run("evaluate", "--model", "model", "--test", "overlap.csv", "--train", "train.csv", "--json")
    assert "3 relevant test ratings are of cells in --train" in result.stderr
    assert json.loads(result.stdout)["ranking"]["seen_relevant"] == 3


def test_predictions_come_in_the_order_of_the_pairs(program):
    pairs = [(159, 0), (100, 7), (9000, 7), (100, 9001), (31337, 31338), (100, 7)]
    (program.folder / "pairs.tsv").write_text("item_id\tuser_id\n" + "".join(f"{i}\t{u}\n" for u, i in pairs))
    (program.folder / "pairs.csv").write_text(text(pairs))
    header, *lines = predicted(program, "model", "pairs.tsv")
    assert header.split("\t") == ["user", "item", "prediction", "cold"]
    assert predicted(program, "model", "pairs.csv") == [header, *lines]
    oracle = Oracle(program.folder / "model")
    rows = [line.split("\t") for line in lines]
    assert [(int(user), int(item)) for user, item, _, _ in rows] == pairs
    assert [cold for *_, cold in rows] == ["no", "no", "user", "item", "both", "no"]
    numpy.testing.assert_allclose([float(row[2]) for row in rows], [oracle.predict(*p) for p in pairs], rtol=1e-6)
    program.run("predict", "--model", "model", "--pairs", "pairs.csv", "-o", "predictions.tsv")
    assert (program.folder / "predictions.tsv").read_text().splitlines() == [header, *lines]
    program.run("predict", "--model", "model", "--pairs", "pairs.csv", "-o", "predictions.npy")
    array = numpy.load(program.folder / "predictions.npy")
    assert array["prediction"].tolist() == [numpy.float32(row[2]) for row in rows]
    assert array["cold"].tolist() == [["no", "user", "item", "both"].index(row[3]) for row in rows]


@pytest.mark.parametrize(
    "header, columns",
    [("shopper,shop", "user=shopper,item=shop"), ("thing,user", "user=user,item=thing"), ("a,b,c", "user=a,item=b")],
)
def test_a_header_of_pairs_that_names_no_column_is_refused(program, header, columns):
    names, known = header.split(","), dict(zip(("user", "item", "rating"), map(str, ratings()[0][0])))
    of_name = {name: known[role] for role, name in (word.split("=") for word in columns.split(","))}
    fields = [of_name.get(name, known["rating"]) for name in names]
    (program.folder / "named.csv").write_text(text([names, fields]))
    said = program.run("predict", "--model", "model", "--pairs", "named.csv", "-o", "named.tsv", code=2).stderr
    assert f"named.csv:1: '{names[0]}' is no user and '{names[1]}' no item of the model" in said
    assert f"--columns {columns}; if it is a pair, give --columns user=1,item=2" in said
    assert not (program.folder / "named.tsv").exists()
    (line,) = predicted(program, "model", "named.csv", "--columns", columns)[1:]
    assert line.split("\t")[:2] == [known["user"], known["item"]]


def test_a_pair_that_looks_like_a_header_is_one_where_columns_are_placed(program):
    pair = [str(id_) for id_ in ratings()[0][0][:2]]
    (program.folder / "placed.csv").write_text(text([["shopper", "shop"], pair]))
    lines = predicted(program, "model", "placed.csv", "--columns", "user=1,item=2")
    assert [line.split("\t")[:2] for line in lines[1:]] == [["shopper", "shop"], pair]


def test_a_first_pair_of_words_that_no_model_has_is_told(program):
    cells = [(f"u{user}", f"i{item}", rating) for user, item, rating in ratings()[0]]
    (program.folder / "words.csv").write_text(text(cells))
    program.run("train", "--data", "words.csv", "--test-fraction", "0", *TRAIN, "--out", "words", "-q")
    (program.folder / "told.csv").write_text("shopper,shop\n" + text(cell[:2] for cell in cells[:2]))
    result = program.run("predict", "--model", "words", "--pairs", "told.csv")
    assert "warning: told.csv:1: 'shopper' is no user and 'shop' no item of the model" in result.stderr
    assert [line.split("\t")[3] for line in result.stdout.splitlines()[1:]] == ["both", "no", "no"]
    (program.folder / "told.csv").write_text("shop,user\n" + text(cell[:2] for cell in cells[:2]))
    said = program.run("predict", "--model", "words", "--pairs", "told.csv", code=2).stderr
    assert "told.csv:1: 'shop' is no user and 'user' no item of the model" in said


@pytest.mark.parametrize(
    "words, content",
    [
        (("predict", "--pairs", "train.csv", "-o", "{}.json"), "TSV"),
        (("predict", "--pairs", "train.csv", "-o", "{}.npz"), "TSV"),
        (("recommend", "-o", "{}.jsonl", "-d", "cpu"), "TSV"),
        (("recommend", "-o", "{}.xlsx", "-d", "cpu"), "TSV"),
        (("similar", "--of", "items", "-o", "{}.json", "-d", "cpu"), "TSV"),
        (("explain", "--seen", "train.csv", "--user", "1", "--item", "1", "-o", "{}.npy"), "TSV"),
        (("evaluate", "--test", "test.csv", "--json", "{}.csv"), "JSON"),
    ],
)
def test_a_name_that_says_other_content_is_refused(program, words, content):
    named = [word.format("other") for word in words]
    said = program.run(*named, "--model", "model", code=2).stderr
    right = "other.json" if content == "JSON" else "other.tsv"
    assert f"{content} is written, and the name says " in said and f"write '{right}'" in said
    assert not list(program.folder.glob("other*"))


def test_a_name_in_capitals_and_a_stated_format_are_as_good(program):
    words = ["predict", "--model", "model", "--pairs", "train.csv", "-q"]
    program.run(*words, "-o", "CAPITALS.CSV")
    assert (program.folder / "CAPITALS.CSV").read_text().startswith("user,item,prediction,cold")
    program.run(*words, "-o", "stated.json", "--to", "tsv")
    assert (program.folder / "stated.json").read_text().startswith("user\titem\t")


@pytest.mark.parametrize("content, said", [("1\n", "pairs.csv:1: 1 field(s)"), ("1,2\n3\n", "pairs.csv:2: 1 field(s)")])
def test_pairs_that_are_none_are_named(program, content, said):
    (program.folder / "pairs.csv").write_text(content)
    result = program.run("predict", "--model", "model", "--pairs", "pairs.csv", code=2)
    assert said in result.stderr or "is of no known format" in result.stderr
    assert result.stdout == ""


def test_a_line_taken_for_a_comment_is_named(program):
    lines = (program.folder / "test.csv").read_text().splitlines()[:9]
    (program.folder / "marked.csv").write_text("\n".join([lines[0], "#" + lines[1], *lines[2:]]) + "\n")
    said = f"warning: marked.csv: line 2, '#{lines[1]}', is a comment with as many fields as the lines"
    for words in (
        ["predict", "--pairs"],
        ["evaluate", "--test"],
        ["fold-in", "--out", "marked", "-d", "cpu", "--data"],
    ):
        assert said in program.run(words[0], "--model", "model", *words[1:], "marked.csv").stderr, words


def test_new_users_whose_ids_may_be_none_are_named(program):
    for name, said in (("NULL", "one user is 'NULL'"), ("7.6e+16", "one user is 7.6e+16, a number with")):
        (program.folder / "doubtful.csv").write_text(f"{name},0,3\n{name},7,4\n")
        result = program.run("fold-in", "--model", "model", "--data", "doubtful.csv", "--out", "doubtful", "-d", "cpu")
        assert f"warning: doubtful.csv: {said}" in result.stderr


def test_pairs_without_ratings_are_ranked_and_have_no_rmse(program):
    """Each pair counts as 1, which is no rating that a model of ratings could be held against."""
    test = [line.rsplit(",", 1)[0] + "\n" for line in (program.folder / "test.csv").read_text().splitlines()]
    (program.folder / "pairs-test.csv").write_text("".join(test))
    (program.folder / "pattern.mtx").write_text("%%MatrixMarket matrix coordinate pattern general\n9 9 1\n1 2\n")
    for name in ("pairs-test.csv", "pattern.mtx"):
        refused = program.run("evaluate", "--model", "model", "--test", name, code=2).stderr
        assert f"{name}: has pairs of user and item without ratings" in refused and "--train" in refused
    words = ["--model", "model", "--train", "train.csv", "-k", "5", "--device", "cpu"]
    pairs = evaluate(program, *words, "--test", "pairs-test.csv")
    assert "rmse" not in pairs and "mae" not in pairs
    rated = evaluate(program, *words, "--test", "test.csv")
    assert {name: rated[name] for name in pairs} == pairs
    document = json.loads(program.run("evaluate", *words, "--test", "pairs-test.csv", "--json", "-").stdout)
    assert document["rmse"] is None and document["ranking"]["precision"] is not None
    refused = program.run("evaluate", *words, "--test", "pairs-test.csv", "--relevant", "4", code=2).stderr
    assert "leave --relevant out" in refused


def test_pairs_without_ratings_are_folded_into_no_model_of_ratings(program):
    (program.folder / "new-pairs.csv").write_text("new,1\nnew,2\n")
    refused = program.run("fold-in", "--model", "model", "--data", "new-pairs.csv", "--out", "none", code=2).stderr
    assert "new-pairs.csv: has pairs of user and item without ratings, which fold-in needs" in refused
    assert not (program.folder / "none").exists()


def test_a_model_of_equal_ratings_is_warned_of(program):
    (program.folder / "ones.csv").write_text("a,x\na,y\nb,x\nc,z\nc,x\n")
    words = ["train", "--data", "ones.csv", "--test-fraction", "0", *TRAIN]
    assert "all ratings are 1, so they tell no items apart; --feedback implicit" in program.run(*words).stderr
    assert "all ratings are 1" not in program.run(*words, "--feedback", "implicit").stderr


def test_a_table_is_csv_where_its_name_says_so(program):
    program.run(
        "train", "--data", "ones.csv", "--test-fraction", "0", *TRAIN, "--feedback", "implicit", "--out", "ones"
    )
    (program.folder / "quoted.csv").write_text('a,x\n"b, ""c""",y\n')
    program.run("predict", "--model", "ones", "--pairs", "quoted.csv", "-o", "p.csv")
    with (program.folder / "p.csv").open(newline="") as file:
        rows = list(csv.reader(file))
    assert rows[0] == ["user", "item", "prediction", "cold"]
    assert [row[:2] + row[3:] for row in rows[1:]] == [["a", "x", "no"], ['b, "c"', "y", "user"]]
    lines = program.run("recommend", "--model", "ones", "-k", "2", "--device", "cpu").stdout
    assert program.run(
        "recommend", "--model", "ones", "-k", "2", "--device", "cpu", "--to", "csv"
    ).stdout == lines.replace("\t", ",")


@pytest.mark.parametrize("words", [["-o", "t.parquet"], ["-o", "t.feather"], ["--to", "parquet", "-o", "t"]])
def test_parquet_is_written_by_the_python_package(program, words):
    for command in (["recommend", "--model", "model"], ["data", "convert", "train.csv"]):
        refused = program.run(*command, *words, code=2).stderr
        assert "then python -m alsbench; or give a name of another format" in refused
        assert not (program.folder / words[-1]).exists()


def test_a_model_of_implicit_feedback_ranks_and_has_no_rmse(program):
    arguments = ["--data", "train.csv", "--test", "test.csv", "--feedback", "implicit", *TRAIN]
    program.run("train", *arguments, "--out", "implicit")
    document = program.json(
        "evaluate", "--model", "implicit", "--test", "test.csv", "--train", "train.csv", "-k", 5, "--json"
    )
    assert validation_errors(document, "evaluation") == []
    assert document["rmse"] is None and document["model"]["feedback"] == "implicit"
    expected, _ = ranking(Oracle(program.folder / "implicit"), *ratings(), 5, 0)
    assert document["ranking"]["ndcg"] == pytest.approx(expected[2], rel=1e-9)
    (program.folder / "cold.csv").write_text("9000,0\n")
    assert predicted(program, "implicit", "cold.csv")[1].split("\t")[2:] == ["0", "user"]


def test_a_user_whose_ratings_are_all_zero_is_not_cold(program):
    (program.folder / "zeros.csv").write_text(text([("z", i, 0) for i in "abcd"] + [("y", i, 4) for i in "abcd"]))
    (program.folder / "unrated.csv").write_text("z,a,0\nnew,a,0\n")
    trained = program.run("train", "--data", "zeros.csv", "--test", "unrated.csv", *TRAIN, "--out", "zeros")
    (program.folder / "pairs.csv").write_text("z,a\nnew,a\n")
    rows = [line.split("\t")[2:] for line in predicted(program, "zeros", "pairs.csv")[1:]]
    assert rows == [["0", "no"], ["2", "user"]]
    found = evaluate(program, "--model", "zeros", "--test", "unrated.csv")
    assert found["rmse"] == pytest.approx(numbers(trained.stdout)["test_rmse"], abs=2e-6)
