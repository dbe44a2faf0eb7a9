// SPDX-License-Identifier: Apache-2.0
#include "harness/data/draw_rows.h"

#include <algorithm>
#include <vector>

#include "base/error.h"
#include "harness/data/generator.h"
#include "harness/device/cuda_backend.h"
#include "harness/device/uploaded.h"

namespace alsbench {
namespace {

// Inputs of every launch, on the device.
struct PlanOnDevice {
  PlanOnDevice(Device& device, const GeneratorPlan& plan)
      : cumulative(uploaded(device, plan.cumulative)),
        guide(uploaded(device, plan.guide)),
        prefix(uploaded(device, plan.prefix)),
        item_of_rank(uploaded(device, plan.item_of_rank)),
        latent(uploaded(device, latent_items(plan))) {}

  DrawRowsParams params(const GeneratorPlan& plan) const {
    DrawRowsParams params;
    params.weights = plan.weights();
    params.weights.cumulative = cumulative.as<int64_t>();
    params.weights.guide = guide.as<int32_t>();
    params.weights.prefix = prefix.as<int32_t>();
    params.values = plan.values;
    params.seed = plan.seed;
    params.item_of_rank = item_of_rank.as<int32_t>();
    params.latent_items = latent.as<Latent>();
    params.cols = plan.spec.cols;
    return params;
  }

  Buffer cumulative, guide, prefix, item_of_rank, latent;
};

// The end of the longest run of rows from `first` with at most `maximum` ratings and `maximum`
// rows; at least one row.
int64_t last_row(const std::vector<int64_t>& offsets, int64_t first, int64_t maximum) {
  const auto begin = offsets.begin() + first;
  const auto end = std::upper_bound(begin, offsets.end(), *begin + maximum);
  const int64_t row = std::distance(offsets.begin(), end) - 1;
  return std::clamp(row, first + 1, first + maximum);
}

}  // namespace

void draw_rows_on_cuda(Device& device, const GeneratorPlan& plan, int32_t* indices, float* values) {
  const DrawRowsKernel draw = load_draw_rows(device, plan.spec.cols);
  const PlanOnDevice on_device(device, plan);
  DrawRowsParams params = on_device.params(plan);
  // A rating takes 8 bytes, the offset of a row 8: half the free memory, at most 2 GiB.
  const std::vector<int64_t>& offsets = plan.row_offsets;
  const int64_t longest = static_cast<int64_t>(plan.prefix.size()) - 1;
  const int64_t maximum = std::max(longest, std::min(int64_t{1} << 27, device.free_bytes() / 32));
  const Buffer batch_indices = device.allocate(maximum * static_cast<int64_t>(sizeof(int32_t)));
  const Buffer batch_values = device.allocate(maximum * static_cast<int64_t>(sizeof(float)));
  const Buffer batch_offsets = device.allocate((std::min(maximum, plan.spec.rows) + 1) *
                                               static_cast<int64_t>(sizeof(int64_t)));
  params.indices = batch_indices.as<int32_t>();
  params.ratings = batch_values.as<float>();
  params.offsets = batch_offsets.as<int64_t>();
  for (int64_t row = 0; row < plan.spec.rows;) {
    const int64_t end = last_row(offsets, row, maximum);
    const int64_t* batch = offsets.data() + row;
    device.upload(batch_offsets.data(), batch,
                  (end - row + 1) * static_cast<int64_t>(sizeof(int64_t)));
    params.first_row = row;
    draw(params, end - row);
    const int64_t ratings = offsets[static_cast<size_t>(end)] - *batch;
    device.download(indices + *batch, params.indices,
                    ratings * static_cast<int64_t>(sizeof(int32_t)));
    device.download(values + *batch, params.ratings, ratings * static_cast<int64_t>(sizeof(float)));
    row = end;
  }
}

void draw_rows(const GeneratorPlan& plan, const DrawTarget& on, int32_t* indices, float* values) {
  const bool gpu = on.device != nullptr && on.device->traits().backend == Backend::cuda;
  if (!gpu || (!on.always && plan.row_offsets.back() < kMinRatingsToDrawOnGpu))
    return draw_rows_on_cpu(plan, indices, values);
  try {
    draw_rows_on_cuda(*on.device, plan, indices, values);
  } catch (const LaunchRefusedError&) {
    if (on.always) throw;
    draw_rows_on_cpu(plan, indices, values);
  }
}

}  // namespace alsbench
