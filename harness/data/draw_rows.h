// SPDX-License-Identifier: Apache-2.0
// Who draws the rows of synthetic sets. Whoever does, the ratings are the same bits.
#pragma once

#include <cstdint>

namespace alsbench {

class Device;
struct GeneratorPlan;

// From so many ratings on (Netflix's size and more) a GPU draws without being asked.
constexpr int64_t kMinRatingsToDrawOnGpu = 50'000'000;

struct DrawTarget {
  Device* device = nullptr;  // null: the host's threads
  // Sets of any size, on no other drawer. Otherwise `device` draws large sets where it is a GPU
  // that can hold their rows.
  bool always = false;
};

// Fills both arrays in the order of plan.row_offsets; the items of a row ascend. Throws
// LaunchRefusedError where a device that always draws cannot.
void draw_rows(const GeneratorPlan& plan, const DrawTarget& on, int32_t* indices, float* values);

// On all threads of the host.
void draw_rows_on_cpu(const GeneratorPlan& plan, int32_t* indices, float* values);
// On a CUDA device, in as many launches as its free memory asks for. Throws LaunchRefusedError
// where a row does not fit its shared memory.
void draw_rows_on_cuda(Device& device, const GeneratorPlan& plan, int32_t* indices, float* values);

}  // namespace alsbench
