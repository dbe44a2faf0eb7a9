// SPDX-License-Identifier: Apache-2.0
// ParameterSpace: the parameters of a variant as data. The first value of each parameter is its
// default.
#pragma once

#include <functional>
#include <initializer_list>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "variants/core/config.h"
#include "variants/core/storage.h"

namespace alsbench {

// A parameter value: written as text, number or word, kept as its canonical text.
struct Value {
  std::string text;
  std::optional<Scalar> stored = {};       // of an operand's type that is not called by its name
  Value(const char* word) : text(word) {}  // NOLINT: spaces are written as braces of literals
  Value(std::string word) : text(std::move(word)) {}   // NOLINT
  Value(int number) : text(std::to_string(number)) {}  // NOLINT
  Value(std::string word, Scalar type) : text(std::move(word)), stored(type) {}
};

// The effect of changing a parameter.
enum class Effect {
  speed,       // how fast the same result is computed
  storage,     // the type that an operand is kept in
  accuracy,    // how near the result comes to the exact one
  diagnostic,  // what is computed: other values than the default do not compute the stage
};

// A value of an accuracy parameter on its way from exact to cheap.
struct Rung {
  Value value;
  double cost = 1;  // the time in proportion to other rungs, at the least and at the most
};

struct Parameter {
  std::string name = {};
  std::vector<Value> values = {};  // the default first
  std::string description = {};
  Effect effect = Effect::speed;        // diagnostic ones are swept only when an axis names them
  std::optional<Operand> operand = {};  // whose type the values are
  std::vector<Rung> ladder = {};        // of accuracy, from exact to cheap; tuners try its values
  bool open = false;   // any non-negative number is allowed in addition to the listed values (e.g.
                       // tolerance)
  bool whole = false;  // of an open one, whole numbers from 1 alone (e.g. steps)
  double maximum = std::numeric_limits<double>::max();  // that an open one takes
  bool unnamed = false;          // left out of the names of cases, so points are taken for the same
                                 // case: a planted slowdown
  bool named_at_default = true;  // in the names of cases; not, where cases had names before it came

  bool takes(std::string_view value) const;
  bool diagnostic() const { return effect == Effect::diagnostic; }
};

class ParameterSpace {
 public:
  ParameterSpace() = default;
  ParameterSpace(std::initializer_list<Parameter> parameters) : parameters_(parameters) {}
  // The parameters of a family, then a variant's own.
  ParameterSpace(std::vector<Parameter> family, std::initializer_list<Parameter> own)
      : parameters_(std::move(family)) {
    parameters_.insert(parameters_.end(), own);
  }

  const std::vector<Parameter>& parameters() const { return parameters_; }
  const Parameter* find(std::string_view name) const;
  Config default_config() const;
  int64_t size() const;  // points, diagnostic parameters at their default
  void for_each(const std::function<void(const Config&)>& visit) const;

  // The configuration a text such as "l1=off,tile=5" names, unnamed parameters at their default.
  // Throws UsageError naming an unknown parameter or value and the nearest valid one.
  Config parse(std::string_view text) const;
  // Throws as parse does, of one assignment.
  void check(std::string_view name, std::string_view value) const;
  // Like parse, of one assignment onto a configuration.
  Config assign(const Config& config, std::string_view name, std::string_view value) const;

 private:
  std::vector<Parameter> parameters_;
};

// Why none of several parameters of one name, of as many variants, takes a value.
std::string unknown_value(const std::vector<const Parameter*>& parameters, std::string_view value);

}  // namespace alsbench
