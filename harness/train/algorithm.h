// SPDX-License-Identifier: Apache-2.0
// Algorithm: a way to factorize a rating matrix, as a value. Its folder under harness/algorithms
// makes one; harness/algorithms/algorithms.cpp lists all. Everything else reads what it needs here
// and names none.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "harness/record/training_record.h"
#include "harness/train/training.h"
#include "variants/pipeline.h"

namespace alsbench {

struct Algorithm;

// How a model is trained: an algorithm, its hyper-parameters, and a pipeline for each part.
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
// names those of all other parts; what is not named has no steps, and needs no backend. Throws
// UsageError.
Recipe named_recipe(Recipe begun, const std::map<std::string, std::string>& texts,
                    const std::function<Backend()>& backend);

// The algorithm with its default hyper-parameters, and no pipelines yet.
Recipe begin_recipe(const Algorithm& algorithm);
// The recipe with the same pipeline for every part.
Recipe uniform_recipe(const Algorithm& algorithm, const Pipeline& pipeline);
// The exact pipeline for every part.
Recipe exact_recipe(const Algorithm& algorithm, Backend backend);
Recipe exact_recipe(Recipe begun, Backend backend);

struct Algorithm {
  std::string name;
  // Parts that the pipelines of a recipe update, in the order of an iteration: "x", "theta".
  std::vector<std::string> parts;
  // The metric that a training is judged by; less is better. Keys of records and options are made
  // of it: "test_rmse", "--target-rmse".
  std::string metric;
  // Kind of ratings it takes: opinions ("explicit"), or counts of what users did ("implicit").
  std::string feedback = "explicit";
  // Numbers that the algorithm has in addition to the problem's rank and lambda. May be empty.
  ParameterSpace hyper;
  // Those of them that say what is minimised, as lambda does. Others say how. A tuning with some
  // values of these serves no training with others. May be empty.
  std::vector<std::string> minimised = {};
  // Those of them that the metric is computed with: metrics of other values of these cannot be
  // compared. May be empty.
  std::vector<std::string> measured_with = {};
  // Hyper-parameters of other algorithms that it cannot have, and why. May be empty.
  std::map<std::string, std::string> lacks = {};

  // The pipelines that update a part.
  const PipelineGrammar& (*pipelines)(const std::string& part) = nullptr;
  // A part's pipeline from its text or the name of a preset. Throws UsageError.
  Pipeline parse(const std::string& part, std::string_view text, Backend backend) const {
    return parse_pipeline(pipelines(part), text, backend);
  }
  // The shape that a part's pipeline works on.
  Shape (*shape)(const DeviceProblem& problem, const std::string& part) = nullptr;
  Shape (*shape_of_set)(const RatingSet& set, int32_t rank, const std::string& part) = nullptr;
  // Seconds of a part in an iteration, of those its stages took.
  double (*part_seconds)(const IterationRecord& record, const std::string& part) = nullptr;
  // Whether such a training reads ratings block by block, so the device need not hold them all.
  // None does where it is null.
  bool (*streams)(const Recipe& recipe) = nullptr;
  // Whether ratings may weigh less than nothing (Shape). None does where it is null.
  bool (*negative_weights)(const Config& hyper) = nullptr;
  // Compiles the pipelines and takes the memory. Throws ObjectionError, OutOfMemoryError.
  std::unique_ptr<Training> (*start)(const DeviceProblem& problem, const Recipe& recipe,
                                     uint64_t seed) = nullptr;
};

// The values of those that say what is minimised: "alpha=40,regularisation=plain"; without those
// that are not named at their default.
std::string minimised_text(const Algorithm& algorithm, const Config& hyper);

}  // namespace alsbench
