// SPDX-License-Identifier: Apache-2.0
#include "harness/custom/kernel_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "base/error.h"
#include "base/suggestion.h"
#include "harness/files/atomic_file.h"
#include "harness/files/hash.h"
#include "harness/files/strict_json.h"
#include "harness/record/document.h"
#include "harness/record/fields/forms.h"
#include "variants/core/expression.h"
#include "variants/core/scalar.h"

namespace alsbench::custom {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFileName = "kernel.json";

void expect_identifier(FieldOptions field) {
  field.pattern("[A-Za-z_][A-Za-z0-9_]{0,63}",
                "is no name of C; use letters, digits and '_', the first no digit");
}

// A parameter's values, which are parts of names of cases and words of the compiler.
struct CleanValues : ValueList {};

CleanValues values_from_json(const JsonField& json) {
  CleanValues values{value_list_from_json(json)};
  for (const std::string& value : values.values)
    if (value.find_first_of(", =/") != std::string::npos)
      json.fail(fmt::format("'{}' has a blank, ',', '=' or '/'", value));
  return values;
}

const Type& type_for(const CleanValues*) {
  static const types::FormedType<CleanValues> type(
      [](const CleanValues& list) { return Json(list.values); }, values_from_json,
      [](Definitions& definitions) {
        return type_of<OneOrMore<TextOrNumber>>().schema(definitions);
      });
  return type;
}

void default_first(const JsonField& json, TuningParameter& parameter) {
  const auto given = json.member("Default");
  if (!given) return;
  const std::string text = read_as<TextOrNumber>(*given).text;
  const auto found = std::find(parameter.values.begin(), parameter.values.end(), text);
  if (found == parameter.values.end())
    given->fail(
        fmt::format("'{}' is none of the Values{}", text, suggestion(text, parameter.values)));
  std::rotate(parameter.values.begin(), found, found + 1);
}

std::string hash_of(const fs::path& folder) {
  std::set<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.is_regular_file() && !entry.path().filename().string().starts_with('.'))
      files.insert(entry.path());
  std::string all;
  for (const fs::path& file : files)
    all += sha256(read_whole_file(file)) + " " + file.lexically_relative(folder).string() + "\n";
  return sha256(all);
}

}  // namespace

static void describe(Fields<TuningParameter>& fields) {
  using P = TuningParameter;
  fields.record("tuning_parameter", "A parameter of the code, in the T1 format.");
  expect_identifier(fields("Name", &P::name));
  fields("Type", &P::type, "is not needed").omitted();
  fields.converted<CleanValues>(
      "Values", [](const P& p) { return CleanValues{{p.values}}; },
      [](const CleanValues& list, P& p) { p.values = list.values; },
      "the first is the default, unless Default names another");
  fields
      .custom(
          "Default", [](const P&) { return left_out(); }, [](const JsonField&, P&) {},
          Json::object())
      .omitted();
  fields.check(default_first);
}

static void describe(Fields<TuningCondition>& fields) {
  fields.record("tuning_condition", "Points where it does not hold are no points of the space.");
  fields("Expression", &TuningCondition::expression);
  fields("Parameters", &TuningCondition::parameters, "is not needed").omitted();
}

static void describe(Fields<TuningSpace>& fields) {
  fields.record("tuning_space", "ConfigurationSpace of kernel_tuner's and KTT's T1 format.");
  fields("TuningParameters", &TuningSpace::parameters).omitted();
  fields("Conditions", &TuningSpace::conditions).omitted();
}

static void describe(Fields<Argument>& fields) {
  using A = Argument;
  fields.record("argument", "An argument of every kernel of the file, in their order.");
  expect_identifier(fields("name", &A::name));
  fields("type", &A::type, "numpy's name");
  fields("shape", &A::shape, "of a buffer: expressions of the sizes")
      .omitted()
      .range(Range::Kind::not_empty);
  fields("use", &A::use, "of a buffer").omitted();
  fields("fill", &A::fill, "what it holds before the kernel runs").omitted();
  fields("low", &A::low, "of uniform").omitted();
  fields("high", &A::high, "of uniform; of integers the last one").omitted();
  fields("value", &A::value, "of a scalar: an expression of the sizes; of constant: a number")
      .omitted();
  fields("file", &A::file, "of npy: beside kernel.json").omitted();
  fields("expected", &A::expected, "of an output: an .npy file beside kernel.json").omitted();
}

static void describe(Fields<Kernel>& fields) {
  using K = Kernel;
  fields.record("kernel", "A variant: a function of a source file.");
  fields("name", &K::name)
      .pattern("[A-Za-z0-9_-]{1,64}", "is no name of a variant; use letters, digits, '_' and '-'");
  fields("description", &K::description).omitted();
  fields("file", &K::file, "beside kernel.json: .cu of CUDA, .cpp of the CPU");
  fields("function", &K::function, "its name, with template arguments that stay the same")
      .pattern("[A-Za-z_][A-Za-z0-9_:<>,]*", "is no function; write its name without blanks");
  fields("parameters", &K::parameters, "how their values reach the compiler").omitted();
  fields("ConfigurationSpace", &K::space).omitted();
  fields("grid", &K::grid, "blocks along x, y and z: expressions of sizes and parameters")
      .omitted();
  fields("block", &K::block, "threads along x, y and z, likewise").omitted();
  fields("shared_bytes", &K::shared_bytes, "of dynamic shared memory, likewise").omitted();
  fields("options", &K::options, "of the compiler, such as -use_fast_math")
      .omitted()
      .pattern("-[^ ]+", "is no option; write one a text, each with its '-' and without blanks");
  fields("tensor_cores", &K::tensor_cores, "the type that they multiply, where they do")
      .omitted()
      .names("type", [] {
        std::vector<std::string> names;
        for (const Scalar scalar : all_scalars()) names.emplace_back(name_of(scalar));
        return names;
      });
  fields("nondeterminism", &K::nondeterminism,
         "why equal executions may differ in their bits, such as atomic sums of floats")
      .omitted();
}

