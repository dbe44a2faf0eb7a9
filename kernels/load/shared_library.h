// SPDX-License-Identifier: Apache-2.0
// SharedLibrary: a library that is opened when it is first needed, so a program starts at once and
// without it. Never closed: what it gave is used until the process ends.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

namespace alsbench {

// A library that could not be opened, or lacks a function. what(): the loader's reason.
class MissingLibrary : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

class SharedLibrary {
 public:
  // Opens `name`, such as "libcublas.so.13", from where the loader finds it or from the first of
  // `folders` that has it. Throws MissingLibrary.
  SharedLibrary(const std::string& name, const std::vector<std::string>& folders);

  // Points `function` at the library's function `symbol`. Throws MissingLibrary.
  template <class Function>
  void bind(const char* symbol, Function*& function) const {
    function = reinterpret_cast<Function*>(address_of(symbol));
  }

 private:
  void* address_of(const char* symbol) const;

  std::string name_;
  void* handle_ = nullptr;
};

// The folder of the library or program that `address` lies in; "" where it lies in none.
std::string folder_of(const void* address);

// Folders of libraries that came with the Python package which this code is installed in: its own,
// and those of NVIDIA's packages beside it. None where it is installed otherwise.
std::vector<std::string> python_package_folders();

// For messages: " (pip install 'alsbench[cuda13]')", which brings CUDA's libraries of the
// major version of "13.0.88"; "" where this code is not in a Python package.
std::string python_extra(const std::string& cuda_version);

}  // namespace alsbench
