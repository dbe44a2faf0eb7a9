// SPDX-License-Identifier: Apache-2.0
#include "harness/peers/peer_factors.h"

#include <gtest/gtest.h>

#include "harness/model/npy.h"
#include "tests/unit/content_text.h"
#include "tests/unit/scratch_folder.h"
#include "tests/unit/texts.h"

namespace alsbench {
namespace {

constexpr FactorShape kShape{3, 2, 2};
const std::vector<float> kX{1, 2, 0, 0, 5, 6}, kTheta{-1, -2, 0.5f, 1e-3f};

class PeerFactors : public ::testing::Test {
 protected:
  void expect_read(const FactorFiles& files) {
    const std::vector<ModelMatrix> model = read_peer_factors(files, folder_.path(), kShape);
    ASSERT_EQ(model.size(), 2u);
    EXPECT_EQ(model[0].name, "x");
    EXPECT_EQ(model[0].values, kX);
    EXPECT_EQ(model[1].name, "theta");
    EXPECT_EQ(model[1].values, kTheta);
  }

  void expect_wrong(const FactorFiles& files, const std::string& message) {
    EXPECT_TRUE(
        contains(thrown_by<WrongFactors>([&] { read_peer_factors(files, folder_.path(), kShape); }),
                 message));
  }

  std::string raw(const std::vector<float>& values) {
    return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float)};
  }

  ScratchFolder folder_;
};

TEST_F(PeerFactors, OfNumpy) {
  const FactorFiles files{FactorFormat::npy, "x.npy", "t.npy"};
  folder_.write("x.npy", whole_text(npy_content(kX, 3, 2)));
  expect_wrong(files, "it left no file 't.npy'");
  folder_.write("t.npy", whole_text(npy_content(kTheta, 2, 2)));
  expect_read(files);
  folder_.write("t.npy", whole_text(npy_content(kX, 2, 3)));
  expect_wrong(files, "'t.npy' has 2 x 3 factors, not 2 x 2");
  folder_.write("t.npy", "nothing");
  expect_wrong(files, "a peer writes numpy.float32 by rows");
}

TEST_F(PeerFactors, Raw) {
  const FactorFiles files{FactorFormat::raw, "x", "t"};
  folder_.write("x", raw(kX));
  folder_.write("t", raw(kTheta));
  expect_read(files);
  folder_.write("t", raw(kX));
  expect_wrong(files, "'t' has 24 bytes, which are not 2 x 2 floats");
}

TEST_F(PeerFactors, OfText) {
  const FactorFiles files{FactorFormat::text, "x", "t"};
  folder_.write("x", "1 2\n0 0\n5 6\n");
  folder_.write("t", "-1\t-2\n0.5 1e-3");
  expect_read(files);
  folder_.write("t", "-1 -2\n0.5 much\n");
  expect_wrong(files, "'t', line 2: has 'much' where a number should be");
  folder_.write("t", "-1 -2\n0.5\n");
  expect_wrong(files, "ends too early");
  folder_.write("t", "-1 -2\n0.5 1\n1 1\n");
  expect_wrong(files, "has more than 2 rows");
}

TEST_F(PeerFactors, OfTextWithIds) {
  const FactorFiles files{FactorFormat::id_text, "x", "t"};
  folder_.write("x", "2 5 6\n0 1 2\n");  // a row without ratings may be missing
  folder_.write("t", "0 -1 -2\n1 0.5 1e-3\n");
  expect_read(files);
  folder_.write("x", "3 5 6\n");
  expect_wrong(files, "'x', line 1: has row 3 of 3");
  folder_.write("x", "1 5 6\n1 5 6\n");
  expect_wrong(files, "'x', line 2: has row 1 twice");
}

TEST_F(PeerFactors, OfLibmf) {
  const FactorFiles files{FactorFormat::libmf, "model", "model"};
  const std::string head = "f 0\nm 3\nn 2\nk 2\nb 3.5\n", rows = "p0 T 1 2\np1 F 7 7\np2 T 5 6\n";
  folder_.write("model", head + rows + "q0 T -1 -2\nq1 T 0.5 1e-3\n");
  expect_read(files);
  folder_.write("model", "f 0\nm 4\n" + rows);
  expect_wrong(files, "'model', line 2: has 'm 4', not 'm 3'");
  folder_.write("model", head + "p1 T 1 2\n");
  expect_wrong(files, "'model', line 6: has no p0");
}

}  // namespace
}  // namespace alsbench
