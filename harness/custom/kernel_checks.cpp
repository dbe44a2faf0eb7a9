// SPDX-License-Identifier: Apache-2.0
// The rules of a kernel.json that no schema has.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <set>

#include "base/error.h"
#include "base/suggestion.h"
#include "harness/custom/kernel_file.h"
#include "harness/custom/launch.h"
#include "variants/core/expression.h"
#include "variants/core/kernel_arguments.h"

namespace alsbench::custom {
namespace {

namespace fs = std::filesystem;

void check_file(const fs::path& folder, const std::string& name, const JsonField& json) {
  const fs::path path(name);
  const bool beside = path.is_relative() && name.find("..") == std::string::npos;
  if (!beside || !fs::is_regular_file(folder / path))
    json.report(fmt::format("'{}' is no file of the folder {}; a path is relative to it", name,
                            folder.string()));
}

void check_same_names(const KernelFile& file, const JsonField& json) {
  const Config& first = file.problems.front();
  const std::vector<JsonField> problems = json.at("problems").elements();
  for (size_t i = 0; i < file.problems.size(); ++i) {
    if (file.problems[i].entries().empty())
      problems[i].report("needs a size, such as {\"N\": 1024}");
    for (const auto& [name, size] : file.problems[i].entries()) {
      if (std::stoll(size) < 1)
        problems[i].at(name).report(fmt::format("{} is no size; write a number from 1", size));
      if (!first.has(name))
        problems[i].at(name).report("is no size of the first problem; all have the same names");
    }
    for (const auto& [name, size] : first.entries())
      if (!file.problems[i].has(name)) problems[i].report("lacks the size '" + name + "'");
  }
}

class ArgumentChecks {
 public:
  ArgumentChecks(const KernelFile& file, const Argument& argument, const JsonField& json)
      : file_(file), argument_(argument), json_(json) {}

  void run() const {
    if (argument_.is_buffer())
      buffer();
    else
      scalar();
  }

 private:
  bool has(const char* name) const { return json_.member(name).has_value(); }
  void without(std::initializer_list<const char*> names, const std::string& why) const {
    for (const char* name : names)
      if (const auto member = json_.member(name)) member->report("has no effect " + why);
  }

  void scalar() const {
    without({"use", "fill", "low", "high", "file", "expected"}, "without 'shape': it is a scalar");
    if (!argument_.value)
      return json_.report("needs 'shape', of a buffer, or 'value', of a scalar");
    json_.at("value").attempt([&] {
      for (const Config& sizes : file_.problems) check_value(argument_, sizes);
    });
  }

  void buffer() const {
    json_.at("shape").attempt([&] {
      for (const Config& sizes : file_.problems) check_extents(extents_of(argument_, sizes));
    });
    if (!argument_.is_read()) without({"fill"}, "of an output, which is poisoned");
    if (!argument_.is_written()) without({"expected"}, "of an input");
    if (!argument_.expected.empty())
      check_file(file_.folder, argument_.expected, json_.at("expected"));
    if (argument_.is_read() && !argument_.fill)
      return json_.report("needs 'fill', or \"use\": \"output\"");
    const Fill fill = argument_.fill.value_or(Fill::uniform);
    if (fill != Fill::uniform) without({"low", "high"}, "with this fill");
    if (fill != Fill::constant) without({"value"}, "with this fill");
    if (fill != Fill::npy) without({"file"}, "with this fill");
    if (fill == Fill::npy && argument_.file.empty()) json_.report("needs 'file', an .npy file");
    if (fill == Fill::npy && has("file"))
      check_file(file_.folder, argument_.file, json_.at("file"));
    if (fill == Fill::constant) check_constant();
    if (fill == Fill::uniform) check_interval();
  }

  void check_interval() const {
    if (!(argument_.low <= argument_.high)) return json_.at("low").report("is above 'high'");
    for (const double end : {argument_.low, argument_.high})
      if (!holds(argument_.type, end))
        return json_.report(fmt::format(
            "is filled from {} to {}, and {} is no {}; give 'low' and 'high', or another 'type'",
            argument_.low, argument_.high, end, name_of(argument_.type)));
  }

  void check_constant() const {
    if (!argument_.value) return json_.report("needs 'value', a number");
    json_.at("value").attempt([&] { check_value(argument_, Config()); });
  }

  void check_extents(const std::vector<int64_t>& extents) const {
    const size_t n = extents.size();
    if (argument_.fill != Fill::positive_definite) return;
    if (n < 2 || extents[n - 1] != extents[n - 2])
      throw UsageError("positive_definite fills matrices: the last two extents must be equal");
    if (!is_floating(argument_.type)) throw UsageError("positive_definite fills floats alone");
  }

