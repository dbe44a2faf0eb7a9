// SPDX-License-Identifier: Apache-2.0
// hermitian/chaos/cpu: a correct kernel followed by a deliberate fault. Hidden: run only when
// named.
#include "kernels/cpu/chaos/chaos.h"
#include "kernels/cpu/hermitian.h"
#include "variants/als/stages.h"
#include "variants/core/cpu_resources.h"
#include "variants/families.h"

namespace alsbench {

void add_chaos_cpu(Catalog& catalog) {
  Variant chaos;
  chaos.stage = &stages::hermitian;
  chaos.name = "chaos";
  chaos.backend = Backend::cpu;
  chaos.summary = "faults on purpose, to test the harness";
  chaos.space = {{"defect",
                  {"none", "segfault", "abort", "exit", "stack_overflow", "infinite_loop", "wrong",
                   "nan", "oom", "leak", "junk"},
                  "what goes wrong after the correct kernel"}};
  chaos.run = [](const Config& config, const Shape&, const StageParams& params,
                 const RunContext& context) {
    const UpdateParams& update = params.as<UpdateParams>();
    hermitian_naive(update, HermitianOptions(), cpu_resources(context));
    commit_defect(config.get("defect"), update);
  };
  chaos.hidden = true;
  catalog.add(std::move(chaos));
}

}  // namespace alsbench
