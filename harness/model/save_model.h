// SPDX-License-Identifier: Apache-2.0
// save_model: the folder of a model that was not trained by `alsbench train`.
#pragma once

#include <filesystem>

#include "harness/model/model.h"

namespace alsbench {

// Writes the folder, as a whole or not at all. It is new, empty or a model's, which is replaced.
// Rows without ids get their numbers. Throws UsageError for another folder, and for what no folder
// can say; EnvironmentError.
void save_model(const Model& model, const std::filesystem::path& folder);

}  // namespace alsbench
