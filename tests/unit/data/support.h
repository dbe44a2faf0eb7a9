// SPDX-License-Identifier: Apache-2.0
// Temporary folders, small files and comparisons for the tests of harness/data.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "harness/data/dataset.h"
#include "tests/unit/scratch_folder.h"
#include "tests/unit/texts.h"

namespace alsbench {

class DataTest : public testing::Test {
 protected:
  DataTest() { ::setenv("ALSBENCH_CACHE_DIR", (folder_ / "cache").c_str(), 1); }

  std::filesystem::path write(const std::string& name, const std::string& content) const {
    return scratch_.write(name, content);
  }
  // A whole file as training ratings.
  static RatingSet load(const std::filesystem::path& path, const std::string& format = "") {
    DataRequest request;
    request.path = path;
    request.format = format;
    request.test_fraction = 0;
    return load_rating_set(request);
  }
  static std::string error_of(const DataRequest& request) {
    return thrown_by([&] { load_rating_set(request); });
  }
  static std::string error_of(const std::filesystem::path& path, const std::string& format = "") {
    DataRequest request;
    request.path = path;
    request.format = format;
    return error_of(request);
  }

  const ScratchFolder scratch_;
  const std::filesystem::path folder_ = scratch_.path();
};

// Rows as text: "0:1=3.5 0:2=1 | ..." of compact ids.
inline std::string cells_of(const Csr& matrix) {
  std::string text;
  for (int64_t row = 0; row < matrix.rows; ++row) {
    for (int64_t i = matrix.offsets[row]; i < matrix.offsets[row + 1]; ++i) {
      char cell[64];
      std::snprintf(cell, sizeof cell, "%s%ld:%d=%g", text.empty() ? "" : " ",
                    static_cast<long>(row), matrix.indices[i],
                    static_cast<double>(matrix.values[i]));
      text += cell;
    }
  }
  return text;
}

inline void expect_equal(const Csr& a, const Csr& b) {
  EXPECT_EQ(a.rows, b.rows);
  EXPECT_EQ(a.cols, b.cols);
  EXPECT_TRUE(std::equal(a.offsets.begin(), a.offsets.end(), b.offsets.begin(), b.offsets.end()));
  EXPECT_TRUE(std::equal(a.indices.begin(), a.indices.end(), b.indices.begin(), b.indices.end()));
  EXPECT_TRUE(std::equal(a.values.begin(), a.values.end(), b.values.begin(), b.values.end()));
}

// Sets that hold the same, whatever their names.
inline void expect_equal(const RatingSet& a, const RatingSet& b) {
  expect_equal(a.by_user, b.by_user);
  expect_equal(a.by_item, b.by_item);
  expect_equal(a.test, b.test);
  EXPECT_EQ(a.users, b.users);
  EXPECT_EQ(a.items, b.items);
  EXPECT_EQ(a.content_hash, b.content_hash);
  EXPECT_EQ(a.mean, b.mean);
}

using Names = std::vector<std::string>;

}  // namespace alsbench
