// SPDX-License-Identifier: Apache-2.0
#include "kernels/load/shared_library.h"

#include <dlfcn.h>

#include <filesystem>

namespace alsbench {

SharedLibrary::SharedLibrary(const std::string& name, const std::vector<std::string>& folders)
    : name_(name), handle_(dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL)) {
  if (handle_ != nullptr) return;
  const std::string reason = dlerror();
  for (const std::string& folder : folders)
    if (handle_ = dlopen((folder + "/" + name).c_str(), RTLD_NOW | RTLD_LOCAL); handle_ != nullptr)
      return;
  throw MissingLibrary(reason);
}

void* SharedLibrary::address_of(const char* symbol) const {
  void* const address = dlsym(handle_, symbol);
  if (address == nullptr) throw MissingLibrary(name_ + " has no " + symbol);
  return address;
}

std::string folder_of(const void* address) {
  Dl_info info{};
  if (dladdr(address, &info) == 0) return "";
  return std::filesystem::path(info.dli_fname).parent_path().string();
}

}  // namespace alsbench
