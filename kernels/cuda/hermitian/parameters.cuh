// SPDX-License-Identifier: Apache-2.0
// Parameters of the hermitian kernels that are words: spelled in NVRTC instances as they are here.
#pragma once

namespace alsbench {

// How a bin of factor rows goes from global to shared memory (paper, Fig. 3).
enum class Gather {
  coalesced,  // a warp reads one factor row after another
  strided,    // each thread (or two, or four) reads one whole factor row
};

// Which part of the kernel runs (paper, Fig. 4). All but `all` are for timing: they do not compute
// A_u.
enum class Phase { all, load, compute, write };

}  // namespace alsbench
