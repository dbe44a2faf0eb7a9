// SPDX-License-Identifier: Apache-2.0
#include "harness/files/gzip.h"

#include <gtest/gtest.h>

#include <string>

#include "harness/files/atomic_file.h"
#include "tests/unit/scratch_folder.h"

namespace alsbench {
namespace {

TEST(Gzip, WhatIsCompressedReadsBackAsItWas) {
  const ScratchFolder folder;
  for (const std::string& text : {std::string(), std::string(3, '\0'), std::string(300'000, 'x')}) {
    const std::string packed = gzip_of(text);
    write_file_atomically(folder.path() / "text.gz", packed);
    EXPECT_EQ(read_whole_file_unzipped(folder.path() / "text.gz"), text);
    EXPECT_EQ(gzip_of(text), packed);
  }
  EXPECT_LT(gzip_of(std::string(300'000, 'x')).size(), 1000u);
}

}  // namespace
}  // namespace alsbench
