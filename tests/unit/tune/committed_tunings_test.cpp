// SPDX-License-Identifier: Apache-2.0
// Committed tunings, databases and comparisons of strategies: reading and writing one again changes
// nothing.
#include <gtest/gtest.h>

#include <filesystem>
#include <map>

#include "harness/files/gzip.h"
#include "harness/files/strict_json.h"
#include "harness/tune/pipeline/pipeline_document.h"
#include "harness/tune/search/strategies_document.h"

namespace alsbench {
namespace {

namespace fs = std::filesystem;

template <class T>
Json again(const Json& document) {
  return to_json(read_as<T>(JsonField(document)));
}

// Two documents as one list of differences, which is empty where they are equal.
Json differences(const Json& before, const Json& after) {
  return nlohmann::json::diff(nlohmann::json::parse(before.dump()),
                              nlohmann::json::parse(after.dump()));
}

TEST(CommittedTunings, AreWrittenAgainAsTheyWereRead) {
  const std::map<std::string, Json (*)(const Json&)> kinds{
      {"tuned", again<TunedDocument>},
      {"pipeline-tuning", again<PipelineTuningDocument>},
      {"strategies", again<StrategiesDocument>}};
  std::map<std::string, int> files;
  for (const auto& entry : fs::recursive_directory_iterator(ALSBENCH_SOURCE_DIR "/results")) {
    const std::string name = entry.path().filename();
    if (!name.ends_with(".json") && !name.ends_with(".json.gz")) continue;
    const Json before = read_json(entry.path());
    const auto kind = kinds.find(text_at(before, "kind"));
    if (kind == kinds.end()) continue;
    ++files[kind->first];
    EXPECT_EQ(differences(before, kind->second(before)), Json::array()) << entry.path();
  }
  EXPECT_GE(files["tuned"], 3);
  EXPECT_GE(files["pipeline-tuning"], 29);
  EXPECT_GE(files["strategies"], 2);
}

// Whatever a recording holds of its search stands in what is written of it again.
TEST(CommittedTunings, RecordingsKeepTheirSearch) {
  int files = 0;
  for (const auto& entry :
       fs::recursive_directory_iterator(ALSBENCH_SOURCE_DIR "/results/recorded")) {
    if (!entry.path().string().ends_with(".journal.gz")) continue;
    ++files;
    const JournalContent content = parse_journal(document_text(entry.path()));
    EXPECT_TRUE(content.problems.empty()) << entry.path() << ": " << content.problems.front();
    EXPECT_EQ(differences(content.records[0], again<TuningHead>(content.records[0])), Json::array())
        << entry.path();
  }
  EXPECT_GE(files, 8);
}

}  // namespace
}  // namespace alsbench
