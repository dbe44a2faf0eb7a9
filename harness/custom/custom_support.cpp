// SPDX-License-Identifier: Apache-2.0
// The fixture and the check of every custom stage: all elements of all outputs, against another
// kernel of the file or what its author saved.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "base/error.h"
#include "harness/custom/buffers.h"
#include "harness/custom/custom_stage.h"
#include "harness/stage/check.h"
#include "harness/stage/verifier.h"
#include "variants/catalog.h"
#include "variants/core/expression.h"

namespace alsbench::custom {
namespace {

class CustomFixture : public StageFixture {
 public:
  explicit CustomFixture(const FixtureRequest& request)
      : StageFixture(request),
        file_(file_of(request.stage)),
        buffers_(device(), file_, shape_.sizes) {
    buffers_.draw(request.seed);
  }
  void restore(const Variant&) override { buffers_.restore(); }
  void poison() override { buffers_.poison(); }
  StageParams params(int64_t) const override { return buffers_.arguments(); }
  Operands operands(const Variant&, int64_t) const override { return buffers_.operands(); }
  Work work(const WorkOptions&) const override {
    const auto count = [&](const std::optional<TextOrNumber>& text) {
      return text ? Expression(text->text).value(shape_.sizes)
                  : std::numeric_limits<double>::quiet_NaN();
    };
    Work work;
    work.useful_flops = count(file_.work.flops);
    work.paper_flops = std::numeric_limits<double>::quiet_NaN();
    work.logical_bytes = work.compulsory_bytes = count(file_.work.bytes);
    return work;
  }

  const KernelFile& file() const { return file_; }
  const Buffers& buffers() const { return buffers_; }

