#include "harness/stage/stage_fixture.h"

#include <algorithm>
#include <random>
#include <vector>

#include "kernels/shared/spin.h"
#include "variants/catalog.h"
#include "variants/pipeline.h"

namespace alsbench {
namespace {

// Fills a device buffer with uniform floats in [-0.5, 0.5): one host block, repeated on the device.
void fill_random(Device& device, const Buffer& buffer, uint64_t seed) {
  constexpr int64_t kBlock = int64_t{1} << 20;  // floats
  const int64_t count = buffer.bytes() / 4;
  std::vector<float> block(static_cast<size_t>(std::min(count, kBlock)));
  std::mt19937_64 generator(seed);
  std::uniform_real_distribution<float> uniform(-0.5f, 0.5f);
  for (float& value : block) value = uniform(generator);
  for (int64_t first = 0; first < count; first += kBlock) {
    float* target = buffer.as<float>() + first;
    const int64_t bytes = std::min(kBlock, count - first) * 4;
    if (first == 0)
      device.upload(target, block.data(), bytes);
    else
      device.copy(target, buffer.data(), bytes);
  }
}

Buffer rounded(Device& device, Scalar type, const void* source, int64_t count) {
  Buffer copy = device.allocate(count * size_of(type));
  device.convert(copy.data(), type, source, count, nullptr);
  return copy;
}

bool solves(Stage stage) { return stage == Stage::solve || stage == Stage::factorize_batched; }

bool uses_update_params(Stage stage) {
  return stage == Stage::hermitian || stage == Stage::bias || stage == Stage::normal_equations ||
         stage == Stage::update || solves(stage);
}

}  // namespace

struct StageFixture::State {
  const DeviceProblem& problem;
  Stage stage;
  Side side;
  Scalar factors_type, matrices_type;
  Shape shape;
  int64_t measured_rows = 0;
  int64_t bytes = 0;

  // Fixed side, and the warm start of the solved side: the problem's own.
  const FactorMatrix *fixed = nullptr, *start = nullptr;
  FactorMatrix solution{};
  Buffer fixed_rounded{}, solution_rounded{};
  Buffer matrices{}, bias{}, pristine_matrices{}, pristine_bias{};
  Buffer steps{}, status{};
  Buffer partial_sums{}, partial_cold{};
  Buffer source{}, target{};  // baselines
  bool destroyed = false;     // matrices no longer hold A_u

  Device& device() const { return problem.device(); }
  int64_t initial_bytes() const {
    return (fixed != nullptr ? fixed->bytes() : 0) + (start != nullptr ? start->bytes() : 0);
  }
  int64_t batch() const { return shape.launch_rows(); }
  int64_t spin_chains() const { return kSpinChains * int64_t{device().traits().multiprocessors}; }
  int64_t matrix_elements() const { return int64_t{shape.rank} * shape.rank; }

