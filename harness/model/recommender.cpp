// SPDX-License-Identifier: Apache-2.0
#include "harness/model/recommender.h"

#include <algorithm>

#include "harness/device/uploaded.h"
#include "kernels/shared/params/recommend.h"
#include "variants/recommend/top_k_choice.h"

namespace alsbench {
namespace {

// Enough for all cores; a GPU's multiprocessors have 128 users or so at a time, and should have
// them often.
size_t block_users(const Device& device) {
  return device.traits().backend == Backend::cpu ? 4096 : 131072;
}

// The rows of a side in the order of a list.
std::vector<float> gathered(const ModelSide& side, std::span<const int32_t> rows) {
  const int64_t rank = side.factors.cols;
  std::vector<float> dense(rows.size() * static_cast<size_t>(rank));
  for (size_t i = 0; i < rows.size(); ++i)
    std::copy_n(side.row(rows[i]), rank, dense.data() + i * static_cast<size_t>(rank));
  return dense;
}

}  // namespace

// Results for some users, and the seen items of each as places in items_.
struct Recommender::Block {
  std::vector<int64_t> offsets;
  std::vector<int32_t> seen;
  std::vector<int32_t> items;
  std::vector<float> scores;
};

Recommender::Recommender(Device& device, const Model& model, int k)
    : device_(&device), model_(&model), k_(k), place_(model.items.cold.size(), -1) {
  for (size_t item = 0; item < place_.size(); ++item) {
    if (model.items.cold[item] != 0) continue;
    place_[item] = static_cast<int32_t>(items_.size());
    items_.push_back(static_cast<int32_t>(item));
  }
  k_ = std::clamp(k, 1, std::max(1, static_cast<int>(items_.size())));
  theta_ =
      FactorMatrix(device, static_cast<int64_t>(items_.size()), static_cast<int32_t>(model.rank));
  theta_.upload(gathered(model.items, items_));
}

Executable& Recommender::executable_for(const Shape& shape) {
  if (executable_ == nullptr || executable_rows_ != shape.rows) {
    executable_.reset();  // its workspace, before there is another
    const auto [variant, config] = top_k_choice(shape, device_->traits(), k_);
    executable_ = device_->prepare(*variant, config, shape);
    executable_rows_ = shape.rows;
  }
  return *executable_;
}

void Recommender::run(std::span<const int32_t> users, const Csr* seen, Block& block) {
  block.offsets.assign(1, 0);
  block.seen.clear();
  for (const int32_t user : users) {
    if (seen != nullptr && user < seen->rows)
      for (int64_t k = seen->offsets[user]; k < seen->offsets[user + 1]; ++k) {
        const auto item = static_cast<size_t>(seen->indices[k]);
        if (item < place_.size() && place_[item] >= 0) block.seen.push_back(place_[item]);
      }
    block.offsets.push_back(static_cast<int64_t>(block.seen.size()));
  }
  const auto count = static_cast<int64_t>(users.size());
  FactorMatrix x(*device_, count, static_cast<int32_t>(model_->rank));
  x.upload(gathered(model_->users, users));
  const Buffer offsets = uploaded(*device_, block.offsets),
               indices = uploaded(*device_, block.seen);
  const Buffer items = device_->allocate(count * k_ * int64_t{sizeof(int32_t)});
  const Buffer scores = device_->allocate(count * k_ * int64_t{sizeof(float)});
  TopKParams params;
  params.seen.offsets = offsets.as<int64_t>();
  params.seen.indices = indices.as<int32_t>();
  params.seen.rows = count;
  params.seen.cols = theta_.view().rows;
  params.seen.nnz = block.offsets.back();
  params.x = x.view();
  params.theta = theta_.view();
  params.k = k_;
  params.items = items.as<int32_t>();
  params.scores = scores.as<float>();
  const Shape shape{
      .rows = count, .cols = params.seen.cols, .nnz = params.seen.nnz, .rank = params.x.rank};
  executable_for(shape).launch(params);
  block.items.resize(static_cast<size_t>(count * k_));
  block.scores.resize(block.items.size());
  device_->download(block.items.data(), items.data(), items.bytes());
  device_->download(block.scores.data(), scores.data(), scores.bytes());
}

void Recommender::recommend(std::span<const int32_t> users, const Csr* seen, const Visit& visit) {
  if (items_.empty()) return;
  const auto k = static_cast<size_t>(k_);
  Block block;
  const size_t maximum = block_users(*device_);
  for (size_t begin = 0; begin < users.size(); begin += maximum) {
    const size_t count = std::min(maximum, users.size() - begin);
    run(users.subspan(begin, count), seen, block);
    for (size_t i = 0; i < count; ++i) {
      int32_t* const items = block.items.data() + i * k;
      const auto found = static_cast<size_t>(std::find(items, items + k, -1) - items);
      std::transform(items, items + found, items,
                     [&](int32_t place) { return items_[static_cast<size_t>(place)]; });
      visit(begin + i, {items, found}, {block.scores.data() + i * k, found});
    }
  }
}

}  // namespace alsbench
