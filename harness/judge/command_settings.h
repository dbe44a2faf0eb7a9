// SPDX-License-Identifier: Apache-2.0
// Settings of a program's command line: its flags, variables and numbers. Where they differ, the
// sides of a comparison were measured in another way.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/judge/setup.h"

namespace alsbench {

// Names of properties of which a side may lack one, which is a difference; the first two begin
// them.
inline constexpr std::string_view kVariable = "variable ";
inline constexpr std::string_view kFlag = "flag ";
inline constexpr std::string_view kNumbers = "numbers";

// Words of a line for /bin/sh, also of commands in quotes.
std::vector<std::string> words_of(const std::string& command);

// "variable OMP_NUM_THREADS" is "2", "flag --size" is "64", "numbers" is "10 20". Of files only the
// names, since checkouts lie in folders of their own; folders are left out, and so is what
// {json} stands for.
std::vector<Property> settings_of(const std::vector<std::string>& words);

}  // namespace alsbench
