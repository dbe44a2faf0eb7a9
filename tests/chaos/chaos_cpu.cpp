// SPDX-License-Identifier: Apache-2.0
// hermitian/chaos/cpu: a correct kernel followed by a deliberate fault. Hidden: run only when
// named.
#include "kernels/cpu/hermitian.h"
#include "tests/chaos/defects.h"
#include "tests/chaos/families.h"
#include "variants/als/stages.h"
#include "variants/core/cpu_resources.h"

namespace alsbench {

void add_chaos_cpu(Catalog& catalog) {
  catalog.add({.stage = &stages::hermitian,
               .name = "chaos",
               .backend = Backend::cpu,
               .summary = "faults on purpose, to test the harness",
               .space = {{"defect",
                          {"none", "segfault", "abort", "exit", "stack_overflow", "infinite_loop",
                           "wrong", "nan", "oom", "leak", "junk", "replay", "beyond"},
                          "what goes wrong after the correct kernel"}},
               .run =
                   [](const Config& config, const Shape&, const StageParams& params,
                      const RunContext& context) {
                     const UpdateParams& update = params.as<UpdateParams>();
                     hermitian_naive(update, HermitianOptions(), cpu_resources(context));
                     commit_defect(config.get("defect"), update);
                   },
               .hidden = true});
}

}  // namespace alsbench
