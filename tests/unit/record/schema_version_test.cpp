// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "base/error.h"
#include "harness/record/document.h"

namespace alsbench {
namespace {

TEST(SchemaVersion, OfAnyLengthIsReadOrRefused) {
  EXPECT_NO_THROW(check_schema_version("1.99.0", "1.4.0", "a.json"));
  for (const char* version :
       {"2.0.0", "1", "", "x.1", "-1.0.0", "12147483648.0.0", "99999999999999999999999999.0.0"})
    EXPECT_THROW(check_schema_version(version, "1.4.0", "a.json"), UsageError) << version;
}

}  // namespace
}  // namespace alsbench
