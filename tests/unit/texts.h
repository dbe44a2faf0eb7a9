// SPDX-License-Identifier: Apache-2.0
// Texts in tests: whether one contains another, and the message of an error that is thrown.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "base/error.h"

namespace alsbench {

// A failed expectation of it shows both texts.
inline ::testing::AssertionResult contains(std::string_view text, std::string_view part) {
  const bool found = text.find(part) != std::string_view::npos;
  return (found ? ::testing::AssertionSuccess() : ::testing::AssertionFailure())
         << "'" << part << "' is " << (found ? "" : "not ") << "in:\n"
         << text;
}

// The message of the error that an action throws; "" where it throws none.
template <class Error = UsageError, class Action>
std::string thrown_by(const Action& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace alsbench
