// SPDX-License-Identifier: Apache-2.0
// Small models in folders, as `alsbench train --out` writes them, for the tests of harness/model.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "harness/files/file_lock.h"
#include "harness/model/model_record.h"
#include "harness/model/npy.h"

namespace alsbench {

// Factors of rank 2: user i of "u1", "u2", ... and item "a", "b", ...; row 1 of each is zero.
struct SmallModel {
  std::vector<float> x{1, 2, 0, 0, -1, 0.5f};
  std::vector<float> theta{2, 1, 0, 0, 3, -1, 0.25f, 4};
  std::vector<std::string> users{"u1", "u2", "u3"};
  std::vector<std::string> items{"a", "b", "c", "d"};
  Prediction prediction{"explicit", 3.5, {}, {}};
};

inline Json record_of(const SmallModel& model) {
  ModelRecord record;
  record.data.data.id = "ratings.csv";
  record.data.data.users = static_cast<int64_t>(model.users.size());
  record.data.data.items = static_cast<int64_t>(model.items.size());
  record.data.mean = 3.5;
  record.options.algorithm = "als";
  record.options.rank = 2;
  record.options.iterations = 1;
  record.prediction = model.prediction;
  return to_json(record);
}

inline void write(const std::filesystem::path& folder, const SmallModel& model,
                  const Json& record) {
  std::filesystem::create_directories(folder);
  const auto users = static_cast<int64_t>(model.users.size());
  const auto items = static_cast<int64_t>(model.items.size());
  FolderLock lock(folder);
  write_model(folder,
              {{"x.npy", npy_content(model.x, users, 2)},
               {"theta.npy", npy_content(model.theta, items, 2)},
               {"users.txt", id_lines(users, model.users)},
               {"items.txt", id_lines(items, model.items)}},
              record, lock);
}

inline void write(const std::filesystem::path& folder, const SmallModel& model = {}) {
  write(folder, model, record_of(model));
}

}  // namespace alsbench
