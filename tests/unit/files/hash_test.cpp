// SPDX-License-Identifier: Apache-2.0
#include "harness/files/hash.h"

#include <gtest/gtest.h>
#include <omp.h>

#include <vector>

namespace alsbench {
namespace {

// Published test vectors of FNV-1a, 128 bits.
TEST(Fnv1a128, AgreesWithThePublishedVectors) {
  EXPECT_EQ(Fnv1a128().hex(), "6c62272e07bb014262b821756295c58d");
  EXPECT_EQ(Fnv1a128().add("a").hex(), "d228cb696f1a8caf78912b704e4a8964");
  EXPECT_EQ(Fnv1a128().add("foo").add("bar").hex(), "343e1662793c64bf6f0d3597ba446f18");
}

TEST(Fnv1a128, FieldsKeepTheirBorders) {
  EXPECT_NE(Fnv1a128().add_field("ab").add_field("c").hex(),
            Fnv1a128().add_field("a").add_field("bc").hex());
}

TEST(HashBytes, DependsOnEveryByteAndNotOnTheThreads) {
  std::vector<char> bytes((9 << 20) + 5);
  for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<char>(i * i >> 3);
  const auto hash = [&] { return hash_bytes(bytes.data(), static_cast<int64_t>(bytes.size())); };
  const int before = omp_get_max_threads();
  omp_set_num_threads(1);
  const std::string single = hash();
  omp_set_num_threads(5);
  EXPECT_EQ(hash(), single);
  omp_set_num_threads(before);
  EXPECT_EQ(single.size(), 32u);
  for (const size_t at : {size_t{0}, size_t{4 << 20}, bytes.size() - 1}) {
    bytes[at] ^= 1;
    EXPECT_NE(hash(), single) << at;
    bytes[at] ^= 1;
  }
  bytes.push_back('\0');
  EXPECT_NE(hash(), single);
}

TEST(Sha256, DoesNotDependOnThePiecesThatBytesComeIn) {
  Sha256 pieces;
  for (const char* piece : {"a", "", "bc"}) pieces.add(piece);
  EXPECT_EQ(pieces.hex(), sha256("abc"));
}

// The examples of FIPS 180-4 for SHA-256.
TEST(Sha256, AgreesWithThePublishedVectors) {
  EXPECT_EQ(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

}  // namespace
}  // namespace alsbench
