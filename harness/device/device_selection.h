// SPDX-License-Identifier: Apache-2.0
// The values of --device, with one meaning in every command:
//   auto          the first GPU where there is one, else the CPU
//   all           the CPU and every GPU
//   cpu           the CPU
//   0 or 0,1      GPUs by their CUDA ordinals; several where a command takes several devices
//   0+1           a team: one training on both; cpu+cpu on two halves of the CPU
// Devices are named as open_device takes them, "cpu" or an ordinal, and teams as open_team does.
#pragma once

#include <string>
#include <vector>

#include "variants/core/device_traits.h"

namespace alsbench {

inline constexpr const char* kAutoDevice = "auto";
// Help text of an option.
inline constexpr const char* kOneDevice =
    "auto (the first GPU, else the CPU), cpu, or a CUDA ordinal such as 0";
inline constexpr const char* kOneTeam =
    "auto (the first GPU, else the CPU), cpu, a CUDA ordinal such as 0, or a team of several: "
    "0+1, cpu+cpu, all (GPUs)";
inline constexpr const char* kSeveralDevices =
    "auto (the first GPU, else the CPU), all, cpu, or CUDA ordinals such as 0,1; teams as 0+1";

// Whether `text` is auto, cpu or an ordinal, there or not.
bool names_one_device(const std::string& text);

// The one device of `text` on a machine with `cuda_devices` GPUs. Throws UsageError for what is no
// device or more than one, EnvironmentError for a GPU that is not there.
std::string one_device(const std::string& text, int cuda_devices);
std::string one_device(const std::string& text);  // on this machine

// The device or the team of `text`, by what open_team takes: "0+1". As all devices of a list train
// together here, a comma joins them as + does, and `all` is all GPUs. Throws like one_device.
std::string one_team(const std::string& text, int cuda_devices);
std::string one_team(const std::string& text);  // on this machine
// The device of a process that MPI started, the `place`-th on this host. Under auto it is the GPU
// of that place where there are GPUs, else the CPU. An ordinal counts the GPUs that the process may
// see. Throws like one_device, EnvironmentError where there are fewer GPUs than processes.
std::string device_of_process(const std::string& text, int place, int cuda_devices);
std::string device_of_process(const std::string& text, int place);  // on this machine
// The devices that a name joins by +.
std::vector<std::string> team_members(const std::string& name);
// Whether the device or the team of that name is of the CPU.
bool is_of_cpu(const std::string& name);

// The traits of a device of this machine, or of a team's first one, without creating a context
// where the runtime allows it.
DeviceTraits local_device_traits(const std::string& device);

// All devices and teams of `text`, each once, in its order. `all` names a GPU even where there is
// none, so what needs one is listed with the reason. Throws like one_device.
std::vector<std::string> several_devices(const std::string& text, int cuda_devices);

}  // namespace alsbench
