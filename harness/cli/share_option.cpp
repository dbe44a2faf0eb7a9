// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/share_option.h"

#include <fmt/format.h>

#include <cstdlib>

#include "harness/cli/validators.h"

namespace alsbench {
namespace {

double parse_share(const std::string& flag, const std::string& text, Ends ends) {
  char* end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  const std::string rest = end;
  const double share = rest == "%" ? number / 100 : number;
  const std::string digits = text.substr(0, text.size() - rest.size());
  const bool number_alone = !digits.empty() && is_decimal(digits) && (rest.empty() || rest == "%");
  const bool zero = ends == Ends::both || ends == Ends::lower;
  const bool one = ends == Ends::both || ends == Ends::upper;
  const bool enough = zero ? share >= 0 : share > 0;
  const bool little = one ? share <= 1 : share < 1;
  if (!number_alone || !enough || !little)
    throw CLI::ValidationError(
        flag, fmt::format("'{}' is not a share {} and {}; write 1% or 0.01", text,
                          zero ? "from 0" : "above 0", one ? "up to 1" : "below 1"));
  return share;
}

}  // namespace

CLI::Option* add_share(CLI::App& command, const std::string& flag, double& share, Ends ends,
                       const std::string& help) {
  return command
      .add_option_function<std::string>(
          flag,
          [flag, ends, &share](const std::string& text) { share = parse_share(flag, text, ends); },
          help)
      ->type_name("SHARE");
}

}  // namespace alsbench
