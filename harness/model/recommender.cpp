// SPDX-License-Identifier: Apache-2.0
#include "harness/model/recommender.h"

#include <algorithm>
#include <cmath>
#include <future>
#include <numeric>
#include <utility>

#include "harness/data/array_builder.h"
#include "kernels/shared/params/recommend.h"
#include "variants/recommend/top_k_choice.h"

namespace alsbench {
namespace {

// Waking threads takes longer than the work of fewer rows.
constexpr size_t kRowsOfThreads = 64, kFloatsOfThreads = 1 << 18;

// Enough for all cores; a GPU's multiprocessors have 128 users or so at a time, and should have
// them often.
size_t block_users(const Device& device) {
  return device.traits().backend == Backend::cpu ? 4096 : 65536;
}

// The rows of a side in the order of a list.
void gather(const ModelSide& side, std::span<const int32_t> rows, std::vector<float>& dense) {
  const int64_t rank = side.factors.cols;
  dense.resize(rows.size() * static_cast<size_t>(rank));
#pragma omp parallel for schedule(static) if (dense.size() > kFloatsOfThreads)  // cannot throw
  for (size_t i = 0; i < rows.size(); ++i)
    std::copy_n(side.row(rows[i]), rank, dense.data() + i * static_cast<size_t>(rank));
}

// Makes `buffer` hold so many, and copies the values into it.
template <class T>
T* fill(Device& device, Buffer& buffer, const std::vector<T>& values) {
  const auto bytes = static_cast<int64_t>(values.size() * sizeof(T));
  if (buffer.bytes() < bytes) buffer = device.allocate(bytes);
  device.upload(buffer.data(), values.data(), bytes);
  return buffer.as<T>();
}

// Makes both hold so many elements.
template <class T>
T* resize(Device& device, Buffer& buffer, ArrayBuilder<T>& values, size_t count) {
  const auto elements = static_cast<int64_t>(count);
  if (values.size() < elements) values = ArrayBuilder<T>(elements);
  const int64_t bytes = elements * static_cast<int64_t>(sizeof(T));
  if (buffer.bytes() < bytes) buffer = device.allocate(bytes);
  return buffer.as<T>();
}

}  // namespace

std::span<const int32_t> Recommender::Found::items(size_t user) const {
  const auto row = all_items.subspan(user * k, k);
  return row.first(static_cast<size_t>(std::find(row.begin(), row.end(), -1) - row.begin()));
}

std::span<const float> Recommender::Found::scores(size_t user) const {
  return all_scores.subspan(user * k, items(user).size());
}

Recommender::Recommender(Device& device, const ModelSide& items)
    : device_(&device), all_(&items), place_(items.cold.size(), -1) {
  for (size_t item = 0; item < place_.size(); ++item) {
    if (items.cold[item] != 0) continue;
    place_[item] = static_cast<int32_t>(items_.size());
    items_.push_back(static_cast<int32_t>(item));
  }
  set_theta();
}

// The CPU reads the factors where they are, if there are no others between them.
void Recommender::set_theta() {
  const auto rank = static_cast<int32_t>(all_->factors.cols);
  const auto count = static_cast<int64_t>(items_.size());
  if (device_->traits().backend == Backend::cpu && count == all_->rows()) {
    theta_ = {const_cast<float*>(all_->factors.values.data()), count, rank, rank};
    return;
  }
  own_theta_ = FactorMatrix(*device_, count, rank);
  std::vector<float> dense;
  gather(*all_, items_, dense);
  own_theta_.upload(dense);
  theta_ = own_theta_.view();
}

int32_t Recommender::at_most(int k) const {
  return std::clamp(k, 1, std::max(1, static_cast<int>(items_.size())));
}

Executable& Recommender::executable_for(const Shape& shape, int32_t k) {
  if (executable_ == nullptr || executable_rows_ != shape.rows || executable_k_ != k) {
    executable_.reset();  // its workspace, before there is another
    const auto [variant, config] = top_k_choice(shape, device_->traits(), k);
    executable_ = device_->prepare(*variant, config, shape);
    executable_rows_ = shape.rows;
    executable_k_ = k;
  }
  return *executable_;
}

void Recommender::find_seen(size_t begin, size_t count, const Seen& seen) {
  // Calls use(place) for what the asker at `i` is not recommended of items_, ascending.
  const auto each_seen = [&](size_t i, const auto& use) {
    const auto use_item = [&](int32_t item) {
      const auto at = static_cast<size_t>(item);
      if (at < place_.size() && place_[at] >= 0) use(place_[at]);
    };
    auto without = seen.without.begin();
    if (seen.ratings != nullptr && seen.rows[begin + i] < seen.ratings->rows) {
      const int64_t row = seen.rows[begin + i];
      for (int64_t at = seen.ratings->offsets[row]; at < seen.ratings->offsets[row + 1]; ++at) {
        const int32_t item = seen.ratings->indices[at];
        for (; without != seen.without.end() && *without <= item; ++without)
          if (*without < item) use_item(*without);
        use_item(item);
      }
    }
    for (; without != seen.without.end(); ++without) use_item(*without);
  };
  host_offsets_.assign(count + 1, 0);
#pragma omp parallel for schedule(dynamic, 256) if (count > kRowsOfThreads)  // cannot throw
  for (size_t i = 0; i < count; ++i) each_seen(i, [&](int32_t) { ++host_offsets_[i + 1]; });
  std::partial_sum(host_offsets_.begin(), host_offsets_.end(), host_offsets_.begin());
  host_seen_.resize(static_cast<size_t>(host_offsets_.back()));
#pragma omp parallel for schedule(dynamic, 256) if (count > kRowsOfThreads)  // cannot throw
  for (size_t i = 0; i < count; ++i) {
    int32_t* end = host_seen_.data() + host_offsets_[i];
    each_seen(i, [&](int32_t place) { *end++ = place; });
  }
}

void Recommender::run(const Askers& askers, int32_t k) {
  const auto count = static_cast<int64_t>(askers.rows.size());
  const auto rank = static_cast<int32_t>(all_->factors.cols);
  if (x_.view().rows != count) x_ = FactorMatrix(*device_, count, rank);
  gather(*askers.side, askers.rows, host_x_);
  x_.upload(host_x_);
  TopKParams params;
  params.seen.offsets = fill(*device_, offsets_, host_offsets_);
  params.seen.indices = fill(*device_, seen_, host_seen_);
  params.seen.rows = count;
  params.seen.cols = theta_.rows;
  params.seen.nnz = host_offsets_.back();
  params.x = x_.view();
  params.theta = theta_;
  params.k = k;
  const size_t found = askers.rows.size() * static_cast<size_t>(k);
  params.items = resize(*device_, best_items_, found_items_, found);
  params.scores = resize(*device_, best_scores_, found_scores_, found);
  const Shape shape{.rows = count, .cols = theta_.rows, .nnz = params.seen.nnz, .rank = rank};
  executable_for(shape, k).launch(params);
  device_->download(found_items_.data(), params.items,
                    static_cast<int64_t>(found * sizeof(int32_t)));
  device_->download(found_scores_.data(), params.scores,
                    static_cast<int64_t>(found * sizeof(float)));
#pragma omp parallel for schedule(static) if (askers.rows.size() > kRowsOfThreads)  // cannot throw
  for (int64_t i = 0; i < static_cast<int64_t>(found); ++i) {
    if (found_items_[i] < 0) continue;
    found_items_[i] = items_[static_cast<size_t>(found_items_[i])];
    if (all_->is_unit) found_scores_[i] = std::clamp(found_scores_[i], -1.0f, 1.0f);  // rounded
  }
}

void Recommender::recommend(const Askers& askers, const Seen& seen, int k, const Visit& visit) {
  const std::span<const int32_t> rows = askers.rows;
  if (items_.empty() || rows.empty()) return;
  const int32_t most = at_most(k);
  const size_t maximum = block_users(*device_);
  const auto find = [&](size_t begin) {
    const size_t count = std::min(maximum, rows.size() - begin);
    device_->use();
    find_seen(begin, count, seen);
    run({askers.side, rows.subspan(begin, count)}, most);
  };
  // A GPU works on a block while the one before is visited; a CPU's threads would be in each
  // other's way.
  const bool ahead = device_->traits().backend != Backend::cpu;
  const auto policy = ahead ? std::launch::async : std::launch::deferred;
  std::future<void> finding = std::async(policy, find, 0);
  for (size_t begin = 0; begin < rows.size(); begin += maximum) {
    const size_t count = std::min(maximum, rows.size() - begin);
    finding.get();
    std::swap(found_items_, visited_items_);
    std::swap(found_scores_, visited_scores_);
    if (begin + count < rows.size()) finding = std::async(policy, find, begin + count);
    const size_t found = count * static_cast<size_t>(most);
    visit({begin,
           count,
           static_cast<size_t>(most),
           {visited_items_.data(), found},
           {visited_scores_.data(), found}});
  }
}

namespace {

double length_of(const float* row, int64_t rank) {
  double sum = 0;
  for (int64_t i = 0; i < rank; ++i)
    sum += static_cast<double>(row[i]) * static_cast<double>(row[i]);
  return std::sqrt(sum);
}

}  // namespace

ModelSide unit_side(const ModelSide& side, int64_t features) {
  ArrayBuilder<float> unit(side.rows() * features);
  ModelSide rows;
  rows.is_unit = true;
  rows.cold = side.cold;
#pragma omp parallel for schedule(static)  // cannot throw
  for (int64_t row = 0; row < side.rows(); ++row) {
    const double length = length_of(side.row(row), features);
    if (length == 0) rows.cold[static_cast<size_t>(row)] = 1;
    for (int64_t i = 0; i < features; ++i)
      unit[row * features + i] =
          length == 0 ? 0 : static_cast<float>(static_cast<double>(side.row(row)[i]) / length);
  }
  rows.factors = {unit.freeze(), side.rows(), features};
  return rows;
}

}  // namespace alsbench