  void choose_initial(uint64_t seed);
  void make_factors();
  void make_batch();
  void make_systems();
  void make_rmse();
  void make_baseline(uint64_t seed);
  UpdateParams update_params(int64_t first_row) const;
};

void StageFixture::State::choose_initial(uint64_t seed) {
  fixed = &problem.initial(other(side), seed);
  if (uses_update_params(stage) || stage == Stage::rmse) start = &problem.initial(side, seed + 1);
}

void StageFixture::State::make_factors() {
  if (factors_type != Scalar::fp32)
    fixed_rounded = rounded(device(), factors_type, fixed->view().data, fixed->bytes() / 4);
  if (start == nullptr) return;
  solution = FactorMatrix(device(), shape.rows, shape.rank);
  device().copy(solution.view().data, start->view().data, start->bytes());
  if (stage == Stage::update && factors_type != Scalar::fp32)
    solution_rounded = device().allocate(start->bytes() / 4 * size_of(factors_type));
}

// Outputs of one batch. A solver's inputs must all lie in memory, so that it covers one batch; the
// others loop.
void StageFixture::State::make_batch() {
  const bool has_matrices = stage != Stage::bias && stage != Stage::update;
  const int64_t element = size_of(matrices_type);
  const int64_t copies = solves(stage) ? 2 : 1;
  const int64_t row_bytes = has_matrices ? copies * element * matrix_elements() : 0;
  const int64_t bias_bytes = int64_t{4} * factor_pitch(shape.rank);
  constexpr int64_t kLibraryScratch = 64;
  shape.batch_rows =
      batch_rows_for(device(), shape.rows, row_bytes + copies * bias_bytes + kLibraryScratch);
  measured_rows = solves(stage) ? batch() : shape.rows;
  if (has_matrices) matrices = device().allocate(batch() * matrix_elements() * element);
  bias = device().allocate(batch() * bias_bytes);
  device().fill(bias.data(), 0, bias.bytes());
  steps = device().allocate(batch() * 4);
  status = device().allocate(batch() * 4);
}

// A_u and b_u of the fixed factors, by the hermitian and bias of the backend's exact pipeline.
void StageFixture::State::make_systems() {
  const Pipeline exact = exact_pipeline(device().traits().backend);
  for (const PipelineStep& step : exact.steps) {
    if (step.variant->stage == Stage::solve) continue;
    Config config = step.config;
    if (step.variant->stage == Stage::hermitian)
      config = step.variant->space.assign(config, "output", name_of(matrices_type));
    UpdateParams params = update_params(0);
    params.factors = fixed->view();
    device().prepare(*step.variant, config, shape)->launch(params);
    device().synchronize();
  }
}

void StageFixture::State::make_rmse() {
  measured_rows = shape.rows;
  partial_sums = device().allocate(kRmsePartials * 8);
  partial_cold = device().allocate(kRmsePartials * 8);
}

void StageFixture::State::make_baseline(uint64_t seed) {
  measured_rows = shape.rows;
  int64_t source_bytes = 0, target_bytes = 0;
  if (stage == Stage::copy) {
    source_bytes = target_bytes = copy_bytes(shape);
  } else if (stage == Stage::spin) {
    target_bytes = spin_chains() * int64_t{sizeof(uint32_t)};
  } else if (stage == Stage::gather_copy) {
    target_bytes = gather_copy_rows(shape) * factor_pitch(shape.rank) * int64_t{4};
  } else {
    const GemmShape gemm = gemm_shape(shape);
    source_bytes = gemm.batch * gemm.k * shape.rank * int64_t{4};
    target_bytes = gemm.batch * matrix_elements() * 4;
  }
  if (source_bytes > 0) {
    source = device().allocate(source_bytes);
    fill_random(device(), source, seed);
    if (factors_type != Scalar::fp32)
      source = rounded(device(), factors_type, source.data(), source_bytes / 4);
  }
  target = device().allocate(target_bytes);
}

UpdateParams StageFixture::State::update_params(int64_t first_row) const {
  UpdateParams params;
  params.ratings = problem.ratings(side);
  params.factors = fixed->view();
  if (factors_type != Scalar::fp32) params.factors.data = fixed_rounded.data();
  params.solution = solution.view();
  params.lambda = problem.lambda();
  params.first_row = first_row;
  params.row_count = std::min(batch(), measured_rows - first_row);
  params.matrices = matrices.data();
  params.bias = bias.as<float>();
  params.steps = steps.as<int32_t>();
  params.status = status.as<int32_t>();
  params.rounded = solution_rounded.data();
  return params;
}

StageFixture::StageFixture(const DeviceProblem& problem, Stage stage, Side side, Scalar factors,
                           Scalar matrices, uint64_t seed)
    : state_(new State{problem, stage, side, factors, matrices, problem.shape(side)}) {
  const bool reads_factors =
      stage != Stage::copy && stage != Stage::spin && stage != Stage::gemm_batched;
  if (reads_factors) state_->choose_initial(seed);
  // Whoever asked for the initial factors first: they are needed here, and count.
  const int64_t before = problem.device().allocated_bytes() - state_->initial_bytes();
  if (reads_factors) state_->make_factors();
  if (uses_update_params(stage)) {
    state_->make_batch();
    if (solves(stage)) state_->make_systems();
  } else if (stage == Stage::rmse) {
    state_->make_rmse();
  } else {
    state_->make_baseline(seed);
  }
  problem.device().synchronize();
  state_->bytes = problem.device().allocated_bytes() - before;
}

StageFixture::~StageFixture() = default;

Stage StageFixture::stage() const { return state_->stage; }
FactorsView StageFixture::fixed_factors() const { return state_->fixed->view(); }
Side StageFixture::side() const { return state_->side; }
const DeviceProblem& StageFixture::problem() const { return state_->problem; }
Shape StageFixture::shape() const { return state_->shape; }
int64_t StageFixture::measured_rows() const { return state_->measured_rows; }

int64_t StageFixture::bytes() const { return state_->bytes; }

Work StageFixture::work(const WorkOptions& options) const {
  Shape shape = state_->shape;
  if (solves(state_->stage)) shape.rows = state_->measured_rows;
  return stage_work(state_->stage, shape, options);
}

void StageFixture::restore(const Variant& variant) {
  State& s = *state_;
  if (!uses_update_params(s.stage)) return;
  if (s.stage == Stage::solve || s.stage == Stage::update)
    s.device().copy(s.solution.view().data, s.start->view().data, s.start->bytes());
  if (!solves(s.stage)) return;
  if (s.destroyed) {
    s.device().copy(s.matrices.data(), s.pristine_matrices.data(), s.matrices.bytes());
    s.device().copy(s.bias.data(), s.pristine_bias.data(), s.bias.bytes());
  } else if (variant.destroys_matrices) {
    s.pristine_matrices = s.device().allocate(s.matrices.bytes());
    s.pristine_bias = s.device().allocate(s.bias.bytes());
    s.device().copy(s.pristine_matrices.data(), s.matrices.data(), s.matrices.bytes());
    s.device().copy(s.pristine_bias.data(), s.bias.data(), s.bias.bytes());
  }
  s.destroyed = s.destroyed || variant.destroys_matrices;
}

void StageFixture::poison() {
  State& s = *state_;
  constexpr int kNanByte = 0xFF;
  const auto fill = [&](const Buffer& buffer) {
    if (buffer) s.device().fill(buffer.data(), kNanByte, buffer.bytes());
  };
  if (!solves(s.stage)) {
    fill(s.matrices);
    fill(s.bias);
  }
  fill(s.solution_rounded);
  fill(s.steps);
  fill(s.status);
  fill(s.partial_sums);
  fill(s.partial_cold);
  fill(s.target);
}

void StageFixture::launch(Executable& executable) {
  if (!uses_update_params(state_->stage)) {
    executable.launch(params(0));
    return;
  }
  for (int64_t first = 0; first < state_->measured_rows; first += state_->batch())
    executable.launch(params(first));
}

std::vector<double> StageFixture::kernel_seconds(Executable& executable) {
  if (!uses_update_params(state_->stage)) return executable.kernel_seconds(params(0));
  std::vector<double> sum(executable.kernels().size());
  for (int64_t first = 0; first < state_->measured_rows; first += state_->batch()) {
    const std::vector<double> seconds = executable.kernel_seconds(params(first));
    for (size_t i = 0; i < seconds.size(); ++i) sum[i] += seconds[i];
  }
  return sum;
}

StageParams StageFixture::params(int64_t first_row) const {
  const State& s = *state_;
  if (uses_update_params(s.stage)) return s.update_params(first_row);
  if (s.stage == Stage::rmse) {
    RmseParams params;
    params.ratings = s.problem.ratings(Side::x);
    params.x = (s.side == Side::x ? s.solution : *s.fixed).view();
    params.theta = (s.side == Side::x ? *s.fixed : s.solution).view();
    params.train_row_offsets = s.problem.ratings(Side::x).offsets;
    params.train_col_offsets = s.problem.ratings(Side::theta).offsets;
    params.mean = static_cast<float>(s.problem.set().mean);
    params.partial_sums = s.partial_sums.as<double>();
    params.partial_cold = s.partial_cold.as<int64_t>();
    return params;
  }
  if (s.stage == Stage::gemm_batched) {
    const GemmShape gemm = gemm_shape(s.shape);
    return GemmParams{s.source.data(), s.target.as<float>(), gemm.batch, gemm.k, s.shape.rank};
  }
  if (s.stage == Stage::spin) return SpinParams{s.target.as<uint32_t>(), s.spin_chains()};
  CopyParams params;
  params.target = s.target.data();
  if (s.stage == Stage::copy) {
    params.source = s.source.data();
    params.bytes = s.source.bytes();
  } else {
    params.source = s.fixed->view().data;
    params.indices = s.problem.ratings(s.side).indices;
    params.rows = gather_copy_rows(s.shape);
    params.source_rows = s.fixed->view().rows;
    params.bytes = int64_t{4} * s.fixed->view().pitch;
  }
  return params;
}

}  // namespace alsbench
