# SPDX-License-Identifier: Apache-2.0
"""Files that could be misread in silence: refused, warned of, or read as they were meant."""

import json

import pytest

from conftest import read_json, write_json

TRAIN = ["--rank", "2", "--iterations", "2", "--device", "cpu", "--no-tuned", "--test-fraction", "0"]
SALES = "shop_id,shop_name,seen_at,mark,buyer_id\n" + "".join(
    f"{shop},s,17,{1 + (shop + buyer) % 5},{buyer}\n" for shop in range(4) for buyer in range(5)
)
CHOICE = ["--columns", "user=buyer_id,item=shop_id,rating=mark"]


@pytest.fixture
def folder(program, tmp_path, monkeypatch):
    monkeypatch.setattr(program, "folder", tmp_path)
    (tmp_path / "sales.csv").write_text(SALES)
    return tmp_path


def model_of(program, folder, text, name="r.csv"):
    """A model of the ratings in `text`, in the folder "model"."""
    (folder / name).write_text(text)
    program.run("train", "--data", name, *TRAIN, "--out", "model")


@pytest.mark.parametrize(
    "command",
    [
        ("data", "info"),
        ("data", "convert", "-o", "x.npz"),
        ("data", "split", "-o", "x.csv"),
        ("train", "--rank", "2", "--device", "cpu"),
        ("tune", "stage", "bias", "--rank", "2", "--device", "cpu"),
        ("best", "--rank", "2", "--device", "cpu"),
    ],
)
def test_a_header_without_known_names_lists_its_columns(program, folder, command):
    error = program.run(*command, "--data", "sales.csv", code=2).stderr
    assert "sales.csv:1: the header" in error
    assert "1 'shop_id', 2 'shop_name', 3 'seen_at', 4 'mark', 5 'buyer_id'" in error
    assert "--columns user=..,item=..,rating=..,time=.." in error
    assert {path.name for path in folder.iterdir()} - {"cache"} == {"sales.csv"}


def test_the_separator_of_csv_is_named_where_it_is_no_comma(program):
    for separator in ";|":
        lines = [["user", "item", "rating"], ["1", "2", "3"], ["2", "2", "5"]]
        (program.folder / "other.csv").write_text("".join(f"{separator.join(line)}\n" for line in lines))
        info = program.run("data", "info", "other.csv", "--json")
        assert json.loads(info.stdout)["train_ratings"] == 2
        assert f"rating 'rating'; fields end at '{separator}'" in info.stderr


