// SPDX-License-Identifier: Apache-2.0
#include "variants/als/pipelines.h"

#include "variants/als/rules.h"
#include "variants/als/stages.h"
#include "variants/families.h"

namespace alsbench {

const PipelineGrammar& als_pipelines() {
  static const PipelineGrammar grammar{
      .forms = {{&stages::update},
                {&stages::normal_equations, &stages::solve},
                {&stages::hermitian, &stages::bias, &stages::solve}},
      .presets =
          {
              {"exact", Backend::cuda, "normal_equations:halves/solve:packed_cholesky",
               "beyond the paper: FP32 and a direct solver, A and b on tensor cores to FP32's "
               "precision"},
              {"exact-library", Backend::cuda, "hermitian:tiled/bias:spmm/solve:cholesky",
               "FP32 and cuSOLVER, at every rank on every device: what every other pipeline is "
               "judged against"},
              {"cumf-als", Backend::cuda,
               "hermitian:tiled:gather=strided,l1=on,output=fp16/bias:spmm/"
               "solve:cg:matrix=fp16,steps=6",
               "the paper's system: strided load through L1, CG with A in FP16"},
              {"cg-fp32", Backend::cuda,
               "hermitian:tiled:gather=strided,l1=on/bias:spmm/solve:cg:steps=6",
               "the paper's approximate solver before reduced precision"},
              {"gpu-als", Backend::cuda, "hermitian:tiled:gather=strided,l1=off/bias:spmm/solve:lu",
               "the paper's predecessor: strided load, batched LU"},
              {"tensor-cores", Backend::cuda,
               "normal_equations:mma:factors=fp16/solve:cg:cache=registers,steps=6",
               "beyond the paper: A and b in one pass on tensor cores, CG with A held in "
               "registers"},
              {"fused", Backend::cuda, "update:fused:factors=fp16,steps=6",
               "beyond the paper: a half-iteration in one kernel, A never in memory"},
              {"exact", Backend::cpu, "update:cholesky",
               "FP32 and a direct solver: what every other pipeline is judged against"},
              {"exact-library", Backend::cpu, "hermitian:sgemm/bias:rows/solve:cholesky",
               "the same by OpenBLAS and LAPACK"},
              {"cg-fp32", Backend::cpu, "hermitian:blocked/bias:rows/solve:cg:steps=6",
               "the paper's approximate solver"},
              {"cg-fp16", Backend::cpu,
               "hermitian:blocked:output=fp16/bias:rows/solve:cg:matrix=fp16,steps=6",
               "the paper's approximate solver with A in FP16"},
              {"fused", Backend::cpu, "update:blocked:steps=6",
               "cg-fp32 a few rows at a time, A never beyond the cache"},
          },
      .by_rule = rules::fastest_first};
  return grammar;
}

void add_als_pipelines(Catalog& catalog) { catalog.add(&als_pipelines()); }

}  // namespace alsbench
