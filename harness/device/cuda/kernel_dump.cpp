// SPDX-License-Identifier: Apache-2.0
#include "harness/device/cuda/kernel_dump.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <sstream>

#include "base/error.h"
#include "harness/files/atomic_file.h"
#include "harness/files/debug_log.h"

namespace alsbench {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFolder = "alsbench-dump";
// The toolkit's folder is seldom in PATH.
constexpr const char* kPath = "PATH=\"$PATH:/usr/local/cuda/bin\"";

// Output of a shell command; nothing where it fails.
std::string output_of(const std::string& line) {
  std::string text;
  FILE* const pipe = popen(line.c_str(), "r");
  if (pipe == nullptr) return text;
  std::array<char, 1 << 16> bytes{};
  for (size_t count = 0; (count = fread(bytes.data(), 1, bytes.size(), pipe)) > 0;)
    text.append(bytes.data(), count);
  if (pclose(pipe) != 0) text.clear();
  return text;
}

fs::path file_of(const CompileRequest& request, const std::string& key, const std::string& kind) {
  constexpr size_t kDigits = 12;  // of the key, enough to tell the instances of a source apart
  return fs::path(kFolder) / fmt::format("{}-sm_{}-{}.{}", fs::path(request.source).stem().string(),
                                         request.architecture, key.substr(0, kDigits), kind);
}

// nvdisasm reads a file.
std::string sass_of(const fs::path& cubin) {
  const std::string text = output_of(fmt::format("{} nvdisasm {}", kPath, cubin.string()));
  if (text.empty()) throw EnvironmentError("nvdisasm could not read " + cubin.string());
  return text;
}

}  // namespace

KernelDump::KernelDump(const std::string& kinds) {
  std::istringstream stream(kinds);
  for (std::string kind; std::getline(stream, kind, ',');) {
    if (kind != "ptx" && kind != "sass")
      throw UsageError(
          fmt::format("ALSBENCH_DUMP='{}': '{}' is neither ptx nor sass; use one of them, or "
                      "ptx,sass",
                      kinds, kind));
    kinds_.push_back(kind);
  }
  if (std::ranges::count(kinds_, "sass") > 0 &&
      output_of(fmt::format("{} command -v nvdisasm", kPath)).empty())
    throw EnvironmentError(
        "ALSBENCH_DUMP=sass needs nvdisasm of the CUDA toolkit, which is neither in PATH nor in "
        "/usr/local/cuda/bin; install it, or use ALSBENCH_DUMP=ptx");
}

const KernelDump& KernelDump::current() {
  static const KernelDump dump = [] {
    const char* kinds = std::getenv("ALSBENCH_DUMP");
    return KernelDump(kinds != nullptr ? kinds : "");
  }();
  return dump;
}

bool KernelDump::lacks(const CompileRequest& request, const std::string& key) const {
  return std::ranges::any_of(
      kinds_, [&](const auto& kind) { return !fs::exists(file_of(request, key, kind)); });
}

void KernelDump::write(const CompileRequest& request, const std::string& key,
                       const std::string& ptx, const std::string& cubin) const {
  const std::string head = fmt::format("// {} of {}\n", request.instance, request.source);
  try {
    for (const std::string& kind : kinds_) {
      const fs::path file = file_of(request, key, kind);
      std::string code = ptx;
      if (kind == "sass") {
        const fs::path binary = file_of(request, key, "cubin");
        write_file_atomically(binary, cubin, Sync::no);
        code = sass_of(binary);
      }
      write_file_atomically(file, head + code, Sync::no);
      if (logs_debug()) log_debug("wrote " + file.string());
    }
  } catch (const EnvironmentError& error) {
    throw CompileError(fmt::format("ALSBENCH_DUMP: {}", error.what()));
  }
}

}  // namespace alsbench
