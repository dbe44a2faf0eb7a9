// SPDX-License-Identifier: Apache-2.0
#include "harness/device/opening_team.h"

#include <omp.h>

#include <utility>

#include "harness/device/device_selection.h"
#include "harness/files/debug_log.h"

namespace alsbench {
namespace {

std::shared_ptr<Team> opened(const std::string& text, const OpeningTeam::Open& open) {
  std::shared_ptr<Team> team = open(text);
  log_step("devices: they are open");
  return team;
}

}  // namespace

OpeningTeam::OpeningTeam(const std::string& text, const Open& open) : text_(text) {
  if (!is_ahead(text)) {
    team_ = std::async(std::launch::deferred, opened, text, open);
    return;
  }
  // "auto" may turn out to be the CPU, whose threads are those that the caller has.
  team_ = std::async(std::launch::async, [text, open, threads = omp_get_max_threads()] {
    omp_set_num_threads(threads);
    return opened(text, open);
  });
}

OpeningTeam::OpeningTeam(std::unique_ptr<Team> team) {
  std::promise<std::shared_ptr<Team>> promise;
  promise.set_value(std::move(team));
  team_ = promise.get_future();
}

bool OpeningTeam::is_ahead(const std::string& text) { return !text.starts_with("cpu"); }

Team& OpeningTeam::get() {
  Team& team = *team_.get();
  team.device().use();
  return team;
}

Backend OpeningTeam::backend() {
  const bool named = !text_.empty() && text_[0] >= '0' && text_[0] <= '9';  // an ordinal
  return named ? Backend::cuda : get().device().traits().backend;
}

std::unique_ptr<Team> open_chosen_team(const std::string& text) {
  return open_team(one_team(text));
}

std::unique_ptr<Team> open_chosen_device(const std::string& text) {
  return open_team(one_device(text));
}

}  // namespace alsbench
