// The families the catalog is made of; each is defined in variants/<stage>/<stage>_<backend>.cpp
// and appends its variants.
#pragma once

#include <vector>

#include "variants/core/variant.h"

namespace alsbench {

void add_hermitian_cpu(std::vector<Variant>& list);
void add_bias_cpu(std::vector<Variant>& list);
void add_solve_cpu(std::vector<Variant>& list);
void add_update_cpu(std::vector<Variant>& list);
void add_rmse_cpu(std::vector<Variant>& list);
void add_baseline_cpu(std::vector<Variant>& list);
void add_hermitian_cuda(std::vector<Variant>& list);
void add_bias_cuda(std::vector<Variant>& list);
void add_normal_equations_cuda(std::vector<Variant>& list);
void add_solve_cuda(std::vector<Variant>& list);
void add_update_cuda(std::vector<Variant>& list);
void add_rmse_cuda(std::vector<Variant>& list);
void add_baseline_cuda(std::vector<Variant>& list);
void add_chaos_cpu(std::vector<Variant>& list);
void add_chaos_cuda(std::vector<Variant>& list);
void add_planted_cpu(std::vector<Variant>& list);
void add_planted_cuda(std::vector<Variant>& list);

}  // namespace alsbench
