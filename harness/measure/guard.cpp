// SPDX-License-Identifier: Apache-2.0
#include "harness/measure/guard.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <random>
#include <string_view>
#include <thread>

#include "harness/device/thread_wait_monitor.h"
#include "harness/measure/sampler.h"

namespace alsbench {
namespace {

// One sample of so many is drawn.
constexpr int64_t kWindow = 4;
// Rows of a drawn sample that are held against the reference.
constexpr int64_t kRows = 8;
// How often clocks may disagree in a row: another process may come between two of them.
constexpr int kAttempts = 3;

// Nobody can foresee it.
uint64_t random_word() {
  std::random_device source;
  return (uint64_t{source()} << 32) | source();
}

[[noreturn]] void refuse(Rule rule, const std::string& detail) { throw RuleBroken({rule, detail}); }

std::optional<double> known(double value) {
  return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

bool clocks_agree(const Timing& timing) {
  return timing.seconds >= timing.least_seconds && timing.seconds <= timing.most_seconds;
}

void require_honest(const Timing& timing, int64_t set_aside_bytes) {
  constexpr double kShare = 0.05, kSeconds = 5e-4;  // the host takes to see the end
  if (!clocks_agree(timing))
    refuse(Rule::clock_mismatch,
           fmt::format("{:.6g} s by the clock that times it, {:.6g} to {:.6g} s by others",
                       timing.seconds, timing.least_seconds, timing.most_seconds));
  if (timing.left_seconds > kShare * timing.seconds + kSeconds)
    refuse(Rule::late_work, fmt::format("{:.6g} s of work were left after the timed {:.6g} s",
                                        timing.left_seconds, timing.seconds));
  if (set_aside_bytes > 0)
    refuse(Rule::cache_set_aside,
           fmt::format("{} bytes of the cache are set aside, which no flush reaches",
                       set_aside_bytes));
}

}  // namespace

// An axis has as many mirrors as items. With one of a few items more, inputs do not come again.
class Guard::Inputs {
 public:
  Inputs(const Measured& measured, const Draw& draw) : measured_(measured), seed_(draw.seed) {
    refresh(InputPart::whole);
    refresh(InputPart::few);
  }
  ~Inputs() {
    try {
      for (; !done_.empty(); done_.pop_back())
        measured_.fixture.refresh(measured_.variant, seed_ + done_.size(), done_.back());
    } catch (const std::exception&) {
      // The device is lost, as whoever asks it next is told.
    }
  }
  Inputs(const Inputs&) = delete;
  Inputs& operator=(const Inputs&) = delete;
  void change_few() { refresh(InputPart::few); }

 private:
  void refresh(InputPart part) {
    done_.push_back(part);
    measured_.fixture.refresh(measured_.variant, seed_ + done_.size(), part);
  }

  const Measured& measured_;
  uint64_t seed_;
  std::vector<InputPart> done_;
};

class Guard::Noted : public Executable {
 public:
  // Of one batch: of several, each launch leaves the others' outputs.
  explicit Noted(const Measured& measured)
      : measured_(measured), notes_(measured.fixture.batches().size() == 1) {}
  void launch(const StageParams& params) override {
    measured_.verified.launch(params);
    if (!notes_) return;
    StageFixture& fixture = measured_.fixture;
    outputs_.push_back(
        digests_of(fixture.problem().device(), fixture.operands(measured_.variant, 0).outputs));
  }
  const std::vector<KernelReport>& kernels() const override { return measured_.verified.kernels(); }
  bool notes() const { return notes_; }
  bool has(const std::optional<Outputs>& one) const {
    return one && std::find(outputs_.begin(), outputs_.end(), *one) != outputs_.end();
  }
  std::optional<Outputs> last() const {
    return outputs_.empty() ? std::nullopt : std::optional(outputs_.back());
  }

