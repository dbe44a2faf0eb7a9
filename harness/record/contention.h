// SPDX-License-Identifier: Apache-2.0
// Contention: what other work on the machine took of something that was timed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/record/fields/fields.h"

namespace alsbench {

// Processor time that the threads of a process got while something was timed.
struct ProcessorUse {
  double cpu_seconds = 0;  // of all threads
  // The longest that a thread was ready to run and had no processor; not known where the kernel
  // keeps no schedstat of threads.
  std::optional<double> waited_seconds;
  int64_t involuntary_switches = 0;  // a thread lost its processor before it was done
  int64_t running = 0;               // tasks of the machine that could run at the end
  // The share of the processors that other processes had meanwhile, or in the two seconds before
  // the end where those are more; and what it may be off by. Not known where the system does not
  // say.
  std::optional<double> others_share = {}, others_error = {};
  // Those that the process may run on, and the threads that compute on them.
  std::optional<int64_t> processors = {}, threads = {};
};

// Another process's use of a GPU.
struct DeviceUse {
  int64_t id = 0;    // as the machine counts processes
  std::string name;  // "" where this process cannot see it
  double busy = 0;   // the share of time in which its kernels ran
};
// Adds uses to a list that has each process once, with its largest share.
void merge_device_uses(std::vector<DeviceUse>& uses, const std::vector<DeviceUse>& more);

// Other work that takes more than this share of a time disturbs it.
inline constexpr double kDisturbingShare = 0.02;
// Where other work leaves its threads less than this share of the processors that they need, a time
// may be a quarter longer.
inline constexpr double kCrowdingShare = 0.8;

struct Contention {
  std::optional<ProcessorUse> processor = {};  // of a time on a CPU
  std::vector<DeviceUse> others = {};          // of a time on a GPU, in the second before its end

  // Whether, in so many seconds, it ran kernels, or had processors while a thread waited for longer
  // than threads take to wake up.
  bool disturbs(double seconds) const;
  // Whether other processes surely left fewer processors than the threads need. Then a time is
  // doubtful although no thread waited: neighbours share caches, memory and clock.
  bool crowds() const;
  // The share that it took of so many seconds, of processors or of a GPU; not known where nothing
  // says.
  std::optional<double> taken_share(double seconds) const;
};

void describe(Fields<ProcessorUse>& fields);
void describe(Fields<DeviceUse>& fields);
void describe(Fields<Contention>& fields);

// Whether disturbed times count like others: ALSBENCH_DISTURBED is "keep".
bool disturbed_times_count();

}  // namespace alsbench
