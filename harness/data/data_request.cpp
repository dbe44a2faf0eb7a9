// SPDX-License-Identifier: Apache-2.0
#include "harness/data/data_request.h"

#include <fmt/format.h>

#include <type_traits>

#include "harness/data/generator_spec.h"
#include "variants/core/error.h"

namespace alsbench {
namespace {

constexpr std::pair<Duplicates, std::string_view> kDuplicates[]{{Duplicates::error, "error"},
                                                                {Duplicates::last, "last"},
                                                                {Duplicates::mean, "mean"},
                                                                {Duplicates::sum, "sum"}};
constexpr std::pair<SplitBy, std::string_view> kSplits[]{
    {SplitBy::random, "random"},
    {SplitBy::time, "time"},
    {SplitBy::user_time, "user-time"},
    {SplitBy::leave_last_out, "leave-last-out"},
    {SplitBy::leave_one_out, "leave-one-out"}};

// Calls visit(name, member, always) for each field, in the order they are written.
template <class Visit>
void each_field(const Visit& visit) {
  visit("dataset", &DataRequest::dataset, true);
  visit("path", &DataRequest::path, true);
  visit("scale", &DataRequest::scale, true);
  visit("test_fraction", &DataRequest::test_fraction, true);
  visit("seed", &DataRequest::seed, true);
  visit("format", &DataRequest::format, false);
  visit("columns", &DataRequest::columns, false);
  visit("test_path", &DataRequest::test_path, false);
  visit("split_by", &DataRequest::split_by, false);
  visit("duplicates", &DataRequest::duplicates, false);
  visit("uniform_row_length", &DataRequest::uniform_row_length, false);
  visit("empty_rows", &DataRequest::empty_rows, false);
  visit("empty_cols", &DataRequest::empty_cols, false);
}

template <class T>
Json json_of(const T& value) {
  if constexpr (std::is_same_v<T, std::filesystem::path>)
    return value.string();
  else if constexpr (std::is_enum_v<T>)
    return name_of(value);
  else
    return value;
}

template <class T>
void read(const JsonField& json, T& value) {
  if constexpr (std::is_same_v<T, std::filesystem::path> || std::is_same_v<T, std::string>)
    value = json.text();
  else if constexpr (std::is_same_v<T, Duplicates>)
    value = duplicates_named(json.text());
  else if constexpr (std::is_same_v<T, SplitBy>)
    value = split_by_named(json.text());
  else if constexpr (std::is_same_v<T, uint64_t>)
    value = json.unsigned_integer();
  else if constexpr (std::is_same_v<T, int64_t>)
    value = json.integer();
  else if constexpr (std::is_same_v<T, bool>)
    value = json.boolean();
  else
    value = json.number();
}

}  // namespace

Json to_json(const DataRequest& request) {
  Json json = Json::object();
  const DataRequest usual;
  each_field([&](const char* name, const auto member, bool always) {
    if (always || request.*member != usual.*member) json[name] = json_of(request.*member);
  });
  return json;
}

DataRequest data_request_from_json(const JsonField& json) {
  DataRequest request;
  each_field([&](const char* name, const auto member, bool) {
    if (const auto field = json.find(name)) read(*field, request.*member);
  });
  return request;
}

Duplicates duplicates_named(const std::string& name) {
  for (const auto& [duplicates, known] : kDuplicates)
    if (known == name) return duplicates;
  throw UsageError(fmt::format("duplicates '{}' is not known; use error, last, mean or sum", name));
}

std::string_view name_of(Duplicates duplicates) {
  return kDuplicates[static_cast<size_t>(duplicates)].second;
}

bool needs_times(SplitBy by) {
  return by == SplitBy::time || by == SplitBy::user_time || by == SplitBy::leave_last_out;
}

bool takes_share(SplitBy by) {
  return by != SplitBy::leave_last_out && by != SplitBy::leave_one_out;
}

SplitBy split_by_named(const std::string& name) {
  for (const auto& [by, known] : kSplits)
    if (known == name) return by;
  throw UsageError(fmt::format(
      "no split by '{}' is known; use random, time, user-time, leave-last-out or leave-one-out",
      name));
}

std::string_view name_of(SplitBy by) { return kSplits[static_cast<size_t>(by)].second; }

void reads_data(FilePlan& plan, const DataRequest& request, const std::string& whose) {
  const auto role = [&](const char* option, const char* what) {
    return whose.empty() ? option : fmt::format("the {} of {}", what, whose);
  };
  plan.reads(request.path, role("--data", "data"));
  plan.reads(request.test_path, role("--test", "test data"));
  plan.reads(spec_file(request.dataset), role("--dataset", "data set"));
}

}  // namespace alsbench
