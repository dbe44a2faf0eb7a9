// SPDX-License-Identifier: Apache-2.0
// OpeningTeam: devices that open while something else goes on, such as the reading of ratings.
// Starting CUDA takes a third of a second, in which the host is free. A CPU opens at once: that is
// left to who asks for it.
#pragma once

#include <functional>
#include <future>
#include <memory>
#include <string>

#include "harness/device/team.h"

namespace alsbench {

class OpeningTeam {
 public:
  // Opens what the text of an option names: "auto", "0+1".
  using Open = std::function<std::unique_ptr<Team>(const std::string& text)>;

  // Calls open(text): in a thread of its own if is_ahead(text), else in the first get(), if any.
  OpeningTeam(const std::string& text, const Open& open);
  // Of a team that is open.
  explicit OpeningTeam(std::unique_ptr<Team> team);
  // Waits for the thread. An error that no get() has thrown is dropped.
  ~OpeningTeam() = default;
  OpeningTeam(const OpeningTeam&) = delete;
  OpeningTeam& operator=(const OpeningTeam&) = delete;

  // Whether what `text` names is opened ahead: all but the CPU.
  static bool is_ahead(const std::string& text);

  // Waits, and makes the calling thread the one that uses the devices. Throws what open() threw.
  Team& get();
  // Waits only where the text leaves it open.
  Backend backend();

 private:
  std::string text_;
  std::shared_future<std::shared_ptr<Team>> team_;
};

// Devices that one_team, or one_device, finds in a text, opened.
std::unique_ptr<Team> open_chosen_team(const std::string& text);
std::unique_ptr<Team> open_chosen_device(const std::string& text);

}  // namespace alsbench
