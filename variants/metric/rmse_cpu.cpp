// CPU variants of the stage rmse.
#include "kernels/cpu/rmse.h"
#include "variants/core/cpu_resources.h"
#include "variants/families.h"

namespace alsbench {

void add_rmse_cpu(std::vector<Variant>& list) {
  list.push_back({.stage = Stage::rmse,
                  .name = "rows",
                  .summary = "sums squared errors over contiguous ranges of rows",
                  .run = [](const Config&, const Shape&, const StageParams& params,
                            const RunContext& context) {
                    rmse_rows(std::get<RmseParams>(params), cpu_resources(context));
                  }});
}

}  // namespace alsbench
