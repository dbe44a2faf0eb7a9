#include "harness/judge/comparison_input.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <set>

#include "harness/files/atomic_file.h"
#include "harness/judge/foreign_input.h"
#include "variants/core/error.h"

namespace alsbench {
namespace {

CaseRole role_of(const Json& record) {
  const std::string role = record.at("role");
  return role == "roof"       ? CaseRole::canary
         : role == "training" ? CaseRole::training
                              : CaseRole::kernel;
}

std::vector<KernelFacts> kernels_of(const Json& record) {
  std::vector<KernelFacts> kernels;
  for (const Json& kernel : record.value("kernels", Json::array())) {
    const auto number = [&](const char* key) { return kernel.value(key, int64_t{0}); };
    const auto bytes = [&](const char* key) { return static_cast<double>(number(key)); };
    KernelFacts facts;
    facts.instance = kernel.value("instance", "");
    facts.code_hash = kernel.value("code_hash", "");
    KernelResources& resources = facts.resources;
    resources.registers = bytes("registers");
    resources.local_bytes =
        bytes("stack_bytes") + bytes("spill_store_bytes") + bytes("spill_load_bytes");
    resources.shared_bytes = bytes("static_shared_bytes") + bytes("dynamic_shared_bytes");
    facts.grid = number("grid");
    facts.block = number("block");
    if (kernel.contains("occupancy") && kernel["occupancy"].is_number())
      resources.occupancy = kernel["occupancy"];
    kernels.push_back(std::move(facts));
  }
  return kernels;
}

// A file of before 1.1.0 says nothing of launches: it is one.
std::vector<Launch> launches_of(const Json& measurement) {
  std::vector<Launch> launches;
  if (measurement.contains("launches"))
    for (const Json& launch : measurement["launches"])
      launches.push_back({launch.at("median_seconds"), launch.at("count")});
  else
    launches.push_back({measurement.at("statistics").at("median_seconds"),
                        measurement.at("statistics").at("count")});
  return launches;
}

// Seconds until the test RMSE was at the target, or of all iterations where there is none; 0 where
// the target was not reached.
double training_seconds(const Json& iterations, const Json& target) {
  double seconds = 0;
  for (const Json& iteration : iterations) {
    seconds += iteration.at("seconds").at("total").get<double>();
    const Json& rmse = iteration.at("test_rmse");
    if (target.is_number() && rmse.is_number() && rmse <= target) return seconds;
  }
  return target.is_number() ? 0 : seconds;
}

void add_training(const Json& record, ComparisonCase& c) {
  const Json& training = record.at("training");
  std::vector<Json> runs{training};
  if (training.contains("launches")) runs = training["launches"].get<std::vector<Json>>();
  for (const Json& run : runs) {
    const Json& iterations = run.at("iterations");
    if (iterations.empty()) continue;
    const double seconds = training_seconds(iterations, training.at("target_rmse"));
    if (seconds > 0) c.launches.push_back({seconds, 1});
    const Json& rmse = iterations.back().at("test_rmse");
    if (rmse.is_number()) c.rmse.push_back(rmse);
  }
  if (c.launches.empty()) {
    c.outcome = Outcome::wrong;
    c.detail = fmt::format("the target RMSE {} was not reached", training.at("target_rmse").dump());
  }
}

// The cases of one record: one a cache mode, or one that says what became of it.
void add_cases(const Json& record, std::vector<ComparisonCase>& cases) {
  ComparisonCase c;
  c.name = c.record = record.at("name");
  c.role = role_of(record);
  c.device = record.value("device", "");
  c.outcome = outcome_of(record);
  if (record.contains("detail") && record["detail"].is_string()) c.detail = record["detail"];
  c.kernels = kernels_of(record);
  if (const Json bytes = record.value("peak_device_bytes", Json()); bytes.is_number())
    c.peak_device_bytes = bytes;
  const auto text = [&](const char* key) {
    return record[key].is_string() ? record[key].get<std::string>() : std::string();
  };
  if (c.role == CaseRole::canary)
    c.kind = fmt::format("{}/{}/{}", text("stage"), text("variant"), text("backend"));
  if (c.outcome != Outcome::ok) return cases.push_back(std::move(c));
  if (c.role == CaseRole::training) {
    add_training(record, c);
    return cases.push_back(std::move(c));
  }
  for (const char* mode : {"cold", "hot"}) {
    if (!record.contains(mode) || !record[mode].is_object()) continue;
    ComparisonCase measured = c;
    measured.name += fmt::format("/{}", mode);
    if (!c.kind.empty()) measured.kind += fmt::format("/{}", mode);
    measured.launches = launches_of(record[mode]);
    cases.push_back(std::move(measured));
  }
}

std::vector<std::pair<std::string, std::string>> environment_of(const ResultDocument& document) {
  std::vector<std::pair<std::string, std::string>> environment;
  const Json& suite = document.suite;
  environment.emplace_back("suite",
                           fmt::format("{} {}", suite.value("name", "?"), suite.value("hash", "")));
  for (const Json& device : document.devices) {
    const std::string place = "device " + device.value("device", "?");
    environment.emplace_back(place, fmt::format("{}, {} multiprocessors", device.value("name", "?"),
                                                device.value("multiprocessors", 0)));
    if (device.contains("nvml") && device["nvml"].is_object())
      environment.emplace_back(place + " driver",
                               device["nvml"].value("driver_version", Json()).dump());
    if (device.contains("versions") && device["versions"].is_object())
      for (const auto& [library, version] : device["versions"].items())
        environment.emplace_back(place + (library == "driver" ? " CUDA driver" : " " + library),
                                 version.dump());
  }
  std::set<std::string> seen;
  for (const Json& record : document.cases) {
    const Json& problem = record.at("problem");
    if (!problem.at("data").is_object() || !seen.insert(problem.at("name")).second) continue;
    environment.emplace_back(fmt::format("data {}", problem["name"].get<std::string>()),
                             problem["data"].value("content_hash", ""));
  }
  return environment;
}

ComparisonInput read_file(const std::filesystem::path& path) {
  const std::string source = path.string();
  if (!std::filesystem::exists(path))
    throw UsageError(fmt::format("{}: there is no such file", source));
  const std::string text = read_whole_file(path);
  if (text.find_first_not_of(" \t\r\n") == std::string::npos)
    throw UsageError(fmt::format("{}: is empty", source));
  const Json json = Json::parse(text, nullptr, false);
  if (json.is_discarded())
    throw UsageError(fmt::format("{}: is not JSON; was it cut off?", source));
  if (auto foreign = foreign_input_of(json, source)) return *std::move(foreign);
  return comparison_input_of(result_from_json(json, source), source);
}

std::vector<std::filesystem::path> files_of(const std::filesystem::path& path) {
  if (!std::filesystem::is_directory(path)) return {path};
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(path)) {
    const std::string name = entry.path().filename().string();
    if (entry.is_regular_file() && name.ends_with(".json") && !name.ends_with(".gbench.json"))
      files.push_back(entry.path());
  }
  if (files.empty())
    throw UsageError(fmt::format("{}: is a folder without a .json file", path.string()));
  std::sort(files.begin(), files.end());
  return files;
}

const std::string* value_in(const ComparisonInput& input, const std::string& name) {
  for (const auto& [own, value] : input.environment)
    if (own == name) return &value;
  return nullptr;
}

std::string difference(const std::string& name, const ComparisonInput& a,
                       const ComparisonInput& b) {
  const auto text = [&](const ComparisonInput& input) {
    const std::string* value = value_in(input, name);
    return (value != nullptr ? *value : "nothing") + " in " + input.source;
  };
  return fmt::format("{}: {}, {}", name, text(a), text(b));
}

// Of what both name.
std::vector<std::string> contradictions(const ComparisonInput& a, const ComparisonInput& b) {
  std::vector<std::string> list;
  for (const auto& [name, value] : a.environment) {
    const std::string* other = value_in(b, name);
    if (other != nullptr && *other != value) list.push_back(difference(name, a, b));
  }
  return list;
}

}  // namespace

