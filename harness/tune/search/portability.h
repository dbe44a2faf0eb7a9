// SPDX-License-Identifier: Apache-2.0
// Portability: how well one point does on several shapes or devices. Its figure is the harmonic
// mean of its efficiencies, 0 where it does not run on one of them (Pennycook, Sewall and Lee, "A
// Metric for Performance Portability", PMBS 2016, https://arxiv.org/abs/1611.07409).
#pragma once

#include <map>
#include <string>
#include <vector>

#include "harness/record/fields/fields.h"

namespace alsbench {

// Where points were measured: a shape on a device. Infinite seconds: the point failed there.
struct Platform {
  std::string name;
  std::map<std::string, double> seconds;  // by the point's text
};

// Of a point on a platform.
struct PlatformEfficiency {
  std::string platform;
  double seconds = 0;  // infinite: it failed
  double best_seconds = 0;
  std::string best;       // the point that took these
  double efficiency = 0;  // best / seconds
  double loss() const { return efficiency > 0 ? 1 / efficiency - 1 : -1; }
};

struct PortablePoint {
  std::string point;
  double performance_portability = 0;  // harmonic mean of the efficiencies
  std::vector<PlatformEfficiency> platforms;
};

struct PortabilityRecord {
  PortablePoint pick;               // the answer
  PortablePoint default_point;      // the default, where it was measured everywhere; else empty
  std::vector<PortablePoint> next;  // those after the pick, at most nine
};

// The points that were measured on every platform, the highest figure first; equal ones by name.
// Throws UsageError where there is none, or a platform has no point that ran.
std::vector<PortablePoint> portable_points(const std::vector<Platform>& platforms);
// `pick`: the point that a search has chosen; empty: that of the highest figure.
PortabilityRecord portability_of(const std::vector<Platform>& platforms,
                                 const std::string& default_point, const std::string& pick = "");

void describe(Fields<PlatformEfficiency>& fields);
void describe(Fields<PortablePoint>& fields);
void describe(Fields<PortabilityRecord>& fields);

}  // namespace alsbench
