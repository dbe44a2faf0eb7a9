// SPDX-License-Identifier: Apache-2.0
#include "harness/train/memory_plan.h"

#include <algorithm>
#include <optional>

#include "base/error.h"
#include "harness/device/named_memory.h"

namespace alsbench {
namespace {

constexpr int32_t kLargestRank = 1024;
constexpr int64_t kMost = int64_t{1} << 50;  // bytes that no training needs

struct SetUp {
  int64_t bytes = 0;
  std::vector<MemoryPart> parts;
  bool streams = false;
};

class Planner {
 public:
  Planner(const TrainingPlace& place, const TrainOptions& options, const ChoosePipelines& choose)
      : place_(place), options_(options), choose_(choose) {}

  // Memory at a rank where so many bytes are free; nothing where that does not suffice.
  std::optional<SetUp> at(int32_t rank, int64_t free) const {
    TrainOptions options = options_;
    options.rank = rank;
    try {
      if (choose_) choose_(options, place_.set, place_.team);
      return set_up(options, free);
    } catch (const OutOfMemoryError&) {
      return std::nullopt;
    } catch (const ObjectionError&) {
      if (rank == options_.rank) throw;
      return std::nullopt;  // a pipeline of another rank
    }
  }

  // Bytes that suffice, to a sixteenth.
  int64_t enough(int32_t rank, int64_t too_few) const {
    int64_t enough = std::max<int64_t>(too_few, 1);
    while (enough < kMost && !at(rank, enough)) enough *= 2;
    for (int64_t least = enough / 2; enough - least > enough / 16;) {
      const int64_t middle = (least + enough) / 2;
      (at(rank, middle) ? enough : least) = middle;
    }
    return enough;
  }

  int32_t largest_rank(int64_t free) const {
    int32_t fits = 0, too_large = kLargestRank + 1;
    while (too_large - fits > 1) {
      const int32_t middle = (fits + too_large) / 2;
      (at(middle, free) ? fits : too_large) = middle;
    }
    return fits;
  }

 private:
  SetUp set_up(const TrainOptions& options, int64_t free) const {
    PlannedDevice device(place_.team.device(), free);
    const Recipe& recipe = options.recipe;
    std::optional<NamedMemory> named("ratings");
    const DeviceProblem problem(device, place_.set, options.rank, options.lambda,
                                residency_of(recipe));
    named.reset();
    const auto training = recipe.algorithm->start(problem, recipe, options.seed);
    return {device.peak_bytes(), device.parts(), problem.streamed() != nullptr};
  }

  const TrainingPlace& place_;
  const TrainOptions& options_;
  const ChoosePipelines& choose_;
};

int64_t bytes_of(const Csr& ratings) {
  constexpr int64_t kCell = sizeof(int32_t) + sizeof(float);
  return ratings.offsets.size() * int64_t{8} + ratings.nnz() * kCell;
}

std::vector<MemoryPart> host_parts(const RatingSet& set, int32_t rank) {
  std::vector<MemoryPart> parts{
      {"ratings by user", bytes_of(set.by_user)},
      {"ratings by item", bytes_of(set.by_item)},
      {"test ratings", bytes_of(set.test)},
      {"factors of the model", (set.by_user.rows + set.by_item.rows) * rank * int64_t{4}}};
  std::ranges::stable_sort(parts, [](const auto& a, const auto& b) { return a.bytes > b.bytes; });
  return parts;
}

}  // namespace

MemoryPlan plan_memory(const TrainingPlace& place, const TrainOptions& options,
                       const ChoosePipelines& choose) {
  if (place.team.size() > 1)
    throw UsageError(
        "memory is planned for one device; name one of the team, which takes at least as much "
        "as each of them");
  const Device& device = place.team.device();
  const Planner planner(place, options, choose);
  MemoryPlan plan;
  plan.device = device.traits().name;
  plan.on_host = device.traits().backend == Backend::cpu;
  plan.free_bytes = device.free_bytes();
  plan.rank = options.rank;
  plan.host = host_parts(place.set, options.rank);
  auto set_up = planner.at(options.rank, plan.free_bytes);
  plan.fits = set_up.has_value();
  plan.needed_bytes = plan.free_bytes;
  if (!plan.fits) {
    plan.needed_bytes = planner.enough(options.rank, plan.free_bytes);
    set_up = planner.at(options.rank, plan.needed_bytes);
  }
  if (!set_up)
    throw OutOfMemoryError("out of device memory: no device has enough for this rank; lower it");
  plan.device_bytes = set_up->bytes;
  plan.on_device = set_up->parts;
  plan.streams = set_up->streams;
  plan.largest_rank = std::max(planner.largest_rank(plan.free_bytes), plan.fits ? options.rank : 0);
  return plan;
}

}  // namespace alsbench
