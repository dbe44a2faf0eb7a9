// SPDX-License-Identifier: Apache-2.0
#include "harness/data/data_request.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string_view>
#include <vector>

#include "base/error.h"
#include "harness/data/generator_spec.h"
#include "harness/record/core_codecs.h"

namespace alsbench {
namespace {

// Names the values that there are: "use error, last, mean or sum".
template <NamedEnum E>
E known(const std::string& name, const std::string& problem) {
  if (const auto value = named<E>(name)) return *value;
  std::vector<std::string_view> words;
  for (const EnumName<E>& word : kNamesOf<E>) words.push_back(word.name);
  const std::string_view last = words.back();
  words.pop_back();
  throw UsageError(fmt::format("{}; use {} or {}", problem, fmt::join(words, ", "), last));
}

}  // namespace

void describe(Fields<DataRequest>& fields) {
  using D = DataRequest;
  const auto usual = [&](const char* name, auto member, const char* doc = "") {
    fields(name, member, doc).since("1.0.0");
  };
  const auto rare = [&](const char* name, auto member, const char* doc) {
    fields(name, member, doc).omitted();
  };
  usual("dataset", &D::dataset, "a shipped generator; empty where path is given");
  usual("path", &D::path, "a file or folder");
  usual("scale", &D::scale, "of the generator's shape");
  usual("test_fraction", &D::test_fraction, "of a file without a test file");
  usual("seed", &D::seed);
  rare("format", &D::format, "of the file, where it is not found by its content");
  rare("columns", &D::columns, "which column is what, where that is not found");
  rare("values", &D::values, "of ratings that are names: 'view=1,addtocart=5'");
  rare("test_path", &D::test_path, "a test file");
  rare("split_by", &D::split_by, "which ratings become test ratings");
  rare("duplicates", &D::duplicates, "what becomes of cells that are rated twice");
  rare("uniform_row_length", &D::uniform_row_length, "ratings of each user of a generated set");
  rare("empty_rows", &D::empty_rows, "share of a generated set's users without a rating");
  rare("empty_cols", &D::empty_cols, "share of its items without one");
  rare("sizes", &D::sizes, "of a problem that has sizes in place of ratings");
}

Duplicates duplicates_named(const std::string& name) {
  return known<Duplicates>(name, fmt::format("duplicates '{}' is not known", name));
}

bool needs_times(SplitBy by) {
  return by == SplitBy::time || by == SplitBy::user_time || by == SplitBy::leave_last_out;
}

bool takes_share(SplitBy by) {
  return by != SplitBy::leave_last_out && by != SplitBy::leave_one_out;
}

SplitBy split_by_named(const std::string& name) {
  return known<SplitBy>(name, fmt::format("no split by '{}' is known", name));
}

void reads_data(FilePlan& plan, const DataRequest& request, const std::string& whose) {
  const auto role = [&](const char* option, const char* what) {
    return whose.empty() ? option : fmt::format("the {} of {}", what, whose);
  };
  plan.reads(request.path, role("--data", "data"));
  plan.reads(request.test_path, role("--test", "test data"));
  plan.reads(spec_file(request.dataset), role("--dataset", "data set"));
}

}  // namespace alsbench
