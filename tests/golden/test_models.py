# SPDX-License-Identifier: Apache-2.0
"""Models in use: they prove themselves, are evaluated, predict and recommend; checked against numpy in double."""

import csv
import hashlib
import json
import math
import re
import shutil

import numpy
import pytest

from conftest import Program, read_json, validation_errors, write_json

USERS, ITEMS, RANK = 60, 40, 4
TRAIN = ["--rank", RANK, "--lambda", "0.05", "--iterations", "3", "--device", "cpu", "--no-tuned"]


def ratings():
    """(user, item, rating) for training and for test; the test has users and items that training lacks."""
    generator = numpy.random.default_rng(5)
    x, theta = generator.normal(0, 0.8, (USERS, 3)), generator.normal(0, 0.8, (ITEMS, 3))
    train, test = [], []
    for user, item in numpy.ndindex(USERS, ITEMS):
        if generator.random() < 0.4:
            rating = round(float(numpy.clip(3 + x[user] @ theta[item], 0.5, 5)) * 2) / 2
            held_out = generator.random() < 0.2
            (test if held_out else train).append((100 + user, 7 * item, rating))
    test += [(9000, 0, 4.0), (100, 9001, 2.0), (9000, 9001, 1.0)]
    return train, test


def text(cells, separator=","):
    return "".join(separator.join(map(str, cell)) + "\n" for cell in cells)


class Oracle:
    """A model as docs/reference/models.md describes it, in plain Python."""

    def __init__(self, folder):
        self.x, self.theta = (numpy.load(folder / f"{part}.npy").astype(float) for part in ("x", "theta"))
        self.users, self.items = ((folder / f"{side}.txt").read_text().split("\n")[:-1] for side in ("users", "items"))
        self.cold = read_json(folder / "record.json")["prediction"]["cold"]

    def factors(self, matrix, ids, name):
        row = matrix[ids.index(str(name))] if str(name) in ids else numpy.zeros(matrix.shape[1])
        return row if row.any() else None

    def predict(self, user, item):
        x, theta = self.factors(self.x, self.users, user), self.factors(self.theta, self.items, item)
        return self.cold if x is None or theta is None else float(x @ theta)

    def ranked(self, user, seen):
        """(score, item) of what may be recommended, best first."""
        x = self.factors(self.x, self.users, user)
        candidates = [
            (float(x @ theta), item)
            for theta, item in zip(self.theta, self.items, strict=True)
            if theta.any() and item not in seen
        ]
        return sorted(candidates, key=lambda candidate: -candidate[0])


def by_user(cells):
    found = {}
    for user, item, rating in cells:
        found.setdefault(str(user), {})[str(item)] = rating
    return found


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    program = Program(tmp_path_factory.mktemp("models"))
    train, test = ratings()
    (program.folder / "train.csv").write_text(text(train))
    (program.folder / "test.csv").write_text(text(test))
    program.trained = program.run("train", "--data", "train.csv", "--test", "test.csv", *TRAIN, "--out", "model")
    return program


@pytest.fixture
def copy(program):
    """The model in a folder of the test's own."""
    folder = program.folder / "copy"
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(program.folder / "model", folder)
    return folder


def numbers(output):
    return {name: float(value) for name, value in (line.split(" ") for line in output.splitlines())}


def evaluate(program, *arguments):
    return numbers(program.run("evaluate", *arguments).stdout)


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


def ranking(oracle, train, test, k, least):
    """Means over the users by their definitions: precision, recall, NDCG, MAP; and the number of users."""
    seen, sums, users = by_user(train), numpy.zeros(4), 0
    for user, cells in by_user(test).items():
        relevant = {item for item, rating in cells.items() if rating >= least}
        if not relevant or oracle.factors(oracle.x, oracle.users, user) is None:
            continue
        users += 1
        hits = [item in relevant for _, item in oracle.ranked(user, seen.get(user, {}))[:k]]
        gains = [1 / math.log2(place + 2) for place in range(k)]
        precisions = [sum(hits[: place + 1]) / (place + 1) for place, hit in enumerate(hits) if hit]
        sums += [
            sum(hits) / k,
            sum(hits) / len(relevant),
            sum(gain for gain, hit in zip(gains, hits, strict=False) if hit) / sum(gains[: len(relevant)]),
            sum(precisions) / min(k, len(relevant)),
        ]
    return sums / users, users


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


