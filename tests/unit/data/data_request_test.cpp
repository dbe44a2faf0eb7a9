// SPDX-License-Identifier: Apache-2.0
#include "harness/data/data_request.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/error.h"

namespace alsbench {
namespace {

TEST(DataRequest, SurvivesTheWayThroughJson) {
  DataRequest request;
  EXPECT_EQ(read_as<DataRequest>(JsonField(to_json(request))), request);
  // Each field alone, so none can stand for another one.
  const auto changed = [](auto change) {
    DataRequest other;
    change(other);
    EXPECT_NE(other, DataRequest());
    EXPECT_EQ(read_as<DataRequest>(JsonField(Json::parse(to_json(other).dump()))), other);
  };
  changed([](DataRequest& r) { r.dataset = "netflix"; });
  changed([](DataRequest& r) { r.scale = 0.1; });
  changed([](DataRequest& r) { r.path = "a folder/ratings"; });
  changed([](DataRequest& r) { r.format = "csv"; });
  changed([](DataRequest& r) { r.columns = "user=2,item=1"; });
  changed([](DataRequest& r) { r.test_path = "test.csv"; });
  changed([](DataRequest& r) { r.test_fraction = 0.3; });
  changed([](DataRequest& r) { r.seed = (uint64_t{1} << 53) + 1; });
  for (const SplitBy by :
       {SplitBy::time, SplitBy::user_time, SplitBy::leave_last_out, SplitBy::leave_one_out})
    changed([&](DataRequest& r) { r.split_by = by; });
  for (const Duplicates mode : {Duplicates::last, Duplicates::mean, Duplicates::sum})
    changed([&](DataRequest& r) { r.duplicates = mode; });
  changed([](DataRequest& r) { r.uniform_row_length = 7; });
  changed([](DataRequest& r) { r.empty_rows = 0.25; });
  changed([](DataRequest& r) { r.empty_cols = 0.5; });
}

// Requests in journals from before they had other fields.
TEST(DataRequest, ReadsWhatIsLeftOutAsItsDefault) {
  const Json old = Json::parse(
      R"({"dataset": "", "path": "r.csv", "scale": 1.0, "test_fraction": 0.2, "seed": 1})");
  const DataRequest request = read_as<DataRequest>(JsonField(old));
  EXPECT_EQ(request.path, "r.csv");
  EXPECT_EQ(request.test_fraction, 0.2);
  EXPECT_EQ(request.duplicates, Duplicates::error);
  EXPECT_EQ(to_json(request).dump(), old.dump());  // a resumed journal finds itself again
}

TEST(DataRequest, RefusesWhatIsNoRequest) {
  EXPECT_THROW(read_as<DataRequest>(JsonField(Json{{"duplicates", "first"}})), UsageError);
  EXPECT_THROW(read_as<DataRequest>(JsonField(Json{{"scale", "large"}})), UsageError);
}

TEST(Duplicates, HaveNames) {
  for (const char* name : {"error", "last", "mean", "sum"})
    EXPECT_EQ(name_of(duplicates_named(name)), name);
}

}  // namespace
}  // namespace alsbench
