// SPDX-License-Identifier: Apache-2.0
#include "harness/record/case_record.h"

#include "harness/record/core_codecs.h"

namespace alsbench {
namespace {

std::optional<int> registers_of(const CaseRecord& record) {
  if (record.kernels.empty()) return std::nullopt;
  return record.kernels.front().report.registers;
}

}  // namespace

void describe(Fields<DataRecord>& fields) {
  fields.record("data", "The ratings that a problem came to.");
  fields("id", &DataRecord::id);
  fields("content_hash", &DataRecord::content_hash);
  fields("users", &DataRecord::users).range(Range::Kind::from_0);
  fields("items", &DataRecord::items).range(Range::Kind::from_0);
  fields("train_ratings", &DataRecord::train_ratings).range(Range::Kind::from_0);
  fields("test_ratings", &DataRecord::test_ratings).range(Range::Kind::from_0);
  fields("empty_users", &DataRecord::empty_users, "without a rating").range(Range::Kind::from_0);
  fields("empty_items", &DataRecord::empty_items, "without a rating").range(Range::Kind::from_0);
}

void describe(Fields<ProblemRecord>& fields) {
  fields.record("problem", "The ratings as they were asked for.");
  fields("name", &ProblemRecord::name).key_column("problem");
  fields("dataset", &ProblemRecord::dataset, "a generator; null of a file").nullable();
  fields("path", &ProblemRecord::path, "a file or folder; null of a generator").nullable();
  fields("scale", &ProblemRecord::scale, "of the generator's shape");
  fields("seed", &ProblemRecord::seed);
  fields("rank", &ProblemRecord::rank).range(Range::Kind::from_0).key_column();
  fields("lambda", &ProblemRecord::lambda).range(Range::Kind::from_0).key_column();
  fields("reading", &ProblemRecord::reading,
         "how the file was read where that is not the usual way: members of a data request")
      .omitted();
  fields("data", &ProblemRecord::data, "null where it was not loaded");
}

void describe(Fields<KernelRecord>& fields) {
  fields.record("kernel", "A kernel that the variant launches: its resources and its launch.");
  fields.inlined(&KernelRecord::report);
  fields("seconds", &KernelRecord::seconds, "of one of several kernels, with a hot cache")
      .omitted();
}

void describe(Fields<TunedOrigin>& fields) {
  fields.record("tuned", "The tuning database's statement on the configuration that it chose.");
  fields("part", &TunedOrigin::part, "of the model");
  fields("level", &TunedOrigin::level);
  fields("reason", &TunedOrigin::reason);
  fields("stale", &TunedOrigin::stale);
}

void describe(Fields<CaseFindings>& fields) {
  using F = CaseFindings;
  fields("work", &F::work, "null of a diagnostic configuration");
  fields("shape", &F::shape);
  fields("measured_rows", &F::measured_rows);
  fields("peak_device_bytes", &F::peak_device_bytes, "the most of its launches").column();
  fields.columns_of(&F::shape);
}

void describe(Fields<CaseRecord>& fields) {
  fields.record("case", "The outcome of one case of a run.");
  fields("name", &CaseRecord::name);
  fields("role", &CaseRecord::role).key_column();
  fields("stage", &CaseRecord::stage, "null of a training and of a peer").nullable().key_column();
  fields("variant", &CaseRecord::variant, "likewise").nullable().key_column();
  fields("backend", &CaseRecord::backend).key_column();
  fields("device", &CaseRecord::device).key_column();
  fields("config", &CaseRecord::config);
  FieldOptions part =
      fields("part", &CaseRecord::part, "the part of the model that the stage updates").nullable();
  fields("problem", &CaseRecord::problem);
  fields.columns_of(&CaseRecord::problem);
  part.key_column();
  fields("outcome", &CaseRecord::outcome);
  fields("group", &CaseRecord::group, "that it was measured among; null where it was not")
      .nullable();
  fields("detail", &CaseRecord::detail, "why the outcome is not ok").nullable();
  fields("rule", &CaseRecord::rule, "of honest measurement, that the variant broke").omitted();
  fields("verification", &CaseRecord::verification, "before the timing");
  fields("recheck", &CaseRecord::recheck, "after it");
  fields.base<CaseFindings>();
  fields("cold", &CaseRecord::cold);
  fields("hot", &CaseRecord::hot);
  fields("training", &CaseRecord::training);
  fields("kernels", &CaseRecord::kernels);
  fields("log_tail", &CaseRecord::log_tail, "the worker's last words");
  fields("peer", &CaseRecord::peer).omitted();
  fields("tuned", &CaseRecord::tuned, "for each part whose configuration the database chose")
      .omitted();
  fields("repeat", &CaseRecord::repeat, "the command that runs a failed case again, alone")
      .nullable();
  fields("number", &CaseRecord::number, "place among all cases of the run; null of a ceiling");
  fields("shard", &CaseRecord::shard, "of the document's shards, that measured it");
  fields.column("registers", registers_of, "a thread, of the first kernel");
  fields.columns_of([](const CaseRecord& record) -> const CaseFindings* { return &record; });
  fields.columns_of(&CaseRecord::verification, "verification_");
  fields.columns_of(&CaseRecord::training);
}

}  // namespace alsbench