def predicted(program, model, pairs, *more):
    return program.run("predict", "--model", model, "--pairs", pairs, *more).stdout.splitlines()


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


def test_an_id_that_begins_as_a_comment_is_one_in_lists_where_the_model_has_it(program):
    rated = "".join(
        f'"{user}","{item}",{1 + (i + 2 * j) % 5}\n'
        for i, user in enumerate(("#7", "a", "%b", "c"))
        for j, item in enumerate(("#x", "y", "z"))
    )
    (program.folder / "marked.csv").write_text(rated)
    program.run("train", "--data", "marked.csv", "--test-fraction", "0", *TRAIN, "--out", "marked-model", "-q")
    (program.folder / "asked.txt").write_text("# the users that are asked about\n#7\n%b\n#8\n# 9\na\n")
    (program.folder / "only.txt").write_text("#x\nz\n")
    words = ["recommend", "--model", "marked-model", "-k", 9, "--users", "asked.txt", "--items", "only.txt"]
    result = program.run(*words)
    lines = [line.split("\t") for line in result.stdout.splitlines()[1:]]
    assert [line[0] for line in lines] == ["#7", "#7", "%b", "%b", "a", "a"]
    assert {line[2] for line in lines} == {"#x", "z"}
    said = "warning: asked.txt: line 4, '#8', is a comment, and no user of the model: it is left out"
    assert said in result.stderr and result.stderr.count("is a comment") == 1


def test_an_id_with_a_fraction_of_zeros_is_a_whole_number_everywhere(program):
    user, item, _ = ratings()[0][0]
    (program.folder / "one.txt").write_text(f"{user}.0\n")
    assert list(recommended(program, "--model", "model", "--users", "one.txt")) == [str(user)]
    explain = ["explain", "--model", "model", "--seen", "train.csv"]
    plain, zeros = (program.run(*explain, "--user", f"{user}{end}", "--item", f"{item}{end}") for end in ("", ".0"))
    assert zeros.stdout == plain.stdout and zeros.stderr == plain.stderr
    (program.folder / "new.csv").write_text(f"{user},{item},4\n70000,{item},3\n")
    words = ["explain", "--model", "model", "--seen", "new.csv", "--user", "70000.0", "--item", item]
    assert len(program.run(*words).stdout.splitlines()) == 2
    said = program.run(*explain, "--user", f"0{user}", "--item", item, code=2).stderr
    assert f"0{user} is not in the model" in said


def test_a_file_of_new_users_alone_is_explained_by_its_ratings(program):
    """A row is solved of the ratings alone: a new user with those of a known one gets the same answer."""
    train = ratings()[0]
    user, item = str(train[0][0]), str(train[0][1])
    (program.folder / "alone.csv").write_text(text(("newcomer", *cell[1:]) for cell in train if str(cell[0]) == user))
    words = ["explain", "--model", "model", "--item", item]
    known = program.run(*words, "--seen", "train.csv", "--user", user)
    alone = program.run(*words, "--seen", "alone.csv", "--user", "newcomer")
    assert len(known.stdout.splitlines()) > 2
    score, prediction = known.stderr.splitlines()
    assert (alone.stdout, alone.stderr) == (known.stdout, f"{score}\n")
    assert re.fullmatch(r"score \S+ of the user folded in: \S+ by \d+ ratings, 0 without them", score)
    (program.folder / "pair.csv").write_text(f"{user},{item}\n")
    shown = float(predicted(program, "model", "pair.csv")[1].split("\t")[2])
    assert prediction == f"predict has {shown:.6g}, by the user's row of the model"
    assert float(score.split()[1]) != pytest.approx(shown, rel=1e-4)
    said = program.run(*words, "--seen", "alone.csv", "--user", "nobody", code=2).stderr
    assert "nobody is not in the model, nor among the users of alone.csv; name a user who is there" in said
    (program.folder / "others.csv").write_text(text([(train[-1][0], *train[0][1:])]))
    said = program.run(*words, "--seen", "others.csv", "--user", user, code=2).stderr
    assert f"others.csv: holds no rating of user {user}; give the user's ratings" in said
    (program.folder / "swapped.csv").write_text(text((f"i{cell[1]}", f"u{cell[0]}", cell[2]) for cell in train))
    said = program.run(*words, "--seen", "swapped.csv", "--user", "i0", code=2).stderr
    assert "swapped.csv: none of its" in said and "items is in the model" in said


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


