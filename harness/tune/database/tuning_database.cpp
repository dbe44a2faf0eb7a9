// SPDX-License-Identifier: Apache-2.0
#include "harness/tune/database/tuning_database.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "base/error.h"
#include "harness/device/cuda_backend.h"
#include "harness/files/cache_folder.h"
#include "harness/files/embedded.h"
#include "harness/files/gzip.h"
#include "harness/files/hash.h"
#include "harness/record/device_record.h"
#include "harness/record/provenance.h"
#include "harness/tune/database/database_file.h"
#include "harness/tune/database/shape_distance.h"
#include "variants/default_pipeline.h"

namespace alsbench {
namespace {

// Of custom kernels, their folder's files; else the program's own sources.
std::string host_code_of(std::string_view stage) {
  for (const KernelsProvenance& kernels : provenance().kernels)
    if (kernels.name == stage) return kernels.hash;
  return host_code_hash();
}

void add_host_code(Fnv1a128& hash, const Variant& variant) {
  hash.add_field(host_code_of(name_of(variant.stage)));
  const Backend backend = variant.backend;
  if (backend != Backend::cuda) return;
  const CudaVersions versions = cuda_versions();
  hash.add_field(versions.cublas).add_field(versions.cusolver).add_field(versions.cusparse);
}

namespace fs = std::filesystem;

// JSON files of a folder in order of name; none where there is no such folder.
std::vector<fs::path> json_files(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code missing;
  for (const auto& file : fs::directory_iterator(folder, missing))
    if (file.path().extension() == ".json") files.push_back(file.path());
  std::ranges::sort(files);
  return files;
}

bool same_device(const DeviceTraits& a, const DeviceTraits& b) {
  return a.backend == b.backend && a.name == b.name && a.multiprocessors == b.multiprocessors &&
         a.tiles == b.tiles;
}

// Of CPUs the instructions of the kernels, whatever the number of threads; where these have no
// name, the processor's.
bool same_architecture(const DeviceTraits& a, const DeviceTraits& b) {
  if (a.backend != b.backend) return false;
  return a.architecture == b.architecture && a.tiles == b.tiles &&
         (a.architecture > 0 || a.name == b.name);
}

// Parts are alike where the same pipelines update them: their shapes alone tell them apart.
bool alike(const Algorithm& algorithm, const std::string& a, const std::string& b) {
  return a == b || &algorithm.pipelines(a) == &algorithm.pipelines(b);
}

bool is_hidden(const TunedEntry& entry, const TunedQuery& query) {
  return std::ranges::any_of(
      query.hidden, [&](const Shape& shape) { return bucket_of(entry.shape) == bucket_of(shape); });
}

bool answers(const TunedEntry& entry, const TunedQuery& query) {
  return entry.algorithm == query.algorithm && entry.minimised == query.minimised &&
         entry.device.backend == query.device.backend && entry.what == query.what &&
         alike(*query.algorithm, entry.part, query.part) && entry.goal == query.goal &&
         !is_hidden(entry, query) && (!query.factors || entry.storage.factors == *query.factors) &&
         (!query.matrices || entry.storage.matrices == *query.matrices);
}

std::string measured_at(const TunedEntry& entry, const TunedQuery& query) {
  return fmt::format("{}{} on {}{}", entry.data, entry.part == query.part ? "" : ", " + entry.part,
                     entry.members > 1 ? fmt::format("a team of {} ", entry.members) : "",
                     entry.device.name);
}

}  // namespace

std::optional<std::string> code_hash_of_steps(const std::vector<PipelineStep>& steps,
                                              const Shape& shape, const DeviceTraits& traits) {
  const bool cuda = traits.backend == Backend::cuda;
  if (cuda && !cuda_built()) return std::nullopt;
  Fnv1a128 hash;
  std::vector<CompileRequest> requests;
  for (const PipelineStep& step : steps) {
    hash.add_field(text_of(step));
    if (!step.variant->plan) {
      add_host_code(hash, *step.variant);
      continue;
    }
    const auto kernels =
        requests_of(step.variant->plan(step.config, shape, traits), traits.architecture);
    requests.insert(requests.end(), kernels.begin(), kernels.end());
  }
  for (const CompileResult& result : compile_all(requests)) {
    if (!result.error.empty()) return std::nullopt;
    hash.add_field(result.kernel.code_hash);
  }
  return hash.hex();
}

std::string_view name_of(ServedLevel level) {
  switch (level) {
    case ServedLevel::shape:
      return "device and shape";
    case ServedLevel::nearest:
      return "device, nearest shape";
    case ServedLevel::architecture:
      return "architecture";
    case ServedLevel::fallback:
      break;
  }
  return "default";
}

Served default_of(const TunedQuery& query) {
  const DefaultChoice choice =
      query.what == kWholePipeline
          ? default_pipeline(query.algorithm->pipelines(query.part), query.shape, query.device)
          : default_step(query.what, query.shape, query.device);
  Served served;
  served.steps = choice.steps;
  served.reason = choice.reason;
  return served;
}

TunedOrigin origin_of(const Served& served, const std::string& part) {
  return {part, std::string(name_of(served.level)), served.reason, served.stale};
}

std::string Served::line() const { return fmt::format("{}: {}", name_of(level), reason); }

namespace {

// Entries of files, of which a later one takes the place of an earlier one with its key.
class Layers {
 public:
  void add(const std::vector<TunedEntry>& layer) {
    for (const TunedEntry& entry : layer) {
      const auto [place, added] = index_.try_emplace(key_of(entry), entries_.size());
      if (added)
        entries_.push_back(entry);
      else
        entries_[place->second] = entry;
    }
  }
  void add_shipped() {
    for (const EmbeddedFile& shipped : embedded_tuned())
      add(parse_tuned(std::string(shipped.content), std::string(shipped.path)));
  }
  std::vector<TunedEntry> entries() && { return std::move(entries_); }

