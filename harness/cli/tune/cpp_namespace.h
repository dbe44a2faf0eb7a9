// SPDX-License-Identifier: Apache-2.0
// The check of `best --namespace`.
#pragma once

#include <string>

namespace alsbench {

// Why `text` cannot be the namespace of a header, with an example of what can; empty where it can.
// A keyword, `std` and names that the C++ standard reserves ([lex.name]) cannot, in no part of it.
std::string namespace_problem(const std::string& text);

}  // namespace alsbench
