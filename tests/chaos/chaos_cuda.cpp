// SPDX-License-Identifier: Apache-2.0
// hermitian/chaos/cuda: a correct kernel followed by a deliberate fault. Hidden: run only when
// named.
#include <string>

#include "tests/chaos/families.h"
#include "variants/als/stages.h"

namespace alsbench {
namespace {

constexpr int64_t kMoreThanAnyDevice = int64_t{1} << 50;

KernelPlan plan(const Config& config, const Shape& shape, const DeviceTraits& traits) {
  const std::string& defect = config.get("defect");
  const std::string rank = std::to_string(shape.rank);
  constexpr int kThreads = 256;
  const int64_t entries = int64_t{shape.rank} * shape.rank;
  KernelLaunch correct;
  correct.source = "kernels/cuda/hermitian/naive.cuh";
  correct.instance = "alsbench::naive_hermitian<" + rank + ", " + std::to_string(kThreads) +
                     ", true, float, float>";
  correct.grid = shape.launch_rows() * ((entries + kThreads - 1) / kThreads);
  correct.block = kThreads;
  KernelPlan result{{correct}, defect == "oom" ? kMoreThanAnyDevice : 0};
  if (defect == "oom" || defect == "none") return result;
  KernelLaunch faulty;
  faulty.source = "tests/chaos/kernels/chaos.cuh";
  const std::string kernel = defect == "launch_refused" ? "wrong" : defect;
  faulty.instance = defect == "compile_error"
                        ? "alsbench::no_such_kernel"
                        : "alsbench::chaos<alsbench::Defect::" + kernel + ", " + rank + ">";
  faulty.block = 64;
  if (defect == "launch_refused") faulty.shared_bytes = traits.shared_bytes_per_block * 2;
  result.launches.push_back(faulty);
  return result;
}

}  // namespace

void add_chaos_cuda(Catalog& catalog) {
  catalog.add({.stage = &stages::hermitian,
               .name = "chaos",
               .backend = Backend::cuda,
               .summary = "faults on purpose, to test the harness",
               .space = {{"defect",
                          {"none", "null_write", "misaligned", "trap", "infinite_loop",
                           "stack_overflow", "out_of_bounds", "race", "wrong", "nan", "oom",
                           "launch_refused", "compile_error"},
                          "what goes wrong after the correct kernel"}},
               .plan = plan,
               .hidden = true});
}

}  // namespace alsbench
