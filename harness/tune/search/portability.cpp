// SPDX-License-Identifier: Apache-2.0
#include "harness/tune/search/portability.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "base/error.h"

namespace alsbench {
namespace {

using Known = std::pair<const std::string, double>;

const Known& best_of(const Platform& platform) {
  const auto best = std::ranges::min_element(platform.seconds, {}, &Known::second);
  if (best == platform.seconds.end() || !std::isfinite(best->second))
    throw UsageError(fmt::format("{}: no point could be measured there", platform.name));
  return *best;
}

PortablePoint on_all(const std::vector<Platform>& platforms, const std::string& point) {
  PortablePoint result{point, 0, {}};
  double inverse = 0;
  for (const Platform& platform : platforms) {
    const auto& [best, best_seconds] = best_of(platform);
    const double seconds = platform.seconds.at(point);
    const double efficiency = std::isfinite(seconds) ? best_seconds / seconds : 0;
    result.platforms.push_back({platform.name, seconds, best_seconds, best, efficiency});
    inverse += 1 / efficiency;  // infinite where it does not run
  }
  result.performance_portability = static_cast<double>(platforms.size()) / inverse;
  return result;
}

}  // namespace

std::vector<PortablePoint> portable_points(const std::vector<Platform>& platforms) {
  std::vector<PortablePoint> points;
  for (const auto& [point, seconds] : platforms.at(0).seconds)
    if (std::ranges::all_of(
            platforms, [&](const Platform& platform) { return platform.seconds.contains(point); }))
      points.push_back(on_all(platforms, point));
  if (points.empty())
    throw UsageError(
        "no point was measured on every shape and device; search them together with --also, or "
        "record whole spaces with --record");
  std::ranges::stable_sort(points, std::ranges::greater(), &PortablePoint::performance_portability);
  return points;
}

PortabilityRecord portability_of(const std::vector<Platform>& platforms,
                                 const std::string& default_point, const std::string& pick) {
  constexpr size_t kNext = 9;
  std::vector<PortablePoint> points = portable_points(platforms);
  PortabilityRecord record;
  const auto chosen = std::ranges::find(points, pick, &PortablePoint::point);
  const auto answer = chosen != points.end() ? chosen : points.begin();
  record.pick = *answer;
  for (const PortablePoint& point : points)
    if (point.point == default_point) record.default_point = point;
  points.erase(answer);
  points.resize(std::min(points.size(), kNext));
  record.next = std::move(points);
  return record;
}

void describe(Fields<PlatformEfficiency>& fields) {
  using E = PlatformEfficiency;
  fields.record("platform_efficiency", "A point on one shape and device.");
  fields("platform", &E::platform, "shape and device");
  fields("seconds", &E::seconds, "null: it failed there").nullable();
  fields("best_seconds", &E::best_seconds, "of the fastest point there")
      .range(Range::Kind::above_0);
  fields("best", &E::best, "that point");
  fields("efficiency", &E::efficiency, "best_seconds / seconds; 0: it failed there")
      .range(Range::Kind::share);
}

void describe(Fields<PortablePoint>& fields) {
  using P = PortablePoint;
  fields.record("portable_point", "A point on several shapes or devices.");
  fields("point", &P::point);
  fields("performance_portability", &P::performance_portability,
         "harmonic mean of the efficiencies; 0 where one is 0")
      .range(Range::Kind::share);
  fields("platforms", &P::platforms);
}

void describe(Fields<PortabilityRecord>& fields) {
  using R = PortabilityRecord;
  fields.record("portability", "One pick for several shapes or devices.");
  fields("pick", &R::pick,
         "the answer of the search; of tune portability the point of the highest figure");
  fields("default", &R::default_point, "of it; its point is empty where it was not measured");
  fields("next", &R::next, "the other points, the highest figure first, at most nine");
}

}  // namespace alsbench
