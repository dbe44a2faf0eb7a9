// SPDX-License-Identifier: Apache-2.0
#include "harness/tune/space/search_space.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>
#include <set>

#include "base/error.h"
#include "base/suggestion.h"
#include "harness/record/core_codecs.h"
#include "variants/core/expression_tree.h"
#include "variants/default_pipeline.h"

namespace alsbench {
namespace {

using Assignments = std::vector<std::pair<std::string, std::string>>;
// Values that are chosen together: of one parameter, or of several that are tied.
using ChoiceList = std::vector<Assignments>;

const Axis* axis_named(const SpaceRequest& request, const std::string& name) {
  for (const Axis& axis : request.axes)
    if (axis.name == name) return &axis;
  return nullptr;
}

// Values that a parameter takes in this search, the default first where it is among them.
std::vector<std::string> values_of(const SpaceRequest& request, const Variant& variant,
                                   const Parameter& parameter) {
  std::vector<std::string> values;
  if (const Axis* axis = axis_named(request, parameter.name)) {
    for (const std::string& value : axis->values)
      if (accepts(variant, parameter.name, value)) values.push_back(value);
    const auto fallback = std::ranges::find(values, parameter.values.front().text);
    if (fallback != values.end()) std::rotate(values.begin(), fallback, fallback + 1);
    return values;
  }
  if (parameter.diagnostic()) return {parameter.values.front().text};
  for (const Value& value : parameter.values) values.push_back(value.text);
  return values;
}

ChoiceList tied_choices(const SpaceRequest& request, const Variant& variant,
                        const std::vector<std::string>& names) {
  ChoiceList choices;
  for (const std::string& name : names) {
    const Parameter* parameter = variant.space.find(name);
    if (parameter == nullptr) continue;
    const Axis* axis = axis_named(request, name);
    // In the axis's own order, which pairs them.
    const std::vector<std::string> values =
        axis != nullptr ? axis->values : values_of(request, variant, *parameter);
    if (!choices.empty() && choices.size() != values.size())
      throw UsageError(
          fmt::format("tied parameter '{}' has {} values where '{}' has {}; tied "
                      "parameters take their values together, so give each as many",
                      name, values.size(), choices[0][0].first, choices.size()));
    choices.resize(values.size());
    for (size_t i = 0; i < values.size(); ++i) choices[i].emplace_back(name, values[i]);
  }
  return choices;
}

std::vector<ChoiceList> choice_lists_of(const SpaceRequest& request, const Variant& variant) {
  std::vector<ChoiceList> choice_lists;
  std::set<std::string> tied;
  for (const std::vector<std::string>& names : request.tied) {
    tied.insert(names.begin(), names.end());
    if (ChoiceList choices = tied_choices(request, variant, names); !choices.empty())
      choice_lists.push_back(std::move(choices));
  }
  for (const Parameter& parameter : variant.space.parameters()) {
    if (tied.contains(parameter.name)) continue;
    ChoiceList choices;
    for (const std::string& value : values_of(request, variant, parameter))
      choices.push_back({{parameter.name, value}});
    choice_lists.push_back(std::move(choices));
  }
  return choice_lists;
}

// Calls visit(config) with every configuration of a variant in the request, the last parameter
// fastest. A space may have many of them, so a change of a parameter is made in place.
template <typename Visit>
void for_each_config(const SpaceRequest& request, const Variant& variant, Visit&& visit) {
  const std::vector<ChoiceList> choice_lists = choice_lists_of(request, variant);
  const auto empty = [](const ChoiceList& choices) { return choices.empty(); };
  if (std::ranges::any_of(choice_lists, empty)) return;
  for (const ChoiceList& choices : choice_lists)
    for (const Assignments& choice : choices)
      for (const auto& [name, value] : choice) variant.space.check(name, value);
  Config config = variant.space.default_config();
  const auto choose = [&](size_t choices, size_t choice) {
    for (const auto& [name, value] : choice_lists[choices][choice]) config.set(name, value);
  };
  std::vector<size_t> chosen(choice_lists.size(), 0);
  for (size_t i = 0; i < choice_lists.size(); ++i) choose(i, 0);
  for (;;) {
    if (!visit(std::as_const(config))) return;
    size_t turned = choice_lists.size();
    while (turned > 0 && chosen[turned - 1] + 1 == choice_lists[turned - 1].size()) {
      chosen[turned - 1] = 0;
      choose(turned - 1, 0);
      --turned;
    }
    if (turned == 0) return;
    choose(turned - 1, ++chosen[turned - 1]);
  }
}

// The first of them, or nothing.
std::optional<Config> first_config(const SpaceRequest& request, const Variant& variant) {
  std::optional<Config> first;
  for_each_config(request, variant, [&](const Config& config) {
    first = config;
    return false;
  });
  return first;
}

std::vector<std::string> parameters_of(const std::vector<const Variant*>& variants) {
  std::vector<std::string> names;
  for (const Variant* variant : variants)
    for (const Parameter& parameter : variant->space.parameters())
      if (std::ranges::find(names, parameter.name) == names.end()) names.push_back(parameter.name);
  return names;
}

void check_names(const SpaceRequest& request) {
  if (request.variants.empty()) throw UsageError("a search space needs a variant");
  std::vector<std::string> problems;
  const auto add = [&](std::optional<std::string> problem) {
    if (problem && std::ranges::find(problems, *problem) == problems.end())
      problems.push_back(std::move(*problem));
  };
  for (const Axis& axis : request.axes)
    for (const std::string& value : axis.values)
      add(axis_problem(request.variants, axis.name, value));
  for (const auto& names : request.tied) add(tie_problem(request.variants, names));
  for (const Condition& condition : request.conditions)
    add(condition_problem(request.variants, condition));
  if (!problems.empty())
    throw UsageError(fmt::format("the search space: {}", fmt::join(problems, "\n  ")));
}

// An objection with its numbers replaced, so alike ones count as one; not those of words such as
// fp16 or rank=8.
std::string without_numbers(const std::string& text) {
  const auto is = [](int (*kind)(int), char c) { return kind(static_cast<unsigned char>(c)) != 0; };
  std::string alike;
  for (size_t i = 0; i < text.size(); ++i) {
    const char before = i == 0 ? ' ' : text[i - 1];
    const bool in_word = is(std::isalnum, before) || before == '_' || before == '=';
    if (in_word || !is(std::isdigit, text[i])) {
      alike += text[i];
      continue;
    }
    alike += 'N';
    while (i + 1 < text.size() && is(std::isdigit, text[i + 1])) ++i;
  }
  return alike;
}

// How many points have objections that are alike. One that all of them share keeps its numbers.
std::map<std::string, int64_t> grouped(const std::map<std::string, int64_t>& objections) {
  std::map<std::string, std::string> shown;  // by the text without numbers
  for (const auto& [objection, count] : objections) {
    const std::string text = without_numbers(objection);
    const auto [known, added] = shown.try_emplace(text, objection);
    if (!added) known->second = text;
  }
  std::map<std::string, int64_t> alike;
  for (const auto& [objection, count] : objections)
    alike[shown.at(without_numbers(objection))] += count;
  return alike;
}

// The first condition that a configuration does not hold, or null.
const Condition* broken(const std::vector<Condition>& conditions, const Config& config) {
  for (const Condition& condition : conditions)
    if (!condition.holds(config)) return &condition;
  return nullptr;
}

// The number that a text is as a whole, where it is a finite one.
std::optional<double> number_of(const std::string& text) {
  const std::optional<double> number = number_in(text);
  return number && std::isfinite(*number) ? number : std::nullopt;
}

bool all_numbers(const std::vector<std::string>& values) {
  return std::ranges::all_of(values,
                             [](const std::string& text) { return number_of(text).has_value(); });
}

// The variant of the stage's default, or the first.
const Variant* default_variant(const std::vector<const Variant*>& variants, const Shape& shape,
                               const DeviceTraits& traits) {
  if (variants.size() == 1) return variants.front();
  const std::string stage(name_of(variants.front()->stage));
  const Variant* preferred = default_step(stage, shape, traits).steps.front().variant;
  const bool among = std::ranges::find(variants, preferred) != variants.end();
  return among ? preferred : variants.front();
}

void add_value(Dimension& dimension, const std::string& value) {
  auto& values = dimension.values;
  if (std::ranges::find(values, value) == values.end()) values.push_back(value);
}

// Dimensions in which the points differ. Values that are numbers are put in their order.
std::vector<Dimension> dimensions_of(const std::vector<SearchPoint>& points) {
  std::vector<Dimension> dimensions{{"variant", {}, false}};
  for (const SearchPoint& point : points) {
    add_value(dimensions[0], point.variant_name);
    for (const auto& [name, value] : point.config.entries()) {
      auto known =
          std::ranges::find_if(dimensions, [&](const Dimension& d) { return d.name == name; });
      if (known == dimensions.end()) known = dimensions.insert(known, Dimension{name, {}, false});
      add_value(*known, value);
    }
  }
  std::erase_if(dimensions, [](const Dimension& d) { return d.values.size() < 2; });
  for (Dimension& dimension : dimensions) {
    dimension.ordered = all_numbers(dimension.values);
    if (dimension.ordered)
      std::ranges::sort(dimension.values,
                        [](const auto& a, const auto& b) { return number_of(a) < number_of(b); });
  }
  return dimensions;
}

// The bytes that a point names, weighed by where they lie.
double expected_traffic(const SearchPoint& point, const Shape& shape) {
  const Stage stage = point.variant->stage;
  const ParameterSpace& space = point.variant->space;
  const bool complete = point.config.entries().size() == space.parameters().size();
  const Config config = complete ? point.config : space.parse(point.config.text());
  const WorkOptions options{.storage = storage_of(*point.variant, config), .config = config};
  if (stage->expected_traffic != nullptr) return stage->expected_traffic(shape, options);
  return stage->work == nullptr ? 0 : stage->work(shape, options).logical_bytes;
}

}  // namespace

std::optional<std::string> tie_problem(const std::vector<const Variant*>& variants,
                                       const std::vector<std::string>& names) {
  const std::vector<std::string> parameters = parameters_of(variants);
  for (const std::string& name : names)
    if (std::ranges::find(parameters, name) == parameters.end())
      return unknown_name("tied parameter", name, parameters);
  return std::nullopt;
}

std::optional<std::string> condition_problem(const std::vector<const Variant*>& variants,
                                             const Condition& condition) {
  std::vector<std::string> known = parameters_of(variants);
  const auto parameters = static_cast<std::ptrdiff_t>(known.size());
  for (const Variant* variant : variants)
    for (const Parameter& parameter : variant->space.parameters())
      for (const Value& value : parameter.values) known.push_back(value.text);
  for (const std::string& name : condition.names())
    if (std::ranges::find(known, name) == known.end())
      return fmt::format(
          "condition '{}': {}", condition.text(),
          unknown_name("parameter or value", name, {known.begin(), known.begin() + parameters}));
  return std::nullopt;
}

std::string PointRecord::text() const {
  std::string rest = config.text();
  if (variant.empty()) return rest;
  return rest.empty() ? variant : variant + ":" + rest;
}

std::string SearchPoint::text() const { return record().text(); }

void check_request(const SpaceRequest& request) {
  check_names(request);
  for (const Variant* variant : request.variants) {
    size_t points = 1;
    for (const ChoiceList& choices : choice_lists_of(request, *variant)) {
      if (choices.empty()) break;
      check_combination_count(points, choices.front().front().first, choices.size());
      points *= choices.size();
    }
  }
}

SearchSpace::SearchSpace(const SpaceRequest& request, const Shape& shape,
                         const DeviceTraits& traits) {
  check_request(request);
  std::map<std::string, int64_t> objections, conditions;
  for (const Variant* variant : request.variants)
    for_each_config(request, *variant, [&](const Config& config) {
      ++total_;
      if (const auto objection = objection_of(*variant, config, shape, traits))
        ++objections[*objection];
      else if (const Condition* condition = broken(request.conditions, config))
        ++conditions["condition " + condition->text()];
      else
        points_.push_back({variant, variant->name, config, {}});
      return true;
    });
  std::map<std::string, int64_t> alike = grouped(objections);
  alike.merge(conditions);
  pruned_.assign(alike.begin(), alike.end());
  std::ranges::stable_sort(pruned_,
                           [](const auto& a, const auto& b) { return a.second > b.second; });
  if (points_.empty())
    throw UsageError(fmt::format(
        "none of the {} points of the search space can run here{}", total_,
        pruned_.empty() ? "" : fmt::format("; the commonest objection: {}", pruned_[0].first)));
  expect(shape);
  const Variant* preferred = default_variant(request.variants, shape, traits);
  const std::optional<Config> first = first_config(request, *preferred);
  index_points(first ? SearchPoint{preferred, preferred->name, *first, {}}.text() : "");
}

SearchSpace::SearchSpace(std::vector<SearchPoint> points, const std::string& fallback)
    : points_(std::move(points)), total_(static_cast<int64_t>(points_.size())) {
  if (points_.empty()) throw UsageError("a search space needs a point");
  index_points(fallback);
}

void SearchSpace::index_points(const std::string& fallback) {
  dimensions_ = dimensions_of(points_);
  for (size_t i = 0; i < points_.size(); ++i) {
    SearchPoint& point = points_[i];
    index_.emplace(point.text(), i);
    point.coordinates.clear();
    for (const Dimension& dimension : dimensions_) {
      const std::string value = dimension.name == "variant"
                                    ? point.variant_name
                                    : point.config.get_or(dimension.name, "");
      const auto found = std::ranges::find(dimension.values, value);
      point.coordinates.push_back(found == dimension.values.end()
                                      ? -1
                                      : static_cast<int32_t>(found - dimension.values.begin()));
    }
  }
  const size_t named = find(fallback);
  default_point_ = named < points_.size() ? named : 0;
}

void SearchSpace::expect(const Shape& shape) {
  expected_.clear();
  for (const SearchPoint& point : points_)
    if (point.variant == nullptr) return;
  for (const SearchPoint& point : points_)
    expected_.push_back(std::log(std::max(expected_traffic(point, shape), 1.0)));
}

size_t SearchSpace::find(const std::string& text) const {
  const auto found = index_.find(text);
  return found == index_.end() ? points_.size() : found->second;
}

size_t SearchSpace::index_of(const PointRecord& point) const {
  const size_t index = find(point.text());
  if (index == size())
    throw UsageError(fmt::format("the search space has no point '{}'", point.text()));
  return index;
}

SpaceSummary SearchSpace::summary() const {
  SpaceSummary summary;
  for (const Dimension& dimension : dimensions_)
    summary.dimensions.push_back({dimension.name, dimension.values});
  summary.total = total_;
  summary.valid = static_cast<int64_t>(size());
  for (const auto& [objection, points] : pruned_) summary.pruned.push_back({objection, points});
  summary.default_point = points_[default_point_].record();
  return summary;
}

void describe(Fields<PointRecord>& fields) {
  fields.record("point", "A point of a search space: a variant of its stage, and a configuration.");
  fields("variant", &PointRecord::variant);
  fields("config", &PointRecord::config, "each parameter of the variant and its value");
}

void describe(Fields<SpaceSummary::Values>& fields) {
  fields.record("dimension", "A dimension of a search space.");
  fields("name", &SpaceSummary::Values::name);
  fields("values", &SpaceSummary::Values::values);
}

void describe(Fields<SpaceSummary::Pruned>& fields) {
  fields.record("pruned", "An objection, and the points that it pruned.");
  fields("objection", &SpaceSummary::Pruned::objection);
  fields("points", &SpaceSummary::Pruned::points);
}

void describe(Fields<SpaceSummary>& fields) {
  fields.record("search_space", "The searched space.");
  fields("dimensions", &SpaceSummary::dimensions);
  fields("total", &SpaceSummary::total, "points of all combinations");
  fields("valid", &SpaceSummary::valid, "of these, without an objection");
  fields("pruned", &SpaceSummary::pruned, "the commonest objections");
  fields("default", &SpaceSummary::default_point);
}

}  // namespace alsbench
