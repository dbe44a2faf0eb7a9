// Float to IEEE half on the host: what CpuDevice::to_half does, with F16C where the CPU has it.
#pragma once

#include <cstdint>

namespace alsbench {

// Round to nearest even; overflow becomes infinity, a NaN stays one.
uint16_t half_of(float value);
void halves_of(uint16_t* target, const float* source, int64_t count);

}  // namespace alsbench
