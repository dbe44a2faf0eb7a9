// SPDX-License-Identifier: Apache-2.0
#include "harness/record/verification.h"

#include <limits>

namespace alsbench {

Json to_json(const Verification& verification) {
  return {{"outcome", name_of(verification.outcome)},
          {"max_error", json_of(verification.max_error)},
          {"mean_error", json_of(verification.mean_error)},
          {"tolerance", json_of(verification.tolerance)},
          {"storage_error", json_of(verification.storage_error)},
          {"max_residual", json_of(verification.max_residual)},
          {"mean_cg_steps", json_of(verification.mean_cg_steps)},
          {"rows_checked", verification.rows_checked},
          {"detail", verification.detail}};
}

Verification verification_from_json(const JsonField& json) {
  Verification verification;
  verification.outcome = json.at("outcome").word(outcome_named);
  verification.max_error = json.at("max_error").number_or_nan();
  verification.mean_error = json.at("mean_error").number_or_nan();
  verification.tolerance = json.at("tolerance").number_or_nan();
  verification.storage_error = optional_number(json.find("storage_error"))
                                   .value_or(std::numeric_limits<double>::quiet_NaN());
  verification.max_residual = json.at("max_residual").number_or_nan();
  verification.mean_cg_steps = json.at("mean_cg_steps").number_or_nan();
  verification.rows_checked = json.at("rows_checked").integer();
  verification.detail = json.at("detail").text();
  return verification;
}

}  // namespace alsbench
