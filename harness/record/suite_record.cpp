// SPDX-License-Identifier: Apache-2.0
#include "harness/record/suite_record.h"

namespace alsbench {
namespace {

StopRule stop_rule_from_json(const JsonField& json) {
  return {json.at("min_samples").integer(), json.at("max_samples").integer(),
          json.at("max_noise").number(), json.at("max_seconds").number()};
}

}  // namespace

Json to_json(const StopRule& rule) {
  return {{"min_samples", rule.min_samples},
          {"max_samples", rule.max_samples},
          {"max_noise", rule.max_noise},
          {"max_seconds", rule.max_seconds}};
}

Json to_json(const SuiteRecord& suite) {
  return {{"name", suite.name},
          {"description", suite.description},
          {"hash", suite.hash},
          {"sampling", to_json(suite.sampling)},
          {"timeout_seconds", suite.timeout_seconds}};
}

SuiteRecord suite_record_from_json(const JsonField& json) {
  return {json.at("name").text(), json.at("description").text(), json.at("hash").text(),
          stop_rule_from_json(json.at("sampling")), json.at("timeout_seconds").number()};
}

}  // namespace alsbench
