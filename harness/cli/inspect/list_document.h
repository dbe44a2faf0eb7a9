// SPDX-License-Identifier: Apache-2.0
// ListDocument: what there is to run, and on what, as `alsbench list --json` writes it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/record/core_codecs.h"

namespace alsbench {

struct ListedParameter {
  std::string name;
  std::vector<std::string> values;  // the first is the default
  std::string description;
  bool diagnostic = false;  // other values do not compute the stage
  bool open = false;        // any number is allowed beside the values
};

struct ListedVariant {
  std::string id;  // stage/name/backend
  std::string stage, name;
  Backend backend = Backend::cpu;
  std::string summary;
  std::vector<ListedParameter> parameters;
  int64_t points = 0;               // of the whole space
  int64_t valid_points = 0;         // that can run on the device
  std::string objection = {};       // why the first of the others cannot
  std::string nondeterminism = {};  // why equal arguments may give other bits
};

// A suite or a data set: a file of configs/.
struct ListedConfig {
  std::string name, path, description;
};

struct ListedDevice {
  std::string device;  // as --device takes it
  Backend backend = Backend::cpu;
  std::string name;
  int64_t memory_bytes = 0, cache_bytes = 0;
  std::optional<int64_t> threads = {};  // of a CPU; the others are of a GPU
  std::optional<std::string> architecture = {};
  std::optional<int64_t> multiprocessors = {}, shared_bytes_per_block = {};
};

// The topics that were asked for.
struct ListDocument {
  std::optional<std::vector<ListedVariant>> variants = {};
  std::optional<std::vector<ListedConfig>> suites = {}, datasets = {};
  std::optional<std::vector<ListedDevice>> devices = {};
};

void describe(Fields<ListedParameter>& fields);
void describe(Fields<ListedVariant>& fields);
void describe(Fields<ListedConfig>& fields);
void describe(Fields<ListedDevice>& fields);
void describe(Fields<ListDocument>& fields);

}  // namespace alsbench
