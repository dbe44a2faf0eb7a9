// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/inspect/list_document.h"

#include "harness/record/document.h"

namespace alsbench {

void describe(Fields<ListedParameter>& fields) {
  fields.record("parameter", "A parameter of a variant.");
  fields("name", &ListedParameter::name);
  fields("values", &ListedParameter::values).range(Range::Kind::not_empty);
  fields.derived("default",
                 [](const ListedParameter& parameter) { return Json(parameter.values.front()); },
                 {{"type", "string"}});
  fields("description", &ListedParameter::description);
  fields("diagnostic", &ListedParameter::diagnostic,
         "swept only when named: other values do not compute the stage");
  fields("open", &ListedParameter::open, "any number is allowed beside the values");
}

void describe(Fields<ListedVariant>& fields) {
  fields.record("variant", "A variant of a stage.");
  fields("id", &ListedVariant::id, "stage/name/backend");
  fields("stage", &ListedVariant::stage);
  fields("name", &ListedVariant::name);
  fields("backend", &ListedVariant::backend);
  fields("summary", &ListedVariant::summary);
  fields("parameters", &ListedVariant::parameters);
  fields("points", &ListedVariant::points, "of the whole space").range(Range::Kind::from_1);
  fields("valid_points", &ListedVariant::valid_points, "that can run on the device")
      .range(Range::Kind::from_0);
  fields("objection", &ListedVariant::objection,
         "why the first of the others cannot; null: all can")
      .nullable();
  fields("nondeterminism", &ListedVariant::nondeterminism,
         "why two executions with equal arguments on one device may differ in their bits; null: "
         "they do not")
      .nullable();
}

void describe(Fields<ListedConfig>& fields) {
  fields.record("file", "A suite or a data set.");
  fields("name", &ListedConfig::name);
  fields("path", &ListedConfig::path);
  fields("description", &ListedConfig::description);
}

void describe(Fields<ListedDevice>& fields) {
  fields.record("listed_device", "A device of this machine.");
  fields("device", &ListedDevice::device, "as --device takes it");
  fields("backend", &ListedDevice::backend);
  fields("name", &ListedDevice::name);
  fields("memory_bytes", &ListedDevice::memory_bytes).range(Range::Kind::from_0);
  fields("cache_bytes", &ListedDevice::cache_bytes, "of a GPU, L2; of a CPU, the last level")
      .range(Range::Kind::from_0);
  fields("threads", &ListedDevice::threads, "of a CPU").omitted();
  fields("architecture", &ListedDevice::architecture, "of a GPU").omitted();
  fields("multiprocessors", &ListedDevice::multiprocessors, "of a GPU").omitted();
  fields("shared_bytes_per_block", &ListedDevice::shared_bytes_per_block, "of a GPU").omitted();
}

void describe(Fields<ListDocument>& fields) {
  fields.record(
      "", "Variants, suites, data sets and devices: `alsbench list`, with the topics asked for.");
  describe_document(fields, "list");
  fields("variants", &ListDocument::variants).omitted();
  fields("suites", &ListDocument::suites).omitted();
  fields("datasets", &ListDocument::datasets).omitted();
  fields("devices", &ListDocument::devices).omitted();
}

}  // namespace alsbench
