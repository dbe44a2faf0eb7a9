// SPDX-License-Identifier: Apache-2.0
// Ids that are texts, in a table by their hash.
#include "harness/data/id_dictionary.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

namespace alsbench {
namespace {

// Of every length up to 70, the text itself and those that differ from it in one byte.
std::vector<std::string> similar_texts() {
  std::vector<std::string> texts;
  for (size_t length = 1; length <= 70; ++length) {
    texts.emplace_back(length, 'a');
    for (size_t at = 0; at < length; ++at) {
      texts.emplace_back(length, 'a');
      texts.back()[at] = 'b';
    }
  }
  return texts;
}

TEST(IdDictionary, CodesAreInTheOrderInWhichIdsWereFirstSeen) {
  const std::vector<std::string> texts = similar_texts();
  IdDictionary<std::string_view> dictionary;
  for (const int again : {0, 1})
    for (size_t i = 0; i < texts.size(); ++i)
      ASSERT_EQ(dictionary.code_of(texts[i]), i) << texts[i] << ", round " << again;
  ASSERT_EQ(dictionary.ids().size(), texts.size());
  for (size_t i = 0; i < texts.size(); ++i) {
    EXPECT_EQ(dictionary.ids()[i], texts[i]);
    EXPECT_EQ(dictionary.hashes()[i], hash_of_id(texts[i]));
  }
}

TEST(IdDictionary, SimilarTextsHaveDifferentHashesAtBothEnds) {
  const std::vector<std::string> texts = similar_texts();
  std::set<uint64_t> low, high;
  for (const std::string& text : texts) {
    low.insert(hash_of_id(std::string_view(text)) & 0xffffffff);
    high.insert(hash_of_id(std::string_view(text)) >> 32);
  }
  EXPECT_GE(low.size() + 2, texts.size()) << "the slot's bits";
  EXPECT_GE(high.size() + 2, texts.size()) << "the bits of the tag and of the partition";
}

}  // namespace
}  // namespace alsbench
