// SPDX-License-Identifier: Apache-2.0
#include "harness/custom/host_kernel.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <map>

#include "base/error.h"
#include "harness/custom/launch.h"
#include "harness/files/atomic_file.h"
#include "harness/files/cache_folder.h"
#include "harness/files/hash.h"
#include "harness/process/run_program.h"

namespace alsbench::custom {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSymbol = "alsbench_custom_kernel";

// The cache's, or one of this process alone.
fs::path library_folder() {
  const fs::path cache = cache_folder();
  const fs::path folder = cache.empty()
                              ? fs::temp_directory_path() / fmt::format("alsbench-{}", getpid())
                              : cache / "custom";
  fs::create_directories(folder);
  return folder;
}

// Name and release of the compiler, as it says them: another one compiles again.
const std::string& compiler_version() {
  static const std::string version = [] {
    const FinishedProgram finished =
        run_program({"/usr/bin/env", host_compiler(), "--version"}, nullptr);
    if (!finished.end.exited_with(0))
      throw EnvironmentError(fmt::format(
          "kernels of the CPU need a C++ compiler, and '{}' does not run; install g++, or name one "
          "by the variable CXX",
          host_compiler()));
    return fmt::format("{}", fmt::join(finished.log_tail, "\n"));
  }();
  return version;
}

std::vector<std::string> command_of(const KernelFile& file, const Kernel& kernel,
                                    const Config& config) {
  std::vector<std::string> command{"/usr/bin/env", host_compiler(), "-std=c++17",
                                   "-O3",          "-march=native", "-fopenmp",
                                   "-shared",      "-fPIC",         "-I" + file.folder.string()};
  for (std::string& option : compiler_options(kernel, config)) command.push_back(std::move(option));
  return command;
}

// The first line that is an error; "" where none is.
std::string first_error(const std::vector<std::string>& lines) {
  const auto found = std::find_if(lines.begin(), lines.end(), [](const std::string& line) {
    return line.find("error:") != std::string::npos;
  });
  return found == lines.end() ? "" : *found;
}

void compile(std::vector<std::string> command, const std::string& source, const fs::path& library,
             const std::string& what) {
  const fs::path text = fs::path(library).replace_extension(fmt::format("{}.cpp", getpid()));
  const fs::path made = fs::path(library).replace_extension(fmt::format("{}.so", getpid()));
  write_file_atomically(text, source, Sync::no);
  command.insert(command.end(), {"-o", made.string(), text.string()});
  const FinishedProgram finished = run_program(command, nullptr);
  std::error_code ignored;
  fs::remove(text, ignored);
  if (!finished.end.exited_with(0)) {
    fs::remove(made, ignored);
    const std::string error = first_error(finished.log_tail);  // names file and line
    throw CompileError(fmt::format("{}{}{}: {} {}; mend the source\n{}", error,
                                   error.empty() ? "" : "; ", what, host_compiler(),
                                   finished.end.text(), fmt::join(finished.log_tail, "\n")));
  }
  fs::rename(made, library);
}

HostFunction* loaded(const fs::path& library) {
  void* const handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  void* const symbol = handle == nullptr ? nullptr : dlsym(handle, kSymbol);
  if (symbol == nullptr) throw CompileError(fmt::format("{}: {}", library.string(), dlerror()));
  return reinterpret_cast<HostFunction*>(symbol);
}

}  // namespace

std::string host_compiler() {
  const char* named = std::getenv("CXX");
  return named != nullptr && *named != '\0' ? named : "c++";
}

std::string host_source(const KernelFile& file, const Kernel& kernel, const Config& config) {
  std::vector<std::string> values;
  for (size_t i = 0; i < file.arguments.size(); ++i) {
    const Argument& argument = file.arguments[i];
    const char* pointer = argument.is_buffer() ? "*" : "";
    const char* constant = argument.is_buffer() && argument.use == Use::input ? "const " : "";
    values.push_back(
        fmt::format("*static_cast<{}{}{}*>(a[{}])", constant, cpp_type(argument.type), pointer, i));
  }
  return fmt::format(
      "#include <cstdint>\n#include \"{}\"\nextern \"C\" void {}(void** a) {{\n  {}({});\n}}\n",
      (file.folder / kernel.file).string(), kSymbol, function_of(kernel, config),
      fmt::join(values, ",\n    "));
}

HostFunction* host_function(const KernelFile& file, const Kernel& kernel, const Config& config) {
  static std::map<std::string, HostFunction*> known;  // by key
  const std::string source = host_source(file, kernel, config);
  const std::vector<std::string> command = command_of(file, kernel, config);
  Fnv1a128 key;
  key.add_field(compiler_version()).add_field(file.hash).add_field(source);
  for (const std::string& word : command) key.add_field(word);
  HostFunction*& function = known[key.hex()];
  if (function != nullptr) return function;
  const fs::path library = library_folder() / (key.hex() + ".so");
  if (!fs::exists(library))
    compile(command, source, library,
            fmt::format("{} of {}", kernel.function, (file.folder / kernel.file).string()));
  return function = loaded(library);
}

}  // namespace alsbench::custom
