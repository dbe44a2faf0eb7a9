// The baselines copy, gather_copy, spin and gemm_batched.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "harness/stage/check.h"
#include "harness/stage/tolerance.h"
#include "kernels/shared/spin.h"

namespace alsbench {
namespace {

using reference::Vector;

// Compares `bytes` from `offset` on; a wrong byte is a wrong range.
void compare_bytes(Device& device, const char* source, const char* target, int64_t bytes,
                   RowCheck& check) {
  std::vector<unsigned char> expected(static_cast<size_t>(bytes)), copied(expected.size());
  device.download(expected.data(), source, bytes);
  device.download(copied.data(), target, bytes);
  int64_t wrong = 0;
  for (size_t i = 0; i < copied.size(); ++i) {
    if (copied[i] == expected[i]) continue;
    if (wrong++ == 0)
      check.detail = fmt::format("byte {} is {} instead of {}", i, copied[i], expected[i]);
  }
  check.error = bytes > 0 ? static_cast<double>(wrong) / static_cast<double>(bytes) : 0;
}

// `count` numbers of [0, limit), ascending, the first and the last among them.
std::vector<int64_t> sampled_numbers(int64_t limit, int64_t count) {
  std::vector<int64_t> numbers{0, limit - 1};
  std::mt19937_64 generator(1);
  std::uniform_int_distribution<int64_t> uniform(0, limit - 1);
  while (static_cast<int64_t>(numbers.size()) < std::min(count, limit))
    numbers.push_back(uniform(generator));
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  return numbers;
}

Vector gram(const Vector& a, int64_t k, int64_t m) {
  Vector c(static_cast<size_t>(m * m), 0.0);
  for (int64_t row = 0; row < k; ++row)
    for (int64_t i = 0; i < m; ++i)
      for (int64_t j = 0; j < m; ++j) c[i * m + j] += a[row * m + i] * a[row * m + j];
  return c;
}

// `steps` steps of a chain at once: squaring the step, as one squares a number to raise it to a
// power.
uint32_t end_of_chain(uint32_t start, int steps) {
  uint32_t x = start, factor = kSpinFactor, term = kSpinTerm;
  for (; steps > 0; steps /= 2) {
    if (steps % 2 == 1) x = x * factor + term;
    term = factor * term + term;
    factor *= factor;
  }
  return x;
}

// TF32 keeps 10 bits of each operand's fraction, and hardware may truncate: 2^-10 each.
double input_tolerance(const Config& config) { return config.is("precision", "tf32") ? 0x1p-9 : 0; }

}  // namespace

Verification check_copy(StageFixture& fixture, Executable& executable) {
  const auto params = std::get<CopyParams>(fixture.params(0));
  constexpr int64_t kChunk = int64_t{1} << 20;
  constexpr int64_t kChunks = 64;  // of a large copy: enough to see a part left out
  fixture.poison();
  executable.launch(params);
  Tally tally;
  if (params.bytes == 0) return tally.result();
  for (const int64_t chunk : sampled_numbers((params.bytes + kChunk - 1) / kChunk, kChunks)) {
    const int64_t begin = chunk * kChunk;
    RowCheck check;
    compare_bytes(fixture.problem().device(), static_cast<const char*>(params.source) + begin,
                  static_cast<const char*>(params.target) + begin,
                  std::min(kChunk, params.bytes - begin), check);
    tally.add(fmt::format("the MiB from byte {} on", begin), check);
  }
  return tally.result();
}

Verification check_gather_copy(StageFixture& fixture, Executable& executable,
                               int64_t sampled_rows) {
  const auto params = std::get<CopyParams>(fixture.params(0));
  Device& device = fixture.problem().device();
  fixture.poison();
  executable.launch(params);
  Tally tally;
  if (params.rows == 0) return tally.result();
  for (const int64_t row : sampled_numbers(params.rows, 16 * sampled_rows)) {
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

Verification check_spin(StageFixture& fixture, Executable& executable) {
  const auto params = std::get<SpinParams>(fixture.params(0));
  fixture.poison();
  executable.launch(params);
  std::vector<uint32_t> ends(static_cast<size_t>(params.chains));
  fixture.problem().device().download(ends.data(), params.target, params.chains * 4);
  Tally tally;
  for (size_t chain = 0; chain < ends.size(); ++chain) {
    RowCheck check;
    const uint32_t expected = end_of_chain(static_cast<uint32_t>(chain), kSpinSteps);
    if (ends[chain] != expected)
      check.fail(fmt::format("ends with {} instead of {}", ends[chain], expected));
    tally.add(fmt::format("chain {}", chain), check);
  }
  return tally.result();
}

Verification check_gemm(StageFixture& fixture, const Config& config, Executable& executable,
                        int64_t sampled_items) {
  const auto params = std::get<GemmParams>(fixture.params(0));
  Device& device = fixture.problem().device();
  const int64_t k = params.k, m = params.m;
  const Scalar storage = config.is("precision", "fp16") ? Scalar::fp16 : Scalar::fp32;
  fixture.poison();
  executable.launch(params);
  const std::vector<int64_t> items = sampled_numbers(params.batch, sampled_items);
  std::vector<Vector> inputs, outputs;
  for (const int64_t item : items) {
    inputs.push_back(download_values(device, params.a, item * k * m, k * m, storage));
    outputs.push_back(download_values(device, params.c, item * m * m, m * m, Scalar::fp32));
  }
  std::vector<RowCheck> checks(items.size());
#pragma omp parallel for schedule(dynamic)
  for (size_t at = 0; at < items.size(); ++at) {
    const Vector &c = outputs[at], expected = gram(inputs[at], k, m);
    RowCheck& check = checks[at];
    check.tolerance = sum_tolerance(k) + input_tolerance(config);
    if (!config.is("precision", "fp32")) check.tolerance += truncation_tolerance(k);
    for (int64_t i = 0; i < m; ++i)
      for (int64_t j = 0; j < m; ++j)
        check.element({"C", i, j}, c[i * m + j], expected[i * m + j],
                      std::sqrt(expected[i * m + i] * expected[j * m + j]));
  }
  Tally tally;
  for (size_t at = 0; at < items.size(); ++at)
    tally.add(fmt::format("item {}", items[at]), checks[at]);
  return tally.result();
}

}  // namespace alsbench
