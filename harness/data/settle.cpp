#include "harness/data/settle.h"

#include <algorithm>
#include <cmath>
#include <queue>
#include <span>

#include "harness/data/generator.h"

namespace alsbench {
namespace {

constexpr double kTolerance = 0.02;

class Settling {
 public:
  Settling(const GeneratorPlan& plan, int32_t* indices, float* values)
      : plan_(plan), indices_(indices), values_(values), limit_(largest_degree(plan)) {
    degrees_.resize(static_cast<size_t>(plan.spec.cols));
    for (int64_t i = 0; i < plan.row_offsets.back(); ++i)
      ++degrees_[static_cast<size_t>(indices[i])];
    expected_.resize(degrees_.size());
    for (size_t rank = 0; rank < plan.target_degrees.size(); ++rank)
      expected_[static_cast<size_t>(plan.item_of_rank[rank])] = plan.target_degrees[rank];
  }

  void run() {
    std::vector<std::vector<int64_t>> rows_of(degrees_.size());  // of the items beyond the limit
    for (int64_t row = 0; row < plan_.spec.rows; ++row)
      for (const int32_t item : items_of(row))
        if (is_beyond(item)) rows_of[static_cast<size_t>(item)].push_back(row);
    for (size_t item = 0; item < degrees_.size(); ++item)
      if (!is_beyond(static_cast<int32_t>(item)) && expected_[item] > 0)
        short_.emplace(shortfall(static_cast<int32_t>(item)), static_cast<int32_t>(item));
    for (size_t item = 0; item < rows_of.size(); ++item)
      if (is_beyond(static_cast<int32_t>(item))) relieve(static_cast<int32_t>(item), rows_of[item]);
  }

  bool any_beyond() const { return *std::max_element(degrees_.begin(), degrees_.end()) > limit_; }

 private:
  using Short = std::pair<double, int32_t>;  // by how much, which item

  std::span<int32_t> items_of(int64_t row) const {
    const auto r = static_cast<size_t>(row);
    return {indices_ + plan_.row_offsets[r], indices_ + plan_.row_offsets[r + 1]};
  }
  bool is_beyond(int32_t item) const { return degrees_[static_cast<size_t>(item)] > limit_; }
  double shortfall(int32_t item) const {
    const auto at = static_cast<size_t>(item);
    return expected_[at] - static_cast<double>(degrees_[at]);
  }

  // Takes ratings of `item` out of its rows, in random order, until it is within the limit.
  void relieve(int32_t item, std::vector<int64_t>& rows) {
    const uint64_t key = stream_key(plan_.seed, Stream::settle);
    const auto order = [&](int64_t row) {
      return random_word(key, static_cast<uint64_t>(row), static_cast<uint64_t>(item));
    };
    std::sort(rows.begin(), rows.end(), [&](int64_t a, int64_t b) { return order(a) < order(b); });
    for (const int64_t row : rows) {
      if (!is_beyond(item)) return;
      give(row, item);
    }
  }

  // Puts the item that is the shortest, and that the row lacks, in the place of `item`.
  void give(int64_t row, int32_t item) {
    std::vector<Short> held;  // by the row, so put back afterwards
    while (!short_.empty()) {
      const int32_t other = short_.top().second;
      const std::span<int32_t> items = items_of(row);
      const bool lacks = !std::binary_search(items.begin(), items.end(), other);
      if (!lacks) held.push_back(short_.top());
      short_.pop();
      if (!lacks) continue;
      replace(row, item, other);
      --degrees_[static_cast<size_t>(item)];
      ++degrees_[static_cast<size_t>(other)];
      if (degrees_[static_cast<size_t>(other)] < limit_) short_.emplace(shortfall(other), other);
      break;
    }
    for (const Short& entry : held) short_.push(entry);
  }

  // The items of the row stay in ascending order.
  void replace(int64_t row, int32_t item, int32_t other) {
    const std::span<int32_t> items = items_of(row);
    float* const values = values_ + plan_.row_offsets[static_cast<size_t>(row)];
    auto from = std::lower_bound(items.begin(), items.end(), item) - items.begin();
    const auto move = [&](std::ptrdiff_t step) {
      items[static_cast<size_t>(from)] = items[static_cast<size_t>(from + step)];
      values[from] = values[from + step];
      from += step;
    };
    const auto size = static_cast<std::ptrdiff_t>(items.size());
    while (from + 1 < size && items[static_cast<size_t>(from + 1)] < other) move(1);
    while (from > 0 && items[static_cast<size_t>(from - 1)] > other) move(-1);
    items[static_cast<size_t>(from)] = other;
    const auto user = static_cast<uint64_t>(row), liked = static_cast<uint64_t>(other);
    values[from] = rating_value(
        plan_.values,
        signal_of(plan_.values, latent_user(plan_.values, user), latent_item(plan_.values, liked)),
        user, liked);
  }

  const GeneratorPlan& plan_;
  int32_t* const indices_;
  float* const values_;
  const int64_t limit_;
  std::vector<int64_t> degrees_;
  std::vector<double> expected_;
  std::priority_queue<Short> short_;
};

}  // namespace

int64_t largest_degree(const GeneratorPlan& plan) {
  const double largest = plan.target_degrees.front();
  return static_cast<int64_t>(std::max(std::ceil(largest), std::floor((1 + kTolerance) * largest)));
}

void settle_largest(const GeneratorPlan& plan, int32_t* indices, float* values) {
  Settling settling(plan, indices, values);
  if (settling.any_beyond()) settling.run();
}

}  // namespace alsbench
