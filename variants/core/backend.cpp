// SPDX-License-Identifier: Apache-2.0
#include "variants/core/backend.h"

namespace alsbench {

std::string_view name_of(Backend backend) { return backend == Backend::cuda ? "cuda" : "cpu"; }

std::optional<Backend> backend_named(std::string_view name) {
  for (const Backend backend : {Backend::cuda, Backend::cpu})
    if (name_of(backend) == name) return backend;
  return std::nullopt;
}

}  // namespace alsbench
