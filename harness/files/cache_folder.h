// Where this program keeps what it can make again: $ALSBENCH_CACHE_DIR, else
// $XDG_CACHE_HOME/alsbench, else ~/.cache/alsbench. Used by the caches of kernels and of
// data sets, and by `alsbench doctor`.
#pragma once

#include <filesystem>

namespace alsbench {

// Empty where no variable names a place: nothing is cached then.
std::filesystem::path cache_folder();

}  // namespace alsbench
