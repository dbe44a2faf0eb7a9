// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <utility>

#include "tests/contract/register.h"
#include "tests/run_tests.h"

namespace alsbench::testing {
namespace {

class RegisteredTest : public ::testing::Test {
 public:
  explicit RegisteredTest(std::function<void()> body) : body_(std::move(body)) {}
  void TestBody() override { body_(); }

 private:
  std::function<void()> body_;
};

}  // namespace

void register_test(const Variant& variant, const std::string& name, std::function<void()> body) {
  std::string suite = variant.id();
  std::replace(suite.begin(), suite.end(), '/', '_');
  ::testing::RegisterTest(suite.c_str(), name.c_str(), nullptr, nullptr, __FILE__, __LINE__,
                          [body = std::move(body)] { return new RegisteredTest(body); });
}

}  // namespace alsbench::testing

int main(int argc, char** argv) {
  setenv("ALSBENCH_TILES", "emulated", 0);  // where the processor has none
  alsbench::testing::register_contract();
  alsbench::testing::register_determinism();
  return alsbench::testing::run_tests(argc, argv);
}
