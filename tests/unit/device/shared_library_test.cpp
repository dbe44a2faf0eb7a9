// SPDX-License-Identifier: Apache-2.0
#include "kernels/load/shared_library.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "tests/unit/texts.h"

namespace alsbench {
namespace {

TEST(SharedLibrary, BindsWhatALibraryHas) {
  double (*cosine)(double) = nullptr;
  SharedLibrary("libm.so.6", {}).bind("cos", cosine);
  EXPECT_DOUBLE_EQ(cosine(0), 1);
}

TEST(SharedLibrary, NamesTheLibraryOrTheFunctionThatIsMissing) {
  const std::string reason =
      thrown_by<MissingLibrary>([] { SharedLibrary("libnowhere.so.7", {"/nowhere"}); });
  EXPECT_TRUE(contains(reason, "libnowhere.so.7"));
  void (*function)() = nullptr;
  EXPECT_EQ(thrown_by<MissingLibrary>(
                [&] { SharedLibrary("libm.so.6", {}).bind("no_such_function", function); }),
            "libm.so.6 has no no_such_function");
}

TEST(SharedLibrary, KnowsTheFolderOfALoadedLibrary) {
  double (*cosine)(double) = nullptr;
  const SharedLibrary library("libm.so.6", {});
  library.bind("cos", cosine);
  const std::string folder = folder_of(reinterpret_cast<const void*>(cosine));
  EXPECT_NO_THROW(SharedLibrary(folder + "/libm.so.6", {}));
}

TEST(SharedLibrary, KnowsTheFolderOfItsProgram) {
  const auto program = std::filesystem::read_symlink("/proc/self/exe");
  EXPECT_EQ(folder_of(reinterpret_cast<const void*>(&python_package_folders)),
            program.parent_path());
}

TEST(SharedLibrary, LooksInNoPythonPackageWhereItIsInNone) {
  EXPECT_TRUE(python_package_folders().empty());
  EXPECT_EQ(python_extra("13.0.88"), "");
}

}  // namespace
}  // namespace alsbench