  const KernelFile& file_;
  const Argument& argument_;
  JsonField json_;
};

void check_arguments(const KernelFile& file, const JsonField& json) {
  const std::vector<JsonField> elements = json.at("arguments").elements();
  if (file.arguments.size() > KernelArguments::kMaxCount)
    json.at("arguments")
        .report(fmt::format("has {} arguments; {} are the most", file.arguments.size(),
                            KernelArguments::kMaxCount));
  bool any_output = false;
  for (size_t i = 0; i < file.arguments.size(); ++i) {
    const Argument& argument = file.arguments[i];
    any_output = any_output || argument.is_written();
    for (size_t j = 0; j < i; ++j)
      if (file.arguments[j].name == argument.name)
        elements[i].at("name").report(fmt::format("'{}' is there twice", argument.name));
    ArgumentChecks(file, argument, elements[i]).run();
  }
  if (!any_output)
    json.at("arguments").report("have no output to check; give one \"use\": \"output\"");
}

void check_space(const KernelFile& file, const Kernel& kernel, const JsonField& json) {
  const auto space = json.member("ConfigurationSpace");
  if (!space) return;
  const auto& parameters = kernel.space.parameters;
  std::vector<std::string> known;
  for (const auto& [name, size] : file.problems.front().entries()) known.push_back(name);
  for (size_t i = 0; i < parameters.size(); ++i) {
    if (std::find(known.begin(), known.end(), parameters[i].name) != known.end())
      space->at("TuningParameters")
          .elements()[i]
          .at("Name")
          .report(fmt::format("'{}' is a size or a parameter already", parameters[i].name));
    known.push_back(parameters[i].name);
    const std::set<std::string> values(parameters[i].values.begin(), parameters[i].values.end());
    if (values.size() < parameters[i].values.size())
      space->at("TuningParameters")
          .elements()[i]
          .at("Values")
          .report("has a value twice; name each once");
  }
  for (size_t i = 0; i < kernel.space.conditions.size(); ++i)
    space->at("Conditions").elements()[i].at("Expression").attempt([&] {
      const Condition condition(kernel.space.conditions[i].expression);
      for (const std::string& name : condition.names())
        if (std::find(known.begin(), known.end(), name) == known.end())
          throw UsageError(unknown_name("size or parameter", name, known));
    });
}

// The points as far as a condition tells them apart: the values of the parameters that it names,
// with the problem's sizes. Calls `use` for as many as a file's check has time for, and returns
// whether these are all.
bool for_each_named_point(const Kernel& kernel, const Condition& condition, const Config& sizes,
                          const std::function<void(const Config&)>& use) {
  constexpr int64_t kMaxPoints = 10'000;
  std::vector<const TuningParameter*> named;
  for (const TuningParameter& parameter : kernel.space.parameters)
    if (std::ranges::find(condition.names(), parameter.name) != condition.names().end())
      named.push_back(&parameter);
  for (int64_t point = 0; point < kMaxPoints; ++point) {
    Config names = sizes;
    int64_t rest = point;
    for (const TuningParameter* parameter : named) {
      const auto count = static_cast<int64_t>(parameter->values.size());
      names.set(parameter->name, parameter->values[static_cast<size_t>(rest % count)]);
      rest /= count;
    }
    if (rest > 0) return true;
    use(names);
  }
  return false;
}

// Whether a point is none of the space by a condition before this one.
bool left_out_before(const Kernel& kernel, size_t index, const Config& names) {
  for (size_t i = 0; i < index; ++i)
    if (!Condition(kernel.space.conditions[i].expression).holds(names)) return true;
  return false;
}

// Throws UsageError where a condition fails at a point, where none meets it, or where the default
// breaks it.
void check_condition(const KernelFile& file, const Kernel& kernel, size_t index) {
  const Condition condition(kernel.space.conditions[index].expression);
  bool met = false, all = true;
  for (const Config& sizes : file.problems)
    all = for_each_named_point(
              kernel, condition, sizes,
              [&](const Config& names) {
                try {
                  met = condition.holds(names) || met;
                } catch (const UsageError& error) {
                  if (!left_out_before(kernel, index, names))
                    throw UsageError(fmt::format("{} with {}", error.what(), names.text()));
                }
              }) &&
          all;
  if (!met && all)
    throw UsageError(fmt::format("no point meets the condition '{}'; change it, or the Values",
                                 condition.text()));
  const Config usual = kernel.parameter_space().default_config();
  for (const Config& sizes : file.problems)
    if (!condition.holds(with_entries(sizes, usual)))
      throw UsageError(
          fmt::format("the default {} breaks the condition '{}' with {}; name another with "
                      "'Default'",
                      usual.text(), condition.text(), sizes.text()));
}

void check_conditions(const KernelFile& file, const Kernel& kernel, const JsonField& json) {
  if (kernel.space.conditions.empty()) return;
  const std::vector<JsonField> elements = json.at("ConfigurationSpace").at("Conditions").elements();
  for (size_t i = 0; i < elements.size(); ++i)
    elements[i].attempt([&] { check_condition(file, kernel, i); });
}

// Launches of the default on each problem: a mistake in them is the file's, and no row's.
void check_launches(const KernelFile& file, const Kernel& kernel, const JsonField& json) {
  if (kernel.backend() == Backend::cpu) {
    for (const char* name : {"grid", "block", "shared_bytes", "tensor_cores"})
      if (const auto member = json.member(name)) member->report("has no effect on the CPU");
    return;
  }
  for (const char* name : {"grid", "block"})
    if (!json.member(name))
      json.report(fmt::format("needs '{}', such as \"(N + 255) // 256\"", name));
  if (!json.is_sound()) return;
  const Config usual = kernel.parameter_space().default_config();
  for (const Config& sizes : file.problems) {
    const Config names = with_entries(sizes, usual);
    json.at("grid").attempt([&] { extents_in(kernel.grid, names, kGridLimits); });
    json.at("block").attempt([&] { threads_in(kernel.block, names); });
    if (const auto shared = json.member("shared_bytes"))
      shared->attempt([&] { whole_number(kernel.shared_bytes.text, names, 0); });
    if (!json.is_sound()) return;  // once
  }
}

void check_kernels(const KernelFile& file, const JsonField& json) {
  const std::vector<JsonField> elements = json.at("kernels").elements();
  for (size_t i = 0; i < file.kernels.size(); ++i) {
    const Kernel& kernel = file.kernels[i];
    const std::string suffix = fs::path(kernel.file).extension().string();
    if (suffix != ".cu" && suffix != ".cpp")
      elements[i].at("file").report(fmt::format(
          "'{}' ends neither with .cu, of CUDA, nor with .cpp, of the CPU", kernel.file));
    check_file(file.folder, kernel.file, elements[i].at("file"));
    if (file.kernel(kernel.name, kernel.backend()) != &kernel)
      elements[i].at("name").report(fmt::format("'{}' is there twice", kernel.name));
    check_space(file, kernel, elements[i]);
    if (elements[i].is_sound()) check_conditions(file, kernel, elements[i]);
    if (elements[i].is_sound()) check_launches(file, kernel, elements[i]);
  }
}

void check_reference(const KernelFile& file, const JsonField& json) {
  std::vector<std::string> names;
  for (const Kernel& kernel : file.kernels) names.push_back(kernel.name);
  if (!file.reference.empty()) {
    if (std::find(names.begin(), names.end(), file.reference) == names.end())
      return json.at("reference").report(unknown_name("kernel", file.reference, names));
    const bool anywhere = file.kernel(file.reference, Backend::cpu) != nullptr;
    for (const Kernel& kernel : file.kernels)
      if (!anywhere && kernel.backend() == Backend::cpu)
        json.at("reference").report("is a kernel of CUDA, which judges no kernel of the CPU");
    return;
  }
  const std::vector<JsonField> arguments = json.at("arguments").elements();
  for (size_t i = 0; i < file.arguments.size(); ++i) {
    const Argument& argument = file.arguments[i];
    if (argument.is_written() && argument.expected.empty())
      arguments[i].report("needs 'expected', an .npy file, where no 'reference' names a kernel");
    if (argument.is_read() && argument.fill != Fill::npy && argument.fill != Fill::constant)
      arguments[i].report(
          "is random, so no file has the right outputs; fill it from an .npy file, or name a "
          "'reference'");
  }
}

void check_work(const KernelFile& file, const JsonField& json) {
  const auto check = [&](const char* name, const std::optional<TextOrNumber>& count) {
    if (!count) return;
    json.at("work").at(name).attempt([&] {
      for (const Config& sizes : file.problems) check_count(*count, sizes);
    });
  };
  check("flops", file.work.flops);
  check("bytes", file.work.bytes);
}

}  // namespace

void check_kernel_file(const KernelFile& file, const JsonField& json) {
  check_same_names(file, json);
  if (!json.is_sound()) return;  // which the expressions need
  check_arguments(file, json);
  check_kernels(file, json);
  check_reference(file, json);
  check_work(file, json);
}

}  // namespace alsbench::custom
