// SPDX-License-Identifier: Apache-2.0
#include "harness/device/cuda/kernel_pack.h"

#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <fmt/format.h>
#include <link.h>
#include <zstd.h>

#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/message.h"
#include "harness/device/cuda/cubin_cache.h"
#include "harness/files/atomic_file.h"
#include "harness/files/strict_json.h"
#include "harness/files/unpack.h"
#include "harness/files/zip_archive.h"
#include "harness/record/json.h"

namespace alsbench {
namespace {

namespace fs = std::filesystem;

constexpr const char* kHead = "pack.json";
constexpr zip_uint32_t kSmallest = 9;  // packs are read far more often than written
constexpr const char* kCompressed = ".zst";

// Of the program, or of the module of Python that this is part of.
fs::path folder_of_this() {
  static const int here = 0;
  Dl_info info{};
  link_map* map = nullptr;
  const bool found = dladdr1(&here, &info, reinterpret_cast<void**>(&map), RTLD_DL_LINKMAP) != 0;
  if (found && map->l_name[0] != '\0') return fs::path(map->l_name).parent_path();
  std::error_code ignored;
  return fs::read_symlink("/proc/self/exe", ignored).parent_path();
}

// Beside it, beside the program that the Python package carries, and where an installation keeps
// data.
std::string path_of_pack() {
  const fs::path folder = folder_of_this();
  for (const fs::path& at : {folder, folder / "bin", folder / "../share/alsbench"})
    for (const std::string& name : {kernel_pack_name(), kernel_pack_name() + kCompressed})
      if (fs::exists(at / name)) return (at / name).lexically_normal();
  return "";
}

std::string unpacked_pack(const std::string& path, const std::string& packed) {
  const ReadBytes read = zstd_reader(path, packed);
  std::string bytes(packed.size(), '\0');
  size_t end = 0;
  while (const size_t got = read(bytes.data() + end, bytes.size() - end)) {
    end += got;
    if (end == bytes.size()) bytes.resize(2 * end);
  }
  bytes.resize(end);
  return bytes;
}

void compress_pack(const std::string& path) {
  const std::string archive = read_whole_file(path);
  std::string packed(ZSTD_compressBound(archive.size()), '\0');
  const std::unique_ptr<ZSTD_CCtx, size_t (*)(ZSTD_CCtx*)> context(ZSTD_createCCtx(),
                                                                   ZSTD_freeCCtx);
  if (!context) throw std::bad_alloc();
  constexpr int kLevel = 19, kWindowBits = 27;  // the most without --ultra; the pack as a whole
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_compressionLevel, kLevel);
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_windowLog, kWindowBits);
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_enableLongDistanceMatching, 1);
  const size_t size =
      ZSTD_compress2(context.get(), packed.data(), packed.size(), archive.data(), archive.size());
  if (ZSTD_isError(size) != 0) throw EnvironmentError(ZSTD_getErrorName(size));
  packed.resize(size);
  write_file_atomically(path, packed);
}

Json head_of(const KernelPackInfo& info) {
  return {{"nvrtc", info.nvrtc}, {"architectures", info.architectures}, {"ranks", info.ranks}};
}

// 13000 of "13.0.88", as the driver says it.
int64_t version_number(const std::string& release) {
  char* rest = nullptr;
  const int64_t major = std::strtol(release.c_str(), &rest, 10);
  const int64_t minor = *rest == '.' ? std::strtol(rest + 1, nullptr, 10) : 0;
  return 1000 * major + 10 * minor;
}

std::unique_ptr<KernelPack> open_beside_program() {
  const std::string path = path_of_pack();
  if (path.empty()) return nullptr;
  try {
    return std::make_unique<KernelPack>(path);
  } catch (const EnvironmentError& error) {
    print_message("warning: {}; kernels are compiled as they are needed\n", error.what());
    return nullptr;
  }
}

}  // namespace

KernelPack::KernelPack(const std::string& path) {
  info_.path = path;
  try {
    archive_ = read_whole_file(path);
    if (is_zstd(archive_)) archive_ = unpacked_pack(path, archive_);
    std::string why;
    zip_ = open_zip(archive_, why);
    const std::optional<std::string> head = zip_ ? entry(kHead) : std::nullopt;
    if (!head) throw UsageError(path + ": is no pack of kernels; install alsbench again");
    const Json json = parse_json(*head, path);
    const JsonField field(json);
    info_.nvrtc = field.at("nvrtc").text();
    for (const JsonField& each : field.at("architectures").elements())
      info_.architectures.push_back(each.integer32());
    for (const JsonField& each : field.at("ranks").elements())
      info_.ranks.push_back(each.integer32());
  } catch (const UsageError& error) {
    throw EnvironmentError(error.what());
  }
  info_.kernels = zip_get_num_entries(zip_.get(), 0) - 1;
  info_.bytes = static_cast<int64_t>(fs::file_size(path));
  int driver = 0;  // 0: none
  cudaDriverGetVersion(&driver);
  runs_here_ = driver >= version_number(info_.nvrtc);
}

const KernelPack* KernelPack::current() {
  static const std::unique_ptr<KernelPack> pack = open_beside_program();
  return pack.get();
}

std::optional<KernelPackInfo> kernel_pack() {
  const KernelPack* const pack = KernelPack::current();
  return pack != nullptr ? std::optional(pack->info()) : std::nullopt;
}

std::string kernel_pack_name() {
  return fmt::format("alsbench-kernels-cuda{}.zip", CUDART_VERSION / 1000);
}

std::optional<std::string> KernelPack::entry(const std::string& name) const {
  const std::lock_guard lock(reading_);
  zip_stat_t status;
  if (zip_stat(zip_.get(), name.c_str(), 0, &status) != 0) return std::nullopt;
  const std::unique_ptr<zip_file_t, int (*)(zip_file_t*)> file(
      zip_fopen(zip_.get(), name.c_str(), 0), zip_fclose);
  std::string content(status.size, '\0');
  if (!file || zip_fread(file.get(), content.data(), content.size()) !=
                   static_cast<zip_int64_t>(content.size()))
    return std::nullopt;
  return content;
}

std::optional<CompiledKernel> KernelPack::find(const std::string& key) const {
  const std::optional<std::string> content = entry(key);
  return content ? read_kernel_file(key, *content) : std::nullopt;
}

void KernelPack::write(const KernelPackInfo& info,
                       const std::map<std::string, const CompiledKernel*>& kernels) {
  const bool whole = info.path.ends_with(kCompressed);
  // In the order of their keys: the same kernels make the same bytes.
  std::vector<std::pair<std::string, std::string>> members{{kHead, head_of(info).dump()}};
  for (const auto& [key, kernel] : kernels) members.emplace_back(key, kernel_file(key, *kernel));
  write_zip(info.path, members, whole ? 0 : kSmallest);
  if (whole) compress_pack(info.path);
}

}  // namespace alsbench
