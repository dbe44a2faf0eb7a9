// SPDX-License-Identifier: Apache-2.0
#include "harness/files/gzip.h"

#include <gtest/gtest.h>

#include <string>

#include "harness/files/atomic_file.h"
#include "tests/unit/scratch_folder.h"
#include "tests/unit/texts.h"

namespace alsbench {
namespace {

// The message about a file with these bytes; "" where it is read.
std::string objection(const std::filesystem::path& path, std::string_view bytes) {
  write_file_atomically(path, bytes);
  return thrown_by([&] { document_text(path); });
}

TEST(Gzip, WhatIsCompressedReadsBackAsItWas) {
  const ScratchFolder folder;
  for (const std::string& text : {std::string(), std::string(3, '\0'), std::string(300'000, 'x')}) {
    const std::string packed = gzip_of(text);
    write_file_atomically(folder.path() / "text.gz", packed);
    EXPECT_EQ(document_text(folder.path() / "text.gz"), text);
    EXPECT_EQ(gzip_of(text), packed);
  }
  EXPECT_LT(gzip_of(std::string(300'000, 'x')).size(), 1000u);
}

TEST(Gzip, TheContentTellsWhetherAFileIsCompressed) {
  const ScratchFolder folder;
  write_file_atomically(folder.path() / "plain.json.gz", "[1]");
  EXPECT_EQ(document_text(folder.path() / "plain.json.gz"), "[1]");
  write_file_atomically(folder.path() / "packed.json", gzip_of("[1,") + gzip_of(" 2]"));
  EXPECT_EQ(document_text(folder.path() / "packed.json"), "[1, 2]");
  EXPECT_EQ(document_text(folder.write("empty.json", "")), "");
}

TEST(Gzip, DamageIsRefusedWithTheNameOfTheFile) {
  const ScratchFolder folder;
  const std::filesystem::path path = folder.path() / "result.json.gz";
  const std::string packed = gzip_of(std::string(300'000, 'x'));
  for (size_t kept = 2; kept < packed.size(); ++kept)
    EXPECT_EQ(objection(path, packed.substr(0, kept)),
              path.string() + ": its gzip data ends too early, after " + std::to_string(kept) +
                  " bytes; fetch the file again, or pack it again");
  std::string changed = packed;
  changed[packed.size() - 5] ^= 1;
  for (const std::string& damaged : {changed, packed + "{}", std::string("\x1f\x8b{}{}{}{}")}) {
    const std::string said = objection(path, damaged);
    EXPECT_TRUE(contains(said, "its gzip data is damaged at byte "));
    EXPECT_TRUE(contains(said, path.string()));
  }
}

}  // namespace
}  // namespace alsbench
