// SPDX-License-Identifier: Apache-2.0
#include "harness/custom/load.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "base/error.h"
#include "harness/custom/custom_stage.h"
#include "harness/custom/host_kernel.h"
#include "harness/custom/launch.h"
#include "harness/device/cuda_backend.h"
#include "harness/files/atomic_file.h"
#include "harness/record/provenance.h"
#include "harness/sweep/suite/suite.h"
#include "variants/catalog.h"

namespace alsbench::custom {
namespace {

namespace fs = std::filesystem;

std::vector<std::string>& arguments() {
  static std::vector<std::string> words;
  return words;
}

// Those that have been loaded; they live as long as the program.
std::vector<std::unique_ptr<const CustomStage>>& stages() {
  static std::vector<std::unique_ptr<const CustomStage>> list;
  return list;
}

template <Scalar type>
Scalar multiplies(const Config&) {
  return type;
}

Scalar (*multiplied_by(const std::string& tensor_cores))(const Config&) {
  switch (scalar_named(tensor_cores).value_or(Scalar::fp32)) {
    case Scalar::fp16:
      return multiplies<Scalar::fp16>;
    case Scalar::bf16:
      return multiplies<Scalar::bf16>;
    case Scalar::tf32:
      return multiplies<Scalar::tf32>;
    case Scalar::int8:
      return multiplies<Scalar::int8>;
    case Scalar::fp8:
      return multiplies<Scalar::fp8>;
    default:
      return nullptr;
  }
}

std::unique_ptr<const CustomStage> stage_of(KernelFile file) {
  auto stage = std::make_unique<CustomStage>();
  stage->file = std::move(file);
  stage->name = stage->file.name;
  stage->contract = kContract;
  stage->problems = stage->file.problems;
  if (stage->file.work.flops) stage->bounds.push_back(Bound::arithmetic);
  if (stage->file.work.bytes) stage->bounds.push_back(Bound::memory);
  return stage;
}

Variant variant_of(const CustomStage& stage, const Kernel& kernel) {
  const KernelFile& file = stage.file;
  Variant variant;
  variant.stage = &stage;
  variant.name = kernel.name;
  variant.backend = kernel.backend();
  variant.summary = kernel.description.empty()
                        ? fmt::format("{} of {}", kernel.function, kernel.file)
                        : kernel.description;
  variant.nondeterminism = kernel.nondeterminism;
  variant.space = kernel.parameter_space();
  variant.objection = [&](const Config& config, const Shape& shape, const DeviceTraits& traits) {
    return objection(file, kernel, with_entries(shape.sizes, config), traits);
  };
  if (kernel.backend() == Backend::cuda) {
    variant.multiplies = multiplied_by(kernel.tensor_cores);
    variant.plan = [&](const Config& config, const Shape& shape, const DeviceTraits&) {
      return plan(file, kernel, config, shape.sizes);
    };
    return variant;
  }
  variant.run = [&](const Config& config, const Shape&, const StageParams& params,
                    const RunContext& context) {
    std::any& memo = *context.memo;
    if (!memo.has_value()) memo = host_function(file, kernel, config);
    std::any_cast<HostFunction*>(memo)(argument_pointers(params).data());
  };
  return variant;
}

[[noreturn]] void refuse_name(const KernelFile& file, const char* what) {
  throw UsageError(fmt::format("{}: /name: there is a {} '{}' already; choose another name",
                               (file.folder / "kernel.json").string(), what, file.name));
}

void add_to_catalog(const CustomStage& stage, Catalog& catalog) {
  for (const Stage known : catalog.stages())
    if (known->name == stage.name) refuse_name(stage.file, "stage");
  catalog.add(&stage);
  for (const Kernel& kernel : stage.file.kernels) catalog.add(variant_of(stage, kernel));
}

// Every problem, every variant at its default, and the ceilings that its counts are held against.
std::string suite_of(const KernelFile& file) {
  Json problems = Json::array();
  for (const Config& problem : file.problems) {
    Json sizes = Json::object();
    for (const auto& [name, size] : problem.entries()) sizes[name] = std::stoll(size);
    problems.push_back({{"sizes", sizes}});
  }
  Json ceilings = Json::array();
  if (file.work.bytes) ceilings.push_back({{"stage", "copy"}});
  if (file.work.flops) ceilings.push_back({{"stage", "fma"}, {"cache", "hot"}});
  const bool tensor_cores = std::any_of(file.kernels.begin(), file.kernels.end(),
                                        [](const Kernel& k) { return !k.tensor_cores.empty(); });
  if (file.work.flops && tensor_cores) ceilings.push_back({{"stage", "mma"}, {"cache", "hot"}});
  const Json suite{
      {"name", file.name},
      {"description", file.description},
      {"answer", "shares"},
      {"problems", problems},
      {"measure", Json::array({{{"stage", file.name}}})},
      {"ceilings", ceilings},
      {"sampling",
       {{"min_samples", 5}, {"max_samples", 50}, {"max_noise", 0.01}, {"max_seconds", 1}}}};
  return suite.dump(2) + "\n";
}

void add_sources(const KernelFile& file) {
  std::vector<SourceFile> sources;
  for (const auto& entry : fs::recursive_directory_iterator(file.folder)) {
    const std::string suffix = entry.path().extension().string();
    if (entry.is_regular_file() && (suffix.starts_with(".cu") || suffix.starts_with(".h")))
      sources.push_back({file.name + "/" + entry.path().lexically_relative(file.folder).string(),
                         read_whole_file(entry.path())});
  }
  add_kernel_sources(std::move(sources));
}

void load_one(const fs::path& folder) {
  stages().push_back(stage_of(read_kernel_file(folder)));
  const CustomStage& stage = *stages().back();
  const KernelFile& file = stage.file;
  extend_catalog([&stage](Catalog& catalog) { add_to_catalog(stage, catalog); });
  try {
    add_suite(file.name, suite_of(file));
  } catch (const UsageError&) {
    refuse_name(file, "suite");
  }
  add_sources(file);
  record_kernels({file.name, file.hash});
}

// Itself, or each folder in it that has a kernel.json.
std::vector<fs::path> folders_of(const fs::path& folder, const std::string& option) {
  std::vector<fs::path> folders;
  if (fs::is_regular_file(folder / "kernel.json")) folders.push_back(folder);
  if (folders.empty() && fs::is_directory(folder))
    for (const auto& entry : fs::directory_iterator(folder))
      if (fs::is_regular_file(entry.path() / "kernel.json")) folders.push_back(entry.path());
  if (folders.empty())
    throw UsageError(fmt::format(
        "{} {}: {}; docs/tasks/bring-a-kernel.md shows one", option, folder.string(),
        !fs::exists(folder)        ? "there is no such folder"
        : fs::is_directory(folder) ? "has no kernel.json, nor has a folder in it"
                                   : "is no folder: name the one that kernel.json lies in"));
  std::sort(folders.begin(), folders.end());
  return folders;
}

}  // namespace

void load_kernels(const fs::path& folder, const std::string& option) {
  const std::vector<fs::path> folders = folders_of(folder, option);
  if (stages().empty()) add_support(custom_support());
  for (const fs::path& one : folders) load_one(one);
  arguments().insert(arguments().end(), {"--kernels", fs::absolute(folder).string()});
}

std::vector<KernelsProvenance> kernels_in(const fs::path& folder, const std::string& option) {
  std::vector<KernelsProvenance> kernels;
  for (const fs::path& one : folders_of(folder, option)) {
    KernelFile file = read_kernel_file(one);
    kernels.push_back({std::move(file.name), std::move(file.hash)});
  }
  return kernels;
}

std::vector<std::string> kernel_names() {
  std::vector<std::string> names;
  for (const auto& stage : stages()) names.push_back(stage->file.name);
  return names;
}

const std::vector<std::string>& kernel_arguments() { return arguments(); }

}  // namespace alsbench::custom
