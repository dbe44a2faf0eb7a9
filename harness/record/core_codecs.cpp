// SPDX-License-Identifier: Apache-2.0
#include "harness/record/core_codecs.h"

#include <string_view>
#include <utility>

namespace alsbench {
namespace {

// Instruction sets of kernels/cpu/simd, by the bits of a vector.
constexpr std::pair<int, std::string_view> kInstructionSets[] = {{256, "avx2"}, {512, "avx512"}};

// "sm_90" or "avx512"; null where it is not known.
Json architecture_json(const DeviceTraits& traits) {
  if (traits.architecture == 0) return nullptr;
  if (traits.backend == Backend::cuda) return "sm_" + std::to_string(traits.architecture);
  for (const auto& [bits, name] : kInstructionSets)
    if (bits == traits.architecture) return name;
  return nullptr;
}

int architecture_from_json(const JsonField& json, Backend backend) {
  if (json.is_null()) return 0;
  if (backend == Backend::cuda) return parse_architecture(json.text());
  for (const auto& [bits, name] : kInstructionSets)
    if (name == json.text()) return bits;
  json.fail("names an instruction set that this program does not know");
}

}  // namespace

Json to_json(const Shape& shape) {
  return {{"rows", shape.rows},
          {"cols", shape.cols},
          {"nnz", shape.nnz},
          {"rank", shape.rank},
          {"row_length_quantiles", shape.row_length_quantiles},
          {"batch_rows", shape.batch_rows}};
}

Shape shape_from_json(const JsonField& json) {
  Shape shape;
  shape.rows = json.at("rows").integer();
  shape.cols = json.at("cols").integer();
  shape.nnz = json.at("nnz").integer();
  shape.rank = json.at("rank").integer32();
  const JsonField quantiles = json.at("row_length_quantiles");
  const std::vector<JsonField> lengths = quantiles.elements();
  if (lengths.size() != shape.row_length_quantiles.size())
    quantiles.fail("has " + std::to_string(lengths.size()) + " values, not 7");
  for (size_t i = 0; i < lengths.size(); ++i) shape.row_length_quantiles[i] = lengths[i].integer();
  shape.batch_rows = json.at("batch_rows").integer();
  return shape;
}

Json to_json(const Config& config) {
  Json json = Json::object();
  for (const auto& [name, value] : config.entries()) json[name] = value;
  return json;
}

Config config_from_json(const JsonField& json) {
  std::vector<std::pair<std::string, std::string>> entries;
  for (const auto& [name, value] : json.members()) entries.emplace_back(name, value.text());
  return Config(std::move(entries));
}

Json to_json(const Work& work) {
  const double bytes = work.compulsory_bytes;
  return {{"useful_flops", json_of(work.useful_flops)},
          {"paper_flops", json_of(work.paper_flops)},
          {"logical_bytes", json_of(work.logical_bytes)},
          {"compulsory_bytes", json_of(bytes)},
          {"gathered_bytes", json_of(work.gathered_bytes)},
          {"table_bytes", json_of(work.table_bytes)},
          {"missed_bytes", json_of(work.missed_bytes)},
          {"l2_bytes", json_of(work.l2_bytes)},
          {"flops_per_compulsory_byte", json_of(work.useful_flops / bytes)}};
}

Work work_from_json(const JsonField& json) {
  Work work;
  work.useful_flops = json.at("useful_flops").number_or_nan();
  work.paper_flops = json.at("paper_flops").number_or_nan();
  work.logical_bytes = json.at("logical_bytes").number_or_nan();
  work.compulsory_bytes = json.at("compulsory_bytes").number_or_nan();
  // Older files do not say: no rate is known, and nothing of L2.
  work.gathered_bytes = optional_number(json.find("gathered_bytes")).value_or(0);
  work.table_bytes = optional_number(json.find("table_bytes")).value_or(0);
  work.missed_bytes = optional_number(json.find("missed_bytes")).value_or(0);
  work.l2_bytes = optional_number(json.find("l2_bytes")).value_or(0);
  return work;
}

Json to_json(const DeviceTraits& traits) {
  return {{"backend", name_of(traits.backend)},
          {"name", traits.name},
          {"architecture", architecture_json(traits)},
          {"multiprocessors", traits.multiprocessors},
          {"memory_bytes", traits.memory_bytes},
          {"l2_bytes", traits.l2_bytes},
          {"shared_bytes_per_block", traits.shared_bytes_per_block},
          {"shared_bytes_per_multiprocessor", traits.shared_bytes_per_multiprocessor},
          {"registers_per_multiprocessor", traits.registers_per_multiprocessor},
          {"threads_per_multiprocessor", traits.threads_per_multiprocessor},
          {"blocks_per_multiprocessor", traits.blocks_per_multiprocessor}};
}

DeviceTraits device_traits_from_json(const JsonField& json) {
  DeviceTraits traits;
  traits.backend = json.at("backend").word(backend_named);
  traits.name = json.at("name").text();
  traits.architecture = architecture_from_json(json.at("architecture"), traits.backend);
  traits.multiprocessors = json.at("multiprocessors").integer32();
  traits.memory_bytes = json.at("memory_bytes").integer();
  traits.l2_bytes = json.at("l2_bytes").integer();
  traits.shared_bytes_per_block = json.at("shared_bytes_per_block").integer();
  traits.shared_bytes_per_multiprocessor = json.at("shared_bytes_per_multiprocessor").integer();
  traits.registers_per_multiprocessor = json.at("registers_per_multiprocessor").integer32();
  traits.threads_per_multiprocessor = json.at("threads_per_multiprocessor").integer32();
  traits.blocks_per_multiprocessor = json.at("blocks_per_multiprocessor").integer32();
  return traits;
}

}  // namespace alsbench
