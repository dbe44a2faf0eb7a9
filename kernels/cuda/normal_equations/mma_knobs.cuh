// Knobs of normal_equations/mma that are words: spelled in NVRTC instances as they are here.
#pragma once

namespace alsbench {

// What runs of the kernels: `multiply` leaves A_u unwritten and is for timing.
enum class MmaPhase { all, multiply };

}  // namespace alsbench