static void describe(Fields<Tolerance>& fields) {
  fields.record("tolerance",
                "Of an element: |value - expected| <= absolute + relative |expected|.");
  fields("relative", &Tolerance::relative).omitted().range(0, 1);
  fields("absolute", &Tolerance::absolute).omitted().range(0, 1e300);
}

static void describe(Fields<WorkCounts>& fields) {
  fields.record("work_counts", "Of one execution, for rates, ceilings and bounds.");
  fields("flops", &WorkCounts::flops, "an expression of the sizes").omitted();
  fields("bytes", &WorkCounts::bytes, "an expression: each operand once").omitted();
}

void describe(Fields<KernelFile>& fields) {
  using K = KernelFile;
  fields.record("", "A custom stage: kernels that compute the same, in the sources beside it.");
  describe_hand_written(fields);
  fields("name", &K::name)
      .pattern("[A-Za-z][A-Za-z0-9_-]{0,63}",
               "is no name of a stage; use letters, digits, '_' and '-', the first a letter");
  fields("description", &K::description, "what the kernels compute");
  fields
      .converted<std::vector<std::vector<std::pair<std::string, int64_t>>>>(
          "problems",
          [](const K&) { return std::vector<std::vector<std::pair<std::string, int64_t>>>(); },
          [](const std::vector<std::vector<std::pair<std::string, int64_t>>>& problems, K& file) {
            for (const auto& sizes : problems) {
              Config& problem = file.problems.emplace_back();
              for (const auto& [name, size] : sizes) problem.set(name, std::to_string(size));
            }
          },
          "sizes by name; the first is the default")
      .range(Range::Kind::not_empty);
  fields("arguments", &K::arguments).range(Range::Kind::not_empty);
  fields("reference", &K::reference, "the kernel that gives the right outputs").omitted();
  fields("tolerance", &K::tolerance);
  fields("work", &K::work).omitted();
  fields("kernels", &K::kernels).range(Range::Kind::not_empty);
}

Backend Kernel::backend() const {
  return fs::path(file).extension() == ".cu" ? Backend::cuda : Backend::cpu;
}

ParameterSpace Kernel::parameter_space() const {
  std::vector<Parameter> list;
  for (const TuningParameter& one : space.parameters) {
    Parameter& parameter = list.emplace_back();
    parameter.name = one.name;
    for (const std::string& value : one.values) parameter.values.emplace_back(value);
    parameter.description = parameters == ParametersAs::macros ? "a macro" : "a template argument";
  }
  return {std::move(list), {}};
}

const Kernel* KernelFile::kernel(const std::string& wanted, Backend backend) const {
  for (const Kernel& one : kernels)
    if (one.name == wanted && one.backend() == backend) return &one;
  return nullptr;
}

Config with_entries(Config first, const Config& second) {
  for (const auto& [name, value] : second.entries()) first.set(name, value);
  return first;
}

int64_t whole_number(const std::string& expression, const Config& names, int64_t minimum) {
  constexpr double kMaximum = 9007199254740992;  // 2^53: beyond, doubles are no whole numbers
  const double value = Expression(expression).value(names);
  if (!(value >= static_cast<double>(minimum)) || value > kMaximum || value != std::floor(value))
    throw UsageError(fmt::format("'{}' is {} with {}; it must be a whole number from {} to 2^53",
                                 expression, value, names.text(), minimum));
  return static_cast<int64_t>(value);
}

std::vector<int64_t> extents_of(const Argument& argument, const Config& sizes) {
  constexpr int64_t kMaxElements = int64_t{1} << 44;
  std::vector<int64_t> extents;
  int64_t elements = 1;
  for (const TextOrNumber& extent : argument.shape) {
    extents.push_back(whole_number(extent.text, sizes, 1));
    if (extents.back() > kMaxElements / elements)
      throw UsageError(fmt::format("'{}' has more than 2^44 elements with {}; give smaller sizes",
                                   argument.name, sizes.text()));
    elements *= extents.back();
  }
  return extents;
}

void check_value(const Argument& argument, const Config& sizes) {
  const std::string& text = argument.value->text;
  uint64_t bytes = 0;
  if (write_whole(&bytes, argument.type, text)) return;
  if (const double value = Expression(text).value(sizes); !holds(argument.type, value))
    throw UsageError(fmt::format("'{}' is {}{}{}, which is no {}; change it, or 'type'", text,
                                 value, sizes.entries().empty() ? "" : " with ", sizes.text(),
                                 name_of(argument.type)));
}

void check_count(const TextOrNumber& count, const Config& sizes) {
  if (const double value = Expression(count.text).value(sizes); !(value > 0))
    throw UsageError(
        fmt::format("'{}' is {} with {}; it must be above 0", count.text, value, sizes.text()));
}

KernelFile read_kernel_file(const fs::path& folder) {
  const std::string source = (folder / kFileName).string();
  const Json json = parse_json(read_whole_file(source), source);
  DocumentErrors errors;
  const JsonField root(json, "", &errors);
  auto file = read_as<KernelFile>(root);
  file.folder = fs::absolute(folder).lexically_normal();
  if (root.is_sound()) check_kernel_file(file, root);
  errors.throw_of(source);
  file.hash = hash_of(file.folder);
  return file;
}

}  // namespace alsbench::custom