 private:
  const Measured& measured_;
  bool notes_;
  std::vector<Outputs> outputs_;
};

Guard::Outputs Guard::outputs(int64_t batch) const {
  return digests_of(device(), measured_.fixture.operands(measured_.variant, batch).outputs);
}

bool Guard::draws() const {
  const char* const value = std::getenv("ALSBENCH_GUARD");
  const bool is_ceiling = measured_.variant.stage->ceiling;
  return (is_custom() && !is_ceiling) || (value != nullptr && std::string_view(value) == "on");
}

CheckRequest Guard::request(Executable& executable, ReferenceCache& references) const {
  return {measured_.fixture, measured_.variant, measured_.verified_config, executable, references};
}

Verification Guard::verify(ReferenceCache& references) {
  if (!checks()) return alsbench::verify(request(measured_.verified, references));
  measured_.fixture.restore(measured_.variant);
  watch_.emplace(measured_.fixture, measured_.variant);
  Noted noted(measured_);
  const Verification found = alsbench::verify(request(noted, references), *watch_);
  first_ = noted.last();
  return found;
}

Guard::Draw Guard::next_draw(CacheMode mode) const {
  const std::vector<int64_t> batches = measured_.fixture.batches();
  return {random_word(), mode == CacheMode::hot, batches[random_word() % batches.size()]};
}

// Whether the sample that is over is drawn: one of each window, and which one is not known before.
bool Guard::drawn() {
  if (place_ == 0) chosen_ = static_cast<int64_t>(random_word() % kWindow);
  const bool now = place_ == chosen_;
  place_ = (place_ + 1) % kWindow;
  return now;
}

Sample Guard::sample(CacheMode mode) {
  if (!draws()) return plain_sample(mode);
  for (int attempt = 1;; ++attempt)
    if (const auto sample = take(mode, attempt == kAttempts)) return *sample;
}

Sample Guard::plain_sample(CacheMode mode) {
  alsbench::make_ready(measured_.fixture, measured_.variant, measured_.executable, mode);
  device().settle();
  Sample sample;
  time({.last_batch = measured_.fixture.batches().back()}, sample);
  add_state(sample);
  return sample;
}

std::optional<Sample> Guard::take(CacheMode mode, bool last_attempt) {
  Sample sample;
  {
    const Draw draw = next_draw(mode);
    Inputs inputs(measured_, draw);
    make_ready(inputs, mode);
    const Timing timing = time(draw, sample);
    const bool looked_at = drawn() && computes_stage();
    const Taken taken{draw, looked_at ? outputs(draw.last_batch) : Outputs{}};
    add_state(sample);
    if (!last_attempt && !clocks_agree(timing)) return std::nullopt;
    require_honest(timing, device().set_aside_bytes());
    if (!looked_at) return sample;
    examine(taken, timing.seconds);
    keep(taken);
  }
  measured_.fixture.restore(measured_.variant);
  if (const auto violation = watch_ ? watch_->violation() : std::nullopt)
    throw RuleBroken(*violation);
  return sample;
}

void Guard::make_ready(Inputs& inputs, CacheMode mode) {
  StageFixture& fixture = measured_.fixture;
  fixture.make_ready(measured_.variant, measured_.config);
  if (mode == CacheMode::hot) {
    fixture.launch(measured_.executable);
    inputs.change_few();
    fixture.restore(measured_.variant);
  } else {
    device().flush_cache();
  }
  device().settle();
}

Timing Guard::time(const Draw& draw, Sample& sample) {
  // The watch of a GPU's time is its own clock; what the host waits does not show there.
  const std::optional<ThreadWaitMonitor> watch =
      on_cpu() ? std::optional<ThreadWaitMonitor>(device().traits().multiprocessors) : std::nullopt;
  const Timing timing =
      device().time([&] { measured_.fixture.launch(measured_.executable, draw.last_batch); });
  if (watch) sample.contention.processor = watch->use();
  sample.seconds = timing.seconds;
  sample.host_seconds = timing.host_seconds;
  sample.sm_clock_hz = timing.sm_clock_hz;
  sample.throttled = timing.throttled;
  return timing;
}

void Guard::add_state(Sample& sample) const {
  const DeviceState state = device().state();
  sample.contention.others = state.others;
  sample.power_watts = known(state.power_watts);
  sample.temperature_celsius = known(state.temperature_celsius);
}

// The inputs are those of the sample.
void Guard::examine(const Taken& taken, double seconds) {
  constexpr double kMinPause = 1e-3, kMaxPause = 2e-2;  // seconds
  const int64_t batch = taken.draw.last_batch;
  StageFixture& fixture = measured_.fixture;
  device().settle();
  std::this_thread::sleep_for(
      std::chrono::duration<double>(std::clamp(seconds, kMinPause, kMaxPause)));
  if (outputs(batch) != taken.outputs)
    refuse(Rule::late_work, "an output changed after the timed part was over");
  const auto regions = fixture.operands(measured_.variant, batch).outputs;
  for (size_t i = 0; i < regions.size(); ++i)
    if (taken.outputs[i].not_finite > 0)
      refuse(Rule::not_finite, fmt::format("{} numbers of '{}' are not finite, or were not written",
                                           taken.outputs[i].not_finite, regions[i].name));
  fixture.make_ready(measured_.variant, measured_.config);
  fixture.launch(measured_.executable, batch);
  const bool repeated = taken.outputs == last_ || taken.outputs == first_;
  if (repeats_bits() && outputs(batch) != taken.outputs)
    refuse(repeated ? Rule::stale_output : Rule::wrong_when_timed,
           repeated
               ? "the output is that of earlier inputs"
               : "the timed output is not that of the next execution on equal inputs; a kernel "
                 "whose bits may differ says why, as 'nondeterminism'");
  last_ = taken.outputs;
  if (!repeated) return;
  // Few inputs may have one output. The reference knows.
  Noted noted(measured_);
  const Verification found = verify_here(noted);
  if (failed(found.outcome)) refuse(Rule::stale_output, found.detail);
}

// Each drawn sample is the one that is kept with the same probability.
void Guard::keep(const Taken& taken) {
  ++kept_of_;
  if (random_word() % static_cast<uint64_t>(kept_of_) == 0) kept_ = taken;
}

Verification Guard::verify_here(Noted& noted) {
  ReferenceCache references(kRows, random_word());
  return alsbench::verify(request(noted, references));
}

Verification Guard::recheck(ReferenceCache& references) {
  const CheckRequest asked = request(measured_.verified, references);
  Verification found = watch_ ? alsbench::verify(asked, *watch_) : alsbench::verify(asked);
  if (found.outcome == Outcome::ok && checks() && computes_stage()) recheck_drawn(found);
  return found;
}

// The sample that was kept, or, of a case that has none, inputs of no sample.
void Guard::recheck_drawn(Verification& found) {
  const Draw draw = kept_ ? kept_->draw : next_draw(CacheMode::cold);
  Inputs inputs(measured_, draw);
  if (draw.twice) inputs.change_few();
  Noted noted(measured_);
  const Verification here = verify_here(noted);
  if (failed(here.outcome)) {
    found = here;
    if (noted.has(first_)) break_rule({Rule::stale_output, here.detail}, found);
  } else if (kept_ && repeats_bits() && noted.notes() && !noted.has(kept_->outputs)) {
    break_rule(
        {Rule::wrong_when_timed, "the timed output is not that of the check on equal inputs"},
        found);
  }
}

}  // namespace alsbench
