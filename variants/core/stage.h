// Stages: the contracts that variants implement, with the work (useful FLOPs, bytes) that belongs
// to a stage and not to a variant, so that all variants of a stage are comparable.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "kernels/shared/params/als.h"
#include "variants/core/shape.h"

namespace alsbench {

enum class Stage {
  hermitian,         // A_u of every row of the batch
  bias,              // b_u
  normal_equations,  // both
  solve,             // x_u from A_u and b_u
  update,            // a whole half-iteration without A_u in global memory
  rmse,
  copy,  // baselines from here on
  gather_copy,
  spin,
  gemm_batched,
  factorize_batched,
};

enum class Side { x, theta };  // which factor a half-iteration updates
constexpr Side other(Side side) { return side == Side::x ? Side::theta : Side::x; }

enum class Backend { cuda, cpu };

// Storage types. tf32 is a float that is rounded to the 11 bits which tensor cores read of it.
enum class Scalar { fp32, fp16, bf16, tf32 };

// The arguments of any stage; the alternative held is given by the stage (params_kind in
// docs/design.md): hermitian .. update and factorize_batched: UpdateParams; rmse: RmseParams; copy,
// gather_copy: CopyParams; spin: SpinParams; gemm_batched: GemmParams.
using StageParams = std::variant<UpdateParams, RmseParams, CopyParams, SpinParams, GemmParams>;

// Work of one execution of a stage on a shape.
struct Work {
  double useful_flops = 0;  // e.g. hermitian: nnz f (f + 1), lower triangle, multiply and add
  double paper_flops =
      0;  // as the paper counts, e.g. hermitian: 2 nnz f^2; 0 where it gives no count
  double logical_bytes = 0;     // every operand counted each time the algorithm names it
  double compulsory_bytes = 0;  // each input read once, each output written once
};

// Storage types and solver steps a configuration works with, as far as they change the bytes a
// stage moves.
struct WorkOptions {
  Scalar factors = Scalar::fp32;
  Scalar matrices = Scalar::fp32;
  double cg_steps = 0;  // 0: a direct solver, counted as Cholesky (f^3 / 3 + 2 f^2)
  bool warm = true;     // CG begins with the solution before, which costs a product with A
};

// Sizes of the baselines, derived from the shape they are compared on and bounded so that they fit
// any device.
int64_t copy_bytes(const Shape& shape);  // of rows x rank^2 floats, 64 MiB to 1 GiB
int64_t gather_copy_rows(
    const Shape& shape);  // ratings whose factor rows (float) are gathered, at most 1 GiB of them
struct GemmShape {
  int64_t batch = 0;
  int64_t k = 0;  // the mean row length, at least 1
};
GemmShape gemm_shape(const Shape& shape);  // as many rows as keep A within 4 GiB

Work stage_work(Stage stage, const Shape& shape, const WorkOptions& options);

std::string_view name_of(Stage stage);
std::string_view name_of(Side side);
std::string_view name_of(Backend backend);
std::string_view name_of(Scalar scalar);
int64_t size_of(Scalar scalar);
int significand_bits(Scalar scalar);  // the implicit one among them
// The element type of that name in kernels: "float", "alsbench::Half", ...
std::string_view element_type(Scalar scalar);
const std::vector<Scalar>& all_scalars();

std::optional<Stage> stage_named(std::string_view name);
std::optional<Side> side_named(std::string_view name);
std::optional<Backend> backend_named(std::string_view name);
const std::vector<Stage>& all_stages();
bool is_baseline(Stage stage);

}  // namespace alsbench
