#include "harness/sweep/rates.h"

#include <map>
#include <string>

#include "harness/sweep/json_of.h"
#include "variants/catalog.h"

namespace alsbench {
namespace {

Json rate(const Json& work, const char* key, double seconds) {
  if (!work.is_object() || !work.at(key).is_number() || work[key] == 0.0 || !(seconds > 0))
    return nullptr;
  return work[key].get<double>() / seconds;
}

std::string precision_of(const Json& record) {
  const Json& config = record.at("config");
  if (config.contains("precision")) return config["precision"];
  const std::string factors = config.value("factors", "fp32");
  return factors == "bf16" ? "fp16" : factors;  // tensor cores multiply both at one rate
}

// The number under `key` of a record's block of one cache mode, or 0.
double value_of(const Json& record, const char* mode, const char* key) {
  if (!record.contains(mode) || !record[mode].is_object()) return 0;
  const Json& value = record[mode].at(key);
  return value.is_number() ? value.get<double>() : 0;
}

// What a record's stage is a roof of.
Limit limit_of(const Json& record) {
  const auto stage = record.at("stage").is_string()
                         ? stage_named(record["stage"].get<std::string>())
                         : std::nullopt;
  return stage ? (*stage)->limit : Limit::none;
}

struct Roofs {
  double flops_per_second = 0;
  double bytes_per_second = 0;
  std::string flops_name, bytes_name;
};

// A solver's or update's precision has no GEMM of its own name: it is judged by FP32.
Roofs roofs_for(const Json& record, const char* mode, const std::vector<const Json*>& candidates) {
  Roofs roofs;
  for (const Json* candidate : candidates) {
    const Limit limit = limit_of(*candidate);
    const double bytes = value_of(*candidate, mode, "compulsory_bytes_per_second");
    const double flops = value_of(*candidate, mode, "paper_flops_per_second");
    if (limit == Limit::bytes && bytes > roofs.bytes_per_second) {
      roofs.bytes_per_second = bytes;
      roofs.bytes_name = candidate->at("name");
    }
    if (limit == Limit::flops && precision_of(*candidate) == precision_of(record) &&
        flops > roofs.flops_per_second) {
      roofs.flops_per_second = flops;
      roofs.flops_name = candidate->at("name");
    }
  }
  return roofs;
}

Json share(double value, double roof) {
  return value > 0 && roof > 0 ? Json(value / roof) : Json(nullptr);
}

// FLOP/s by the paper's count where the stage has one.
double judged_flops(const Json& record, const char* mode) {
  const double paper = value_of(record, mode, "paper_flops_per_second");
  return paper > 0 ? paper : value_of(record, mode, "flops_per_second");
}

Json shares(const Json& record, const char* mode, double flops_roof, double bytes_roof) {
  return {{"flops", share(judged_flops(record, mode), flops_roof)},
          {"logical_bytes", share(value_of(record, mode, "logical_bytes_per_second"), bytes_roof)},
          {"compulsory_bytes",
           share(value_of(record, mode, "compulsory_bytes_per_second"), bytes_roof)}};
}

Json share_of_roof(const Json& record, const char* mode,
                   const std::vector<const Json*>& candidates) {
  const Roofs roofs = roofs_for(record, mode, candidates);
  if (roofs.flops_name.empty() && roofs.bytes_name.empty()) return nullptr;
  Json json = shares(record, mode, roofs.flops_per_second, roofs.bytes_per_second);
  json["flops_roof"] = roofs.flops_name.empty() ? Json(nullptr) : Json(roofs.flops_name);
  json["bytes_roof"] = roofs.bytes_name.empty() ? Json(nullptr) : Json(roofs.bytes_name);
  return json;
}

Json share_of_nominal(const Json& record, const char* mode, const Json& nominal) {
  if (!nominal.is_object()) return nullptr;
  const Json& flops = nominal.at(precision_of(record) + "_flops_per_second");
  return shares(record, mode, flops, nominal.at("bytes_per_second"));
}

}  // namespace

Json measurement_json(const Measurement& measurement, const Json& work) {
  if (measurement.samples.empty()) return nullptr;
  const std::string stop_reason =
      measurement.stop_reason.empty() ? "failed" : measurement.stop_reason;
  std::vector<double> seconds;
  Json samples = Json::array();
  for (const Sample& sample : measurement.samples) {
    seconds.push_back(sample.seconds);
    samples.push_back(json_of(sample));
  }
  const Statistics statistics = statistics_of(seconds);
  const Json launch{{"median_seconds", json_of(statistics.median)},
                    {"count", statistics.count},
                    {"stop_reason", stop_reason}};
  return {{"samples", samples},
          {"statistics", json_of(statistics)},
          {"launches", Json::array({launch})},
          {"stop_reason", stop_reason},
          {"flops_per_second", rate(work, "useful_flops", statistics.median)},
          {"paper_flops_per_second", rate(work, "paper_flops", statistics.median)},
          {"logical_bytes_per_second", rate(work, "logical_bytes", statistics.median)},
          {"compulsory_bytes_per_second", rate(work, "compulsory_bytes", statistics.median)},
          {"share_of_roof", nullptr},
          {"share_of_nominal", nullptr}};
}

Json merge_launches(const Json& record, const Json& next) {
  if (record.at("outcome") != "ok") return record;
  if (next.at("outcome") != "ok") {
    Json failed = next;
    failed["detail"] = "in a later launch: " + next.at("detail").get<std::string>();
    return failed;
  }
  Json merged = record;
  merged["recheck"] = next.at("recheck");
  const auto bytes_of = [](const Json& one) { return one.value("peak_device_bytes", Json()); };
  if (bytes_of(next).is_number())
    merged["peak_device_bytes"] = std::max(bytes_of(record), bytes_of(next));
  for (const char* mode : {"cold", "hot"}) {
    if (!record.at(mode).is_object() || !next.at(mode).is_object()) continue;
    Measurement all;
    for (const Json* block : {&record[mode], &next[mode]})
      for (const Json& sample : block->at("samples")) all.samples.push_back(sample_of(sample));
    all.stop_reason = next[mode].at("stop_reason");
    merged[mode] = measurement_json(all, record.at("work"));
    merged[mode]["launches"] = record[mode].at("launches");
    for (const Json& launch : next[mode].at("launches")) merged[mode]["launches"].push_back(launch);
  }
  if (record.at("training").is_object()) {
    const auto launch_of = [](const Json& training) {
      return Json{{"iterations", training.at("iterations")}, {"result", training.at("result")}};
    };
    Json& training = merged["training"];
    if (!training.contains("launches")) training["launches"] = Json::array({launch_of(training)});
    training["launches"].push_back(launch_of(next.at("training")));
  }
  return merged;
}

void add_shares(std::vector<Json>& records, const std::vector<Json>& devices) {
  std::map<std::string, std::vector<const Json*>> roofs_of_batch;
  for (const Json& record : records)
    if (record["role"] == "roof" && record["outcome"] == "ok")
      roofs_of_batch[record["batch"]].push_back(&record);
  std::map<std::string, Json> nominal_of_device;
  for (const Json& device : devices) nominal_of_device[device.at("device")] = device.at("nominal");
  for (Json& record : records)
    for (const char* mode : {"cold", "hot"}) {
      if (!record[mode].is_object()) continue;
      const Json shares = {
          {"share_of_roof", share_of_roof(record, mode, roofs_of_batch[record["batch"]])},
          {"share_of_nominal",
           share_of_nominal(record, mode, nominal_of_device[record["device"]])}};
      record[mode].update(shares);
    }
}

}  // namespace alsbench
