// SPDX-License-Identifier: Apache-2.0
#include "harness/files/mapped_file.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "tests/unit/scratch_folder.h"

namespace alsbench {
namespace {

TEST(MappedFileDeathTest, AFileThatIsCutWhileItIsReadIsNamed) {
  const ScratchFolder scratch;
  const auto path = scratch.write("cut.tsv", std::string(100'000, '1'));
  const auto read_behind_a_cut = [&] {
    install_truncation_handler();
    const auto file = MappedFile::open(path);
    std::filesystem::resize_file(path, 0);
    std::printf("%c", file->text()[50'000]);
    std::exit(0);
  };
  EXPECT_EXIT(read_behind_a_cut(), testing::ExitedWithCode(3), "cut.tsv: was cut");
}

}  // namespace
}  // namespace alsbench
