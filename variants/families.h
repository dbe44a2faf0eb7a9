// SPDX-License-Identifier: Apache-2.0
// Contributions of the folders of variants to the catalog: their stages, pipelines and variants. A
// new one is declared here, and listed below.
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
void add_normal_equations_halves_cuda(Catalog& catalog);
void add_solve_cpu(Catalog& catalog);
void add_solve_cuda(Catalog& catalog);
void add_update_cpu(Catalog& catalog);
void add_update_cuda(Catalog& catalog);
void add_basis_cpu(Catalog& catalog);
void add_basis_cuda(Catalog& catalog);
void add_start_cpu(Catalog& catalog);
void add_start_cuda(Catalog& catalog);
void add_bias_terms_cpu(Catalog& catalog);
void add_bias_terms_cuda(Catalog& catalog);

void add_implicit(Catalog& catalog);
void add_implicit_cpu(Catalog& catalog);
void add_implicit_cuda(Catalog& catalog);

void add_sgd(Catalog& catalog);
void add_sgd_cpu(Catalog& catalog);
void add_sgd_cuda(Catalog& catalog);

void add_ccd(Catalog& catalog);
void add_ccd_cpu(Catalog& catalog);
void add_ccd_cuda(Catalog& catalog);

void add_metric_stages(Catalog& catalog);
void add_rmse_cpu(Catalog& catalog);
void add_rmse_cuda(Catalog& catalog);

void add_recommend_stages(Catalog& catalog);
void add_top_k_cpu(Catalog& catalog);
void add_top_k_cuda(Catalog& catalog);

void add_copies(Catalog& catalog);
void add_spin(Catalog& catalog);
void add_arithmetic_ceilings(Catalog& catalog);
void add_gathers(Catalog& catalog);
void add_gemm_batched(Catalog& catalog);
void add_factorize_batched(Catalog& catalog);

// clang-format off
inline constexpr void (*kFamilies[])(Catalog&) = {
    add_als_stages,
    add_als_pipelines,
    add_implicit,
    add_sgd,
    add_ccd,
    add_metric_stages,
    add_recommend_stages,
    add_copies,
    add_spin,
    add_arithmetic_ceilings,
    add_gathers,
    add_gemm_batched,
    add_factorize_batched,
    add_hermitian_cpu,
    add_bias_cpu,
    add_solve_cpu,
    add_update_cpu,
    add_basis_cpu,
    add_start_cpu,
    add_bias_terms_cpu,
    add_implicit_cpu,
    add_implicit_cuda,
    add_sgd_cpu,
    add_sgd_cuda,
    add_ccd_cpu,
    add_ccd_cuda,
    add_rmse_cpu,
    add_top_k_cpu,
    add_top_k_cuda,
    add_hermitian_cuda,
    add_bias_cuda,
    add_normal_equations_cuda,
    add_normal_equations_halves_cuda,
    add_solve_cuda,
    add_update_cuda,
    add_basis_cuda,
    add_start_cuda,
    add_bias_terms_cuda,
    add_rmse_cuda,
};
// clang-format on

}  // namespace alsbench
