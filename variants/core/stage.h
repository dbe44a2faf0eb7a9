// SPDX-License-Identifier: Apache-2.0
// Stage: a contract that variants implement. A stage is a row of the catalog's table: its name, its
// work, and its properties for the harness. harness/stage has its fixture and its check.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "variants/core/shape.h"
#include "variants/core/stage_params.h"
#include "variants/core/work.h"

namespace alsbench {

struct KernelPlan;

// The resource that bounds the variants of a stage. variants/reference_rates.h says which
// references stand for it.
enum class Bound {
  arithmetic,  // FP32 units, or tensor cores
  memory,      // what has to be read and written once
  reading,     // the same, where hardly anything of it is written
  gather,      // rows by index
};

struct StageInfo {
  std::string_view name;
  std::string_view contract = {};  // the support of harness/stage that it has; empty: of its name
  // Null where it depends on the device: the stage's fixture counts it.
  Work (*work)(const Shape&, const WorkOptions&) = nullptr;
  // Bytes weighed by where they lie, to guess which of two configurations is the faster one. May be
  // null: all logical bytes weigh the same.
  double (*expected_traffic)(const Shape&, const WorkOptions&) = nullptr;
  std::vector<Bound> bounds = {};  // of its variants; none of a reference
  bool ceiling = false;  // of the family variants/ceiling: measured with others, never chosen
  std::optional<Count> reference_rate =
      {};                     // of the family variants/ceiling: by which count it judges others
  bool on_chip = false;       // of a reference: what caches held before does not matter
  bool has_matrices = false;  // A_u lies in memory: who writes and who reads it agree on its type
  // From ratings to solutions: A_u lies nowhere in memory, and the solutions are written once more
  // in the type of the factors.
  bool fused = false;
  // Of a stage whose problems have sizes in place of ratings: all of them, the default first.
  std::vector<Config> problems = {};
  // Completes the arguments of our CUDA kernels with what the plan and the device add to them. May
  // be null: nothing.
  void (*complete)(StageParams& params, const KernelPlan& plan, void* workspace) = nullptr;
};

// A row of the table, which lives as long as the program. Never null in a variant.
using Stage = const StageInfo*;

inline std::string_view name_of(Stage stage) { return stage->name; }

}  // namespace alsbench
