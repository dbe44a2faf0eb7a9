// SPDX-License-Identifier: Apache-2.0
// How an input is changed: bits, bytes and words of any text, and the values of a JSON document.
#pragma once

#include <cstdint>
#include <random>
#include <string>

namespace alsbench::fuzz {

// The same numbers on every machine, which distributions of the library do not promise.
class Dice {
 public:
  explicit Dice(uint64_t seed) : engine_(seed) {}
  size_t below(size_t limit) { return limit == 0 ? 0 : engine_() % limit; }

 private:
  std::mt19937_64 engine_;
};

std::string flipped(std::string text, size_t bit);

// One to four changes. `other` gives pieces. Half of the changes to JSON keep it JSON.
std::string mutated(const std::string& text, const std::string& other, Dice& dice);

}  // namespace alsbench::fuzz
