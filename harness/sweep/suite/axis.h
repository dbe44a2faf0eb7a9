// SPDX-License-Identifier: Apache-2.0
// Axes: the values of a parameter that a suite or the command line sweeps. The spelling is
// nvbench's: N=v, N=[a,b], N=[start:stop:stride], N[pow2]=[4:12:2].
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "variants/core/variant.h"

namespace alsbench {

struct Axis {
  std::string name;
  std::vector<std::string> values;
};

// Throws UsageError quoting the text and saying what is wrong with it.
Axis parse_axis(std::string_view text);

// Whether the variant has that parameter, and the parameter that value.
bool accepts(const Variant& variant, const std::string& parameter, const std::string& value);

// Why no variant of the list takes that value of the axis, or nothing.
std::optional<std::string> axis_problem(const std::vector<const Variant*>& variants,
                                        const std::string& axis, const std::string& value);

// Throws UsageError where so many combinations, with so many values of an axis each, are more than
// any run can take.
void check_combination_count(size_t combinations, const std::string& axis, size_t values);

// The configurations of a variant: `base` (text, may be empty) with every combination of the axes'
// values that it accepts, the last axis fastest. Axes of other parameters are ignored. Throws
// UsageError on an unknown parameter in `base`.
std::vector<Config> expand_axes(const Variant& variant, const std::string& base,
                                const std::vector<Axis>& axes);

}  // namespace alsbench
