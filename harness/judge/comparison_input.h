// SPDX-License-Identifier: Apache-2.0
// ComparisonInput: one side of a comparison, from any kind of file. It has cases with one median
// per process launch, and the environment of the measurement. Readers of result files, Google
// Benchmark's and nvbench's make one; comparison.h judges two.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "harness/judge/kernel_resources.h"
#include "harness/judge/setup.h"
#include "harness/record/comparison_record.h"
#include "harness/record/counters.h"
#include "harness/record/outcome.h"
#include "harness/record/result.h"

namespace alsbench {

struct ForeignReader;

inline constexpr const char* kOwnFormat = "alsbench";
inline constexpr const char* kGoodEnd = "exit code 0";

// One process launch: the unit of replication. `seconds` is the median of its samples. Of another
// quantity than time it is the cost: the value, or its inverse where more is better.
struct Launch {
  double seconds = 0;
  int64_t samples = 1;
  bool disturbed = false;  // by other work on its machine
  bool timed_out = false;  // its samples ended with the time for them
  double clock_hz = 0;     // of a GPU, the median of its samples; 0: not known
  size_t file = 0;         // that it is from, of its side
};

// Compiled properties of one kernel, and how it is launched. -1: not known.
struct KernelFacts {
  std::string instance = {};
  std::string code_hash = {};
  KernelResources resources = {};
  int64_t grid = -1;
  int64_t block = -1;
};

struct ComparisonCase {
  std::string name = {};    // unique within its input; with the cache mode: ".../part:x/cold"
  std::string record = {};  // the name without it: how a case that failed is found; may be empty
  CaseRole role = CaseRole::kernel;
  std::string device = {};  // controls vouch for the cases of their device
  std::string kind = {};    // of a control: what is pooled, "copy/memcpy/cuda/cold"
  Outcome outcome = Outcome::ok;
  std::string detail = {};  // why the outcome is not ok
  Quantity quantity = {};   // of its launches
  std::vector<Launch> launches = {};
  std::vector<KernelFacts> kernels = {};
  int64_t peak_device_bytes = -1;         // the most of its launches; -1: not known
  std::string metric = {};                // what a training is judged by; less is better
  std::vector<double> metrics = {};       // after its last iteration, one a launch
  double solver_steps = 0;                // mean of the rows checked; 0: it has no iterative solver
  std::optional<Counters> counters = {};  // of all of its kernels, where they were read
  std::string no_counters = {};           // why they were not, where they were wanted
  // Seconds of its kernels, or of a training's stages, one a launch that has them.
  std::map<std::string, std::vector<double>> parts = {};
  std::set<std::string> ends =
      {};  // of the runs of a command: kGoodEnd, "exit code 1"; where known
};

struct ComparisonInput {
  std::string source = {};                  // file or files, for messages
  std::vector<std::string> times_utc = {};  // when each of its files was measured, as far as known
  std::string format = {};                  // kOwnFormat, or the name of a ForeignFormat
  // How it was measured. Names that only one side has do not count, but for devices in files of one
  // format.
  std::vector<Property> environment = {};
  std::vector<ComparisonCase> cases = {};
  std::vector<KernelsProvenance> kernels = {};  // custom ones that its files were measured with
};

// Adds another file's launches to the cases of the same name; new names are appended, and a case
// that failed in either has failed. Throws UsageError where environments, units or the files of a
// custom kernel differ.
class InputMerger {
 public:
  void add(ComparisonInput input);
  // Takes nothing but the counters of another file, or why there are none.
  void adopt_counters(const ComparisonInput& counted);
  ComparisonInput& input() { return input_; }
  const ComparisonInput& input() const { return input_; }

 private:
  void add_kernels(const ComparisonInput& input);

  ComparisonInput input_;
  size_t files_ = 0;
  std::unordered_map<std::string, size_t> index_;  // by name
};

// Makes the launches of each file one, which is their median: they resemble each other.
void join_launches_of_files(ComparisonInput& input);

// Of a GPU's clock over the launches that know it; 0 where none does.
double median_clock(const ComparisonCase& c);

ComparisonInput comparison_input_of(const ResultDocument& document, const std::string& source);

// A file of a launch of another tool. Throws UsageError naming `source` where it is empty, torn or
// of another format.
ComparisonInput read_foreign_file(const std::filesystem::path& path, const std::string& source,
                                  const ForeignReader& reader);

// Files, or folders that stand for every .json in them (but .gbench.json); each file adds its
// launches. Throws UsageError naming the file that is missing, empty, torn or of no known format.
ComparisonInput read_comparison_input(const std::vector<std::filesystem::path>& paths,
                                      const ForeignReader& reader);
ComparisonInput read_comparison_input(const std::vector<std::filesystem::path>& paths);

}  // namespace alsbench
