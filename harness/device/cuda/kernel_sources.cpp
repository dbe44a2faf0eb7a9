// SPDX-License-Identifier: Apache-2.0
#include "harness/device/cuda/kernel_sources.h"

#include <algorithm>
#include <cstdlib>
#include <deque>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "base/error.h"
#include "harness/device/cuda_backend.h"

namespace alsbench {
namespace {

namespace fs = std::filesystem;

std::map<std::string, std::string> read_folder(const fs::path& kernels) {
  std::map<std::string, std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(kernels)) {
    const auto extension = entry.path().extension();
    if (!entry.is_regular_file() || (extension != ".cuh" && extension != ".h")) continue;
    std::ifstream stream(entry.path(), std::ios::binary);
    const auto name = fs::path("kernels") / entry.path().lexically_relative(kernels);
    files[name.generic_string()].assign(std::istreambuf_iterator<char>(stream), {});
  }
  return files;
}

// The names in `#include "name"` lines.
std::vector<std::string> included_names(std::string_view text) {
  constexpr std::string_view kDirective = "#include \"";
  std::vector<std::string> names;
  for (size_t at = text.find(kDirective); at != std::string_view::npos;
       at = text.find(kDirective, at)) {
    at += kDirective.size();
    names.emplace_back(text.substr(at, text.find('"', at) - at));
  }
  return names;
}

std::vector<EmbeddedFile>& more_files() {
  static std::vector<EmbeddedFile> files;
  return files;
}

}  // namespace

void KernelSources::add(const std::vector<EmbeddedFile>& files) {
  more_files().insert(more_files().end(), files.begin(), files.end());
}

void add_kernel_sources(std::vector<SourceFile> sources) {
  static std::deque<SourceFile> kept;
  for (SourceFile& source : sources) {
    const SourceFile& one = kept.emplace_back(std::move(source));
    KernelSources::add({{one.path, one.content}});
  }
}

void KernelSources::take(const std::vector<EmbeddedFile>& files) {
  for (const EmbeddedFile& file : files) files_.emplace(file.path, file.content);
}

KernelSources KernelSources::embedded() {
  KernelSources sources;
  sources.take(embedded_kernels());
  sources.take(more_files());
  return sources;
}

std::shared_ptr<const KernelSources> KernelSources::current() {
  static const auto built_in = std::make_shared<const KernelSources>(embedded());
  const char* folder = std::getenv("ALSBENCH_KERNEL_DIR");
  if (folder == nullptr || *folder == '\0') return built_in;
  for (const fs::path& kernels : {fs::path(folder) / "kernels", fs::path(folder)})
    if (fs::is_directory(kernels / "cuda")) {
      KernelSources sources;
      sources.files_ = read_folder(kernels);
      sources.take(more_files());
      return std::make_shared<const KernelSources>(std::move(sources));
    }
  throw UsageError("ALSBENCH_KERNEL_DIR='" + std::string(folder) +
                   "' has neither kernels/cuda nor cuda; name the repository's root or its "
                   "kernels folder, or unset it to use the embedded sources");
}

std::vector<KernelSources::Included> KernelSources::reachable(const std::string& path) const {
  if (!files_.contains(path))
    throw CompileError("no kernel source '" + path + "'; add the file under kernels/cuda");
  std::vector<Included> found{{path, path}};
  for (size_t next = 0; next < found.size(); ++next) {
    const fs::path folder = fs::path(found[next].path).parent_path();
    for (const auto& name : included_names(text(found[next].path))) {
      const std::string beside = (folder / name).lexically_normal().generic_string();
      const Included included{name, files_.contains(name) ? name : beside};
      if (files_.contains(included.path) && std::ranges::find(found, included) == found.end())
        found.push_back(included);
    }
  }
  return found;
}

}  // namespace alsbench
