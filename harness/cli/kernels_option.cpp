// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/kernels_option.h"

#include <CLI/CLI.hpp>

#include "harness/custom/load.h"

namespace alsbench {

CLI::Option* add_kernels_option(CLI::App& command) {
  return command
      .add_option_function<std::vector<std::string>>(
          "--kernels",
          [](const std::vector<std::string>& folders) {
            for (const std::string& folder : folders) custom::load_kernels(folder);
          },
          "Folder of custom kernels: one with a kernel.json, or one of such folders")
      ->type_name("PATH")
      ->allow_extra_args(false);
}

std::vector<std::string> worker_command() {
  std::vector<std::string> words{"/proc/self/exe", "worker"};
  const std::vector<std::string>& kernels = custom::kernel_arguments();
  words.insert(words.end(), kernels.begin(), kernels.end());
  return words;
}

}  // namespace alsbench
