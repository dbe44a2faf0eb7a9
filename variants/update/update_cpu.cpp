// The CPU variants of the stage update.
#include <algorithm>

#include "kernels/cpu/bias.h"
#include "kernels/cpu/hermitian.h"
#include "kernels/cpu/solve.h"
#include "variants/cpu_resources.h"
#include "variants/families.h"

namespace alsbench {
namespace {

constexpr int kMatricesSlot = 1, kBiasSlot = 2;  // slot 0 is the kernels' own

// The three stages over a few rows at a time, A_u and b_u of those in scratch memory.
void run_blocked(const Config& config, const Shape&, const StageParams& params,
                 const RunContext& context) {
  UpdateParams p = std::get<UpdateParams>(params);
  const CpuResources resources = cpu_resources(context);
  const int64_t rank = p.solution.rank, end = p.first_row + p.row_count;
  const int64_t rows = std::min<int64_t>(p.row_count, config.integer("rows") * resources.threads);
  p.matrices = context.scratch(kMatricesSlot, rows * rank * rank * 4);
  p.bias = static_cast<float*>(context.scratch(kBiasSlot, rows * p.solution.pitch * 4));
  HermitianOptions hermitian;
  hermitian.streaming = false;
  hermitian.half_factors = factors_storage(config) == Scalar::fp16;
  CgOptions cg;
  cg.warm_start = config.is("warm", "on");
  cg.steps = config.integer("steps");
  cg.tolerance = static_cast<float>(config.number("tolerance"));
  while (p.first_row < end) {
    p.row_count = std::min(rows, end - p.first_row);
    hermitian_blocked(p, hermitian, resources);
    bias_rows(p, hermitian.half_factors, resources);
    solve_cg(p, cg, resources);
    p.first_row += p.row_count;
    if (p.steps != nullptr) p.steps += p.row_count;
    if (p.status != nullptr) p.status += p.row_count;
  }
}

}  // namespace

void add_update_cpu(std::vector<Variant>& list) {
  list.push_back(
      {.stage = Stage::update,
       .name = "blocked",
       .summary = "hermitian, bias and CG of a few rows at a time, whose A_u stay in the cache",
       .space = {{"rows", {16, 64}, "that each thread has at a time"},
                 {"factors", {"fp32", "fp16"}, "storage of the fixed side's factors"},
                 {"warm", {"on", "off"}, "start from the previous solution, or from zero"},
                 {.name = "steps",
                  .values = {6},
                  .description = "most CG steps a system (the paper's f_s)",
                  .open = true},
                 {.name = "tolerance",
                  .values = {0},
                  .description = "a system stops at ||r|| <= tolerance ||b||",
                  .open = true}},
       .run = run_blocked,
       .measures_cg_steps = true});
}

}  // namespace alsbench
