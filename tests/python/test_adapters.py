# SPDX-License-Identifier: Apache-2.0
"""alsbench's models in RecTools and LensKit, where these are installed in the versions that the adapters are for."""

import importlib.metadata
import pickle

import numpy as np
import pytest
import scipy.sparse

import alsbench

PARAMETERS = {"rank": 8, "regularization": 0.1, "iterations": 3, "device": "cpu"}


@pytest.fixture(scope="module")
def frame():
    pandas = pytest.importorskip("pandas")
    coo = alsbench.load_ratings(dataset="ml-100k", scale=0.2).matrix.tocoo()
    return pandas.DataFrame({"user_id": coo.row + 1000, "item_id": coo.col * 10, "rating": coo.data.astype(float)})


def needs(package, version):
    try:
        found = importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        pytest.skip(f"{package} is not installed: pip install {package}=={version}")
    if not found.startswith(version):
        pytest.skip(f"{package} {found} is installed, and the adapter is for {version}")


@pytest.fixture(scope="module")
def rectools(frame):
    needs("rectools", "0.19")
    from rectools import Columns
    from rectools.dataset import Dataset

    from alsbench.rectools import AlsModel

    given = frame.rename(columns={"rating": Columns.Weight}).assign(**{Columns.Datetime: "2024-01-01"})
    dataset = Dataset.construct(given)
    return AlsModel(**PARAMETERS).fit(dataset), dataset


def test_rectools_recommends_what_the_model_recommends(rectools):
    model, dataset = rectools
    users = [1003, 1010]
    found = model.recommend(users, dataset, k=5, filter_viewed=True)
    matrix = dataset.get_user_item_matrix()
    rows = dataset.user_id_map.convert_to_internal(users)
    expected, scores = model.als.model_.recommend(rows, matrix[rows], N=5)
    assert found["item_id"].tolist() == dataset.item_id_map.convert_to_external(expected.ravel()).tolist()
    np.testing.assert_allclose(found["score"], scores.ravel(), rtol=1e-5)


def test_rectools_finds_similar_items_and_candidates(rectools):
    model, dataset = rectools
    item = dataset.item_id_map.external_ids[3]
    found = model.recommend_to_items([item], dataset, k=4)
    expected, _ = model.als.model_.similar_items(3, N=5)
    assert found["item_id"].tolist() == dataset.item_id_map.convert_to_external(expected[1:]).tolist()
    candidates = dataset.item_id_map.external_ids[:6]
    among = model.recommend([1003], dataset, k=3, filter_viewed=False, items_to_recommend=candidates)
    assert set(among["item_id"]) <= set(candidates)


def test_rectools_compares_items_without_their_levels(rectools):
    from alsbench.rectools import AlsModel

    _, dataset = rectools
    model = AlsModel(**PARAMETERS, hyper={"biases": "on"}).fit(dataset)
    assert model.als.model_.biases
    found = model.recommend_to_items([dataset.item_id_map.external_ids[3]], dataset, k=4)
    expected, cosines = model.als.model_.similar_items(3, N=5)
    assert found["item_id"].tolist() == dataset.item_id_map.convert_to_external(expected[1:]).tolist()
    np.testing.assert_allclose(found["score"], cosines[1:], rtol=1e-5)


def test_a_rectools_model_has_a_configuration_and_is_saved(rectools, tmp_path):
    from alsbench.rectools import AlsModel

    model, dataset = rectools
    again = AlsModel.from_config(model.get_config(simple_types=True))
    assert again.als.get_params() == model.als.get_params()
    model.save(tmp_path / "model.pkl")
    loaded = AlsModel.load(tmp_path / "model.pkl")
    first, second = (each.recommend([1003], dataset, k=3, filter_viewed=True) for each in (model, loaded))
    assert first.equals(second)


@pytest.fixture(scope="module")
def lenskit(frame):
    needs("lenskit", "2025.8")
    from lenskit.data import from_interactions_df
    from lenskit.pipeline import topn_pipeline

    from alsbench.lenskit import AlsScorer

    pipeline = topn_pipeline(AlsScorer(**PARAMETERS))
    data = from_interactions_df(frame)
    pipeline.train(data)
    return pipeline, data


def test_lenskit_recommends_what_the_model_recommends(lenskit):
    import lenskit as lk

    pipeline, data = lenskit[0], lenskit[1]
    scorer = pipeline.node("scorer").component
    found = lk.recommend(pipeline, 1003, 5)
    row = scorer.users.number(1003)
    matrix = data.interactions().matrix().scipy("rating")
    expected, scores = scorer.model.recommend(row, matrix[[row]], N=5)
    assert list(found.ids()) == list(scorer.items.ids(expected))
    np.testing.assert_allclose(found.scores(), scores, rtol=1e-5)


def test_lenskit_folds_in_a_new_user(lenskit):
    from lenskit.data import ItemList, RecQuery

    pipeline, _ = lenskit
    scorer = pipeline.node("scorer").component
    liked = ItemList([30, 10, 500], rating=[5.0, 4.0, 1.0])
    items = ItemList([70, 999999, 200])
    scored = scorer(RecQuery(history_items=liked), items).scores()
    places = scorer.items.numbers([30, 10, 500])
    row = np.zeros((1, len(scorer.items)), np.float32)
    row[0, places] = [5, 4, 1]
    factors = scorer.model.fold_in(scipy.sparse.csr_array(row))[0]
    expected = scorer.model.item_factors[scorer.items.numbers([70, 200])] @ factors
    np.testing.assert_allclose(scored[[0, 2]], expected, rtol=1e-5)
    assert np.isnan(scored[1]) and np.isnan(scorer(RecQuery(user_id=-5), items).scores()).all()


def test_lenskit_takes_an_item_without_a_rating_for_no_opinion(lenskit):
    """Neither for one of 1, the worst: LensKit joins lists some of which have ratings, with NaN in the others."""
    from lenskit.data import ItemList, RecQuery

    scorer = lenskit[0].node("scorer").component
    assert scorer.model.feedback == "explicit"
    items = ItemList([70, 200])
    alone, joined, unrated = (
        scorer(RecQuery(history_items=history), items).scores()
        for history in (
            ItemList([30, 10], rating=[5.0, 4.0]),
            ItemList([30, 500, 10], rating=[5.0, np.nan, 4.0]),
            ItemList([30, 10]),
        )
    )
    np.testing.assert_array_equal(joined, alone)
    assert np.isnan(unrated).all()


def test_a_lenskit_scorer_is_pickled(lenskit):
    from lenskit.data import ItemList

    scorer = lenskit[0].node("scorer").component
    items = ItemList([70, 200])
    np.testing.assert_array_equal(
        pickle.loads(pickle.dumps(scorer))(1003, items).scores(), scorer(1003, items).scores()
    )
