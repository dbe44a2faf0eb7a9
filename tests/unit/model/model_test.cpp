// SPDX-License-Identifier: Apache-2.0
#include "harness/model/model.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "harness/algorithms/algorithms.h"
#include "harness/files/atomic_file.h"
#include "harness/files/file_lock.h"
#include "harness/files/hash.h"
#include "harness/train/train.h"
#include "tests/unit/model/written_model.h"
#include "tests/unit/rating_sets.h"
#include "tests/unit/scratch_folder.h"
#include "tests/unit/texts.h"

namespace alsbench {
namespace {

std::string error_of(const std::filesystem::path& folder) {
  return thrown_by([&] { read_model(folder); });
}

TEST(ReadModel, GivesWhatWasWritten) {
  const ScratchFolder folder;
  write(folder.path());
  const Model model = read_model(folder.path());
  EXPECT_EQ(model.rank, 2);
  EXPECT_EQ(model.data_id, "ratings.csv");
  EXPECT_EQ(model.prediction, SmallModel().prediction);
  EXPECT_EQ(model.users.ids, SmallModel().users);
  EXPECT_EQ(model.items.ids, SmallModel().items);
  EXPECT_DOUBLE_EQ(model.predict(0, 0), 4);
  EXPECT_DOUBLE_EQ(model.predict(2, 2), -3.5);
}

TEST(ReadModel, PredictsColdCellsByTheMean) {
  const ScratchFolder folder;
  write(folder.path());
  const Model model = read_model(folder.path());
  EXPECT_DOUBLE_EQ(model.predict(1, 0), 3.5) << "a user without training ratings";
  EXPECT_DOUBLE_EQ(model.predict(0, 1), 3.5) << "an item without training ratings";
  EXPECT_DOUBLE_EQ(model.predict(3, 0), 3.5) << "a user that the model does not know";
  EXPECT_DOUBLE_EQ(model.predict(0, 4), 3.5) << "an item that the model does not know";
}

TEST(ReadModel, ARowThatItsRatingsMakeZeroIsNotCold) {
  const ScratchFolder folder;
  SmallModel small;
  small.prediction.rated_zero_users = {1};
  write(folder.path(), small);
  const Model model = read_model(folder.path());
  EXPECT_DOUBLE_EQ(model.predict(1, 0), 0);
  EXPECT_DOUBLE_EQ(model.predict(0, 1), 3.5);
}

TEST(RatedZeroRows, AreThoseWithRatings) {
  const std::vector<Rating> ratings{{0, 0, 0}, {2, 1, 4}};
  EXPECT_EQ(rated_zero_rows(build_csr(ratings, 3, 2), {0, 0, 0, 0, 1, 0}, 2),
            std::vector<int64_t>{0});
}

TEST(ReadModel, FilesAreHeldAgainstTheHashesThatSha256sumPrints) {
  const ScratchFolder folder;
  write(folder.path());
  const Json record = Json::parse(read_whole_file(folder.path() / "record.json"));
  ASSERT_EQ(record["files"].size(), 4u);
  for (const Json& file : record["files"]) {
    const std::string bytes = read_whole_file(folder.path() / file["name"].get<std::string>());
    EXPECT_EQ(file["bytes"], bytes.size());
    EXPECT_EQ(file["sha256"], sha256(bytes));
  }
}

// Every file: cut, a bit turned, gone.
TEST(ReadModel, NamesTheFileThatIsDamagedAndTheRemedy) {
  const ScratchFolder scratch;
  for (const std::string name : {"x.npy", "theta.npy", "users.txt", "items.txt"}) {
    const auto folder = scratch.path() / name;
    write(folder);
    const std::string whole = read_whole_file(folder / name);
    const auto error_with = [&](const std::string& content) {
      write_file_atomically(folder / name, content);
      return error_of(folder);
    };
    std::string turned = whole;
    turned.back() = static_cast<char>(turned.back() ^ 1);
    for (const std::string& error : {error_with(whole.substr(0, whole.size() - 1)),
                                     error_with(turned), error_with(""), error_with(whole + "1")}) {
      EXPECT_TRUE(error.starts_with((folder / name).string() + ": ")) << error;
      EXPECT_TRUE(contains(error, "copy the model again, or train it again"));
    }
    std::filesystem::remove(folder / name);
    EXPECT_TRUE(contains(error_of(folder), name + ": is missing"));
  }
}

TEST(ReadModel, AFolderWithoutARecordIsNoModel) {
  const ScratchFolder folder;
  EXPECT_TRUE(contains(error_of(folder.path()), "is no model: it has no record.json"));
  EXPECT_TRUE(contains(error_of(folder.path() / "nowhere"), "is no model"));
}

TEST(ReadModel, ARecordThatSaysTooLittleIsRefused) {
  const ScratchFolder folder;
  const auto error_with = [&](const std::function<void(Json&)>& change) {
    Json record = record_of({});
    change(record);
    write(folder.path(), {}, record);
    return error_of(folder.path());
  };
  EXPECT_TRUE(
      contains(error_with([](Json& r) { r["data"].erase("users"); }), "/data: lacks 'users'"));
  EXPECT_TRUE(
      contains(error_with([](Json& r) { r["schema_version"] = "3.0.0"; }), "newer alsbench"));
  EXPECT_TRUE(
      contains(error_with([](Json& r) { r["schema_version"] = "1.7.0"; }), "convert_results.py"));
  EXPECT_TRUE(contains(error_with([](Json& r) { r["data"]["items"] = 5; }),
                       "theta.npy: is 4 x 2 in place"));
  EXPECT_TRUE(
      contains(error_with([](Json& r) { r["options"]["rank"] = 3; }), "x.npy: is 3 x 2 in place"));
  EXPECT_TRUE(contains(error_with([](Json& r) { r["prediction"]["rated_zero_users"] = {0}; }),
                       "row 0 of x.npy is no row of zeros"));
  EXPECT_TRUE(contains(error_with([](Json& r) { r["prediction"]["rated_zero_items"] = {-1}; }),
                       "row -1 of theta.npy is no row of zeros"));
  write_file_atomically(folder.path() / "record.json", "{");
  EXPECT_TRUE(contains(error_of(folder.path()), "record.json"));
}

// Faults that a hash does not show: a model that was written so.
TEST(ReadModel, FactorsAndIdsMustFit) {
  const ScratchFolder folder;
  const auto error_with = [&](const std::function<void(SmallModel&)>& change) {
    SmallModel model;
    change(model);
    write(folder.path(), model);
    return error_of(folder.path());
  };
  EXPECT_TRUE(
      contains(error_with([](SmallModel& m) { m.x[3] = NAN; }), "x.npy: row 1, factor 1 is nan"));
  EXPECT_TRUE(contains(
      error_with([](SmallModel& m) { m.theta[0] = std::numeric_limits<float>::infinity(); }),
      "theta.npy: row 0, factor 0 is inf"));
  EXPECT_TRUE(contains(error_with([](SmallModel& m) { m.items[3] = "a"; }),
                       "items.txt: line 4 holds the id 'a' once more"));
  EXPECT_TRUE(
      contains(error_with([](SmallModel& m) { m.users[0] = "u\n1"; }), "users.txt: has 4 ids"));
}

// Rows without training ratings come back as cold, whatever Theta began with.
TEST(ReadModel, ATrainedModelHasTheTestRmseThatTrainingReported) {
  constexpr int64_t kEmptyUsers = 5;
  RatingSet set = planted_set(60, 40, 0.3, kEmptyUsers);
  const auto device = open_cpu_device();
  TrainOptions options;
  options.recipe = exact_recipe(default_algorithm(), Backend::cpu);
  options.rank = 5;
  options.iterations = 3;
  const TrainResult result = train(*device, set, options);
  const ScratchFolder folder;
  ModelRecord record;
  record.data.data.users = 60;
  record.data.data.items = 40;
  record.options.rank = 5;
  record.options.iterations = 3;
  record.prediction = {"explicit", set.mean, {}, {}};
  std::vector<ModelFile> files;
  for (const ModelMatrix& matrix : result.model)
    files.push_back({matrix.name + ".npy", npy_content(matrix.values, matrix.rows, matrix.rank)});
  const std::vector<std::string> no_ids;
  files.push_back({"users.txt", id_lines(60, no_ids)});
  files.push_back({"items.txt", id_lines(40, no_ids)});
  FolderLock lock(folder.path());
  write_model(folder.path(), files, to_json(record), lock);

  const Model model = read_model(folder.path());
  double sum = 0;
  int64_t cold = 0;
  for (int64_t user = 0; user < 60; ++user)
    for (int64_t k = set.test.offsets[user]; k < set.test.offsets[user + 1]; ++k) {
      const double error =
          static_cast<double>(set.test.values[k]) - model.predict(user, set.test.indices[k]);
      sum += error * error;
      cold += model.is_cold(user, set.test.indices[k]) ? 1 : 0;
    }
  const IterationRecord& last = result.iterations.back();
  EXPECT_GT(cold, 0);
  EXPECT_EQ(cold, last.cold_test_ratings);
  const double rmse = std::sqrt(sum / static_cast<double>(set.test.nnz()));
  EXPECT_NEAR(rmse, last.test_metric, 1e-6 * rmse);
}

}  // namespace
}  // namespace alsbench
