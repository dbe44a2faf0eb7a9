// SPDX-License-Identifier: Apache-2.0
// Loader of a folder in the layout of cuMF (github.com/cuMF/cumf_als): headerless little-endian
// arrays R_{train_csr,train_csc}.{data,indices,indptr}.bin and R_test_coo.{data,row,col}.bin;
// values float, indices int32, indptr int32, or int64 where 2^31 ratings need it.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "harness/data/compressed_rows.h"

namespace alsbench {
namespace {

namespace fs = std::filesystem;

// The elements of the file, which is mapped and not copied.
template <class T>
Array<T> read_array(const fs::path& path) {
  const auto file = MappedFile::open(path);
  const std::string_view bytes = file->text();
  if (bytes.size() % sizeof(T) != 0) {
    throw UsageError(
        fmt::format("{}: {} bytes are no whole number of {}-byte elements; the file is "
                    "truncated",
                    path.string(), bytes.size(), sizeof(T)));
  }
  return {std::span<const T>(reinterpret_cast<const T*>(bytes.data()), bytes.size() / sizeof(T)),
          file};
}

// Whether the files STEM.PART.bin are there: all of them, or none.
bool has_group(const fs::path& folder, const std::string& stem,
               const std::vector<std::string>& parts) {
  const auto file = [&](const std::string& part) { return folder / (stem + "." + part + ".bin"); };
  const auto exists = [&](const std::string& part) { return fs::exists(file(part)); };
  const auto present = std::find_if(parts.begin(), parts.end(), exists);
  const auto missing = std::find_if_not(parts.begin(), parts.end(), exists);
  if (present == parts.end()) return false;
  if (missing == parts.end()) return true;
  throw UsageError(fmt::format("{}: is missing next to {}; add it, or remove the other {} files",
                               file(*missing).string(), file(*present).filename().string(), stem));
}

// A file that is not read must have the length of those that are.
void check_size(const fs::path& path, int64_t elements) {
  const auto bytes = static_cast<int64_t>(fs::file_size(path));
  if (bytes == 4 * elements) return;
  throw UsageError(
      fmt::format("{}: {} bytes, expected {} for the {} ratings of R_train_csr.data.bin; "
                  "write both from the same matrix",
                  path.string(), bytes, 4 * elements, elements));
}

// int32, or int64 where only that reading ends with the number of ratings.
std::vector<int64_t> read_offsets(const fs::path& path, int64_t entries) {
  const auto narrow = read_array<int32_t>(path);
  if ((narrow.size() == 0 || narrow[narrow.size() - 1] != entries) && narrow.size() % 2 == 0) {
    const auto wide = read_array<int64_t>(path);
    if (wide.size() > 0 && wide[0] == 0 && wide[wide.size() - 1] == entries)
      return {wide.begin(), wide.end()};
  }
  return {narrow.begin(), narrow.end()};
}

CompressedRows read_compressed(const fs::path& folder, const std::string& stem) {
  CompressedRows matrix;
  matrix.path = folder / (stem + ".{data,indices,indptr}.bin");
  matrix.values = read_array<float>(folder / (stem + ".data.bin"));
  matrix.indices = read_array<int32_t>(folder / (stem + ".indices.bin"));
  matrix.offsets = read_offsets(folder / (stem + ".indptr.bin"), matrix.values.size());
  return matrix;
}

}  // namespace

RawRatings load_cumf(const fs::path& folder) {
  const std::vector<std::string> parts{"data", "indices", "indptr"};
  const bool has_csr = has_group(folder, "R_train_csr", parts);
  const bool has_csc = has_group(folder, "R_train_csc", parts);
  CompressedRows matrix = read_compressed(folder, has_csr ? "R_train_csr" : "R_train_csc");
  matrix.by_columns = !has_csr;
  const int64_t entries = matrix.values.size();
  if (has_csr && has_csc) {
    check_size(folder / "R_train_csc.data.bin", entries);
    check_size(folder / "R_train_csc.indices.bin", entries);
    const fs::path csc_offsets = folder / "R_train_csc.indptr.bin";
    const std::vector<int64_t> offsets = read_offsets(csc_offsets, entries);
    if (offsets.size() < 2 || offsets.back() != entries) {
      throw UsageError(
          fmt::format("{}: ends with {}, but R_train_csr.data.bin holds {} ratings; "
                      "write both from the same matrix",
                      csc_offsets.string(), offsets.empty() ? 0 : offsets.back(), entries));
    }
    matrix.cols = static_cast<int64_t>(offsets.size()) - 1;
  }
  return raw_of(std::move(matrix));
}

RawRatings load_cumf_test(const fs::path& folder) {
  RawRatings raw;
  const fs::path path = folder / "R_test_coo.data.bin";
  if (!has_group(folder, "R_test_coo", {"data", "row", "col"})) return raw;
  raw.values = read_array<float>(path);
  const auto rows = read_array<int32_t>(folder / "R_test_coo.row.bin");
  const auto cols = read_array<int32_t>(folder / "R_test_coo.col.bin");
  if (rows.size() != raw.values.size() || cols.size() != raw.values.size()) {
    throw UsageError(
        fmt::format("{}: {} values, {} rows, {} columns; the three files must be of "
                    "one length",
                    path.string(), raw.values.size(), rows.size(), cols.size()));
  }
  raw.pieces.push_back({{path, {}}, 0});
  for (int64_t i = 0; i < rows.size(); ++i) {
    if (rows[i] < 0 || cols[i] < 0 || !std::isfinite(raw.values[i])) {
      throw UsageError(
          fmt::format("{}: entry {} is ({}, {}) = {}; indices must not be negative and "
                      "values finite",
                      path.string(), i + 1, rows[i], cols[i], raw.values[i]));
    }
    raw.users.stated = std::max(raw.users.stated, int64_t{rows[i]} + 1);
    raw.items.stated = std::max(raw.items.stated, int64_t{cols[i]} + 1);
  }
  raw.users.codes = rows;
  raw.items.codes = cols;
  return raw;
}

}  // namespace alsbench