def test_info_shows_how_a_file_is_read_and_its_first_ratings(program):
    lines = ["when;uid;sku;mark", "7;1;a;3", "9;2;b;5", "8;1;007;4.5", "8;2;c;1"]
    (program.folder / "first.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    columns = ["--columns", "user=uid,item=sku,rating=mark,time=when"]
    said = program.run("data", "info", "first.csv", *columns).stderr.splitlines()
    reading = "first.csv: read as csv: user 'uid', item 'sku', rating 'mark', time 'when'; fields end at ';'"
    assert said[0] == f"{reading}; ids of users are numbers, of items texts"
    assert [line.split() for line in said[1:5]] == [
        ["user", "item", "rating", "time"],
        ["1", "a", "3", "7"],
        ["2", "b", "5", "9"],
        ["1", "007", "4.5", "8"],
    ]


def test_a_split_that_leaves_most_test_ratings_unknown_is_told(program):
    lines = [f"{user},{item},3,{10 * user + (user + item) % 10}\n" for user in range(10) for item in range(10)]
    (program.folder / "cohorts.csv").write_text("".join(lines), encoding="utf-8")
    words = ["data", "split", "cohorts.csv", "--test-fraction", "0.2", "-o", "old.tsv", "--test-out", "new.tsv"]
    said = program.run(*words, "--by", "time").stderr
    assert "2 of 2 test users" in said and "20 of 20 test ratings are not learnt" in said and "--by user-time" in said
    assert "not learnt" not in program.run(*words, "--by", "user-time").stderr


def test_columns_are_chosen_in_every_command(program, folder):
    info = program.run("data", "info", "sales.csv", *CHOICE, "--json")
    summary = json.loads(info.stdout)
    assert (summary["users"], summary["items"], summary["train_ratings"]) == (5, 4, 20)
    assert "sales.csv: read as csv: user 'buyer_id', item 'shop_id', rating 'mark'" in info.stderr
    trained = program.run("train", "--data", "sales.csv", *CHOICE, *TRAIN, "--out", "model")
    assert "read as csv: user 'buyer_id', item 'shop_id', rating 'mark'" in trained.stderr
    assert (folder / "model" / "users.txt").read_text().split() == ["0", "1", "2", "3", "4"]
    both = ["--test", "sales.csv", "--train", "sales.csv", *CHOICE]
    assert "test_ratings 20" in program.run("evaluate", "--model", "model", *both).stdout
    again = ["--data", "sales.csv", *CHOICE]
    assert "test_ratings 2\n" in program.run("evaluate", "--model", "model", *again).stdout
    top = program.run("recommend", "--model", "model", "--seen", "sales.csv", *CHOICE).stdout
    assert top == "user\trank\titem\tscore\n"  # everything is seen
    pairs = program.run(
        "predict", "--model", "model", "--pairs", "sales.csv", *CHOICE[:1], "user=buyer_id,item=shop_id"
    )
    assert len(pairs.stdout.splitlines()) == 21
    shape = program.json("best", *again, "--test-fraction", "0", "--rank", "4", "--device", "cpu", "--json")["picks"][
        0
    ]["shape"]
    assert sorted((shape["rows"], shape["cols"])) == [4, 5]


def test_a_suite_chooses_columns(program, folder):
    suite = {
        "name": "sales",
        "description": "Columns of one's own.",
        "problems": [{"path": "sales.csv", "columns": CHOICE[1], "rank": 2, "test_fraction": 0}],
        "measure": [{"stage": "bias", "variant": "rows", "backend": "cpu", "cache": "hot"}],
        "sampling": {"min_samples": 1, "max_samples": 1, "max_noise": 0, "max_seconds": 20},
    }
    write_json(folder / "sales.json", suite)
    program.run("run", "sales.json", "--device", "cpu", "--json", "run.json", "-q")
    problem = next(c["problem"] for c in read_json(folder / "run.json")["cases"] if c["role"] == "case")
    assert problem["reading"]["columns"] == CHOICE[1] and problem["data"]["train_ratings"] == 20
    named = ["--data", "sales.csv", *CHOICE, "--test-fraction", "0"]
    program.run("run", "sales.json", *named, "--device", "cpu", "--json", "named.json", "-q")
    for columns, said in (("user", "the user has no column"), ("shop=1", "'shop' is none of user")):
        suite["problems"][0]["columns"] = columns
        write_json(folder / "sales.json", suite)
        assert f"/problems/0/columns: columns '{columns}': {said}" in program.run("run", "sales.json", code=2).stderr


@pytest.mark.parametrize("command", [("data", "info"), ("train",), ("predict", "--model", "m")])
def test_a_choice_that_is_none_is_refused(program, folder, command):
    wrong = [*command, "--pairs" if "predict" in command else "--data", "sales.csv", "--columns", "user=1,user=2"]
    assert "the user is named twice; give a name of the header or a number" in program.run(*wrong, code=2).stderr


def test_lists_of_items_are_ratings_of_one(program, folder):
    (folder / "train.txt").write_text("0 5 9 2\n1 4 8\n2 3 7 6 1\n3\n")
    info = program.run("data", "info", "train.txt", "--json")
    summary = json.loads(info.stdout)
    assert (summary["users"], summary["train_ratings"], summary["mean"]) == (3, 9, 1)
    assert "train.txt: read as adjacency: a user and items a line, each rated 1" in info.stderr
    assert "the first line has 4" in program.run("data", "info", "train.txt", "--format", "libmf", code=2).stderr
    assert "choose" in program.run("data", "convert", "train.txt", "-o", "x", "--to", "adjacency", code=2).stderr


def test_doubts_are_told(program, folder):
    (folder / "lone.csv").write_text("7,1,5\n8,1,4\n9,2,3\n")
    (folder / "anime.csv").write_text("user,anime,rating\n1,1,-1\n1,2,10\n2,1,7\n2,3,8\n3,1,-1\n3,3,6\n")
    for name, said in (
        ("lone.csv", "each of the 3 users has one rating: is the user column right? --columns says which it is"),
        (
            "anime.csv",
            "2 ratings are -1, and all others lie from 6 to 10: if -1 stands for no rating, remove the lines",
        ),
    ):
        info = program.run("data", "info", name, "--json")
        assert f"alsbench: warning: {name}: " in info.stderr and said in info.stderr
        assert [said in warning for warning in json.loads(info.stdout)["warnings"]] == [True]
        assert said in program.run("train", "--data", name, *TRAIN).stderr
        assert said in program.run("data", "convert", name, "-o", "x.npz", "-q").stderr
    assert program.json("data", "info", "--dataset", "ml-100k", "--scale", "0.01", "--json")["warnings"] == []


def test_numbers_with_a_fraction_of_zero_are_ids_of_the_model(program, folder):
    cells = [(user, item) for user in range(1, 5) for item in range(1, 5) if user != item]
    model_of(program, folder, "".join(f"{u},{i},{1 + (u + i) % 5}\n" for u, i in cells))
    (folder / "floats.csv").write_text("".join(f"{u}.0,{i}.0,{1 + (u + i) % 5}\n" for u, i in cells))
    plain, floats = (["--test", name, "--train", "r.csv"] for name in ("r.csv", "floats.csv"))
    evaluated = [program.run("evaluate", "--model", "model", *options).stdout for options in (plain, floats)]
    assert evaluated[0] == evaluated[1] and "unknown_users 0\nunknown_items 0" in evaluated[1]
    top = [program.run("recommend", "--model", "model", "--seen", name).stdout for name in ("r.csv", "floats.csv")]
    assert top[0] == top[1] and len(top[0].splitlines()) == 5  # all but the one item each user has not seen
    (folder / "pairs.csv").write_text("1.0,1.0\n")
    assert program.run("predict", "--model", "model", "--pairs", "pairs.csv").stdout.splitlines()[1].endswith("\tno")
    trained = program.run("train", "--data", "r.csv", "--test", "floats.csv", *TRAIN[:-2])
    assert "4 users, 4 items, 12 training and 12 test ratings" in trained.stderr


def test_leading_zeros_come_out_as_they_went_in(program, folder):
    model_of(program, folder, "0041,007,5\n0041,008,3\n0042,007,4\n0042,009,1\n")
    assert (folder / "model" / "items.txt").read_text() == "007\n008\n009\n"
    program.run("data", "convert", "r.csv", "-o", "x.dat", "-q")
    assert (folder / "x.dat").read_text().startswith("0041::007::5\n")
    top = program.run("recommend", "--model", "model", "--seen", "r.csv", "-k", "1").stdout
    assert [line.split("\t")[::2] for line in top.splitlines()[1:]] == [["0041", "009"], ["0042", "008"]]


def test_files_of_other_ids_are_warned_of_or_refused(program, folder):
    model_of(program, folder, "a,x,5\nb,y,3\na,y,4\nb,z,1\n")
    (folder / "half.csv").write_text("a,x,5\nnew,y,4\n")
    (folder / "none.csv").write_text("1,x,5\n2,y,4\n")
    pairs = {"half.csv": "a,x\nnew,y\n", "none.csv": "1,x\n2,y\n"}
    for arguments in (
        ["evaluate", "--test", "{}"],
        ["evaluate", "--test", "r.csv", "--train", "{}"],
        ["recommend", "--seen", "{}"],
        ["predict", "--pairs", "{}"],
    ):
        for name in ("half.csv", "none.csv"):
            if "--pairs" in arguments:
                (folder / name).write_text(pairs[name])
            words = [word.format(name) for word in arguments]
            result = program.run(*words, "--model", "model", code=2 if name == "none.csv" else 0)
            if name == "half.csv":
                assert "alsbench: warning: half.csv: 1 of its 2 users are not in the model" in result.stderr
            else:
                assert "none.csv: none of its 2 users is in the model" in result.stderr and result.stdout == ""


def test_a_test_file_of_other_ids_is_warned_of_or_refused(program, folder):
    (folder / "r.csv").write_text("a,x,5\nb,y,3\na,y,4\nb,z,1\n")
    (folder / "half.csv").write_text("a,z,5\nnew,y,4\n")
    (folder / "none.csv").write_text("1,x,5\n2,y,4\n")
    options = ["--data", "r.csv", *TRAIN[:-2]]
    said = "1 of 2 test users and 0 of 2 test items have no training rating"
    assert said in program.run("train", *options, "--test", "half.csv").stderr
    error = program.run("train", *options, "--test", "none.csv", "--out", "m", code=2).stderr
    assert "none.csv: none of its 2 ratings has a user and an item that r.csv rates" in error
    assert not (folder / "m").exists()


def test_rankings_without_relevant_items_are_none(program, folder):
    model_of(program, folder, "a,x,5\nb,y,3\na,y,4\nb,z,1\n")
    (folder / "test.csv").write_text("a,z,5\nb,x,4\n")
    arguments = ["--model", "model", "--test", "test.csv", "--train", "r.csv", "-k", "2", "--relevant", "6"]
    result = program.run("evaluate", *arguments)
    assert "precision@2 none\nrecall@2 none\nndcg@2 none\nmap@2 none\nranked_users 0\n" in result.stdout
    assert "no user is ranked: no test rating is 6 or more; the highest is 5" in result.stderr
    assert program.json("evaluate", *arguments, "--json")["ranking"]["ndcg"] is None
    all_seen = program.run("evaluate", *[word.replace("test.csv", "r.csv") for word in arguments[:-2]])
    assert "no user is ranked: all relevant test ratings are of cells in the training ratings" in all_seen.stderr


EVENTS = "timestamp,visitorid,event,itemid\n" + "".join(
    f"17{user}{item},{user},{('view', 'addtocart', 'transaction')[(user + item) % 3]},{item}\n"
    for user in range(4)
    for item in range(5)
)
WEIGHTS = ["--columns", "rating=event", "--values", "view=1,addtocart=5,transaction=20"]


@pytest.mark.parametrize(
    ("text", "remedies"),
    [
        (EVENTS, ["--values addtocart=1,transaction=2,view=3, or --columns rating=none"]),
        (
            "a\t1\tthe artist\t5\nb\t2\tother\t7\n",
            ["--columns rating=4, whose fields are numbers", "--values 'other=1,"],
        ),
        ("user,item,rating\n1,2,good\n1,3,4\n", ["correct or remove the line"]),  # one line is wrong
    ],
)
def test_ratings_that_are_names_have_remedies(program, folder, text, remedies):
    (folder / "names.txt").write_text(text)
    choice = ["--columns", "rating=event"] if text is EVENTS else []
    error = program.run("data", "info", "names.txt", *choice, code=2).stderr
    assert "is not a finite number" in error
    for remedy in remedies:
        assert remedy in error


def test_names_have_values_in_every_command(program, folder):
    (folder / "events.csv").write_text(EVENTS)
    program.run("data", "convert", "events.csv", *WEIGHTS, "-o", "weights.csv")
    lines = (folder / "weights.csv").read_text().splitlines()
    assert [line.split(",")[2] for line in lines if line.startswith("0,")] == ["1", "5", "20", "1", "5"]
    program.run("data", "split", "events.csv", *WEIGHTS, "-o", "train.csv")
    assert (folder / "train.test.csv").exists()
    program.run("train", "--data", "events.csv", *WEIGHTS, *TRAIN, "--out", "model")
    for words in (
        ["evaluate", "--test", "events.csv"],
        ["evaluate", "--data", "events.csv"],
        ["recommend", "--seen", "events.csv", "-k", "1"],
        ["fold-in", "--data", "events.csv", "--out", "folded"],
    ):
        program.run(*words, "--model", "model", *WEIGHTS)
    suite = {
        "name": "events",
        "description": "Values of names.",
        "problems": [{"path": "events.csv", "columns": WEIGHTS[1], "values": WEIGHTS[3], "rank": 2}],
        "measure": [{"stage": "bias", "variant": "rows", "backend": "cpu", "cache": "hot"}],
        "sampling": {"min_samples": 1, "max_samples": 1, "max_noise": 0, "max_seconds": 20},
    }
    write_json(folder / "events.json", suite)
    program.run("run", "events.json", "--device", "cpu", "--json", "run.json", "-q")
    problem = next(c["problem"] for c in read_json(folder / "run.json")["cases"] if c["role"] == "case")
    assert problem["reading"]["values"] == WEIGHTS[3]


def test_a_name_without_a_value_is_refused_and_none_leaves_lines_out(program, folder):
    (folder / "events.csv").write_text(EVENTS)
    words = ["data", "convert", "events.csv", "-o", "some.csv", "--columns", "rating=event", "--values"]
    error = program.run(*words, "view=1,addtocart=5", code=2).stderr
    assert "events.csv:4: rating 'transaction' is none of view, addtocart" in error
    assert "transaction=none" in error and not (folder / "some.csv").exists()
    said = program.run(*words, "view=none,addtocart=5,transaction=2").stderr
    assert "events.csv: 7 lines of 'view' are left out" in said
    info = ["data", "info", "events.csv", "--duplicates", "sum", "--columns", "rating=event", "--values"]
    for _ in range(2):  # of the file, and of the cache
        line = program.run(*info, "view=none,addtocart=5,transaction=2").stderr.splitlines()[0]
        assert line.startswith(
            "events.csv: read as csv: user 'visitorid', item 'itemid', rating 'event', time 'timestamp'"
        )
        assert line.endswith(
            "; ids of users are numbers, of items numbers; 7 lines of 'view' are left out, as --values says"
        )
    assert len((folder / "some.csv").read_text().splitlines()) == 14  # with the header
    for values in ("view", "=1", "view=x", "view=1,view=2"):
        assert "values" in program.run(*words, values, code=2).stderr
    program.run("data", "convert", "some.csv", "-o", "some.npz")
    assert "--values" in program.run("data", "info", "some.npz", "--values", "view=1", code=2).stderr


def test_names_without_a_header_are_no_header(program, folder):
    (folder / "plain.csv").write_text("ann,lamp,like\nbob,lamp,like\nbob,desk,love\n")
    said = program.run("data", "info", "plain.csv", "--values", "like=1,love=3", "--json").stdout
    assert json.loads(said)["train_ratings"] == 3


def test_blanks_may_separate_a_header_and_text_ids(program, folder):
    (folder / "blanks.txt").write_text("user item rating\nann 3 4\nann lamp 2\nbob lamp 5\n")
    said = program.run("data", "info", "blanks.txt").stderr
    assert "read as libmf: user 'user', item 'item', rating 'rating'" in said
    assert "ids of users are texts, of items texts" in said
    program.run("train", "--data", "blanks.txt", *TRAIN, "--out", "model")
    (folder / "pairs.txt").write_text("ann 3\nbob lamp\n")
    lines = program.run("predict", "--model", "model", "--pairs", "pairs.txt").stdout.splitlines()
    assert [line.split("\t")[:2] for line in lines[1:]] == [["ann", "3"], ["bob", "lamp"]]


def test_info_shows_ratings_of_formats_without_columns(program, folder):
    (folder / "lists.txt").write_text("0 5 9\n1 4\n")
    (folder / "r.csv").write_text("0,0,3\n1,0,2.5\n")
    for name in ("r.npz", "r.mtx", "r.alsset"):
        program.run("data", "convert", "r.csv", "-o", name)
    program.run("data", "convert", "r.csv", "-o", "r.cumf", "--to", "cumf")
    (folder / "mv_1.txt").write_text("7:\n3,5,2005-09-06\n")
    (folder / "kdd.txt").write_text("5|1\n100\t90\n")
    for name, reading, rating in (
        ("lists.txt", "adjacency: a user and items a line, each rated 1; fields end at blanks", ["0", "5", "1"]),
        ("r.npz", "npz: a binary matrix with indices from 0", ["0", "0", "3"]),
        ("r.cumf", "cumf: a binary matrix with indices from 0", ["0", "0", "3"]),
        ("r.mtx", "matrix-market: user, item and rating as indices from 1; fields end at blanks", ["1", "1", "3"]),
        ("r.alsset", "alsset: a whole set with its ids", ["0", "0", "3"]),
        ("mv_1.txt", "netflix: lines of 'movie:', then user, rating and date; fields end at ','", ["3", "7", "5"]),
        ("kdd.txt", "kddcup: lines of 'user|count', then item and rating; fields end at tabs", ["5", "100", "90"]),
    ):
        said = program.run("data", "info", name).stderr.splitlines()
        assert said[0] == f"{name}: read as {reading}; ids of users are numbers, of items numbers"
        assert [said[1].split(), said[2].split()] == [["user", "item", "rating"], rating]


def test_train_and_evaluate_match_the_same_ids(program, folder):
    (folder / "numbers.csv").write_text("1,2,5\n1,3,4\n2,2,3\n2,3,1\n")
    (folder / "texts.csv").write_text("2.0,2,5\nx,2,4\n")
    words = ["--rank", "2", "--iterations", "1", "-d", "cpu", "--out", "mixed", "-q"]
    program.run("train", "--data", "numbers.csv", "--test", "texts.csv", *words)
    assert (folder / "mixed" / "users.txt").read_text() == "1\n2\nx\n"
    said = json.loads(program.run("evaluate", "--model", "mixed", "--test", "texts.csv", "--json").stdout)
    assert said["test"]["cold"] == 1 and said["test"]["unknown_users"] == 0


def test_convert_counts_the_columns_that_it_leaves(program, folder):
    (folder / "more.txt").write_text("1 2 3 100\n1 3 4 200\n2 3 4 200\n")
    said = program.run("data", "convert", "more.txt", "-o", "out.csv").stderr
    assert said.startswith("more.txt: 1 of 4 columns is not read\n")
    (folder / "more.csv").write_text("1,2,3,100\n1,3,4,200\n2,3,4,200\n")
    assert "not read" not in program.run("data", "convert", "more.csv", "-o", "out.csv").stderr
    assert "not read" not in program.run("data", "convert", "more.csv", "-o", "out.npz").stderr


def test_the_separator_is_named(program, folder):
    for text, separator in (("1\t2\t3\n", "tabs"), ("1::2::3\n", "'::'"), ("1 2 3\n", "blanks"), ("1,2,3\n", "','")):
        (folder / "r.txt").write_text(text)
        said = program.run("data", "info", "r.txt").stderr
        assert f": user 1, item 2, rating 3; fields end at {separator}; ids of users are numbers" in said


def test_a_nul_byte_is_reported_with_its_line(program, folder):
    (folder / "nul.csv").write_bytes(b"1,2,3\n2,2,3\n3,\0,4\n4,2,1\n")
    error = program.run("data", "info", "nul.csv", code=2).stderr
    assert r"nul.csv:3: '3,\x00,4' is binary, not text" in error


def test_ids_that_are_not_written_are_noted(program, folder):
    (folder / "texts.csv").write_text("5b-1,lamp,3\n5b-2,lamp,3\n")
    (folder / "numbers.csv").write_text("0,0,3\n1,0,3\n")
    (folder / "indices.csv").write_text("1,1,3\n2,1,3\n")
    for name, ending, lost in (
        ("texts", "npz", True),
        ("texts", "mtx", True),
        ("texts", "txt", True),
        ("texts", "tsv", False),
        ("texts", "alsset", False),
        ("numbers", "npz", False),
        ("numbers", "mtx", True),
        ("indices", "npz", True),
        ("indices", "mtx", False),
    ):
        said = program.run("data", "convert", f"{name}.csv", "-o", f"x.{ending}").stderr
        assert (f"{name}.csv: its ids are left out: " in said) == lost, (name, ending)
    assert program.run("data", "convert", "texts.csv", "-o", "x.npz", "-q").stderr.count("left out") == 0
