// SPDX-License-Identifier: Apache-2.0
#include "harness/peers/private_folder.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>
#include <system_error>

#include "base/error.h"

namespace alsbench {

PrivateFolder::PrivateFolder() {
  std::string name = (std::filesystem::temp_directory_path() / "alsbench-peer-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr)
    throw EnvironmentError(fmt::format("cannot make a folder {}: {}; set TMPDIR to a writable one",
                                       name, std::strerror(errno)));
  path_ = name;
}

PrivateFolder::~PrivateFolder() {
  std::error_code ignored;  // what a peer made unreadable stays
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace alsbench
