// SPDX-License-Identifier: Apache-2.0
#include "harness/sweep/run_head.h"

#include <fmt/format.h>

#include <algorithm>

namespace alsbench {

Json to_json(const RunSelection& selection) {
  Json devices = Json::object();
  for (const auto& [id, name] : selection.devices) devices[id] = json_of(name);
  Json json{{"suite_hash", selection.suite_hash},
            {"scale", json_of(selection.scale)},
            {"seed", json_of(selection.seed)},
            {"devices", std::move(devices)},
            {"sampling", to_json(selection.sampling)},
            {"launches", selection.launches},
            {"hang_timeout", selection.timeout_seconds},
            {"profile", selection.profile},
            {"counters", selection.counters},
            {"build", to_json(selection.build)}};
  for (const KernelsProvenance& kernels : selection.kernels)
    json["kernels"][kernels.name] = kernels.hash;
  return json;
}

Json to_json(const RunHead& head) {
  return {{"kind", "run"},
          {"suite", head.suite},
          {"description", head.description},
          {"answer", name_of(head.answer)},
          {"selection", to_json(head.selection)},
          {"shard", to_json(head.shard)},
          {"provenance", to_json(head.provenance)}};
}

std::string differences(const Json& there, const Json& here) {
  const Json flat_there = there.flatten(), flat_here = here.flatten();
  std::string text;
  const auto add = [&](const std::string& place, const std::string& old_value,
                       const std::string& new_value) {
    text += fmt::format("{}{}: {} there, {} here", text.empty() ? "" : "; ",
                        place.substr(std::min<size_t>(1, place.size())), old_value, new_value);
  };
  for (const auto& [place, value] : flat_there.items())
    if (!flat_here.contains(place))
      add(place, value.dump(), "nothing");
    else if (flat_here[place] != value)
      add(place, value.dump(), flat_here[place].dump());
  for (const auto& [place, value] : flat_here.items())
    if (!flat_there.contains(place)) add(place, "nothing", value.dump());
  return text;
}

}  // namespace alsbench
