// SPDX-License-Identifier: Apache-2.0
#include "harness/stage/ceiling/ceiling.h"

#include <algorithm>
#include <random>

namespace alsbench {

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

std::vector<int64_t> sampled_numbers(int64_t limit, int64_t count, std::optional<uint64_t> draw) {
  std::vector<int64_t> numbers{0, limit - 1};
  std::mt19937_64 generator(draw.value_or(1));
  std::uniform_int_distribution<int64_t> uniform(0, limit - 1);
  while (static_cast<int64_t>(numbers.size()) < std::min(count, limit))
    numbers.push_back(uniform(generator));
  std::ranges::sort(numbers);
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  return numbers;
}

}  // namespace alsbench