 private:
  std::vector<TunedEntry> entries_;
  std::map<std::string, size_t> index_;
};

}  // namespace

TuningDatabase TuningDatabase::shipped() {
  Layers layers;
  layers.add_shipped();
  return TuningDatabase(std::move(layers).entries(), code_hash_of_steps);
}

TuningDatabase TuningDatabase::load(const fs::path& file) {
  Layers layers;
  layers.add_shipped();
  if (const fs::path folder = data_folder(); !folder.empty())
    for (const fs::path& path : json_files(folder / "tuned"))
      layers.add(parse_tuned(document_text(path), path.string()));
  if (!file.empty()) layers.add(parse_tuned(document_text(file), file.string()));
  return TuningDatabase(std::move(layers).entries(), code_hash_of_steps);
}

TuningDatabase::TuningDatabase(std::vector<TunedEntry> entries, HashSteps hash)
    : entries_(std::move(entries)), hash_(std::move(hash)) {}

const DeviceTraits* TuningDatabase::device_named(std::string_view name) const {
  const DeviceTraits* found = nullptr;
  for (const TunedEntry& entry : entries_) {
    if (entry.device.name == name) return &entry.device;
    if (device_slug(entry.device.name) != device_slug(name)) continue;
    if (found != nullptr && found->name != entry.device.name)
      throw UsageError(fmt::format("'{}' may be '{}' or '{}'; write the whole name", name,
                                   found->name, entry.device.name));
    found = &entry.device;
  }
  return found;
}

namespace {

// One look-up: the entries that answer its question, tried level by level.
class LookUp {
 public:
  LookUp(const TunedQuery& query, const HashSteps& hash) : query_(query), hash_(hash) {}

  Served serve(const std::vector<TunedEntry>& entries) {
    std::vector<const TunedEntry*> here;
    std::map<std::string, std::vector<const TunedEntry*>> elsewhere;  // by device
    for (const TunedEntry& entry : entries) {
      if (!answers(entry, query_)) continue;
      if (same_device(entry.device, query_.device))
        here.push_back(&entry);
      else if (same_architecture(entry.device, query_.device))
        elsewhere[fmt::format("{}|{}", entry.device.name, entry.device.multiprocessors)].push_back(
            &entry);
    }
    if (auto served = in_bucket(here, ServedLevel::shape)) return *served;
    if (auto served = nearest(here, ServedLevel::nearest)) return *served;
    for (const auto& [device, list] : elsewhere)
      if (auto served = in_bucket(list, ServedLevel::architecture)) return *served;
    for (const auto& [device, list] : elsewhere)
      if (auto served = nearest(list, ServedLevel::architecture)) return *served;
    return fallback(here.empty() && elsewhere.empty());
  }

 private:
  // By what an entry of the shape is the worse answer: another part, then another number of
  // devices.
  std::pair<bool, bool> differs(const TunedEntry& entry) const {
    return {entry.part != query_.part, entry.members != query_.members};
  }

