// SPDX-License-Identifier: Apache-2.0
#include "harness/device/device_selection.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/error.h"
#include "base/split.h"
#include "harness/device/device.h"

namespace alsbench {
namespace {

bool is_ordinal(const std::string& text) {
  return !text.empty() && text.size() < 4 &&
         text.find_first_not_of("0123456789") == std::string::npos;
}

// Those that the driver shows, which starts it; 0 where `text` neither names nor looks for one.
int devices_for(const std::string& text) {
  const bool looks = text == kAutoDevice || text == "all";
  return looks || text.find_first_of("0123456789") != std::string::npos ? cuda_device_count() : 0;
}

// A single word; `text` is all that the option says and `wanted` what it may say.
std::string device_of(const std::string& word, int cuda_devices, const std::string& text,
                      const char* wanted) {
  if (word == "cpu") return word;
  if (!is_ordinal(word)) throw UsageError(fmt::format("--device '{}': write {}", text, wanted));
  if (std::stoi(word) >= cuda_devices) {
    std::string reason;
    cuda_device_count(&reason);
    throw EnvironmentError(
        fmt::format("--device {}: there are {} CUDA devices here{}; see "
                    "alsbench doctor",
                    word, cuda_devices, reason.empty() ? "" : ": " + reason));
  }
  return std::to_string(std::stoi(word));  // "00" is 0
}

// Several names joined by +, of GPUs of which none is named twice or of the CPU alone.
std::string team_of(const std::vector<std::string>& words, int cuda_devices,
                    const std::string& text, const char* wanted) {
  std::vector<std::string> members;
  for (const std::string& word : words) {
    const std::string member = device_of(word, cuda_devices, text, wanted);
    const bool again = std::ranges::find(members, member) != members.end();
    if (again && member != "cpu")
      throw UsageError(fmt::format("--device '{}': GPU {} is named twice", text, member));
    if (!members.empty() && (member == "cpu") != (members.front() == "cpu"))
      throw UsageError(
          fmt::format("--device '{}': a team has GPUs, or parts of the CPU, but not both", text));
    members.push_back(member);
  }
  return fmt::format("{}", fmt::join(members, "+"));
}

}  // namespace

bool names_one_device(const std::string& text) {
  return text == kAutoDevice || text == "cpu" || is_ordinal(text);
}

std::string one_device(const std::string& text, int cuda_devices) {
  if (text == kAutoDevice) return cuda_devices > 0 ? "0" : "cpu";
  return device_of(text, cuda_devices, text,
                   "auto, cpu, or a CUDA ordinal such as 0; see alsbench list devices");
}

std::string one_device(const std::string& text) { return one_device(text, devices_for(text)); }

std::vector<std::string> team_members(const std::string& name) { return split_texts(name, "+"); }

bool is_of_cpu(const std::string& name) { return team_members(name).front() == "cpu"; }

std::string one_team(const std::string& text, int cuda_devices) {
  if (text == kAutoDevice) return one_device(text, cuda_devices);
  std::vector<std::string> words = split_texts(text, "+,");
  if (text == "all") {
    words = {cuda_devices > 0 ? "0" : "cpu"};
    for (int i = 1; i < cuda_devices; ++i) words.push_back(std::to_string(i));
  }
  return team_of(words, cuda_devices, text,
                 "auto, cpu, CUDA ordinals such as 0 or 0+1, cpu+cpu, or all");
}

std::string one_team(const std::string& text) { return one_team(text, devices_for(text)); }

std::string device_of_process(const std::string& text, int place, int cuda_devices) {
  if (text != kAutoDevice || cuda_devices == 0) return one_device(text, cuda_devices);
  if (place >= cuda_devices)
    throw EnvironmentError(fmt::format(
        "process {} of this host has no GPU of its own, {} there; start as many processes as GPUs, "
        "or give --device cpu",
        place + 1, cuda_devices == 1 ? "1 is" : fmt::format("{} are", cuda_devices)));
  return std::to_string(place);
}

std::string device_of_process(const std::string& text, int place) {
  return device_of_process(text, place, devices_for(text));
}

DeviceTraits local_device_traits(const std::string& device) {
  return is_of_cpu(device) ? open_cpu_device()->traits()
                           : cuda_device_traits(std::stoi(team_members(device).front()));
}

std::vector<std::string> several_devices(const std::string& text, int cuda_devices) {
  if (text == kAutoDevice) return {one_device(text, cuda_devices)};
  std::vector<std::string> devices;
  if (text == "all") {
    devices = {"cpu"};
    for (int i = 0; i < std::max(1, cuda_devices); ++i) devices.push_back(std::to_string(i));
    return devices;
  }
  for (const std::string& word : split_texts(text, ",")) {
    const std::string device =
        team_of(team_members(word), cuda_devices, text,
                "auto, all, cpu, CUDA ordinals such as 0 or 0,1, or teams such as 0+1");
    if (std::ranges::find(devices, device) == devices.end()) devices.push_back(device);
  }
  return devices;
}

}  // namespace alsbench
