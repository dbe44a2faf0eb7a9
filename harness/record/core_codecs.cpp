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

Json config_json(const Config& config) {
  Json json = Json::object();
  for (const auto& [name, value] : config.entries()) json[name] = value;
  return json;
}

Config config_from_json(const JsonField& json) {
  std::vector<std::pair<std::string, std::string>> entries;
  for (const auto& [name, value] : json.members()) entries.emplace_back(name, value.text());
  return Config(std::move(entries));
}

}  // namespace

const Type& type_for(const Config*) {
  static const types::FormedType<Config> type(config_json, config_from_json, [](Definitions&) {
    return types::map_schema({{"type", "string"}});
  });
  return type;
}

const Type& type_for(const Limiter*) {
  static const types::FormedType<Limiter> type(
      [](const Limiter& limiter) { return Json(name_of(limiter)); },
      [](const JsonField& json) { return json.word(limiter_named); },
      [](Definitions&) {
        return Json{{"type", "string"}};
      });
  return type;
}

void describe(Fields<Shape>& fields) {
  fields.record("shape", "The shape of a stage's ratings.");
  fields("rows", &Shape::rows).range(Range::Kind::from_0).column();
  fields("cols", &Shape::cols).range(Range::Kind::from_0).column();
  fields("nnz", &Shape::nnz, "ratings").range(Range::Kind::from_0).column();
  fields("rank", &Shape::rank).range(Range::Kind::from_0);
  fields("row_length_quantiles", &Shape::row_length_quantiles);
  fields("batch_rows", &Shape::batch_rows, "rows that one launch treats");
  fields("sizes", &Shape::sizes, "of a problem that has sizes in place of ratings").omitted();
}

void describe(Fields<Work>& fields) {
  fields.record("work", "Work of one execution of a stage; the same of all its variants.");
  fields("useful_flops", &Work::useful_flops).nullable();
  fields("paper_flops", &Work::paper_flops, "as the paper counts").nullable();
  fields("logical_bytes", &Work::logical_bytes, "every operand each time it is named").nullable();
  fields("compulsory_bytes", &Work::compulsory_bytes, "every operand once").nullable();
  fields("gathered_bytes", &Work::gathered_bytes, "rows read by index");
  fields("table_bytes", &Work::table_bytes, "those rows, each once");
  fields("missed_bytes", &Work::missed_bytes, "of them, what L2 does not have");
  fields("l2_bytes", &Work::l2_bytes, "asked of L2 where nothing comes from L1");
  fields.computed("flops_per_compulsory_byte", [](const Work& work) {
    return std::optional(work.useful_flops / work.compulsory_bytes);
  });
}

void describe(Fields<DeviceTraits>& fields) {
  fields.record("device_traits", "A device, without its state.");
  fields("backend", &DeviceTraits::backend);
  fields("name", &DeviceTraits::name);
  fields.custom(
      "architecture", architecture_json,
      [](const JsonField& json, DeviceTraits& traits) {
        traits.architecture = architecture_from_json(json, traits.backend);
      },
      {{"type", {"string", "null"}}}, "sm_90, or avx2 or avx512 of a CPU");
  fields("multiprocessors", &DeviceTraits::multiprocessors, "or cores");
  fields("memory_bytes", &DeviceTraits::memory_bytes);
  fields("l2_bytes", &DeviceTraits::l2_bytes);
  fields("shared_bytes_per_block", &DeviceTraits::shared_bytes_per_block);
  fields("shared_bytes_per_multiprocessor", &DeviceTraits::shared_bytes_per_multiprocessor);
  fields("registers_per_multiprocessor", &DeviceTraits::registers_per_multiprocessor);
  fields("threads_per_multiprocessor", &DeviceTraits::threads_per_multiprocessor);
  fields("blocks_per_multiprocessor", &DeviceTraits::blocks_per_multiprocessor);
  fields("tiles", &DeviceTraits::tiles, "whether AMX tiles of a CPU can be used").omitted();
}

}  // namespace alsbench
