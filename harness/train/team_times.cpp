// SPDX-License-Identifier: Apache-2.0
#include "harness/train/team_times.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <string>

#include "base/median.h"

namespace alsbench {
namespace {

bool is_exchange(const std::string& stage) { return stage.ends_with("/" + std::string(kExchange)); }

PredictedSeconds predicted(const Training& training, const TeamRecord& team, int members) {
  const double share = training.largest_share(members);
  const auto bytes = static_cast<double>(training.exchanged_bytes(members));
  const double received = bytes * (members - 1) / members;
  return {members, share,
          share * team.work_seconds + training.exchanges(members) * team.latency_seconds +
              received / team.bytes_per_second};
}

}  // namespace

void share_times(const Member& member, IterationRecord& record) {
  if (member.alone()) return;
  std::vector<double> own{record.seconds};  // then each exchange
  for (const auto& [stage, seconds] : record.stage_seconds)
    if (is_exchange(stage)) own.push_back(seconds);
  std::vector<double> all(own.size() * static_cast<size_t>(member.count()), 0.0);
  const auto row = [&](int of) {
    return all.begin() + static_cast<std::ptrdiff_t>(own.size()) * of;
  };
  std::copy(own.begin(), own.end(), row(member.index()));
  member.sum(all);
  for (int of = 0; of < member.count(); ++of) {
    const double exchange = std::accumulate(row(of) + 1, row(of + 1), 0.0);
    record.members.push_back({*row(of) - exchange, exchange});
    record.seconds = std::max(record.seconds, *row(of));
  }
  for (size_t i = 1; i < own.size(); ++i) {  // who came last did not wait
    double minimum = all[i];
    for (size_t at = i; at < all.size(); at += own.size()) minimum = std::min(minimum, all[at]);
    record.exchange_seconds += minimum;
  }
}

TeamRecord team_of(const Member& member, const Training& training) {
  const TeamLink link = measure_link(member);
  TeamRecord team;
  team.members = member.count();
  team.latency_seconds = link.latency_seconds;
  team.bytes_per_second = link.bytes_per_second;
  team.exchanges = training.exchanges(team.members);
  team.exchanged_bytes = training.exchanged_bytes(team.members);
  return team;
}

void predict(const Training& training, const std::vector<IterationRecord>& iterations,
             TeamRecord& team) {
  std::vector<double> work;
  for (const IterationRecord& record : iterations) {
    work.push_back(0);
    for (const MemberSeconds& member : record.members) work.back() += member.work;
  }
  team.work_seconds = work.empty() ? 0 : median(std::move(work));
  for (const int members : std::set<int>{team.members, 2, 4, 8, 64})
    team.predicted.push_back(predicted(training, team, members));
}

}  // namespace alsbench
