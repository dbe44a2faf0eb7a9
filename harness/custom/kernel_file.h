// SPDX-License-Identifier: Apache-2.0
// KernelFile: a custom stage as its author writes it, in kernel.json of a folder. `alsbench schema
// kernel` prints its schema, and docs/reference/kernels.md explains it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "harness/custom/element.h"
#include "harness/record/fields/fields.h"
#include "harness/record/fields/forms.h"
#include "variants/core/backend.h"
#include "variants/core/config.h"
#include "variants/core/parameter_space.h"

namespace alsbench::custom {

// The direction of a buffer.
enum class Use { input, output, inout };

// Content of a buffer before the kernel runs.
enum class Fill { uniform, normal, positive_definite, constant, npy };

// A buffer has a shape, a scalar has a value.
struct Argument {
  std::string name;
  Element type = Element::float32;
  std::vector<TextOrNumber> shape;  // expressions of the sizes
  Use use = Use::input;
  std::optional<Fill> fill;
  double low = -1, high = 1;          // of uniform
  std::optional<TextOrNumber> value;  // of a scalar an expression of the sizes; of `constant`
  std::string file;                   // of `npy`, beside kernel.json
  std::string expected;               // of an output: its right content as an .npy file

  bool is_buffer() const { return !shape.empty(); }
  bool is_read() const { return is_buffer() && use != Use::output; }
  bool is_written() const { return is_buffer() && use != Use::input; }
};

// kernel_tuner's and KTT's T1 format, ConfigurationSpace.
struct TuningParameter {
  std::string name;
  std::vector<std::string> values;  // the default first
  Json type;
};
struct TuningCondition {
  std::string expression;
  Json parameters;
};
struct TuningSpace {
  std::vector<TuningParameter> parameters;
  std::vector<TuningCondition> conditions;
};

// How the values of parameters reach the compiler.
enum class ParametersAs { macros, template_arguments };
constexpr auto enum_names(ParametersAs) {
  return std::to_array<EnumName<ParametersAs>>({{ParametersAs::template_arguments, "template"}});
}

struct Kernel {
  std::string name, description;
  std::string file;      // beside kernel.json; .cu is of CUDA, .cpp of the CPU
  std::string function;  // __global__, or of the CPU any
  ParametersAs parameters = ParametersAs::macros;
  TuningSpace space;
  OneOrMore<TextOrNumber> grid, block;  // expressions of sizes and parameters, up to 3
  TextOrNumber shared_bytes;            // likewise, of dynamic shared memory
  std::vector<std::string> options;     // of the compiler
  std::string tensor_cores;             // the type that they multiply, where they do
  std::string nondeterminism;           // why equal executions may differ in their bits

  Backend backend() const;
  ParameterSpace parameter_space() const;
};

struct Tolerance {  // |value - expected| <= absolute + relative |expected|
  double relative = 0, absolute = 0;
};

struct WorkCounts {
  std::optional<TextOrNumber> flops, bytes;  // expressions of the sizes
};

struct KernelFile {
  std::string name, description;
  std::vector<Config> problems;  // sizes, the default first
  std::vector<Argument> arguments;
  std::string reference;  // a kernel's name; empty: each output has its expected content
  Tolerance tolerance;
  WorkCounts work;
  std::vector<Kernel> kernels;

  std::filesystem::path folder;  // that it was read from
  std::string hash;              // of all files in it

  const Kernel* kernel(const std::string& wanted, Backend backend) const;
};

void describe(Fields<KernelFile>& fields);

// Reports, at its place, all that is wrong beyond the schema: names, expressions and files that
// belong together.
void check_kernel_file(const KernelFile& file, const JsonField& json);

// Reads and checks kernel.json of a folder. Throws UsageError that lists every error with its JSON
// pointer and a remedy.
KernelFile read_kernel_file(const std::filesystem::path& folder);

// An expression as a whole number from `minimum` on. Throws UsageError that says what it is
// instead.
int64_t whole_number(const std::string& expression, const Config& names, int64_t minimum);
// How many elements a buffer has along each dimension. Throws UsageError where that is no number
// from 1 on, or where they are more in all than any memory holds.
std::vector<int64_t> extents_of(const Argument& argument, const Config& sizes);
// Throws UsageError where the value of a scalar or a constant is no number of its type.
void check_value(const Argument& argument, const Config& sizes);
// Throws UsageError where a count of work is not above 0.
void check_count(const TextOrNumber& count, const Config& sizes);
// Both together.
Config with_entries(Config first, const Config& second);

}  // namespace alsbench::custom