def recommended(program, *arguments):
    header, *lines = program.run("recommend", *arguments).stdout.splitlines()
    assert header.split("\t") == ["user", "rank", "item", "score"]
    found = {}
    for line in lines:
        user, rank, item, score = line.split("\t")
        found.setdefault(user, []).append((float(score), item))
        assert int(rank) == len(found[user])
    return found


@pytest.mark.parametrize("seen", [True, False])
@pytest.mark.parametrize("k", [1, 7, 1000])
def test_recommendations_are_the_best_unseen_items(program, k, seen):
    found = recommended(program, "--model", "model", "-k", k, *(["--seen", "train.csv"] if seen else []))
    oracle, trained = Oracle(program.folder / "model"), by_user(ratings()[0])
    assert list(found) == [user for user in oracle.users if user in trained]
    for user, items in found.items():
        left_out = trained[user] if seen else {}
        scores = {item: score for score, item in oracle.ranked(user, left_out)}
        best = oracle.ranked(user, left_out)[:k]
        numpy.testing.assert_allclose([s for s, _ in items], [s for s, _ in best], rtol=1e-5, atol=1e-6)
        numpy.testing.assert_allclose([s for s, _ in items], [scores[i] for _, i in items], rtol=1e-5, atol=1e-6)
        assert len({item for _, item in items}) == len(items)


def test_users_of_a_list_get_theirs_and_others_are_named(program):
    (program.folder / "users.txt").write_text("130\nnobody\n9000\n101\n")
    everyone = recommended(program, "--model", "model", "-k", 3)
    result = program.run("recommend", "--model", "model", "-k", 3, "--users", "users.txt", "-o", "some.tsv")
    lines = (program.folder / "some.tsv").read_text().splitlines()[1:]
    assert [line.split("\t")[0] for line in lines] == ["130"] * 3 + ["101"] * 3
    assert [line.split("\t")[2] for line in lines] == [item for user in ("130", "101") for _, item in everyone[user]]
    assert "1 users get nothing, since they are not in the model: 'nobody'" in result.stderr
    assert "1 users get nothing, since they have no training rating: '9000'" in result.stderr


def test_ids_of_a_list_may_stand_in_quotes(program):
    lists = {"plain": "130\n101\n", "quoted": '"130"\n "101"\n'}
    for name, ids in lists.items():
        (program.folder / f"{name}.txt").write_text(ids)
        program.run("recommend", "--model", "model", "--users", f"{name}.txt", "-k", 3, "-o", f"{name}.tsv")
    assert (program.folder / "quoted.tsv").read_text() == (program.folder / "plain.tsv").read_text()


@pytest.mark.parametrize("k", [3, 1000])
@pytest.mark.parametrize("users", [["130", "nobody", "9000", "101", "9000"], None])
def test_an_array_has_the_recommendations_of_the_lines(program, k, users):
    asked = ["--model", "model", "--seen", "train.csv", "-k", k]
    names = [(program.folder / "model" / f"{side}.txt").read_text().split() for side in ("users", "items")]
    if users:
        (program.folder / "asked.txt").write_text("\n".join(users))
        asked += ["--users", "asked.txt"]
    program.run("recommend", *asked, "-o", "top", "--to", "npy")
    array = numpy.load(program.folder / "top")
    assert array.shape == (len(users or names[0]),)
    assert [names[0][row] if row >= 0 else "nobody" for row in array["user"]] == (users or names[0])
    lines = recommended(program, *asked)
    for user, items, scores in zip(users or names[0], array["item"], array["score"], strict=True):
        expected = lines.get(user, [])
        count = len(expected)
        assert [(score, names[1][item]) for item, score in zip(items[:count], scores[:count], strict=True)] == [
            (numpy.float32(score), item) for score, item in expected
        ]
        assert (items[count:] == -1).all() and (scores[count:] == -numpy.inf).all()


def cosines(matrix):
    """Of rows with each other; a row of zeros has none."""
    lengths = numpy.linalg.norm(matrix, axis=1, keepdims=True)
    unit = numpy.divide(matrix, lengths, out=numpy.zeros_like(matrix), where=lengths > 0)
    return unit @ unit.T, lengths[:, 0] > 0


