// SPDX-License-Identifier: Apache-2.0
#include "harness/tune/search/objective.h"

#include <algorithm>
#include <limits>

#include "base/error.h"
#include "harness/measure/sampler.h"

namespace alsbench {

double Evaluation::median() const {
  return ok() ? statistics_of(seconds).median : std::numeric_limits<double>::infinity();
}

void Evaluation::add_effort(const Evaluation& other) {
  registers = std::max(registers, other.registers);
  memory_bytes = std::max(memory_bytes, other.memory_bytes);
  compile_seconds += other.compile_seconds;
  wait_seconds += other.wait_seconds;
  prepare_seconds += other.prepare_seconds;
  verify_seconds += other.verify_seconds;
  measure_seconds += other.measure_seconds;
}

void Evaluation::join(const Evaluation& later) {
  if (outcome == Outcome::ok) {
    outcome = later.outcome;
    detail = later.detail;
    log_tail = later.log_tail;
  }
  seconds.insert(seconds.end(), later.seconds.begin(), later.seconds.end());
  shape_seconds.resize(std::max(shape_seconds.size(), later.shape_seconds.size()));
  for (size_t k = 0; k < later.shape_seconds.size(); ++k)
    shape_seconds[k].insert(shape_seconds[k].end(), later.shape_seconds[k].begin(),
                            later.shape_seconds[k].end());
  add_effort(later);
  if (!later.code_hashes.empty()) code_hashes = later.code_hashes;
}

EvaluationRecord record_of(const Evaluation& evaluation, const SearchSpace& space) {
  return {space[evaluation.point].record(), evaluation};
}

Evaluation evaluation_of(const EvaluationRecord& record, const SearchSpace& space) {
  Evaluation evaluation = record.found;
  evaluation.point = space.index_of(record.point);
  return evaluation;
}

void describe(Fields<Evaluation>& fields) {
  using E = Evaluation;
  using Kind = Range::Kind;
  fields("outcome", &E::outcome);
  fields("detail", &E::detail, "why the outcome is not ok").nullable();
  fields("seconds", &E::seconds, "every sample, the playoff's too, in the order taken");
  fields("shape_seconds", &E::shape_seconds,
         "of a search of several shapes, the samples on each; seconds are their geometric means")
      .omitted();
  fields.custom(
      "registers",
      [](const E& evaluation) {
        return evaluation.registers > 0 ? Json(evaluation.registers) : Json(nullptr);
      },
      [](const JsonField& json, E& evaluation) {
        evaluation.registers = json.is_null() ? 0 : json.integer();
      },
      {{"type", {"integer", "null"}}}, "the most of a kernel; null: none, or not known");
  fields("memory_bytes", &E::memory_bytes, "shared memory of a block, the most of a kernel");
  fields("compile_seconds", &E::compile_seconds, "beside the measuring; 0: cached")
      .range(Kind::from_0);
  fields("wait_seconds", &E::wait_seconds, "until its kernels were compiled").range(Kind::from_0);
  fields("prepare_seconds", &E::prepare_seconds, "loading and verification").range(Kind::from_0);
  fields("verify_seconds", &E::verify_seconds,
         "of prepare_seconds, verification; absent: 0, or not known")
      .omitted()
      .range(Kind::from_0);
  fields("measure_seconds", &E::measure_seconds, "of all samples, on the wall").range(Kind::from_0);
  fields("code_hashes", &E::code_hashes, "of its kernels");
  fields("log_tail", &E::log_tail);
}

void describe(Fields<EvaluationRecord>& fields) {
  fields.record("evaluation", "Measurement of one point of a search space.");
  fields("point", &EvaluationRecord::point);
  fields.inlined(&EvaluationRecord::found);
}

}  // namespace alsbench
