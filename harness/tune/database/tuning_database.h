// SPDX-License-Identifier: Apache-2.0
// TuningDatabase: the results of tuning that this program knows. Look-ups never fail, and answer
// from near shapes alone.
//
// It has three layers: the files of results/tuned, which are in the binary; the user's
// $XDG_DATA_HOME/alsbench/tuned/*.json; and one named file. An entry replaces one of an earlier
// layer that has the same key.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/algorithms/algorithms.h"
#include "harness/files/file_plan.h"
#include "harness/record/case_record.h"
#include "harness/tune/database/tuned_entry.h"
#include "variants/pipeline.h"

namespace alsbench {

// Where an answer comes from, from the best to the last.
enum class ServedLevel { shape, nearest, architecture, fallback };
// "device and shape", "device, nearest shape", "architecture", "default"
std::string_view name_of(ServedLevel level);

struct TunedQuery {
  DeviceTraits device;
  int members = 1;  // of a team of such devices; what was tuned for another number serves, too
  Shape shape;
  const Algorithm* algorithm = &default_algorithm();
  std::string minimised;  // minimised_text() of the training
  std::string what{kWholePipeline};
  std::string part = algorithm->parts.front();
  Goal goal = Goal::time;
  // Only picks with these storage types of a stage, where given.
  std::optional<Scalar> factors = {}, matrices = {};
  // As if nothing of these shapes' buckets had been tuned, for any part.
  std::vector<Shape> hidden = {};
};

struct Served {
  std::vector<PipelineStep> steps;  // all of them can run on the query's shape and device
  ServedLevel level = ServedLevel::fallback;
  std::string reason;  // one line for people
  bool stale = false;  // the code has changed since it was measured; the reason says so
  std::optional<TunedEntry> entry;  // nothing at ServedLevel::fallback
  std::string line() const;         // level and reason
};

// As records have it.
TunedOrigin origin_of(const Served& served, const std::string& part);

// The default that runs where nothing was tuned.
Served default_of(const TunedQuery& query);

// The hash of the code that steps run on a shape and device, or nothing where it cannot be had
// here.
using HashSteps = std::function<std::optional<std::string>(
    const std::vector<PipelineStep>& steps, const Shape& shape, const DeviceTraits& traits)>;

class TuningDatabase {
 public:
  // All three layers. `file` may be empty, else it must exist. A damaged file is never ignored:
  // throws UsageError naming the file and the place.
  static TuningDatabase load(const std::filesystem::path& file = {});
  static TuningDatabase shipped();  // what the program carries, alone
  explicit TuningDatabase(std::vector<TunedEntry> entries, HashSteps hash);

  // The first that is there of:
  //   - an entry of the device and the shape's bucket;
  //   - the nearest shape on the device that is within reach (shape_distance.h);
  //   - the same for devices of its architecture;
  //   - the default, which is chosen by rule.
  // Entries of the other parts also answer where their pipelines are of the same grammar. That
  // serves a set whose users and items are exchanged. An entry with a step that cannot run on that
  // shape and device is skipped. So is a near one that no rule covers there.
  Served look_up(const TunedQuery& query) const;

  const std::vector<TunedEntry>& entries() const { return entries_; }
  // The device of that name, as spelled by a driver or by device_slug(); null where nothing was
  // tuned on one. Throws UsageError where two devices of different names share the spelling.
  const DeviceTraits* device_named(std::string_view name) const;

 private:
  std::vector<TunedEntry> entries_;
  HashSteps hash_;
};

// Tells the plan what TuningDatabase::load(file) reads, in the role kDatabaseRole.
void reads_database(FilePlan& plan, const std::filesystem::path& file);
constexpr const char* kDatabaseRole = "--db";

// Where `alsbench tune` puts entries of a device: the user's file. Throws EnvironmentError where no
// variable names a home.
std::filesystem::path user_database_path(const DeviceTraits& device);

// The code hash of steps: it changes when the code that they run changes, and by it a tuning result
// is known to be stale. Our own CUDA kernels are hashed by their machine code. It is compiled now,
// or found in the cache; no GPU is needed. Variants compiled with the program are hashed by their
// sources and flags, and those of vendor libraries by the libraries' versions as well. Nothing
// where a kernel cannot be compiled here: the build has no CUDA, or the compiler refuses. `steps`
// must be able to run on the shape and the device.
std::optional<std::string> code_hash_of_steps(const std::vector<PipelineStep>& steps,
                                              const Shape& shape, const DeviceTraits& traits);

}  // namespace alsbench