std::string_view name_of(CaseRole role) {
  return role == CaseRole::kernel ? "kernel" : role == CaseRole::canary ? "canary" : "training";
}

void InputMerger::add(ComparisonInput input) {
  if (input_.format.empty()) {
    input_ = std::move(input);
    for (size_t i = 0; i < input_.cases.size(); ++i) index_[input_.cases[i].name] = i;
    return;
  }
  const std::vector<std::string> differing = contradictions(input_, input);
  if (!differing.empty())
    throw UsageError(fmt::format("files of one side were measured in different environments: {}",
                                 fmt::join(differing, "; ")));
  for (auto& entry : input.environment)
    if (value_in(input_, entry.first) == nullptr) input_.environment.push_back(std::move(entry));
  if (input.source != input_.source) input_.source += ", " + input.source;
  for (ComparisonCase& c : input.cases) {
    const auto [known, added] = index_.try_emplace(c.name, input_.cases.size());
    if (added) {
      input_.cases.push_back(std::move(c));
      continue;
    }
    ComparisonCase& target = input_.cases[known->second];
    std::move(c.launches.begin(), c.launches.end(), std::back_inserter(target.launches));
    target.peak_device_bytes = std::max(target.peak_device_bytes, c.peak_device_bytes);
    std::move(c.rmse.begin(), c.rmse.end(), std::back_inserter(target.rmse));
    if (!failed(target.outcome) && failed(c.outcome)) {
      target.outcome = c.outcome;
      target.detail = c.detail;
    }
  }
}

std::vector<std::string> environment_differences(const ComparisonInput& base,
                                                 const ComparisonInput& test) {
  std::vector<std::string> list = contradictions(base, test);
  if (base.format != test.format) return list;
  // A device that one side lacks; whatever else it lacks was not looked at there.
  for (const auto& [one, other] : {std::pair(&base, &test), std::pair(&test, &base)})
    for (const auto& [name, value] : one->environment)
      if (name.starts_with("device ") && value_in(*other, name) == nullptr)
        list.push_back(difference(name, base, test));
  return list;
}

ComparisonInput comparison_input_of(const ResultDocument& document, const std::string& source) {
  ComparisonInput input;
  input.source = source;
  input.format = "alsbench";
  try {
    input.environment = environment_of(document);
    for (const Json& record : document.cases) add_cases(record, input.cases);
  } catch (const Json::exception& error) {
    throw UsageError(fmt::format("{}: is damaged: {}", source, error.what()));
  }
  return input;
}

ComparisonInput read_comparison_input(const std::vector<std::filesystem::path>& paths) {
  InputMerger merger;
  for (const std::filesystem::path& path : paths)
    for (const std::filesystem::path& file : files_of(path)) merger.add(read_file(file));
  return std::move(merger.input());
}

}  // namespace alsbench