 private:
  const KernelFile& file_;
  Buffers buffers_;
};

using Outputs = std::vector<Output>;  // of each argument; of others empty

Outputs outputs_of(const KernelFile& file, const Buffers& buffers) {
  Outputs outputs(file.arguments.size());
  for (size_t i = 0; i < outputs.size(); ++i)
    if (file.arguments[i].is_written()) outputs[i] = buffers.output(i);
  return outputs;
}

// The right outputs, or why they are not known.
struct Expected {
  Outputs outputs;
  std::optional<Violation> fault;
};

// The kernel whose outputs are right, for messages.
std::string text_of(const KernelFile& file, Backend backend) {
  const Kernel& kernel = *file.kernel(file.reference, backend);
  return fmt::format("the reference '{}', {} of {}", kernel.name, kernel.function,
                     (file.folder / kernel.file).string());
}

// By the reference on this device, on the fixture's own inputs.
Expected by_kernel_here(CustomFixture& fixture, const Variant& reference) {
  Device& device = fixture.problem().device();
  const auto executable =
      device.prepare(reference, reference.space.default_config(), fixture.shape());
  fixture.restore(reference);
  const MemoryWatch watch(fixture, reference);
  fixture.poison();
  executable->launch(fixture.params(0));
  device.synchronize();
  if (auto fault = watch.violation()) {
    fault->detail = fmt::format("{} {}", text_of(fixture.file(), reference.backend), fault->detail);
    return {{}, std::move(fault)};
  }
  return {outputs_of(fixture.file(), fixture.buffers()), {}};
}

// By the reference on the CPU, on the same inputs.
Expected by_kernel_of_cpu(const CustomFixture& fixture, const Variant& reference) {
  const auto cpu = open_cpu_device();
  Buffers buffers(*cpu, fixture.file(), fixture.shape().sizes);
  buffers.copy_inputs(fixture.buffers());
  buffers.poison();
  cpu->prepare(reference, reference.space.default_config(), fixture.shape())
      ->launch(buffers.arguments());
  return {outputs_of(fixture.file(), buffers), {}};
}

// An integer that is that far off the right one, which is rounded.
void add_rounded(const Place& place, double off, double right, double scale, RowCheck& row) {
  const double error = std::abs(off) / scale;
  if (error <= row.error) return;
  row.error = error;
  const std::string index =
      place.j < 0 ? fmt::to_string(place.i) : fmt::format("{}, {}", place.i, place.j);
  row.detail = fmt::format("{}({}) is {:g} off {:.9g}", place.name, index, off, right);
}

RowCheck compared(const KernelFile& file, const Argument& argument, const Config& sizes,
                  const Output& output, const Output& expected) {
  const std::vector<int64_t> extents = extents_of(argument, sizes);
  const auto [relative, absolute] = file.tolerance;
  const int64_t width = extents.size() > 1 ? extents.back() : 0;
  RowCheck row;
  row.tolerance = relative > 0 ? relative : absolute;
  for (size_t k = 0; k < output.values.size(); ++k) {
    const auto i = static_cast<int64_t>(k);
    const Place place{argument.name.c_str(), width > 0 ? i / width : i, width > 0 ? i % width : -1};
    const double right = expected.values[k];
    const double scale = relative > 0 ? std::abs(right) + absolute / relative : 1;
    const double rest = output.rest(k) - expected.rest(k), off = output.values[k] - right + rest;
    if (rest == 0)
      row.element(place, output.values[k], right, scale);
    else if (off != 0)  // as doubles they may be equal
      add_rounded(place, off, right, scale, row);
  }
  return row;
}

// The first element that two executions of the reference on the same inputs give differently,
// beyond the tolerance; nothing where they agree.
std::optional<std::string> disagreement(const CustomFixture& fixture, const Outputs& first,
                                        const Outputs& second) {
  const KernelFile& file = fixture.file();
  for (size_t i = 0; i < first.size(); ++i) {
    if (!file.arguments[i].is_written()) continue;
    const RowCheck row =
        compared(file, file.arguments[i], fixture.shape().sizes, second[i], first[i]);
    if (row.is_nan)
      return fmt::format(
          "the reference '{}' leaves an element without a number: {}; it must write all of its "
          "outputs, and neither NaN nor an infinity",
          file.reference, row.detail);
    if (row.wrong())
      return fmt::format(
          "the reference '{}' gives other outputs in a second execution on the same inputs: {}; "
          "make it deterministic, or widen the tolerance",
          file.reference, row.detail);
  }
  return std::nullopt;
}

// Nothing can be held against NaN or an infinity.
std::optional<Violation> without_numbers(const KernelFile& file, const Argument& argument,
                                         const Output& output) {
  const auto found =
      std::ranges::find_if_not(output.values, [](double value) { return std::isfinite(value); });
  if (found == output.values.end()) return std::nullopt;
  return Violation{
      Rule::wrong_result,
      fmt::format("{} holds {} at element {}, and outputs are held against numbers alone; save "
                  "the right ones, or leave out inputs that have none",
                  (file.folder / argument.expected).string(), *found,
                  found - output.values.begin())};
}

Expected by_files(const KernelFile& file, const Config& sizes) {
  Expected expected{Outputs(file.arguments.size()), {}};
  for (size_t i = 0; i < file.arguments.size(); ++i) {
    const Argument& argument = file.arguments[i];
    if (!argument.is_written()) continue;
    Output& output = expected.outputs[i];
    output = output_of(
        read_npy(file.folder / argument.expected, argument.type, extents_of(argument, sizes)),
        argument.type);
    if (!expected.fault) expected.fault = without_numbers(file, argument, output);
  }
  return expected;
}

// By the reference, whose failures name it.
Expected by_reference(CustomFixture& fixture) {
  const KernelFile& file = fixture.file();
  const Backend backend = fixture.problem().device().traits().backend;
  const Variant* const here = find_variant(fixture.stage(), file.reference, backend);
  const std::string name = text_of(file, here != nullptr ? backend : Backend::cpu);
  const auto named = [&](const std::exception& error) {
    return fmt::format("{}: {}", name, error.what());
  };
  try {
    fixture.announce(name);
    Expected expected =
        here != nullptr ? by_kernel_here(fixture, *here)
                        : by_kernel_of_cpu(fixture, variant_named(fixture.stage(), file.reference,
                                                                  Backend::cpu));
    fixture.announce("");
    return expected;
  } catch (const CompileError& error) {
    throw CompileError(named(error));
  } catch (const OutOfMemoryError& error) {
    throw OutOfMemoryError(named(error));
  } catch (const LaunchRefusedError& error) {
    throw LaunchRefusedError(named(error));
  } catch (const CudaError& error) {
    throw CudaError(named(error));
  }
}

Expected expected_outputs(CustomFixture& fixture) {
  const KernelFile& file = fixture.file();
  if (file.reference.empty()) return by_files(file, fixture.shape().sizes);
  Expected expected = by_reference(fixture);
  if (expected.fault) return expected;
  Expected again = by_reference(fixture);
  if (again.fault) return again;
  if (auto found = disagreement(fixture, expected.outputs, again.outputs))
    expected.fault = Violation{Rule::wrong_result, std::move(*found)};
  return expected;
}

Verification faulty(const Violation& fault) {
  Verification found;
  break_rule(fault, found);
  return found;
}

Verification check_custom(const CheckRequest& request) {
  auto& fixture = static_cast<CustomFixture&>(request.fixture);
  const KernelFile& file = fixture.file();
  fixture.restore(request.variant);
  const MemoryWatch watch(fixture, request.variant);
  fixture.make_ready(request.variant, request.config);
  request.executable.launch(fixture.params(0));
  request.device().synchronize();
  // Before the reference runs, which may do the same.
  if (const auto violation = watch.violation()) return faulty(*violation);
  const Outputs outputs = outputs_of(file, fixture.buffers());
  // Made when the kernel has run, which then finds them nowhere.
  const auto& expected = request.references.get<Expected>(
      fmt::format("custom/{}", file.name), [&] { return expected_outputs(fixture); });
  if (expected.fault) return faulty(*expected.fault);
  Tally tally;
  for (size_t i = 0; i < outputs.size(); ++i)
    if (file.arguments[i].is_written())
      tally.add(fmt::format("argument '{}'", file.arguments[i].name),
                compared(file, file.arguments[i], fixture.shape().sizes, outputs[i],
                         expected.outputs[i]));
  return tally.result();
}

}  // namespace

StageSupport custom_support() { return {kContract, make<CustomFixture>, check_custom}; }

}  // namespace alsbench::custom
