// SPDX-License-Identifier: Apache-2.0
#include "harness/sweep/suite/suite_reader.h"

#include <algorithm>
#include <cmath>

#include "base/suggestion.h"
#include "harness/record/escape.h"

namespace alsbench {
namespace {

bool contains(const std::vector<std::string>& list, const std::string& word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

}  // namespace

void SuiteReader::error(const std::string& pointer, std::string_view message) {
  std::string text = printable(fmt::format("{}: {}", pointer.empty() ? "/" : pointer, message));
  if (!contains(errors_, text)) errors_.push_back(std::move(text));
}

bool SuiteReader::object(const Json& json, const std::string& pointer,
                         const std::vector<std::string>& allowed,
                         const std::vector<std::string>& required) {
  if (!json.is_object()) {
    error(pointer, fmt::format("must be an object, is {}", json.type_name()));
    return false;
  }
  for (const auto& [key, value] : json.items())
    if (!contains(allowed, key)) error(pointer + "/" + key, unknown_name("key", key, allowed));
  for (const std::string& key : required)
    if (!json.contains(key)) error(pointer, fmt::format("has no '{}'", key));
  return true;
}

std::vector<std::pair<const Json*, std::string>> SuiteReader::array(const Json& json,
                                                                    const std::string& pointer,
                                                                    const std::string& key) {
  std::vector<std::pair<const Json*, std::string>> elements;
  if (!json.contains(key)) return elements;
  const Json& list = json[key];
  if (!list.is_array()) {
    error(pointer + "/" + key, fmt::format("must be an array, is {}", list.type_name()));
    return elements;
  }
  for (size_t i = 0; i < list.size(); ++i)
    elements.emplace_back(&list[i], fmt::format("{}/{}/{}", pointer, key, i));
  return elements;
}

std::string SuiteReader::text(const Json& json, const std::string& pointer, const std::string& key,
                              const std::string& fallback) {
  if (!json.contains(key)) return fallback;
  if (json[key].is_string()) return json[key];
  error(pointer + "/" + key, fmt::format("must be a text, is {}", json[key].dump()));
  return fallback;
}

double SuiteReader::number(const Json& json, const std::string& pointer, const std::string& key,
                           double fallback, double least, double most) {
  if (!json.contains(key)) return fallback;
  const Json& value = json[key];
  if (value.is_number() && value.get<double>() >= least && value.get<double>() <= most)
    return value;
  error(pointer + "/" + key,
        fmt::format("must be a number from {} to {}, is {}", least, most, value.dump()));
  return fallback;
}

int64_t SuiteReader::integer(const Json& json, const std::string& pointer, const std::string& key,
                             int64_t fallback, int64_t least, int64_t most) {
  if (!json.contains(key)) return fallback;
  const Json& value = json[key];
  if (value.is_number_integer() && value.get<double>() >= static_cast<double>(least) &&
      value.get<double>() <= static_cast<double>(most))
    return value;
  error(pointer + "/" + key,
        fmt::format("must be a whole number from {} to {}, is {}", least, most, value.dump()));
  return fallback;
}

std::vector<std::string> SuiteReader::texts(const Json& json, const std::string& pointer,
                                            const std::string& key) {
  if (!json.contains(key)) return {};
  const Json list = json[key].is_array() ? json[key] : Json::array({json[key]});
  std::vector<std::string> values;
  for (const Json& value : list) {
    if (value.is_string())
      values.push_back(value);
    else if (value.is_number())
      values.push_back(value.dump());
    else
      error(pointer + "/" + key, fmt::format("must hold texts or numbers, not {}", value.dump()));
  }
  if (list.empty()) error(pointer + "/" + key, "must not be empty");
  return values;
}

std::vector<Backend> SuiteReader::backends(const Json& json, const std::string& pointer) {
  const std::string name = text(json, pointer, "backend", "auto");
  if (name == "auto") return {Backend::cpu, Backend::cuda};
  if (const auto backend = backend_named(name)) return {*backend};
  error(pointer + "/backend", unknown_name("backend", name, {"auto", "cpu", "cuda"}));
  return {};
}

std::vector<Axis> SuiteReader::axes(const Json& json, const std::string& pointer) {
  std::vector<Axis> axes;
  if (!json.contains("axes")) return axes;
  if (!json["axes"].is_object()) {
    error(pointer + "/axes", "must be an object of parameter names and values");
    return axes;
  }
  for (const auto& [name, values] : json["axes"].items())
    axes.push_back({name, texts(json["axes"], pointer + "/axes", name)});
  return axes;
}

}  // namespace alsbench
