// SPDX-License-Identifier: Apache-2.0
// Folders of what this program can make again (caches of kernels and of data sets), and of what it
// has measured for its user (tuning results).
#pragma once

#include <filesystem>

namespace alsbench {

// $ALSBENCH_CACHE_DIR, else $XDG_CACHE_HOME/alsbench, else ~/.cache/alsbench. Empty where no
// variable names a place, or where other users may write to it. A note on stderr says so, and
// nothing is cached then. Made where it is missing, for this user alone.
std::filesystem::path cache_folder();

// $XDG_DATA_HOME/alsbench, else ~/.local/share/alsbench. Empty where no variable names a place, or
// where others may write to it, which a note says. Readers ask for it, so it is not made.
std::filesystem::path data_folder();
// The same for who writes: made like the cache folder.
std::filesystem::path made_data_folder();

}  // namespace alsbench
