// SPDX-License-Identifier: Apache-2.0
#include "harness/model/evaluation_document.h"

#include "harness/record/document.h"

namespace alsbench {

void describe(Fields<EvaluationDocument::Trained>& fields) {
  using T = EvaluationDocument::Trained;
  fields.record("model", "The model.");
  fields("data", &T::data, "what it was trained on, as its record calls it");
  fields("feedback", &T::feedback, "explicit or implicit");
  fields("rank", &T::rank).range(Range::Kind::from_1);
}

void describe(Fields<EvaluationDocument::Test>& fields) {
  using T = EvaluationDocument::Test;
  using Kind = Range::Kind;
  fields.record("test", "The test ratings.");
  fields("ratings", &T::ratings).range(Kind::from_1);
  fields("cold", &T::cold, "whose user or item has no training rating").range(Kind::from_0);
  fields("unknown_users", &T::unknown_users, "that the model does not know").range(Kind::from_0);
  fields("unknown_items", &T::unknown_items).range(Kind::from_0);
}

void describe(Fields<EvaluationDocument::Ranked>& fields) {
  using R = EvaluationDocument::Ranked;
  using Kind = Range::Kind;
  fields.record("ranking", "Means over the users; null without any.");
  fields("k", &R::k).range(Kind::from_1);
  fields("relevant_from", &R::relevant_from,
         "--relevant; null: all, of implicit feedback those above 0");
  fields("users", &R::users, "that the means are over").range(Kind::from_0);
  fields("cold_users", &R::cold_users, "with relevant items but without training ratings: left out")
      .range(Kind::from_0);
  fields("seen_relevant", &R::seen_relevant,
         "relevant test ratings of cells in the training ratings: left out")
      .range(Kind::from_0);
  fields("precision", &R::precision).range(Kind::share).nullable();
  fields("recall", &R::recall).range(Kind::share).nullable();
  fields("ndcg", &R::ndcg).range(Kind::share).nullable();
  fields("map", &R::map).range(Kind::share).nullable();
}

void describe(Fields<EvaluationDocument>& fields) {
  using D = EvaluationDocument;
  fields.record("", "A model held against test ratings (`alsbench evaluate`).");
  describe_document(fields, "evaluation");
  fields("model", &D::model);
  fields("test", &D::test);
  fields("rmse", &D::rmse, "null of implicit feedback").nullable();
  fields("mae", &D::mae, "null of implicit feedback").nullable();
  fields("ranking", &D::ranking, "null without --train");
}

}  // namespace alsbench
