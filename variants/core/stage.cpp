#include "variants/core/stage.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace alsbench {
namespace {

constexpr std::array<std::pair<Stage, std::string_view>, 12> kStages{{
    {Stage::hermitian, "hermitian"},
    {Stage::bias, "bias"},
    {Stage::normal_equations, "normal_equations"},
    {Stage::solve, "solve"},
    {Stage::update, "update"},
    {Stage::rmse, "rmse"},
    {Stage::copy, "copy"},
    {Stage::gather_copy, "gather_copy"},
    {Stage::spin, "spin"},
    {Stage::gemm_batched, "gemm_batched"},
    {Stage::factorize_batched, "factorize_batched"},
}};

constexpr int64_t kMiB = int64_t{1} << 20;

struct Sizes {
  double rows, cols, nnz, f;
  double factor_bytes, matrix_bytes;  // of one element
  double copy_bytes;                  // of an element that an update writes beside the float
};

Sizes sizes_of(const Shape& shape, const WorkOptions& options) {
  return {static_cast<double>(shape.rows),
          static_cast<double>(shape.cols),
          static_cast<double>(shape.nnz),
          static_cast<double>(shape.rank),
          static_cast<double>(size_of(options.factors)),
          static_cast<double>(size_of(options.matrices)),
          options.factors == Scalar::fp32 ? 0.0 : static_cast<double>(size_of(options.factors))};
}

Work& operator+=(Work& a, const Work& b) {
  a.useful_flops += b.useful_flops;
  a.paper_flops += b.paper_flops;
  a.logical_bytes += b.logical_bytes;
  a.compulsory_bytes += b.compulsory_bytes;
  return a;
}

Work hermitian_work(const Sizes& s) {
  const double matrices = s.rows * s.f * s.f * s.matrix_bytes;
  const double structure = 4 * s.nnz + 8 * s.rows;
  return {s.nnz * s.f * (s.f + 1), 2 * s.nnz * s.f * s.f,
          s.nnz * s.f * s.factor_bytes + structure + matrices,
          s.cols * s.f * s.factor_bytes + structure + matrices};
}

Work bias_work(const Sizes& s) {
  const double structure = 8 * s.nnz + 8 * s.rows;
  const double output = 4 * s.rows * s.f;
  return {2 * s.nnz * s.f, 2 * s.nnz * s.f, s.nnz * s.f * s.factor_bytes + structure + output,
          s.cols * s.f * s.factor_bytes + structure + output};
}

// CG multiplies by A once a step and, where it does not begin with zero, once for the first
// residual; a direct solver counts as Cholesky.
Work solve_work(const Sizes& s, double cg_steps, bool warm) {
  const double matrix = s.f * s.f * s.matrix_bytes;
  const double vectors = 3 * 4 * s.f;  // b, x in, x out
  const double products = cg_steps > 0 ? cg_steps + (warm ? 1 : 0) : 1;
  const double flops = cg_steps > 0 ? products * 2 * s.f * s.f + cg_steps * 10 * s.f
                                    : s.f * s.f * s.f / 3 + 2 * s.f * s.f;
  return {s.rows * flops, 0, s.rows * (products * matrix + vectors), s.rows * (matrix + vectors)};
}

// The whole half-iteration without A_u in memory: the arithmetic of its parts, the bytes of its
// ends.
Work update_work(const Sizes& s, double cg_steps, bool warm) {
  Work work = hermitian_work(s);
  work += bias_work(s);
  work += solve_work(s, cg_steps, warm);
  const double structure = 8 * s.nnz + 8 * s.rows;
  const double solution = (2 * 4 + s.copy_bytes) * s.rows * s.f;
  work.logical_bytes = s.nnz * s.f * s.factor_bytes + structure + solution;
  work.compulsory_bytes = s.cols * s.f * s.factor_bytes + structure + solution;
  return work;
}

Work gemm_work(const Shape& shape, const Sizes& s) {
  const GemmShape gemm = gemm_shape(shape);
  const double batch = static_cast<double>(gemm.batch), k = static_cast<double>(gemm.k);
  const double bytes = batch * (k * s.f * s.factor_bytes + 4 * s.f * s.f);
  return {batch * k * s.f * (s.f + 1), 2 * batch * k * s.f * s.f, bytes, bytes};
}

Work copy_work(double bytes_moved) { return {0, 0, bytes_moved, bytes_moved}; }

}  // namespace

int64_t copy_bytes(const Shape& shape) {
  const int64_t matrices = shape.rows * shape.rank * shape.rank * int64_t{4};
  return std::clamp(matrices / 256 * 256, 64 * kMiB, 1024 * kMiB);
}

