// SPDX-License-Identifier: Apache-2.0
// How the sides of a comparison were measured: hardware, driver, build, suite and sampling. What
// they do not share tells a change of the code from one of the machine or of the method.
#pragma once

#include <string>
#include <vector>

#include "harness/record/comparison_record.h"
#include "harness/record/result.h"

namespace alsbench {

struct ComparisonInput;

struct Property {
  std::string name = {};  // "device 0", "device 0 driver", "suite", ...
  std::string value = {};
  StoryKind story = StoryKind::machine;  // method or machine: what another value tells
  bool binding = true;                   // times are not comparable where it differs
  bool operator==(const Property&) const = default;
};

// Of all shards; of a property with several values all of them.
std::vector<Property> environment_of(const ResultDocument& document);

const Property* find_property(const std::vector<Property>& properties, const std::string& name);

// Of what both name: the properties, the numbers of launches and samples, and the clock of what has
// the same machine code on both sides.
std::vector<SetupDifference> setup_differences(const ComparisonInput& base,
                                               const ComparisonInput& test);

// Devices that differ alike as one: "driver of 4 devices".
std::vector<SetupDifference> join_devices(const std::vector<SetupDifference>& list);

// "device 0 driver: 580.1 -> 570.2"
std::string difference_text(const SetupDifference& difference);
// "device 0 driver: 580.1 in a.json, 570.2 in b.json"
std::string difference_text(const SetupDifference& difference, const std::string& base,
                            const std::string& test);

}  // namespace alsbench
