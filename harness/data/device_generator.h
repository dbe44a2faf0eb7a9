// Synthetic ratings drawn on a GPU, bit for bit those of the CPU. Used where large sets are
// generated: by `run`'s workers, `train` and `data`.
#pragma once

#include <cstdint>
#include <string>

#include "harness/data/draw_rows.h"
#include "harness/device/device.h"

namespace alsbench {

// From so many ratings on (Netflix's size and more) a GPU draws without being asked.
constexpr int64_t kRatingsWorthADevice = 50'000'000;

// A drawer on `device`, which must outlive it. Large sets go to a CUDA device, smaller ones and
// those whose rows it cannot hold to the CPU.
DrawRows row_drawer(Device& device);

// The same by name, the device being opened when there is something to draw: "auto" (the first
// CUDA device where there is one), "cpu", or a CUDA ordinal, which draws sets of any size.
DrawRows row_drawer(const std::string& device_name);

// On `device`, a CUDA device, in as many launches as its free memory asks for. Throws
// LaunchRefusedError where a row does not fit its shared memory.
void draw_rows_on_cuda(Device& device, const GeneratorPlan& plan, int32_t* indices, float* values);

}  // namespace alsbench
