// SPDX-License-Identifier: Apache-2.0
#include "harness/tune/search/space_file.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/suggestion.h"
#include "harness/files/strict_json.h"
#include "harness/record/document.h"
#include "harness/record/fields/forms.h"
#include "harness/tune/search/strategy.h"

namespace alsbench {
namespace {

constexpr double kMaxBudget = 1e9;

// The file's objects. General and KernelSpecification belong to T1 and say nothing here.
struct ParameterEntry {
  std::string name;
  Json type;
  std::optional<TextOrNumber> usual;
  ValueList values;
};
struct ConditionEntry {
  std::string expression;
  Json parameters;
};
struct SpaceEntry {
  std::vector<ParameterEntry> parameters;
  std::vector<ConditionEntry> conditions;
  std::vector<OneOrMore<std::string>> tied;
};
struct AttributeEntry {
  std::string name;
  int64_t value = 0;
};
struct SearchEntry {
  std::string name;
  std::vector<AttributeEntry> attributes;
};
struct BudgetEntry {
  std::string type;
  double value = 0;
};
struct SpaceDocument {
  Json general, kernel;
  SpaceEntry space;
  std::optional<SearchEntry> search;
  std::vector<BudgetEntry> budget;
};

void describe(Fields<ParameterEntry>& fields) {
  fields("Name", &ParameterEntry::name);
  fields("Type", &ParameterEntry::type).omitted();
  fields("Values", &ParameterEntry::values);
  fields("Default", &ParameterEntry::usual).omitted();
}

void describe(Fields<ConditionEntry>& fields) {
  fields("Expression", &ConditionEntry::expression).check([](const JsonField& json) {
    static_cast<void>(Condition(json.text()));
  });
  fields("Parameters", &ConditionEntry::parameters).omitted();
}

void describe(Fields<SpaceEntry>& fields) {
  fields("TuningParameters", &SpaceEntry::parameters).omitted();
  fields("Conditions", &SpaceEntry::conditions).omitted();
  fields("Tied", &SpaceEntry::tied).omitted();
}

void describe(Fields<AttributeEntry>& fields) {
  fields("Name", &AttributeEntry::name).names("attribute", [] {
    return std::vector<std::string>{"seed"};
  });
  fields("Value", &AttributeEntry::value).range(Range::Kind::from_0);
}

void describe(Fields<SearchEntry>& fields) {
  fields("Name", &SearchEntry::name).names("strategy", strategy_names);
  fields("Attributes", &SearchEntry::attributes).omitted();
}

void describe(Fields<BudgetEntry>& fields) {
  fields("Type", &BudgetEntry::type).names("budget", [] {
    return std::vector<std::string>{"ConfigurationCount", "TuningDuration"};
  });
  fields("BudgetValue", &BudgetEntry::value).range(0.001, kMaxBudget);
  fields.check([](const JsonField& json, BudgetEntry& budget) {
    const JsonField value = json.at("BudgetValue");
    if (budget.type == "ConfigurationCount" && value.integer() < 1)
      value.fail("must be at least 1");
  });
}

void describe(Fields<SpaceDocument>& fields) {
  describe_hand_written(fields);
  fields("General", &SpaceDocument::general).omitted();
  fields("KernelSpecification", &SpaceDocument::kernel).omitted();
  fields("ConfigurationSpace", &SpaceDocument::space).omitted();
  fields("Search", &SpaceDocument::search).omitted();
  fields("Budget", &SpaceDocument::budget).omitted();
}

SpaceFile file_of(const SpaceDocument& document) {
  SpaceFile file;
  for (const ParameterEntry& entry : document.space.parameters)
    file.axes.push_back({entry.name, entry.values.values});
  for (const ParameterEntry& entry : document.space.parameters)
    if (entry.usual) file.defaults.emplace_back(entry.name, entry.usual->text);
  for (const ConditionEntry& entry : document.space.conditions)
    file.conditions.emplace_back(entry.expression);
  for (const OneOrMore<std::string>& names : document.space.tied) file.tied.push_back(names.values);
  if (document.search) {
    file.strategy = document.search->name;
    for (const AttributeEntry& attribute : document.search->attributes)
      file.seed = static_cast<uint64_t>(attribute.value);
  }
  for (const BudgetEntry& budget : document.budget)
    if (budget.type == "ConfigurationCount")
      file.evaluations = static_cast<int64_t>(budget.value);
    else
      file.seconds = budget.value;
  return file;
}

}  // namespace

SpaceFile parse_space_file(const std::string& text, const std::string& source) {
  const Json json = parse_json(text, source);
  return file_of(read_hand_written<SpaceDocument>(json, source));
}

void check_space_file(const SpaceFile& file, const std::vector<const Variant*>& variants,
                      const std::string& source) {
  DocumentErrors errors;
  const auto add = [&](const char* list, size_t index, const std::optional<std::string>& problem) {
    if (problem)
      errors.add(FieldError(fmt::format("/ConfigurationSpace/{}/{}", list, index), *problem));
  };
  for (size_t i = 0; i < file.axes.size(); ++i)
    for (const std::string& value : file.axes[i].values)
      add("TuningParameters", i, axis_problem(variants, file.axes[i].name, value));
  for (size_t i = 0; i < file.conditions.size(); ++i)
    add("Conditions", i, condition_problem(variants, file.conditions[i]));
  for (size_t i = 0; i < file.tied.size(); ++i) add("Tied", i, tie_problem(variants, file.tied[i]));
  errors.throw_of(source);
}

}  // namespace alsbench
