// SPDX-License-Identifier: Apache-2.0
#include "harness/sweep/worker/messages.h"

#include "harness/record/core_codecs.h"

namespace alsbench::worker {

void describe(Fields<Done>&) {}

void describe(Fields<Open>& fields) {
  fields.record("open", "Open a device.");
  fields("device", &Open::device);
}

void describe(Fields<Load>& fields) {
  fields.record("load", "Load the ratings of a problem.");
  fields("problem", &Load::problem);
}

void describe(Fields<PartShape>& fields) {
  fields("shape", &PartShape::shape);
  fields("damping", &PartShape::damping);
  fields("distinct_ratings", &PartShape::distinct_ratings);
}

void describe(Fields<GetShape>& fields) {
  fields.record("shape", "Tell the shape of a part of the model.");
  fields("problem", &GetShape::problem);
  fields("part", &GetShape::part);
}

void describe(Fields<Prepared>& fields) {
  fields("verification", &Prepared::verification);
  fields("verify_seconds", &Prepared::verify_seconds);
  fields("kernels", &Prepared::kernels);
  fields.base<CaseFindings>();
}

void describe(Fields<Prepare>& fields) {
  fields.record("prepare", "Prepare and verify a case.");
  fields("case", &Prepare::c);
}

void describe(Fields<TakeSample>& fields) {
  fields.record("sample", "Take a sample of a prepared case.");
  fields("name", &TakeSample::name);
  fields("mode", &TakeSample::mode);
}

void describe(Fields<Rechecked>& fields) {
  fields("kernel_seconds", &Rechecked::kernel_seconds);
  fields("verification", &Rechecked::verification);
}

void describe(Fields<Recheck>& fields) {
  fields.record("recheck", "Verify a case after its samples, and time its kernels one by one.");
  fields("name", &Recheck::name);
}

void describe(Fields<Count>& fields) {
  fields.record("count", "Read the hardware counters of an execution.");
  fields("name", &Count::name);
  fields("mode", &Count::mode);
}

void describe(Fields<MeasureEnergy>& fields) {
  fields.record("energy", "Measure the energy of executions in a row.");
  fields("name", &MeasureEnergy::name);
}

void describe(Fields<Profile>& fields) {
  fields.record("profile", "Execute a case once under a profiler.");
  fields("name", &Profile::name);
}

void describe(Fields<Trained>& fields) {
  fields("training", &Trained::training);
  fields.base<CaseFindings>();
}

void describe(Fields<Train>& fields) {
  fields.record("train", "Train a model; an event tells of each iteration.");
  fields("case", &Train::c);
  fields("energy", &Train::energy, "whether that of an iteration is measured");
}

void describe(Fields<Exported>& fields) { fields("threads", &Exported::threads); }

void describe(Fields<ExportRatings>& fields) {
  fields.record("export", "Write a peer's ratings into a folder.");
  fields("case", &ExportRatings::c);
  fields("folder", &ExportRatings::folder);
}

void describe(Fields<Score>& fields) {
  fields.record("score", "Judge the factors that a peer left in a folder.");
  fields("case", &Score::c);
  fields("folder", &Score::folder);
}

void describe(Fields<Release>& fields) {
  fields.record("release", "Free everything that was prepared.");
}

void describe(Fields<Compiled>& fields) { fields("compile_seconds", &Compiled::compile_seconds); }

void describe(Fields<Compile>& fields) {
  fields.record("compile", "Compile a kernel into the cache.");
  fields("source", &Compile::source);
  fields("instance", &Compile::instance);
  fields("architecture", &Compile::architecture);
}

void describe(Fields<Activity>& fields) { fields("activity", &Activity::activity); }

void describe(Fields<Failure>& fields) {
  fields("error", &Failure::error).omitted();
  fields("outcome", &Failure::outcome).omitted();
  fields("detail", &Failure::detail);
  fields("rule", &Failure::rule).omitted();
  fields("fatal", &Failure::fatal).omitted();
}

const Type& type_for(const Request*) {
  static const types::OneOfType<Request> type("op");
  return type;
}

}  // namespace alsbench::worker
