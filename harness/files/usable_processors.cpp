// SPDX-License-Identifier: Apache-2.0
#include "harness/files/usable_processors.h"

#include <omp.h>

#include <vector>

namespace alsbench {

std::optional<cpu_set_t> usable_processors() {
  if (omp_get_proc_bind() == omp_proc_bind_false) return std::nullopt;
  cpu_set_t usable;
  CPU_ZERO(&usable);
  for (int place = 0; place < omp_get_num_places(); ++place) {
    std::vector<int> numbers(static_cast<size_t>(omp_get_place_num_procs(place)));
    omp_get_place_proc_ids(place, numbers.data());
    for (const int number : numbers) {
      if (number < 0 || number >= CPU_SETSIZE) return std::nullopt;
      CPU_SET(number, &usable);
    }
  }
  if (CPU_COUNT(&usable) == 0) return std::nullopt;
  return usable;
}

}  // namespace alsbench
