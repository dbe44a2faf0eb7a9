// SPDX-License-Identifier: Apache-2.0
#include "harness/train/algorithm.h"

#include <fmt/format.h>

#include "base/error.h"
#include "harness/train/algorithm.h"

namespace alsbench {

const Pipeline& Recipe::first() const { return of(algorithm->parts.front()); }

std::string Recipe::text() const {
  std::string text;
  for (const std::string& part : algorithm->parts)
    text += (text.empty() ? "" : " | ") + of(part).text();
  return text;
}

Config parse_hyper(const Algorithm& algorithm, std::string_view text) {
  if (!text.empty() && algorithm.hyper.parameters().empty())
    throw UsageError(
        fmt::format("'{}': algorithm {} has no hyper-parameters", text, algorithm.name));
  for (const auto& [name, why] : algorithm.lacks)
    if (("," + std::string(text)).find("," + name + "=") != std::string::npos)
      throw UsageError(
          fmt::format("'{}': algorithm {} has no {}: {}", text, algorithm.name, name, why));
  return algorithm.hyper.parse(text);
}

Recipe named_recipe(Recipe begun, const std::map<std::string, std::string>& texts,
                    const std::function<Backend()>& backend) {
  for (const std::string& part : begun.algorithm->parts) {
    const auto own = texts.find(part), named = own != texts.end() ? own : texts.find("");
    begun.pipelines[part] =
        named != texts.end() ? begun.algorithm->parse(part, named->second, backend()) : Pipeline{};
  }
  return begun;
}

Recipe begin_recipe(const Algorithm& algorithm) {
  return {&algorithm, algorithm.hyper.default_config(), {}};
}

Recipe uniform_recipe(const Algorithm& algorithm, const Pipeline& pipeline) {
  Recipe recipe = begin_recipe(algorithm);
  for (const std::string& part : algorithm.parts) recipe.pipelines[part] = pipeline;
  return recipe;
}

Recipe exact_recipe(Recipe begun, Backend backend) {
  for (const std::string& part : begun.algorithm->parts)
    begun.pipelines[part] = exact_pipeline(begun.algorithm->pipelines(part), backend);
  return begun;
}

Recipe exact_recipe(const Algorithm& algorithm, Backend backend) {
  return exact_recipe(begin_recipe(algorithm), backend);
}

std::string minimised_text(const Algorithm& algorithm, const Config& hyper) {
  std::string text;
  for (const std::string& name : algorithm.minimised) {
    const Parameter& parameter = *algorithm.hyper.find(name);
    const std::string& usual = parameter.values.front().text;
    const std::string value = hyper.get_or(name, usual);
    if (!parameter.named_at_default && value == usual) continue;
    text += fmt::format("{}{}={}", text.empty() ? "" : ",", name, value);
  }
  return text;
}

}  // namespace alsbench
