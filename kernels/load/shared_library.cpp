// SPDX-License-Identifier: Apache-2.0
#include "kernels/load/shared_library.h"

#include <dlfcn.h>
#include <link.h>

#include <algorithm>
#include <filesystem>

namespace alsbench {
namespace {

namespace fs = std::filesystem;

fs::path file_of(const void* address) {
  Dl_info info{};
  void* map = nullptr;
  if (dladdr1(address, &info, &map, RTLD_DL_LINKMAP) == 0) return {};
  const fs::path library = static_cast<const link_map*>(map)->l_name;
  std::error_code unknown;  // then it is empty
  return library.empty() ? fs::read_symlink("/proc/self/exe", unknown) : library;
}

}  // namespace

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

std::string folder_of(const void* address) { return file_of(address).parent_path().string(); }

std::vector<std::string> python_package_folders() {
  static const char here = 0;
  // The module lies in the package, and the program in its folder bin.
  fs::path package = file_of(&here).parent_path();
  if (package.filename() == "bin") package = package.parent_path();
  std::error_code unreadable;  // then nothing is there
  if (!fs::exists(package / "__init__.py", unreadable)) return {};
  std::vector<std::string> folders;
  for (const auto& entry : fs::directory_iterator(package.parent_path() / "nvidia", unreadable))
    folders.push_back((entry.path() / "lib").string());
  std::sort(folders.begin(), folders.end());
  folders.insert(folders.begin(), (package / "lib").string());
  return folders;
}

std::string python_extra(const std::string& cuda_version) {
  if (python_package_folders().empty()) return "";
  return " (pip install 'alsbench[cuda" + cuda_version.substr(0, cuda_version.find('.')) + "]')";
}

}  // namespace alsbench
