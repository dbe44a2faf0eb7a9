// SPDX-License-Identifier: Apache-2.0
// Variant: one implementation of a stage on one backend, declared as data and two or three plain
// functions. The program lists, sweeps, verifies, measures and trains with it.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "variants/core/backend.h"
#include "variants/core/config.h"
#include "variants/core/device_traits.h"
#include "variants/core/kernel_plan.h"
#include "variants/core/parameter_space.h"
#include "variants/core/run_context.h"
#include "variants/core/shape.h"
#include "variants/core/stage.h"

namespace alsbench {

struct Variant {
  using Objection =
      std::function<std::optional<std::string>(const Config&, const Shape&, const DeviceTraits&)>;
  using Plan = std::function<KernelPlan(const Config&, const Shape&, const DeviceTraits&)>;
  using Run =
      std::function<void(const Config&, const Shape&, const StageParams&, const RunContext&)>;

  Stage stage = nullptr;
  std::string name = {};
  Backend backend = Backend::cpu;
  std::string summary = {};  // one line for `alsbench list`
  ParameterSpace space = {};

  // Why this point cannot run on that shape and device, or nothing. May be empty: no point objects.
  Objection objection = {};
  // Our own CUDA kernels have `plan`; vendor-library and CPU variants have `run` in its place. A
  // build without CUDA lists the vendor's variants, but has no `run` of them.
  Plan plan = {};
  Run run = {};

  // The type that tensor cores multiply. Null: FP32 units do all arithmetic.
  Scalar (*multiplies)(const Config&) = nullptr;

  bool hidden = false;  // listed and swept only when named (those of tests)
  bool destroys_matrices =
      false;  // a factorisation in place: the sampler restores A_u and b_u before each sample
  Products products = Products::matrix;  // its work is counted accordingly
  bool measures_solver_steps = false;    // writes how many steps its iterative solver took a row
  // Why two executions with equal arguments on one device may differ in their bits. Empty: they do
  // not, for any timing of threads, and on the CPU for any number of them.
  std::string nondeterminism = {};

  std::string id() const;  // "hermitian/tiled/cuda"
};

// The storage of a configuration: the values of the parameters that have an operand.
Storage storage_of(const Variant& variant, const Config& config);

// How many parameters have another value than the variant's default configuration.
int parameters_changed(const Variant& variant, const Config& config);

// The objection of a point, or nothing; checks the variant's own rule and what holds for all (rank
// >= 1, rows >= 0).
std::optional<std::string> objection_of(const Variant& variant, const Config& config,
                                        const Shape& shape, const DeviceTraits& traits);

}  // namespace alsbench
