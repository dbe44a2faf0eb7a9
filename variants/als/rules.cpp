// SPDX-License-Identifier: Apache-2.0
#include "variants/als/rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "kernels/cuda/rows/pieces.cuh"
#include "variants/als/rates.h"
#include "variants/als/tensor_cores.h"

namespace alsbench::rules {
namespace {

// At four steps the last iteration is within 1e-3 of exact RMSE at all shapes measured, at six
// every iteration (docs/explanation/tuning-algorithm.md). Six are taken where they cost little, and
// where rows are too short to determine their factors.
constexpr int kFewSteps = 4, kManySteps = 6;
constexpr double kNegligibleRatio = 1.02;
// Where a step is dear, late iterations do with one less.
constexpr int kLateSteps = kFewSteps - 1;
constexpr int kOneWarp = 102;               // the greatest rank whose A_u a warp holds
constexpr int kMaxRankWithoutSpills = 224;  // the greatest at which no update of a team spills
constexpr int kShortRow = 8;                // a row is short below the rank over this
// Scales and bytes of a factor cost nine bytes of traffic a feature, and save one a read. Halves
// are taken to need as many reads.
constexpr int64_t kMinReuse = 9;
// Factors in FP32 of so many bytes exceed a core's own caches, and a CPU reads halves faster.
constexpr int64_t kBytesBeyondCaches = int64_t{8} << 20;
// Ratings of a piece: the least at which the sums of all pieces that there may be take at most that
// part of the device's memory. The last is the largest that sums of bytes are sure of.
constexpr std::array<int64_t, 3> kChunks{4096, 8192, 32768};
constexpr int64_t kMemoryFraction = 8;
// Of times as near as that the more exact type is taken.
constexpr double kNearlyEqual = 1.03;

// Warps that share a row at a rank.
using TeamOf = int (*)(int rank);

// A pipeline but for its CG steps.
struct Kind {
  std::string text;
  Rates rates;
  TeamOf team_of = nullptr;
  double handicap = 1;  // of the less exact
  int64_t chunk = kChunks.front();
  // Rows of at most so many ratings have rates of their own; 0: none.
  int short_ratings = 0;
  std::span<const Rate> short_rates = {};
  bool expensive_steps = false;  // late iterations take one less
};

bool has_short_rows(const Shape& shape) { return kShortRow * shape.mean_row_length() < shape.rank; }

// The factors that are read are those of short rows: what is made of them is badly conditioned.
bool reads_short_rows(const Shape& shape) {
  return static_cast<double>(kShortRow) * static_cast<double>(shape.nnz) <
         static_cast<double>(shape.rank) * static_cast<double>(shape.cols);
}

// The mean row of either side has as many ratings as the rank. Where one has fewer, CG needs every
// step at a small lambda.
bool has_long_rows(const Shape& shape) {
  return shape.nnz >= int64_t{shape.rank} * std::max(shape.rows, shape.cols);
}

// Whether the factors that are read are read often enough to pay for a narrower type.
bool reads_often(const Shape& shape) { return shape.nnz >= kMinReuse * shape.cols; }

int64_t chunk_of(const Shape& shape, const DeviceTraits& traits) {
  const int64_t sum_bytes = int64_t{3} * shape.rank * shape.rank;  // tiles of the lower triangle
  for (const int64_t chunk : kChunks)
    if (shape.longest_row() <= chunk ||
        2 * (shape.nnz / chunk) * sum_bytes <= traits.memory_bytes / kMemoryFraction)
      return chunk;
  return kChunks.back();
}

int one_team(int) { return 1; }
int team_of_rank(int rank) { return mma_team(team_layout(rank, false)).warps; }
int warpgroups_of_rank(int rank) { return mma_team(team_layout(rank, true)).warps; }

Rate scaled(const Rate& rate, int rank) {
  const double factor = static_cast<double>(rank) / rate.rank;
  return {rank, rate.rating * factor, rate.rating_product * factor, rate.row * factor,
          rate.row_product * factor};
}

Rate between(const Rate& low, const Rate& high, int rank) {
  const double share =
      high.rank > low.rank ? static_cast<double>(rank - low.rank) / (high.rank - low.rank) : 0;
  const auto mix = [share](double a, double b) { return a + share * (b - a); };
  return {rank, mix(low.rating, high.rating), mix(low.rating_product, high.rating_product),
          mix(low.row, high.row), mix(low.row_product, high.row_product)};
}

// Rates between those measured of the same team of warps, since each team is a step. Beyond them
// they grow with the rank.
Rate rate_at(std::span<const Rate> rates, int rank, TeamOf team_of) {
  const Rate *low = nullptr, *high = nullptr, *nearest = rates.data();
  for (const Rate& rate : rates) {
    if (std::abs(rate.rank - rank) < std::abs(nearest->rank - rank)) nearest = &rate;
    if (team_of(rate.rank) != team_of(rank)) continue;
    if (rate.rank <= rank) low = &rate;
    if (rate.rank >= rank && high == nullptr) high = &rate;
  }
  if (low != nullptr && high != nullptr) return between(*low, *high, rank);
  if (low != nullptr) return scaled(*low, rank);
  return scaled(high != nullptr ? *high : *nearest, rank);
}

struct Count {
  double rows = 0, ratings = 0;
};

// Rows of at most that many ratings, if their lengths are even between the quantiles.
Count rows_up_to(const Shape& shape, int ratings) {
  constexpr std::array kQuantiles{0.0, 0.25, 0.5, 0.75, 0.9, 0.99, 1.0};
  const auto& lengths = shape.row_length_quantiles;
  Count count;
  for (size_t i = 0; i + 1 < kQuantiles.size(); ++i) {
    const auto low = static_cast<double>(lengths[i]), high = static_cast<double>(lengths[i + 1]);
    if (low > ratings) break;
    const double part = high > ratings ? (ratings - low) / (high - low) : 1;
    const double rows =
        part * (kQuantiles[i + 1] - kQuantiles[i]) * static_cast<double>(shape.rows);
    count.rows += rows;
    count.ratings += rows * (low + std::min<double>(high, ratings)) / 2;
  }
  count.ratings = std::min(count.ratings, static_cast<double>(shape.nnz));
  return count;
}

constexpr double kPicosecond = 1e-12;

double seconds_of(const Rate& rate, const Count& count, int products) {
  return kPicosecond * (count.ratings * (rate.rating + products * rate.rating_product) +
                        count.rows * (rate.row + products * rate.row_product));
}

// `share`: of the units that were measured.
double seconds_of(const Kind& kind, const Shape& shape, int steps, double share) {
  const Rates& rates = kind.rates;
  const int products = steps + 1;
  const auto count = [](int64_t n) { return static_cast<double>(n); };
  Count all{count(shape.rows), count(shape.nnz)};
  double work = 0, launches = rates.launches;
  if (kind.short_ratings > 0) {
    const Count few = rows_up_to(shape, kind.short_ratings);
    work = seconds_of(rate_at(kind.short_rates, shape.rank, team_of_rank), few, products);
    launches += kShortClassLaunch * (short_class(kind.short_ratings) + 1);
    all = {all.rows - few.rows, all.ratings - few.ratings};
  }
  work += seconds_of(rate_at(rates.by_rank, shape.rank, kind.team_of), all, products);
  const double longest = count(shape.longest_row());
  const double piece = std::min(longest, count(kind.chunk)) *
                       (rates.piece.rating + shape.rank * rates.piece.per_rank);
  return launches + products * rates.product + work / share +
         kPicosecond * (products * longest * rates.serial + piece);
}

RuledPipeline expected(const Kind& kind, const Shape& shape, double share) {
  // A row of n ratings has at most n + 1 distinct eigenvalues, and CG ends after as many steps.
  const int enough = static_cast<int>(std::clamp<int64_t>(shape.longest_row() + 1, 1, kManySteps));
  const double few = seconds_of(kind, shape, kFewSteps, share);
  const double many = seconds_of(kind, shape, enough, share);
  if (has_short_rows(shape) || reads_short_rows(shape) || many <= kNegligibleRatio * few)
    return {fmt::format("{},steps={}", kind.text, enough), many, ""};
  std::string text = fmt::format("{},steps={}", kind.text, kFewSteps);
  if (kind.expensive_steps) text += fmt::format(",late_steps={}", kLateSteps);
  return {std::move(text), few, ""};
}

std::string milliseconds(double seconds) { return fmt::format("{:.3g} ms", 1e3 * seconds); }

// The kinds in order, each with what it is expected to take, then the last resort.
std::vector<RuledPipeline> ordered(const std::vector<Kind>& kinds, const Shape& shape, double share,
                                   const std::string& rates_of) {
  std::vector<std::pair<double, RuledPipeline>> list;
  for (const Kind& kind : kinds) {
    RuledPipeline pipeline = expected(kind, shape, share);
    list.emplace_back(pipeline.seconds * kind.handicap, std::move(pipeline));
  }
  std::stable_sort(list.begin(), list.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<RuledPipeline> result;
  for (size_t i = 0; i < list.size(); ++i) {
    RuledPipeline& pipeline = list[i].second;
    pipeline.explanation =
        fmt::format("expected in {} at the rates of {}", milliseconds(pipeline.seconds), rates_of);
    if (i + 1 < list.size())
      pipeline.explanation += fmt::format(", next {} in {}", list[i + 1].second.text,
                                          milliseconds(list[i + 1].second.seconds));
    result.push_back(std::move(pipeline));
  }
  result.push_back({"cg-fp32", 0, ""});
  return result;
}

// sm_103 has hardly any INT8 left: 0.16 POP/s where sm_100 has 4.5 (data sheets of B300 and B200).
// Scales of features do not fit the few rows that a short row names, and factors that are hardly
// read do not pay for them.
bool may_read_bytes(const Shape& shape, const DeviceTraits& traits) {
  return traits.architecture != 103 && !has_short_rows(shape) && reads_often(shape);
}

bool is_short_of_registers(const Shape& shape, const DeviceTraits& traits) {
  return shape.rank > kMaxRankWithoutSpills && traits.architecture != 90;
}

// Two groups share a barrier of a large team, which more stages make up for. At the highest ranks
// these spill, and so does A as floats: what is to be gained on sm_90, nobody measured elsewhere.
std::string ring_of(const Shape& shape, const DeviceTraits& traits) {
  const bool large_team = tensor_cores::team_of(shape) > 2;
  return large_team && !is_short_of_registers(shape, traits) ? "stages=6," : "";
}

// A row at a time, whatever its length.
std::vector<Kind> fused_kinds(const Shape& shape, const DeviceTraits& traits, int64_t chunk) {
  std::vector<Kind> kinds;
  const auto add = [&](const std::string& parameters, std::span<const Rate> fp16,
                       std::span<const Rate> int8) {
    const std::string text = fmt::format("update:fused:chunk={},{}", chunk, parameters);
    kinds.push_back({text + ",factors=fp16",
                     {fp16, kFusedLaunches, 0, kPieceFp16, kFusedProduct},
                     team_of_rank,
                     1,
                     chunk});
    if (may_read_bytes(shape, traits))
      kinds.push_back({fmt::format("update:fused:{}chunk={},{},factors=int8",
                                   ring_of(shape, traits), chunk, parameters),
                       {int8, kQuantisedLaunches, 0, kPieceInt8, kFusedProduct},
                       team_of_rank,
                       kNearlyEqual,
                       chunk});
  };
  add("matrix=fp16", kHalvesFp16, kHalvesInt8);
  if (shape.rank <= kOneWarp)
    add("matrix=fp16,l1=off,warps=1", kHalvesFp16PastL1, kHalvesInt8PastL1);
  if (shape.rank >= kHalvesInt8OneWarp.front().rank && shape.rank <= kHalvesInt8OneWarp.back().rank)
    add("matrix=fp16,stages=3,warps=1", kHalvesFp16OneWarp, kHalvesInt8OneWarp);
  if (!is_short_of_registers(shape, traits)) add("matrix=fp32", kFloatsFp16, kFloatsInt8);
  return kinds;
}

// A team of warps a row. There short rows pay: they have no team's barriers.
void add_team_kinds(std::vector<Kind>& kinds, const Shape& shape, const DeviceTraits& traits,
                    int64_t chunk) {
  const auto add_short = [&](const std::string& parameters, std::span<const Rate> int8,
                             TeamOf team) {
    for (const int maximum : {128, 256, 384, 512, 768})
      kinds.push_back(
          {fmt::format("update:fused:{},matrix=fp16,short={},factors=int8", parameters, maximum),
           {int8, kQuantisedLaunches, 0, kPieceInt8, kFusedProduct},
           team,
           kNearlyEqual,
           chunk,
           maximum,
           kShortRowsInt8});
  };
  add_short(fmt::format("{}chunk={}", ring_of(shape, traits), chunk), kHalvesInt8, team_of_rank);
  if (traits.architecture != 90 || warpgroups_of_rank(shape.rank) == 0) return;
  const std::string parameters = fmt::format("stages=8,l1=off,chunk={},products=wgmma", chunk);
  kinds.push_back({fmt::format("update:fused:{},matrix=fp16,factors=int8", parameters),
                   {kWarpgroupsInt8, kQuantisedLaunches, 0, kPieceInt8, kFusedProduct},
                   warpgroups_of_rank,
                   kNearlyEqual,
                   chunk});
  add_short(parameters, kWarpgroupsInt8, warpgroups_of_rank);
}

std::vector<RuledPipeline> on_cuda(const Shape& shape, const DeviceTraits& traits) {
  std::vector<Kind> kinds;
  if (traits.architecture >= 80 && tensor_cores::team_of(shape) > 0) {
    const int64_t chunk = chunk_of(shape, traits);
    kinds = fused_kinds(shape, traits, chunk);
    if (shape.rank > kOneWarp && may_read_bytes(shape, traits))
      add_team_kinds(kinds, shape, traits, chunk);
  }
  if (shape.rank > kOneWarp)
    kinds.push_back({"update:matrix_free:factors=fp16,threads=64,lanes=8",
                     {kMatrixFreeCuda, kFusedLaunches, kMatrixFreeSerial},
                     team_of_rank});
  // A team of warps shares a row.
  for (Kind& kind : kinds) kind.expensive_steps = shape.rank > kOneWarp;
  const double share = traits.multiprocessors > 0
                           ? static_cast<double>(traits.multiprocessors) / kMeasuredMultiprocessors
                           : 1;
  return ordered(kinds, shape, share, "an NVIDIA H200");
}

double share_of_threads(const DeviceTraits& traits, int measured) {
  return traits.multiprocessors > 0 ? static_cast<double>(traits.multiprocessors) / measured : 1;
}

std::string factors_on_cpu(const Shape& shape) {
  const int64_t bytes = static_cast<int64_t>(sizeof(float)) * shape.rank * shape.cols;
  return bytes > kBytesBeyondCaches && reads_often(shape) ? "factors=fp16" : "factors=fp32";
}

// A_u of bytes on tiles, and A_u v without A_u. Both were measured on one processor. A step costs
// tiles little, so late iterations take as many.
std::vector<RuledPipeline> with_tiles(const Shape& shape, const DeviceTraits& traits) {
  Kind tiles{"update:tiles:factors=int8", {kTiles, kTilesLaunches}, one_team, kNearlyEqual};
  Kind matrix_free{
      "update:matrix_free:" + factors_on_cpu(shape), {kMatrixFreeBesideTiles}, one_team};
  matrix_free.expensive_steps = has_long_rows(shape);
  return ordered({tiles, matrix_free}, shape, share_of_threads(traits, kMeasuredThreadsWithTiles),
                 "an Intel Xeon");
}

std::vector<RuledPipeline> on_cpu(const Shape& shape, const DeviceTraits& traits) {
  const bool measured = shape.rank <= kTiles.back().rank;
  if (traits.tiles && measured && may_read_bytes(shape, traits)) return with_tiles(shape, traits);
  const Kind blocked{"update:blocked:" + factors_on_cpu(shape), {kBlockedCpu}, one_team};
  Kind matrix_free{"update:matrix_free:" + factors_on_cpu(shape), {kMatrixFreeCpu}, one_team};
  matrix_free.expensive_steps = has_long_rows(shape);
  return ordered({blocked, matrix_free}, shape, share_of_threads(traits, kMeasuredThreads),
                 "an AMD EPYC");
}

}  // namespace

std::vector<RuledPipeline> fastest_first(const Shape& shape, const DeviceTraits& traits) {
  return traits.backend == Backend::cuda ? on_cuda(shape, traits) : on_cpu(shape, traits);
}

}  // namespace alsbench::rules
