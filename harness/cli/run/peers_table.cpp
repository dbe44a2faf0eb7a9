// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/run/peers_table.h"

#include <fmt/format.h>

#include <cmath>
#include <optional>

#include "harness/cli/text_table.h"
#include "harness/record/escape.h"
#include "harness/record/tables.h"

namespace alsbench {
namespace {

std::string number(std::optional<double> value, int digits) {
  return value && std::isfinite(*value) ? fmt::format("{:.{}f}", *value, digits) : "";
}

std::string name_in(const CaseRecord& record) {
  const std::string rest = record.name.substr(record.name.find('/') + 1);
  return rest.substr(0, rest.find('/'));
}

std::vector<std::string> cells_of(const CaseRecord& record) {
  const PeerRecord& peer = record.peer.value();
  const auto score = [&](double PeerScore::*which) {
    return peer.score ? std::optional((*peer.score).*which) : std::nullopt;
  };
  return {name_in(record),
          visible(peer.request.version),
          std::string(name_of(record.outcome)),
          fmt::to_string(peer.request.iterations),
          peer.score
              ? upper_case(peer.request.metric) + " " + number(score(&PeerScore::test_metric), 4)
              : "",
          number(peer.iteration_seconds(), 3),
          number(peer.own_iteration_seconds(), 3),
          number(peer.own_seconds, 3),
          peer.use ? number(peer.use->wall_seconds, 3) + (peer.disturbed() ? "!" : "") : ""};
}

}  // namespace

std::string peers_table(const std::vector<const CaseRecord*>& records) {
  TextTable table({"peer", "version", "outcome", "iterations", "test", "s/iteration", "it says",
                   "training, it says", "run s"});
  std::string remarks;
  for (const CaseRecord* record : records) {
    table.add(cells_of(*record));
    for (const std::string& doubt : record->peer->warnings)
      remarks += fmt::format("? {}: {}\n", name_in(*record), visible(doubt));
    if (record->peer->disturbed())
      remarks += fmt::format("! {}: other processes used {:.0f} % of the CPUs\n", name_in(*record),
                             100 * *record->peer->use->other_share);
  }
  return table.text() + remarks;
}

}  // namespace alsbench
