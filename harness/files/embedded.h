// SPDX-License-Identifier: Apache-2.0
// Files embedded in the binary at build time (cmake/Embed.cmake): kernel sources, suites, data set
// specifications, tuning results and the page of reports.
#pragma once

#include <string_view>
#include <vector>

namespace alsbench {

struct EmbeddedFile {
  std::string_view path;  // from the repository's root
  std::string_view content;
};

const std::vector<EmbeddedFile>& embedded_kernels();  // kernels/cuda/**.cuh and kernels/shared/*.h
const std::vector<EmbeddedFile>& embedded_configs();  // configs/**.json, configs/peers/*.py
const std::vector<EmbeddedFile>& embedded_tuned();    // results/tuned/*.json
const std::vector<EmbeddedFile>& embedded_page();     // the template of reports, alone

}  // namespace alsbench
