// SPDX-License-Identifier: Apache-2.0
#include "harness/tune/search/objective.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "base/error.h"
#include "harness/measure/sampler.h"

namespace alsbench {

double Evaluation::median() const {
  return ok() ? statistics_of(seconds).median : std::numeric_limits<double>::infinity();
}

void Evaluation::join(const Evaluation& later) {
  if (outcome == Outcome::ok) {
    outcome = later.outcome;
    detail = later.detail;
    log_tail = later.log_tail;
  }
  seconds.insert(seconds.end(), later.seconds.begin(), later.seconds.end());
  registers = std::max(registers, later.registers);
  memory_bytes = std::max(memory_bytes, later.memory_bytes);
  compile_seconds += later.compile_seconds;
  wait_seconds += later.wait_seconds;
  prepare_seconds += later.prepare_seconds;
  verify_seconds += later.verify_seconds;
  measure_seconds += later.measure_seconds;
  if (!later.code_hashes.empty()) code_hashes = later.code_hashes;
}

Json to_json(const Evaluation& e, const SearchSpace& space) {
  return {{"point", space[e.point].text()},
          {"outcome", name_of(e.outcome)},
          {"detail", e.detail.empty() ? Json(nullptr) : Json(e.detail)},
          {"seconds", e.seconds},
          {"registers", e.registers > 0 ? Json(e.registers) : Json(nullptr)},
          {"memory_bytes", e.memory_bytes},
          {"compile_seconds", e.compile_seconds},
          {"wait_seconds", e.wait_seconds},
          {"prepare_seconds", e.prepare_seconds},
          {"verify_seconds", e.verify_seconds},
          {"measure_seconds", e.measure_seconds},
          {"code_hashes", e.code_hashes},
          {"log_tail", e.log_tail}};
}

Evaluation evaluation_from_json(const JsonField& json, const SearchSpace& space) {
  Evaluation e;
  e.point = point_from_json(json.at("point"), space);
  e.outcome = json.at("outcome").word(named<Outcome>);
  e.detail = json.at("detail").text_or_empty();
  e.seconds = json.at("seconds").numbers();
  e.registers = optional_integer(json.find("registers")).value_or(0);
  e.memory_bytes = json.at("memory_bytes").integer();
  e.compile_seconds = json.at("compile_seconds").number();
  e.wait_seconds = json.at("wait_seconds").number();
  e.prepare_seconds = json.at("prepare_seconds").number();
  e.verify_seconds = optional_number(json.find("verify_seconds")).value_or(0);  // since schema 1.1
  e.measure_seconds = json.at("measure_seconds").number();
  e.code_hashes = json.at("code_hashes").texts();
  e.log_tail = json.at("log_tail").texts();
  return e;
}

size_t point_from_json(const JsonField& json, const SearchSpace& space) {
  const size_t point = space.find(json.text());
  if (point == space.size())
    json.fail(fmt::format("the search space has no point '{}'", json.text()));
  return point;
}

}  // namespace alsbench
