// SPDX-License-Identifier: Apache-2.0
// Where this program keeps what it can make again (the caches of kernels and of data sets), and
// what it has measured for its user (tuning results).
#pragma once

#include <filesystem>

namespace alsbench {

// $ALSBENCH_CACHE_DIR, else $XDG_CACHE_HOME/alsbench, else ~/.cache/alsbench. Empty where no
// variable names a place, or where others than this user may write to it, which a note on stderr
// says: nothing is cached then. Made where it is missing, for this user alone.
std::filesystem::path cache_folder();

// $XDG_DATA_HOME/alsbench, else ~/.local/share/alsbench. Empty where no variable names a place, or
// where others may write to it, which a note says. Readers ask for it, so that it is not made.
std::filesystem::path data_folder();
// The same for who writes: made like the cache folder.
std::filesystem::path made_data_folder();

}  // namespace alsbench
