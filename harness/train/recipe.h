// SPDX-License-Identifier: Apache-2.0
// Recipe: how a model is trained: an algorithm, its hyper-parameters, and a pipeline for each part.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "variants/pipeline.h"

namespace alsbench {

struct Algorithm;

struct Recipe {
  const Algorithm* algorithm = nullptr;
  Config hyper = {};
  std::map<std::string, Pipeline> pipelines = {};  // by part

  // Throw std::out_of_range where the algorithm has no such part.
  const Pipeline& of(const std::string& part) const { return pipelines.at(part); }
  Pipeline& of(const std::string& part) { return pipelines.at(part); }
  // That of the algorithm's first part.
  const Pipeline& first() const;
  // "PIPELINE | PIPELINE", in the order of the parts: equal for equal recipes.
  std::string text() const;
};

// The algorithm's hyper-parameters that a text such as "rate=0.2" names, others at their default.
// Throws UsageError naming an unknown one or its value, and the nearest valid one.
Config parse_hyper(const Algorithm& algorithm, std::string_view text);

// The recipe with the pipelines that `texts` names by part: their text or the name of a preset. ""
// names those of all other parts; what is not named has no steps. Throws UsageError.
Recipe named_recipe(Recipe begun, const std::map<std::string, std::string>& texts, Backend backend);

// The algorithm with its default hyper-parameters, and no pipelines yet.
Recipe begin_recipe(const Algorithm& algorithm);
// The recipe with the same pipeline for every part.
Recipe uniform_recipe(const Algorithm& algorithm, const Pipeline& pipeline);
// The exact pipeline for every part.
Recipe exact_recipe(const Algorithm& algorithm, Backend backend);
Recipe exact_recipe(Recipe begun, Backend backend);

}  // namespace alsbench