  std::optional<Served> in_bucket(std::vector<const TunedEntry*> entries, ServedLevel level) {
    std::erase_if(entries, [&](const TunedEntry* entry) {
      return !(bucket_of(entry->shape) == bucket_of(query_.shape));
    });
    const auto place = [&](const TunedEntry* entry) {
      return std::pair(differs(*entry), entry->median_seconds);
    };
    std::ranges::stable_sort(
        entries, [&](const TunedEntry* a, const TunedEntry* b) { return place(a) < place(b); });
    for (const TunedEntry* entry : entries)
      if (auto served =
              usable(*entry, level, fmt::format("tuned at {}", measured_at(*entry, query_))))
        return served;
    return std::nullopt;
  }

  std::optional<Served> nearest(std::vector<const TunedEntry*> entries, ServedLevel level) {
    if (entries.empty()) return std::nullopt;
    std::ranges::stable_sort(entries, [&](const TunedEntry* a, const TunedEntry* b) {
      return differs(*a) < differs(*b);
    });
    const auto near = nearest_first(query_.shape, entries);
    if (near.empty())
      notes_ += fmt::format("; nothing near {} was tuned on {}", bucket_of(query_.shape).text(),
                            entries.front()->device.name);
    for (const TunedEntry* entry : near) {
      const double distance = shape_distance(query_.shape, entry->shape);
      const std::string reason =
          fmt::format("tuned at {}, {:.1f} doublings away", measured_at(*entry, query_), distance);
      if (auto served = usable(*entry, level, reason, distance)) return served;
    }
    return std::nullopt;
  }

  // Stages alone have no rules.
  bool weighed(const std::vector<PipelineStep>& steps) const {
    return query_.what != kWholePipeline ||
           covered_by_rule(query_.algorithm->pipelines(query_.part), steps, query_.shape,
                           query_.device);
  }

  // The entry as an answer, or nothing where it cannot run on the shape that is asked for, or is
  // too far from it. `distance` in doublings, 0 in the same bucket.
  std::optional<Served> usable(const TunedEntry& entry, ServedLevel level, std::string reason,
                               double distance = 0) {
    Served served;
    served.level = level;
    try {
      served.steps = steps_of(entry.pick, query_.device.backend);
    } catch (const UsageError& error) {
      notes_ += fmt::format("; passed over '{}': {}", text_of(entry.pick), error.what());
      return std::nullopt;
    }
    if (const auto objection = objection_of(served.steps, query_.shape, query_.device)) {
      notes_ += fmt::format("; passed over '{}': {}", text_of(entry.pick), *objection);
      return std::nullopt;
    }
    if (distance > kMaxDoublingsWithoutRule && !weighed(served.steps)) {
      notes_ +=
          fmt::format("; passed over '{}', tuned {:.1f} doublings away: no rule weighs it here",
                      text_of(entry.pick), distance);
      return std::nullopt;
    }
    const auto now = hash_(steps_of(entry.pick, entry.device.backend), entry.shape, entry.device);
    served.stale = now && *now != entry.code_hash;
    if (served.stale)
      reason += "; stale: the code has changed since, tune again";
    else if (!now)
      reason += "; not known whether its code has changed since";
    served.reason = reason + notes_;
    served.entry = entry;
    return served;
  }

  Served fallback(bool nothing_tuned) const {
    Served served = default_of(query_);
    const std::string why = nothing_tuned
                                ? fmt::format("no {} was tuned for {} on {} or its architecture",
                                              query_.what, name_of(query_.goal), query_.device.name)
                                : "no entry of the tuning database fits";
    served.reason = why + notes_ + "; " + served.reason;
    return served;
  }

  const TunedQuery& query_;
  const HashSteps& hash_;
  std::string notes_;  // what was passed over, and why
};

}  // namespace

Served TuningDatabase::look_up(const TunedQuery& query) const {
  return LookUp(query, hash_).serve(entries_);
}

void reads_database(FilePlan& plan, const fs::path& file) {
  plan.reads(file, kDatabaseRole);
  if (const fs::path folder = data_folder(); !folder.empty())
    plan.reads_folder(folder / "tuned", kDatabaseRole, ".json");
}

fs::path user_database_path(const DeviceTraits& device) {
  const fs::path folder = made_data_folder();
  if (folder.empty())
    throw EnvironmentError(
        "neither XDG_DATA_HOME nor HOME names a folder of your own for the tuning database; name "
        "one with --db");
  return folder / "tuned" / (device_slug(device.name) + ".json");
}

}  // namespace alsbench