@pytest.mark.parametrize("of", ["items", "users"])
def test_similar_rows_have_the_largest_cosines(program, of):
    oracle = Oracle(program.folder / "model")
    ids, matrix = (oracle.items, oracle.theta) if of == "items" else (oracle.users, oracle.x)
    expected, known = cosines(matrix)
    header, *lines = program.run("similar", "--model", "model", "--of", of, "-k", 5).stdout.splitlines()
    assert header.split("\t") == [of[:-1], "rank", "similar", "cosine"]
    found = {}
    for line in lines:
        row, rank, other, cosine = line.split("\t")
        found.setdefault(row, []).append((other, float(cosine)))
        assert int(rank) == len(found[row])
    assert list(found) == [name for name, has in zip(ids, known, strict=True) if has]
    for name, answers in found.items():
        row = expected[ids.index(name)]
        others = sorted((row[i] for i in range(len(ids)) if known[i] and ids[i] != name), reverse=True)
        numpy.testing.assert_allclose([cosine for _, cosine in answers], others[:5], atol=1e-5)
        numpy.testing.assert_allclose([row[ids.index(other)] for other, _ in answers], others[:5], atol=1e-5)
        assert name not in [other for other, _ in answers] and len(set(answers)) == 5


def test_similar_says_of_items_rated_0_alone_that_their_factors_are_zero(program):
    (program.folder / "zeros.csv").write_text("u,a,4\nu,b,2\nu,z,0\nv,a,1\nv,b,5\nv,z,0\n")
    train = ["train", "--data", "zeros.csv", "--test-fraction", 0, "--rank", 2, "-d", "cpu"]
    program.run(*train, "--pipeline", "exact", "--out", "of-zeros")
    result = program.run("similar", "--model", "of-zeros", "-k", 1)
    assert "1 items get nothing, since their factors are zero: 'z'" in result.stderr
    assert [line.split("\t")[0] for line in result.stdout.splitlines()[1:]] == ["a", "b"]


def test_similar_takes_a_list_of_ids_and_writes_an_array(program):
    (program.folder / "some.txt").write_text("14\nnowhere\n7\n")
    asked = ["similar", "--model", "model", "--ids", "some.txt", "-k", 2]
    result = program.run(*asked, "-o", "similar.npy")
    assert "1 items get nothing, since they are not in the model: 'nowhere'" in result.stderr
    array = numpy.load(program.folder / "similar.npy")
    ids = (program.folder / "model" / "items.txt").read_text().split()
    lines = [line.split("\t") for line in program.run(*asked).stdout.splitlines()[1:]]
    assert [line[0] for line in lines] == ["14", "14", "7", "7"]
    assert [ids[row] if row >= 0 else "nowhere" for row in array["item"]] == ["14", "nowhere", "7"]
    assert [[ids[i] for i in row] for row in array["similar"][[0, 2]]] == [
        [lines[0][2], lines[1][2]],
        [lines[2][2], lines[3][2]],
    ]
    assert (array["similar"][1] == -1).all() and (array["cosine"][1] == -numpy.inf).all()


def test_equal_scores_are_in_the_order_of_the_rows(program, copy):
    """Factors that are small integers, so scores are exact."""
    record = read_json(copy / "record.json")
    generator = numpy.random.default_rng(1)
    items = record["data"]["items"]
    x, theta = (generator.integers(-2, 3, (rows, RANK)) for rows in (record["data"]["users"], items))
    numpy.save(copy / "x.npy", x.astype(numpy.float32))
    numpy.save(copy / "theta.npy", theta.astype(numpy.float32))
    for proof in record["files"]:
        content = (copy / proof["name"]).read_bytes()
        proof |= {"bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}
    write_json(copy / "record.json", record)
    users, names = ((copy / f"{side}.txt").read_text().split() for side in ("users", "items"))
    ties = 0
    for user, found in recommended(program, "--model", "copy", "-k", 9).items():
        scores = theta @ x[users.index(user)]
        order = [item for item in sorted(range(items), key=lambda i: (-scores[i], i)) if theta[item].any()]
        assert [item for _, item in found] == [names[item] for item in order[:9]]
        ties += len({score for score, _ in found}) < len(found)
    assert ties > 10


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
