// SPDX-License-Identifier: Apache-2.0
// Guard: takes the samples of one configuration so that a variant gains nothing by cheating, and
// finds out if it tries (docs/explanation/measuring.md, "What a kernel cannot cheat").
//
// Every sample has inputs that no execution has seen. Some samples are drawn once they are over:
// each is held against an untimed execution on the same inputs, and in the end one of them against
// the reference. All of that is outside of the timed part.
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <vector>

#include "harness/record/measurement_record.h"
#include "harness/stage/verifier.h"

namespace alsbench {

// A variant broke a rule while it was timed. The message begins with the rule's name.
struct RuleBroken : std::runtime_error {
  explicit RuleBroken(const Violation& violation)
      : std::runtime_error(text_of(violation)), rule(violation.rule) {}
  // That of a verification, which has one.
  explicit RuleBroken(const Verification& verification)
      : std::runtime_error(verification.detail), rule(verification.rule.value()) {}
  Rule rule;
};

// The measured variant and its fixture. All must outlive the guard.
struct Measured {
  StageFixture& fixture;
  const Variant& variant;
  const Config& config;
  Executable& executable;
  // Those that are verified: the same, or what stands for a diagnostic configuration.
  const Config& verified_config;
  Executable& verified;
};

class Guard {
 public:
  explicit Guard(const Measured& measured) : measured_(measured) {}

  // Before the samples.
  Verification verify(ReferenceCache& references);
  // Restores what executions destroy, flushes the cache (cold) or runs once before (hot), times.
  // Throws RuleBroken.
  Sample sample(CacheMode mode);
  // After the samples: on the first inputs again, and on those of a sample.
  Verification recheck(ReferenceCache& references);

 private:
  // Inputs of a sample: those of `seed`. With a hot cache a few of them change once more between
  // the execution that makes it hot and the timed one.
  struct Draw {
    uint64_t seed = 0;
    bool twice = false;
    int64_t last_batch = 0;
  };
  class Inputs;  // of a draw, as long as it lives
  class Noted;   // an executable whose outputs are noted
  using Outputs = std::vector<Digest>;
  struct Taken {
    Draw draw;
    Outputs outputs;
  };

  Device& device() const { return measured_.fixture.problem().device(); }
  bool on_cpu() const { return device().traits().backend == Backend::cpu; }
  bool is_custom() const { return !measured_.fixture.shape().sizes.entries().empty(); }
  // Whether samples have fresh inputs and are drawn: those of custom kernels, but not of the
  // ceilings beside them, and all with ALSBENCH_GUARD=on in the environment.
  bool draws() const;
  // Whether memory is watched, and fresh inputs are verified once: on a CPU, and of custom kernels.
  bool checks() const { return on_cpu() || is_custom() || draws(); }
  bool computes_stage() const { return &measured_.executable == &measured_.verified; }
  bool repeats_bits() const { return measured_.variant.nondeterminism.empty(); }
  CheckRequest request(Executable& executable, ReferenceCache& references) const;
  Draw next_draw(CacheMode mode) const;
  bool drawn();
  // On the same inputs each time, and of an unwatched variant.
  Sample plain_sample(CacheMode mode);
  // Nothing where clocks disagree and it is not the last attempt.
  std::optional<Sample> take(CacheMode mode, bool last_attempt);
  void make_ready(Inputs& inputs, CacheMode mode);
  Timing time(const Draw& draw, Sample& sample);
  void add_state(Sample& sample) const;
  void examine(const Taken& taken, double seconds);
  void keep(const Taken& taken);
  Outputs outputs(int64_t batch) const;
  Verification verify_here(Noted& noted);
  void recheck_drawn(Verification& found);

  Measured measured_;
  std::optional<MemoryWatch> watch_;     // since the first execution
  std::optional<Outputs> first_, last_;  // of the verification; of the last drawn sample
  std::optional<Taken> kept_;            // a random one of the drawn samples
  int64_t kept_of_ = 0;                  // so many
  int64_t place_ = 0, chosen_ = 0;       // of a sample in its window; of the one that is drawn
};

}  // namespace alsbench
