# SPDX-License-Identifier: Apache-2.0
"""Lists that a model answers: recommendations, what is similar, and the reasons for a score; against numpy in double."""

import csv
import hashlib
import re

import numpy
import pytest

from conftest import read_json, write_json
from models_oracle import RANK, TRAIN, Oracle, by_user, predicted, ratings, recommended, text

pytest_plugins = ["models_oracle"]


@pytest.fixture(scope="module")
def program(trained_program):
    return trained_program


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


@pytest.mark.parametrize("quoted", ["user", "item"])
def test_an_id_that_tsv_cannot_hold_is_in_csv(program, quoted):
    """One that begins with a quote: `data convert` refuses it, and nothing could read it from the lines."""
    ids = {"user": ["a", "b", "c"], "item": ["x", "y", "z"]}
    ids[quoted][1] = '"quoted'
    with (program.folder / "quoted.csv").open("w", newline="") as file:
        csv.writer(file).writerows((user, item, 1 + i) for i, user in enumerate(ids["user"]) for item in ids["item"])
    program.run("train", "--data", "quoted.csv", "--test-fraction", "0", *TRAIN, "--out", "quoted-model", "-q")
    commands = {
        "recommend": [],
        "predict": ["--pairs", "quoted.csv"],
        "similar": ["--of", "users"] if quoted == "user" else [],
        "explain": ["--seen", "quoted.csv", "--user", "a", "--item", "x"],
    }
    if quoted == "user":
        del commands["explain"]  # it writes items alone
    for command, more in commands.items():
        words = [command, "--model", "quoted-model", *more]
        for out in ([], ["-o", "lists.tsv"]):
            said = program.run(*words, *out, code=2).stderr
            name = out[1] if out else "stdout"
            assert f"{name}: tsv cannot hold the id '\"quoted'; write csv, as with --to csv" in said
        assert not (program.folder / "lists.tsv").exists()
        assert '"""quoted"' in program.run(*words, "--to", "csv").stdout
    program.run("recommend", "--model", "quoted-model", "-o", "lists.csv")
    program.run("data", "convert", "lists.csv", "--columns", "rating=score", "-o", "again.csv", "-q")
    with (program.folder / "again.csv").open(newline="") as file:
        pairs = {tuple(row[:2]) for row in list(csv.reader(file))[1:]}
    assert pairs == {(user, item) for user in ids["user"] for item in ids["item"]}


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


@pytest.mark.parametrize("header", ["user", '"userId"', "\ufeffuser_id"])
def test_a_list_may_name_its_column(program, header):
    """As pandas writes one; the array has no row of the name."""
    (program.folder / "named.txt").write_text(f"# exported\n{header}\n130\n101\n", encoding="utf-8")
    said = program.run("recommend", "--model", "model", "--users", "named.txt", "-k", 3, "-o", "named.npy").stderr
    assert "not in the model" not in said
    names = (program.folder / "model" / "users.txt").read_text().split()
    assert [names[row] for row in numpy.load(program.folder / "named.npy")["user"]] == ["130", "101"]
    (program.folder / "items.txt").write_text(f"{header}\n130\n")
    said = program.run("similar", "--model", "model", "--ids", "items.txt", "-k", 3, code=2).stderr
    assert "items.txt: none of its 2 items" in said  # a user's name is no name of an item's column


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