int64_t gather_copy_rows(const Shape& shape) {
  const int64_t row_bytes = int64_t{4} * factor_pitch(shape.rank);
  return std::max<int64_t>(1, std::min(shape.nnz, 1024 * kMiB / row_bytes));
}

GemmShape gemm_shape(const Shape& shape) {
  const int64_t k = std::max<int64_t>(1, std::llround(shape.mean_row_length()));
  const int64_t most = std::max<int64_t>(1, 4096 * kMiB / (k * shape.rank * int64_t{4}));
  return {std::clamp<int64_t>(shape.rows, 1, most), k};
}

Work stage_work(Stage stage, const Shape& shape, const WorkOptions& options) {
  const Sizes s = sizes_of(shape, options);
  switch (stage) {
    case Stage::hermitian:
      return hermitian_work(s);
    case Stage::bias:
      return bias_work(s);
    case Stage::normal_equations: {
      Work work = hermitian_work(s);
      work += bias_work(s);
      work.logical_bytes -= s.nnz * (s.f * s.factor_bytes + 4) + 8 * s.rows;  // one pass, not two
      work.compulsory_bytes -= s.cols * s.f * s.factor_bytes + 4 * s.nnz + 8 * s.rows;
      return work;
    }
    case Stage::solve:
      return solve_work(s, options.cg_steps, options.warm);
    case Stage::factorize_batched:
      return solve_work(s, 0, false);
    case Stage::update:
      return update_work(s, options.cg_steps, options.warm);
    case Stage::rmse:
      return {s.nnz * (2 * s.f + 3), 0, s.nnz * (8 + 8 * s.f),
              8 * s.nnz + 4 * s.f * (s.rows + s.cols)};
    case Stage::copy:
      return copy_work(2.0 * static_cast<double>(copy_bytes(shape)));
    case Stage::gather_copy:
      return copy_work(static_cast<double>(gather_copy_rows(shape)) *
                       (8.0 * factor_pitch(shape.rank) + 4));
    case Stage::spin:
      return {};  // takes time, and does nothing that anything is compared with
    case Stage::gemm_batched:
      return gemm_work(shape, s);
  }
  return {};
}

std::string_view name_of(Stage stage) {
  for (const auto& [value, name] : kStages)
    if (value == stage) return name;
  return "unknown";
}
std::string_view name_of(Side side) { return side == Side::x ? "x" : "theta"; }
std::string_view name_of(Backend backend) { return backend == Backend::cuda ? "cuda" : "cpu"; }
const std::vector<Scalar>& all_scalars() {
  static const std::vector<Scalar> kAll{Scalar::fp32, Scalar::fp16, Scalar::bf16, Scalar::tf32};
  return kAll;
}
std::string_view name_of(Scalar scalar) {
  constexpr std::array<std::string_view, 4> kNames{"fp32", "fp16", "bf16", "tf32"};
  return kNames.at(static_cast<size_t>(scalar));
}
int significand_bits(Scalar scalar) {
  constexpr std::array kBits{24, 11, 8, 11};
  return kBits.at(static_cast<size_t>(scalar));
}
std::string_view element_type(Scalar scalar) {
  constexpr std::array<std::string_view, 4> kTypes{"float", "alsbench::Half", "alsbench::Bfloat",
                                                   "alsbench::Tf32"};
  return kTypes.at(static_cast<size_t>(scalar));
}
int64_t size_of(Scalar scalar) { return scalar == Scalar::fp16 || scalar == Scalar::bf16 ? 2 : 4; }

std::optional<Stage> stage_named(std::string_view name) {
  for (const auto& [value, text] : kStages)
    if (text == name) return value;
  return std::nullopt;
}
std::optional<Side> side_named(std::string_view name) {
  if (name == "x") return Side::x;
  if (name == "theta") return Side::theta;
  return std::nullopt;
}
std::optional<Backend> backend_named(std::string_view name) {
  if (name == "cuda") return Backend::cuda;
  if (name == "cpu") return Backend::cpu;
  return std::nullopt;
}
const std::vector<Stage>& all_stages() {
  static const std::vector<Stage> stages = [] {
    std::vector<Stage> list;
    for (const auto& entry : kStages) list.push_back(entry.first);
    return list;
  }();
  return stages;
}
bool is_baseline(Stage stage) {
  return stage == Stage::copy || stage == Stage::gather_copy || stage == Stage::spin ||
         stage == Stage::gemm_batched || stage == Stage::factorize_batched;
}

}  // namespace alsbench
