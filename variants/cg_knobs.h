// The knobs of conjugate gradients, which a solver and the updates that solve share: their
// parameters, the objection to them, the tolerance as a template argument on CUDA, and all of them
// as the options of the CPU's kernels.
#pragma once

#include <bit>
#include <optional>
#include <string>

#include "kernels/cpu/cg.h"
#include "variants/variant.h"

namespace alsbench::cg_knobs {

inline const Parameter kWarm{
    "warm", {"on", "off"}, "start from the previous solution, or from zero"};
inline const Parameter kSteps{
    .name = "steps", .values = {6}, .description = "at most, the paper's f_s", .open = true};
inline const Parameter kTolerance{.name = "tolerance",
                                  .values = {0},
                                  .description = "stop when ||r|| <= tolerance ||b||",
                                  .open = true};

inline std::optional<std::string> objection(const Config& config) {
  if (config.number("steps") == config.integer("steps")) return std::nullopt;
  return "steps must be a whole number";
}

// The bits of the float.
inline uint32_t tolerance_bits(const Config& config) {
  return std::bit_cast<uint32_t>(static_cast<float>(config.number("tolerance")));
}

inline CgOptions options(const Config& config) {
  return {config.is("warm", "on"), config.integer("steps"),
          static_cast<float>(config.number("tolerance"))};
}

}  // namespace alsbench::cg_knobs
