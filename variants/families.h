// SPDX-License-Identifier: Apache-2.0
// What the folders of variants add to the catalog: their stages, and their variants. catalog.cpp
// calls each once; a new one is declared here and called there.
#pragma once

#include "variants/catalog.h"

namespace alsbench {

void add_als_stages(Catalog& catalog);
void add_als_pipelines(Catalog& catalog);
void add_hermitian_cpu(Catalog& catalog);
void add_hermitian_cuda(Catalog& catalog);
void add_bias_cpu(Catalog& catalog);
void add_bias_cuda(Catalog& catalog);
void add_normal_equations_cuda(Catalog& catalog);
void add_solve_cpu(Catalog& catalog);
void add_solve_cuda(Catalog& catalog);
void add_update_cpu(Catalog& catalog);
void add_update_cuda(Catalog& catalog);

void add_metric_stages(Catalog& catalog);
void add_rmse_cpu(Catalog& catalog);
void add_rmse_cuda(Catalog& catalog);

void add_copies(Catalog& catalog);
void add_spin(Catalog& catalog);
void add_gemm_batched(Catalog& catalog);
void add_factorize_batched(Catalog& catalog);

void add_chaos_cpu(Catalog& catalog);
void add_chaos_cuda(Catalog& catalog);
void add_planted_cpu(Catalog& catalog);
void add_planted_cuda(Catalog& catalog);

}  // namespace alsbench
