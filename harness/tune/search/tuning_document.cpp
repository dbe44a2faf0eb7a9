// SPDX-License-Identifier: Apache-2.0
#include "harness/tune/search/tuning_document.h"

#include "harness/record/core_codecs.h"
#include "harness/record/document.h"

namespace alsbench {

void describe(Fields<CountedStep>& fields) {
  fields.record("counted", "Hardware counters of a step, with a cold cache.");
  fields("step", &CountedStep::step);
  fields("bound", &CountedStep::bound, "null: the counters do not tell");
  fields("counters", &CountedStep::counters);
}

void describe(Fields<Budget>& fields) {
  fields.record("budget", "Limits of a search.");
  fields("evaluations", &Budget::evaluations).range(Range::Kind::from_1);
  fields("seconds", &Budget::seconds, "null: not limited").nullable();
}

void describe(Fields<TuningDocument::Replayed>& fields) {
  fields.record("replayed", "The recording that was the objective.");
  fields("journal", &TuningDocument::Replayed::journal);
  fields("provenance", &TuningDocument::Replayed::provenance, "null: of another program");
}

void describe(Fields<TuningDocument::Found>& fields) {
  fields.record("search_result", "Result of a search.");
  using F = TuningDocument::Found;
  fields.inlined(&F::result);
  fields("share_of_ceiling", &F::share_of_ceiling,
         "of the best, of its nearest ceiling; null: ceilings were not measured")
      .nullable();
  fields("counters", &F::counters, "with --counters: of the finalists, the best first").omitted();
  fields("energy", &F::energy, "with --objective energy or front").omitted();
  fields("portability", &F::portability,
         "with --also: the pick for all shapes, and what it loses on each")
      .omitted();
}

void describe(Fields<TuningDocument>& fields) {
  using D = TuningDocument;
  fields.record("",
                "Result of a search for the fastest configuration of a stage (`alsbench tune`).");
  describe_document(fields, "tuning");
  fields("provenance", &D::provenance);
  fields("replay_of", &D::replay_of, "null, or the recording that was the objective");
  fields("device", &D::device, "null, as is shape: of a recording from outside");
  fields("shape", &D::shape);
  fields("search", &D::search);
  fields("budget", &D::budget);
  fields("result", &D::result);
}

}  // namespace alsbench
