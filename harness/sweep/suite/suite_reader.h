// SPDX-License-Identifier: Apache-2.0
// SuiteReader: typed access to a suite's JSON that collects every error with its JSON pointer
// instead of stopping at the first.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <vector>

#include "harness/record/journal.h"
#include "harness/sweep/suite/axis.h"

namespace alsbench {

class SuiteReader {
 public:
  // Keeps it once, however often it is found.
  void error(const std::string& pointer, std::string_view message);
  const std::vector<std::string>& errors() const { return errors_; }

  // Runs `action`, keeping what it throws as an error of that place.
  template <class Action>
  void attempt(const std::string& pointer, const Action& action) {
    try {
      action();
    } catch (const std::exception& exception) {
      error(pointer, exception.what());
    }
  }

  // Whether `json` is an object that has no other keys than `allowed` and all of `required`.
  bool object(const Json& json, const std::string& pointer, const std::vector<std::string>& allowed,
              const std::vector<std::string>& required);

  // The elements of the array under `key`, or none; an absent key is no error.
  std::vector<std::pair<const Json*, std::string>> array(const Json& json,
                                                         const std::string& pointer,
                                                         const std::string& key);

  std::string text(const Json& json, const std::string& pointer, const std::string& key,
                   const std::string& fallback);
  // A number in [least, most].
  double number(const Json& json, const std::string& pointer, const std::string& key,
                double fallback, double least, double most);
  int64_t integer(const Json& json, const std::string& pointer, const std::string& key,
                  int64_t fallback, int64_t least, int64_t most);
  // A text, or an array of texts; numbers are taken as their text.
  std::vector<std::string> texts(const Json& json, const std::string& pointer,
                                 const std::string& key);
  static bool is_text(const Json& json, const std::string& key) {
    return json.contains(key) && json[key].is_string();
  }

  // Under "backend": one, or both where it says "auto" or nothing.
  std::vector<Backend> backends(const Json& json, const std::string& pointer);
  // Under "axes": an object of names, each with its values.
  std::vector<Axis> axes(const Json& json, const std::string& pointer);

 private:
  std::vector<std::string> errors_;
};

}  // namespace alsbench
