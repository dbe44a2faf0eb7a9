// SPDX-License-Identifier: Apache-2.0
// Small models in folders, as `alsbench train --out` writes them, for the tests of harness/model.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "harness/files/file_lock.h"
#include "harness/model/model_files.h"
#include "harness/model/npy.h"
#include "harness/model/prediction.h"

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
  return Json{{"schema_version", "1.6.0"},
              {"data",
               {{"id", "ratings.csv"},
                {"users", model.users.size()},
                {"items", model.items.size()},
                {"mean", 3.5}}},
              {"options", {{"algorithm", "als"}, {"rank", 2}}},
              {"prediction", to_json(model.prediction)}};
}

inline void write(const std::filesystem::path& folder, const SmallModel& model,
                  const Json& record) {
  std::filesystem::create_directories(folder);
  const auto users = static_cast<int64_t>(model.users.size());
  const auto items = static_cast<int64_t>(model.items.size());
  FolderLock lock(folder);
  write_model(folder,
              {{"x.npy", [&] { return npy_bytes(model.x, users, 2); }},
               {"theta.npy", [&] { return npy_bytes(model.theta, items, 2); }},
               {"users.txt", [&] { return id_map_text(model.users, users); }},
               {"items.txt", [&] { return id_map_text(model.items, items); }}},
              record, lock);
}

inline void write(const std::filesystem::path& folder, const SmallModel& model = {}) {
  write(folder, model, record_of(model));
}

}  // namespace alsbench
