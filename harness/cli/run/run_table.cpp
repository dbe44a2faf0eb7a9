#include "harness/cli/run/run_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "harness/cli/output.h"
#include "variants/catalog.h"

namespace alsbench {
namespace {

constexpr size_t kConfigWidth = 24;
constexpr size_t kLineWidth = 110;

using Records = std::vector<const Json*>;

std::string text_of(const Json& record, const char* key) {
  const Json& value = record.at(key);
  return value.is_string() ? value.get<std::string>() : "";
}

bool measured(const Json& record) {
  return record["cold"].is_object() || record["hot"].is_object();
}

// Records under a heading each, in order of first appearance.
std::vector<std::pair<std::string, Records>> by_heading(const std::vector<Json>& records) {
  std::vector<std::pair<std::string, Records>> groups;
  for (const Json& record : records) {
    if (record["outcome"] == "skipped") continue;
    const Json& problem = record["problem"];
    std::string name = problem["name"];
    name = fmt::format("{} rank {}", name.substr(0, name.find("/rank:")), problem["rank"].dump());
    const std::string heading = record["role"] == "training"
                                    ? name + ", training"
                                    : name + ", side " + text_of(record, "side");
    auto group = std::find_if(groups.begin(), groups.end(),
                              [&](const auto& known) { return known.first == heading; });
    if (group == groups.end()) group = groups.insert(groups.end(), {heading, {}});
    group->second.push_back(&record);
  }
  return groups;
}

std::string kind_of(const Json& record) {
  return fmt::format("{}/{}", text_of(record, "stage"), text_of(record, "variant"));
}

// "cuda", or "cuda:1" where it is not the first GPU or names say that there were several.
std::string place_of(const Json& record) {
  const std::string device = record["device"];
  const std::string backend = record["backend"];
  const bool several = text_of(record, "name").find("/device:") != std::string::npos;
  return !several && (device == "cpu" || device == "0") ? backend : backend + ":" + device;
}

// Parameters with several values among the records of one variant.
std::set<std::string> varying(const Records& group, const Json& like) {
  std::map<std::string, std::set<std::string>> values;
  for (const Json* record : group)
    if (kind_of(*record) == kind_of(like) && (*record)["backend"] == like["backend"])
      for (const auto& [name, value] : (*record)["config"].items()) values[name].insert(value);
  std::set<std::string> names;
  for (const auto& [name, seen] : values)
    if (seen.size() > 1) names.insert(name);
  return names;
}

// "gather=strided,l1=off": what varies in the group, and what is not the variant's default.
std::string short_config(const Json& record, const Records& group) {
  const auto stage = stage_named(text_of(record, "stage"));
  const auto backend = backend_named(text_of(record, "backend"));
  const Config defaults =
      variant_named(*stage, text_of(record, "variant"), *backend).space.default_config();
  const std::set<std::string> differing = varying(group, record);
  std::string text;
  for (const auto& [name, value] : record["config"].items())
    if (differing.contains(name) || !defaults.is(name, value.get<std::string>()))
      text += fmt::format("{}{}={}", text.empty() ? "" : ",", name, value.get<std::string>());
  return text.empty() ? "default" : text;
}

// Broken after commas into pieces that fit the column.
std::vector<std::string> wrapped(const std::string& config) {
  std::vector<std::string> lines{""};
  for (size_t begin = 0; begin < config.size();) {
    const size_t comma = std::min(config.find(',', begin), config.size() - 1);
    const std::string piece = config.substr(begin, comma + 1 - begin);
    if (!lines.back().empty() && lines.back().size() + piece.size() > kConfigWidth)
      lines.emplace_back();
    lines.back() += piece;
    begin = comma + 1;
  }
  return lines;
}

std::string number(const Json& block, const char* key, double scale, int digits) {
  const Json& value = block.at(key);
  return value.is_number() ? fmt::format("{:.{}f}", value.get<double>() * scale, digits) : "";
}

// Of several measurements of a roof, beside one group of cases each, the fastest.
Records roofs_once(const Records& group) {
  const auto seconds = [](const Json& record) {
    for (const char* mode : {"cold", "hot"})
      if (record[mode].is_object())
        return record[mode]["statistics"]["median_seconds"].get<double>();
    return 1e300;
  };
  std::map<std::string, const Json*> fastest;
  for (const Json* record : group) {
    if ((*record)["role"] != "roof") continue;
    const auto [known, added] = fastest.try_emplace(
        kind_of(*record) + place_of(*record) + (*record)["config"].dump(), record);
    if (!added && seconds(*record) < seconds(*known->second)) known->second = record;
  }
  Records kept;
  for (const Json* record : group) {
    const bool roof = (*record)["role"] == "roof";
    const auto is_this = [&](const auto& entry) { return entry.second == record; };
    if (!roof || std::any_of(fastest.begin(), fastest.end(), is_this)) kept.push_back(record);
  }
  const auto cases = std::stable_partition(
      kept.begin(), kept.end(), [](const Json* record) { return (*record)["role"] == "roof"; });
  // Which group's measurement was the fastest, and so the order they came in, is chance.
  std::stable_sort(kept.begin(), cases,
                   [](const Json* a, const Json* b) { return (*a)["name"] < (*b)["name"]; });
  return kept;
}

bool too_few_samples(const Json& block, int64_t min_samples) {
  return block["statistics"]["count"] < min_samples;
}

void add_rows(TextTable& table, const Json& record, const Records& group, int64_t min_samples) {
  const bool roof = record["role"] == "roof";
  const std::vector<std::string> config = wrapped(short_config(record, group));
  const auto add = [&](std::vector<std::string> rest) {
    std::vector<std::string> row{(roof ? "roof " : "") + kind_of(record), place_of(record),
                                 config.front()};
    row.insert(row.end(), rest.begin(), rest.end());
    table.add(row);
    for (size_t i = 1; i < config.size(); ++i) table.add({"", "", config[i]});
  };
  if (record["outcome"] != "ok" || !measured(record)) return add({"", text_of(record, "outcome")});
  for (const char* mode : {"cold", "hot"}) {
    if (!record[mode].is_object()) continue;
    const Json& block = record[mode];
    const Json none{{"flops", nullptr}, {"compulsory_bytes", nullptr}};
    const Json& shares = block["share_of_roof"].is_object() ? block["share_of_roof"] : none;
    add({mode, number(block["statistics"], "median_seconds", 1e3, 4),
         number(block["statistics"], "median_noise", 100, 1) +
             (too_few_samples(block, min_samples) ? "*" : ""),
         number(block, "flops_per_second", 1e-9, 1), number(shares, "flops", 100, 1),
         number(block, "compulsory_bytes_per_second", 1e-9, 1),
         number(shares, "compulsory_bytes", 100, 1)});
  }
}

std::string measurements_table(const Records& group, int64_t min_samples) {
  TextTable table({"case", "on", "configuration", "cache", "median ms", "+-%", "GFLOP/s", "% gemm",
                   "GB/s", "% copy"});
  for (const Json* record : roofs_once(group)) add_rows(table, *record, group, min_samples);
  return table.text();
}

// "train/cg/cuda/netflix/rank:100" -> "cg"
std::string training_name(const Json& record) {
  const std::string name = record["name"];
  const size_t begin = name.find('/') + 1;
  return name.substr(begin, name.find("/" + text_of(record, "backend") + "/") - begin);
}

std::string trainings_table(const Records& group) {
  TextTable table({"training", "on", "iterations", "test RMSE", "train RMSE", "seconds"});
  for (const Json* record : group) {
    const Json& iterations = (*record)["training"]["iterations"];
    double seconds = 0;
    for (const Json& iteration : iterations) seconds += iteration["seconds"]["total"].get<double>();
    std::vector<std::string> row{training_name(*record), place_of(*record)};
    if ((*record)["outcome"] != "ok" || iterations.empty())
      row.push_back(text_of(*record, "outcome"));
    else
      row.insert(row.end(),
                 {std::to_string(iterations.size()), number(iterations.back(), "test_rmse", 1, 4),
                  number(iterations.back(), "train_rmse", 1, 4), fmt::format("{:.3f}", seconds)});
    table.add(row);
  }
  return table.text();
}

std::string cut(std::string line) {
  std::replace(line.begin(), line.end(), '\n', ' ');
  return line.size() <= kLineWidth ? line : line.substr(0, kLineWidth - 3) + "...";
}

// Each failed case with its reason and the command that repeats it, and each reason to skip.
std::string remarks(const std::vector<Json>& records) {
  std::string text;
  std::vector<std::pair<std::string, int>> skipped;
  for (const Json& record : records) {
    if (record["outcome"] == "ok") continue;
    const std::string detail = text_of(record, "detail");
    if (record["outcome"] != "skipped") {
      text += cut(fmt::format("{}: {}", text_of(record, "outcome"), text_of(record, "name"))) +
              "\n" + cut("    " + detail) + "\n";
      // whole, however long: it is there to be copied
      if (const std::string repeat = record.value("repeat", ""); !repeat.empty())
        text += "    " + repeat + "\n";
      continue;
    }
    const auto known = std::find_if(skipped.begin(), skipped.end(),
                                    [&](const auto& entry) { return entry.first == detail; });
    if (known == skipped.end())
      skipped.emplace_back(detail, 1);
    else
      ++known->second;
  }
  for (const auto& [reason, count] : skipped)
    text += cut(fmt::format("{} skipped: {}", count, reason)) + "\n";
  return text;
}

// What the mark at medians of too few samples means, where there are such.
std::string remark_on_samples(const std::vector<Json>& records, int64_t min_samples) {
  int64_t count = 0;
  for (const Json& record : records)
    for (const char* mode : {"cold", "hot"})
      if (record[mode].is_object() && record[mode]["statistics"].is_object())
        count += too_few_samples(record[mode], min_samples) ? 1 : 0;
  if (count == 0) return "";
  return fmt::format(
      "* {} median{} of fewer than {} samples: time ran out; --timeout S gives more\n", count,
      count == 1 ? "" : "s", min_samples);
}

}  // namespace

std::string run_table(const std::vector<Json>& records, int64_t min_samples) {
  std::string text;
  for (const auto& [heading, group] : by_heading(records)) {
    const bool training = (*group.front())["role"] == "training";
    text += heading + "\n" +
            (training ? trainings_table(group) : measurements_table(group, min_samples)) + "\n";
  }
  const std::string rest = remark_on_samples(records, min_samples) + remarks(records);
  if (rest.empty() && !text.empty()) text.pop_back();
  return text + rest;
}

}  // namespace alsbench
