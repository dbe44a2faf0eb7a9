// SPDX-License-Identifier: Apache-2.0
// copy and gather_copy: every byte of the checked ranges. The error is the share of wrong bytes.
// read: the sum of all words, to the bit.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <span>

#include "harness/stage/ceiling/ceiling.h"
#include "harness/stage/check.h"
#include "harness/stage/supports.h"
#include "kernels/shared/params/ceiling.h"
#include "variants/ceiling/sizes.h"

namespace alsbench {
namespace {

constexpr int64_t kPieceBytes = 64;  // that change places in other inputs

class CopyFixture : public StageFixture {
 public:
  explicit CopyFixture(const FixtureRequest& request)
      : StageFixture(request),
        source_(device().allocate(copy_bytes(shape_))),
        target_(device().allocate(copy_bytes(shape_))) {
    fill_random(device(), source_, request.seed);
  }
  void poison() override { fill_with_nan(target_); }
  StageParams params(int64_t) const override {
    CopyParams params;
    params.source = source_.data();
    params.target = target_.data();
    params.bytes = source_.bytes();
    return params;
  }
  Operands operands(const Variant&, int64_t) const override {
    return {{region_of("source", source_)},
            {region_of("target", target_)},
            {items_axis(source_, kPieceBytes)}};
  }

 private:
  Buffer source_, target_;
};

class ReadFixture : public StageFixture {
 public:
  explicit ReadFixture(const FixtureRequest& request)
      : StageFixture(request),
        source_(device().allocate(read_bytes(device().traits()))),
        sums_(device().allocate(read_tasks(device().traits()) * int64_t{4})) {
    fill_random(device(), source_, request.seed);
  }
  void poison() override { fill_with_nan(sums_); }
  StageParams params(int64_t) const override {
    return ReadParams{source_.data(), source_.bytes(), sums_.as<uint32_t>(), sums_.bytes() / 4,
                      read_passes(device().traits())};
  }
  Operands operands(const Variant&, int64_t) const override {
    return {{region_of("source", source_)},
            {region_of("sums", sums_)},
            {items_axis(source_, kPieceBytes)}};
  }
  Work work(const WorkOptions&) const override {
    const double bytes = static_cast<double>(source_.bytes()) * read_passes(device().traits());
    return {.logical_bytes = bytes, .compulsory_bytes = bytes};
  }

 private:
  Buffer source_, sums_;
};

// Gathers rows of the fixed factors in the order of the ratings.
class GatherFixture : public StageFixture {
 public:
  explicit GatherFixture(const FixtureRequest& request)
      : StageFixture(request),
        factors_(initial(other(side()), request.seed)),
        target_(
            device().allocate(gather_copy_rows(shape_) * factor_pitch(shape_.rank) * int64_t{4})) {}
  void poison() override { fill_with_nan(target_); }
  StageParams params(int64_t) const override {
    CopyParams params;
    params.source = factors_.view().data;
    params.target = target_.data();
    params.indices = problem().ratings(side()).indices;
    params.rows = gather_copy_rows(shape_);
    params.source_rows = factors_.view().rows;
    params.bytes = int64_t{4} * factors_.view().pitch;
    return params;
  }
  Operands operands(const Variant&, int64_t) const override {
    return {{rows_of("factors", factors_.view())},
            {region_of("target", target_)},
            {rows_axis(factors_.view())}};
  }

 private:
  const FactorMatrix& factors_;
  Buffer target_;
};

// Values where the host reads them: those of the device itself, or else in `copy`.
template <class T>
std::span<const T> on_host(Device& device, const void* data, int64_t count, std::vector<T>& copy) {
  const auto size = static_cast<size_t>(count);
  if (device.traits().backend == Backend::cpu) return {static_cast<const T*>(data), size};
  copy.resize(size);
  device.download(copy.data(), data, count * static_cast<int64_t>(sizeof(T)));
  return copy;
}

// Compares `bytes` from `offset` on; a wrong byte is a wrong range.
void compare_bytes(Device& device, const char* source, const char* target, int64_t bytes,
                   RowCheck& check) {
  std::vector<unsigned char> of_source, of_target;
  const std::span expected = on_host(device, source, bytes, of_source);
  const std::span copied = on_host(device, target, bytes, of_target);
  if (std::ranges::equal(copied, expected)) return;  // faster than with their places
  int64_t wrong = 0;
  for (size_t i = 0; i < copied.size(); ++i) {
    if (copied[i] == expected[i]) continue;
    if (wrong++ == 0)
      check.detail = fmt::format("byte {} is {} instead of {}", i, copied[i], expected[i]);
  }
  check.error = bytes > 0 ? static_cast<double>(wrong) / static_cast<double>(bytes) : 0;
}

Verification check_copy(const CheckRequest& request) {
  StageFixture& fixture = request.fixture;
  const auto params = fixture.params(0).as<CopyParams>();
  constexpr int64_t kChunk = int64_t{1} << 20;
  constexpr int64_t kChunks = 64;  // of a large copy: enough to see a part left out
  fixture.poison();
  request.executable.launch(params);
  Tally tally;
  if (params.bytes == 0) return tally.result();
  for (const int64_t chunk :
       sampled_numbers((params.bytes + kChunk - 1) / kChunk, kChunks, request.references.draw())) {
    const int64_t begin = chunk * kChunk;
    RowCheck check;
    compare_bytes(request.device(), static_cast<const char*>(params.source) + begin,
                  static_cast<const char*>(params.target) + begin,
                  std::min(kChunk, params.bytes - begin), check);
    tally.add(fmt::format("the MiB from byte {} on", begin), check);
  }
  return tally.result();
}

uint32_t sum_of_words(Device& device, const void* words, int64_t bytes) {
  std::vector<uint32_t> copy;
  const std::span values = on_host(device, words, bytes / 4, copy);
  return std::accumulate(values.begin(), values.end(), 0u);
}

Verification check_read(const CheckRequest& request) {
  StageFixture& fixture = request.fixture;
  const auto params = fixture.params(0).as<ReadParams>();
  fixture.poison();
  request.executable.launch(params);
  const uint32_t sum = sum_of_words(request.device(), params.sums, 4 * params.tasks);
  const uint32_t expected = static_cast<uint32_t>(params.passes) *
                            sum_of_words(request.device(), params.source, params.bytes);
  RowCheck row;
  if (sum != expected) row.fail(fmt::format("is {} instead of {}", sum, expected));
  Tally tally;
  tally.add("the sum of all words", row);
  return tally.result();
}

Verification check_gather(const CheckRequest& request) {
  StageFixture& fixture = request.fixture;
  const auto params = fixture.params(0).as<CopyParams>();
  Device& device = request.device();
  fixture.poison();
  request.executable.launch(params);
  Tally tally;
  if (params.rows == 0) return tally.result();
  for (const int64_t row :
       sampled_numbers(params.rows, 16 * request.references.sampled(), request.references.draw())) {
    int32_t index = 0;
    device.download(&index, params.indices + row, sizeof(index));
    RowCheck check;
    compare_bytes(device, static_cast<const char*>(params.source) + index * params.bytes,
                  static_cast<const char*>(params.target) + row * params.bytes, params.bytes,
                  check);
    tally.add(fmt::format("row {}", row), check);
  }
  return tally.result();
}

}  // namespace

StageSupport copy_support() { return {"copy", make<CopyFixture>, check_copy}; }
StageSupport read_support() { return {"read", make<ReadFixture>, check_read}; }
StageSupport gather_copy_support() { return {"gather_copy", make<GatherFixture>, check_gather}; }

}  // namespace alsbench
