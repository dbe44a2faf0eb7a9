// SPDX-License-Identifier: Apache-2.0
// Variants that cheat, in this test alone: each is refused by the rule that is named for it
// (docs/explanation/measuring.md, "What a kernel cannot cheat").
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <limits>
#include <map>
#include <thread>
#include <utility>

#include "harness/measure/guard.h"
#include "harness/stage/als/reference_rows.h"
#include "kernels/cpu/element.h"
#include "tests/unit/forwarding_device.h"
#include "tests/unit/rating_sets.h"
#include "tests/unit/texts.h"
#include "variants/als/stages.h"
#include "variants/catalog.h"
#include "variants/metric/stages.h"

namespace alsbench {
namespace {

constexpr int32_t kRank = 8;
constexpr int64_t kUsers = 150, kItems = 80;
constexpr int kSamples = 16;

// The cheat: what it does in place of running `right`, in its `call`-th execution from 1 on.
struct Call {
  std::function<void(const UpdateParams&)> right;
  UpdateParams params;
  int number = 0;

  float* matrices() const { return static_cast<float*>(params.matrices); }
  int64_t matrix_count() const { return params.row_count * kRank * kRank; }
  float* solution() const { return static_cast<float*>(params.solution.data); }
  int64_t solution_count() const { return params.row_count * params.solution.pitch; }
};
using Cheat = std::function<void(const Call&)>;

Variant cheating(const Variant& original, const Cheat& cheat) {
  Variant fake = original;
  const auto calls = std::make_shared<int>(0);
  fake.run = [&original, cheat, calls](const Config& config, const Shape& shape,
                                       const StageParams& params, const RunContext& context) {
    const auto right = [&](const UpdateParams& update) {
      original.run(config, shape, update, context);
    };
    cheat({right, params.as<UpdateParams>(), ++*calls});
  };
  return fake;
}

// Work that a cheat leaves to a thread. The thread does all of it while the device settles, which
// the guard waits for once it has looked at the output: however busy the machine is, it is late.
class LateWork {
 public:
  void leave(std::function<void()> work) { work_ = std::move(work); }
  void finish() {
    if (!work_) return;
    std::thread(std::exchange(work_, nullptr)).join();
  }
  struct Finished {
    LateWork& late;
    ~Finished() { late.finish(); }
  };

 private:
  std::function<void()> work_;
};

class LateDevice : public ForwardingDevice {
 public:
  void settle() override {
    late.finish();
    ForwardingDevice::settle();
  }
  LateWork late;
};

// The fate of a variant that is measured as a sweep measures it: "ok", or the rule it breaks.
class Cheats : public testing::Test {
 protected:
  static void SetUpTestSuite() { setenv("ALSBENCH_GUARD", "on", 1); }
  std::string fate(const Variant& variant, const std::string& point = "",
                   CacheMode mode = CacheMode::cold) {
    return fate_on(device_, variant, point, mode);
  }
  std::string fate_on(Device& device, const Variant& variant, const std::string& point = "",
                      CacheMode mode = CacheMode::cold) {
    const DeviceProblem problem(device, set_, kRank, 0.05f);
    const Config config = variant.space.parse(point);
    const auto fixture =
        make_fixture({problem, variant.stage, "x", storage_of(variant, config), 1});
    const auto executable = device.prepare(variant, config, fixture->shape());
    Guard guard({*fixture, variant, config, *executable, config, *executable});
    const LateWork::Finished finished{device_.late};  // before its memory goes
    try {
      Verification found = guard.verify(references_);
      timed_ = true;
      for (int i = 0; i < kSamples && found.outcome == Outcome::ok; ++i) guard.sample(mode);
      timed_ = false;
      if (found.outcome == Outcome::ok) found = guard.recheck(references_);
      detail_ = found.detail;
      EXPECT_EQ(found.rule.has_value(), found.outcome != Outcome::ok) << found.detail;
      return found.rule ? std::string(name_of(*found.rule)) : "ok";
    } catch (const RuleBroken& broken) {
      timed_ = false;
      detail_ = broken.what();
      EXPECT_TRUE(detail_.starts_with(name_of(broken.rule))) << detail_;
      return std::string(name_of(broken.rule));
    }
  }
  std::string fate_of(Stage stage, const char* name, const Cheat& cheat,
                      const std::string& point = "", CacheMode mode = CacheMode::cold) {
    return fate(cheating(variant_named(stage, name, Backend::cpu), cheat), point, mode);
  }
  std::string hermitian(const Cheat& cheat, CacheMode mode = CacheMode::cold) {
    return fate_of(&stages::hermitian, "naive", cheat, "", mode);
  }

  std::string detail_;
  bool timed_ = false;  // for cheats that, unlike real ones, are told
  LateDevice device_;
  RatingSet set_ = planted_set(kUsers, kItems, 0.5);
  ReferenceCache references_;
};

TEST_F(Cheats, HonestVariantsAreNotRefused) {
  const DeviceTraits& traits = device_.traits();
  for (const Variant& variant : catalog()) {
    if (variant.backend != Backend::cpu || variant.hidden) continue;
    if (variant.stage->ceiling) continue;  // gigabytes
    if (variant.name == "tiles" && !traits.tiles) continue;
    references_.clear();
    EXPECT_EQ(fate(variant), "ok") << variant.id() << ": " << detail_;
    EXPECT_EQ(fate(variant, "", CacheMode::hot), "ok") << variant.id() << ": " << detail_;
  }
}

TEST_F(Cheats, TheOutputOfTheLastCallIsStale) {
  for (const CacheMode mode : kCacheModes) {
    std::vector<float> kept;
    const auto replay = [&](const Call& call) {
      if (kept.empty()) {
        call.right(call.params);
        kept.assign(call.matrices(), call.matrices() + call.matrix_count());
      }
      std::copy(kept.begin(), kept.end(), call.matrices());
    };
    EXPECT_EQ(hermitian(replay, mode), "stale-output") << detail_;
  }
}

// It takes inputs of equal sums for equal inputs.
TEST_F(Cheats, InputsThatAreRecognisedByTheirSumsAreNotTheSame) {
  std::map<int, std::vector<float>> known;
  const auto recognise = [&](const Call& call) {
    const auto* factors = static_cast<const float*>(call.params.factors.data);
    double sum = 0;
    for (int64_t i = 0; i < kItems * call.params.factors.pitch; ++i) sum += factors[i];
    std::vector<float>& kept = known[static_cast<int>(std::lround(sum))];
    if (kept.empty()) {
      call.right(call.params);
      kept.assign(call.matrices(), call.matrices() + call.matrix_count());
    }
    std::copy(kept.begin(), kept.end(), call.matrices());
  };
  EXPECT_EQ(hermitian(recognise), "stale-output") << detail_;
}

TEST_F(Cheats, InputsThatAreRecognisedByAllTheirBytesAreNeverSeenTwice) {
  for (const CacheMode mode : kCacheModes) {
    std::map<std::string, std::vector<float>> known;
    int timed = 0;
    const auto recognise = [&](const Call& call) {
      std::vector<float>& kept =
          known[std::string(static_cast<const char*>(call.params.factors.data),
                            static_cast<size_t>(kItems * call.params.factors.pitch * 4))];
      timed += timed_ && kept.empty() ? 1 : 0;
      if (kept.empty()) {
        call.right(call.params);
        kept.assign(call.matrices(), call.matrices() + call.matrix_count());
      }
      std::copy(kept.begin(), kept.end(), call.matrices());
    };
    EXPECT_EQ(hermitian(recognise, mode), "ok") << detail_;
    EXPECT_GE(timed, mode == CacheMode::hot ? 2 * kSamples : kSamples);
  }
}

TEST_F(Cheats, InputsOfTheCheckThatAreRecognisedAreNotThoseOfTheSamples) {
  std::vector<float> inputs;
  const auto right_for_the_check = [&](const Call& call) {
    const auto* factors = static_cast<const float*>(call.params.factors.data);
    const auto count = kItems * call.params.factors.pitch;
    if (inputs.empty()) inputs.assign(factors, factors + count);
    if (std::equal(inputs.begin(), inputs.end(), factors)) return call.right(call.params);
    std::fill_n(call.matrices(), call.matrix_count(), 1.f);
  };
  EXPECT_EQ(hermitian(right_for_the_check), "stale-output") << detail_;
}

TEST_F(Cheats, RightInTheCheckAndWrongWhenTimed) {
  const auto wrong_between = [&](const Call& call) {
    call.right(call.params);
    if (timed_ && call.number % 2 == 0) call.matrices()[0] *= 1.5f;
  };
  EXPECT_EQ(hermitian(wrong_between), "wrong-when-timed") << detail_;
}

TEST_F(Cheats, HalfOfTheRowsAreSkippedInTheTimedExecutions) {
  const auto skip = [&](const Call& call) {
    UpdateParams half = call.params;
    if (timed_) half.row_count /= 2;
    call.right(half);
  };
  EXPECT_EQ(hermitian(skip), "not-finite") << detail_;
}

// Rows that it leaves out are those that the last execution wrote there.
TEST_F(Cheats, RowsThatAreSkippedHaveNothingToInherit) {
  int executions = 0;
  const auto skip = [&](const Call& call) {
    UpdateParams half = call.params;
    if (std::isfinite(call.matrices()[call.matrix_count() - 1])) half.row_count /= 2;
    executions += half.row_count == call.params.row_count ? 1 : 0;
    call.right(half);
  };
  EXPECT_EQ(hermitian(skip), "ok") << detail_;
  EXPECT_GE(executions, kSamples) << "a sample found its output written already";
}

TEST_F(Cheats, AWrongRowCountLeavesRowsUnwritten) {
  const auto fewer = [](const Call& call) {
    UpdateParams less = call.params;
    less.row_count -= 1;
    call.right(less);
  };
  EXPECT_EQ(hermitian(fewer), "not-finite") << detail_;
}

TEST_F(Cheats, AThreadThatGoesOnIsLateWork) {
  const auto start = [&](const Call& call) {
    device_.late.finish();
    call.right(call.params);
    if (!timed_) return;
    const float last = call.matrices()[0];
    call.matrices()[0] = 0;
    device_.late.leave([at = call.matrices(), last] { *at = last; });
  };
  EXPECT_EQ(hermitian(start), "late-work") << detail_;
}

// As work on a stream of its own does on a GPU. Left by a sample that is not drawn, it ends on the
// next one's inputs: the output is right then, and that of the execution beside it is not there.
TEST_F(Cheats, AThreadThatDoesAllTheWorkIsLateWork) {
  const Variant& original = variant_named(&stages::hermitian, "naive", Backend::cpu);
  Variant lazy = original;
  lazy.run = [&](const Config& config, const Shape& shape, const StageParams& params,
                 const RunContext& context) {
    device_.late.finish();
    if (!timed_) return original.run(config, shape, params, context);
    device_.late.leave([&original, &context, config, shape, params] {
      original.run(config, shape, params, context);
    });
  };
  const std::string rule = fate(lazy);
  EXPECT_TRUE(rule == "late-work" || rule == "wrong-when-timed") << rule << " " << detail_;
}

TEST_F(Cheats, TheReferenceThatIsReadIsOfOtherInputs) {
  const auto copy = [&](const Call& call) {
    if (!timed_) return call.right(call.params);
    // As a variant that found the checks' memory would.
    const auto& rows = references_.get<std::vector<ReferenceRow>>(
        "x/fp32", [] { return std::vector<ReferenceRow>(); });
    ASSERT_FALSE(rows.empty());
    for (const ReferenceRow& row : rows)
      for (size_t i = 0; i < row.a.size(); ++i)
        call.matrices()[row.row * kRank * kRank + static_cast<int64_t>(i)] =
            static_cast<float>(row.a[i]);
  };
  const std::string rule = hermitian(copy);
  EXPECT_EQ(rule, "stale-output") << detail_;
}

TEST_F(Cheats, WritingBehindOrBeforeAnOutputIsOutOfBounds) {
  for (const int64_t place : {int64_t{-1}, int64_t{0}}) {
    const auto beyond = [place](const Call& call) {
      call.right(call.params);
      call.matrices()[place < 0 ? -1 : call.matrix_count()] = 1;
    };
    EXPECT_EQ(hermitian(beyond), "out-of-bounds-write") << detail_;
    EXPECT_TRUE(contains(detail_, place < 0 ? "before" : "behind"));
    EXPECT_TRUE(contains(detail_, "'A'"));
  }
}

TEST_F(Cheats, WritingBeyondAnOutputWhenTimedIsFoundAsWell) {
  const auto beyond = [&](const Call& call) {
    call.right(call.params);
    if (timed_) call.matrices()[call.matrix_count()] = 1;
  };
  EXPECT_EQ(hermitian(beyond), "out-of-bounds-write") << detail_;
}

// Zeros multiply as fast as other numbers here, but not everywhere, and rows may become empty.
TEST_F(Cheats, AnInputThatIsDestroyedIsChanged) {
  const auto destroy = [&](const Call& call) {
    call.right(call.params);
    static_cast<float*>(call.params.factors.data)[3] = 0;
  };
  EXPECT_EQ(hermitian(destroy), "input-changed") << detail_;
  EXPECT_TRUE(contains(detail_, "'factors'"));
}

TEST_F(Cheats, ARatingThatIsDestroyedWhenTimedIsChanged) {
  const float before = set_.by_user.values[5];
  const auto destroy = [&](const Call& call) {
    call.right(call.params);
    if (timed_) const_cast<float*>(call.params.ratings.values)[5] = 0;
  };
  EXPECT_EQ(hermitian(destroy), "input-changed") << detail_;
  const_cast<float&>(set_.by_user.values[5]) = before;
}

TEST_F(Cheats, PrecisionThatIsLoweredInSilenceIsWrong) {
  const auto round = [](const Call& call) {
    call.right(call.params);
    for (int64_t i = 0; i < call.matrix_count(); ++i)
      call.matrices()[i] = half_to_float(float_to_half(call.matrices()[i]));
  };
  EXPECT_EQ(hermitian(round), "wrong-result") << detail_;
}

TEST_F(Cheats, PrecisionThatIsLoweredWhenTimedIsFoundAsWell) {
  const auto round = [&](const Call& call) {
    call.right(call.params);
    for (int64_t i = 0; i < call.matrix_count() && timed_ && call.number % 3 != 0; ++i)
      call.matrices()[i] = half_to_float(float_to_half(call.matrices()[i]));
  };
  EXPECT_EQ(hermitian(round), "wrong-when-timed") << detail_;
}

TEST_F(Cheats, ANanIsSeenWhereverItIs) {
  const auto spoil = [&](const Call& call) {
    call.right(call.params);
    if (timed_) call.matrices()[call.matrix_count() - 7] = std::numeric_limits<float>::quiet_NaN();
  };
  EXPECT_EQ(hermitian(spoil), "not-finite") << detail_;
  EXPECT_TRUE(contains(detail_, "1 numbers of 'A'"));
}

// A factorisation in one execution would serve all others, if A stayed.
TEST_F(Cheats, AFactorisationThatIsKeptIsOfAnotherMatrix) {
  std::vector<float> kept;
  const auto keep = [&](const Call& call) {
    if (kept.empty()) kept.assign(call.matrices(), call.matrices() + call.matrix_count());
    UpdateParams params = call.params;
    std::vector<float> copy = kept;
    params.matrices = copy.data();
    call.right(params);
  };
  const std::string rule = fate_of(&stages::solve, "cholesky", keep);
  EXPECT_EQ(rule, "wrong-result") << detail_;
}

TEST_F(Cheats, StepsThatAreRecordedAndNotTakenAreNamed) {
  const Variant& cg = variant_named(&stages::solve, "cg", Backend::cpu);
  Variant lazy = cg;
  lazy.run = [&cg](const Config& config, const Shape& shape, const StageParams& params,
                   const RunContext& context) {
    cg.run(config.with("steps", "2"), shape, params, context);
    const auto update = params.as<UpdateParams>();
    for (int64_t row = 0; row < update.row_count; ++row)
      if (update.steps[row] == 2) update.steps[row] = 4;
  };
  EXPECT_EQ(fate(lazy, "steps=4"), "steps-not-taken") << detail_;
}

TEST_F(Cheats, StepsOfTheTimedExecutionsAreThoseOfTheOthers) {
  const Variant& cg = variant_named(&stages::solve, "cg", Backend::cpu);
  Variant lazy = cg;
  lazy.run = [&](const Config& config, const Shape& shape, const StageParams& params,
                 const RunContext& context) {
    static int calls = 0;
    cg.run(timed_ && ++calls % 3 != 0 ? config.with("steps", "1") : config, shape, params, context);
  };
  EXPECT_EQ(fate(lazy, "steps=4"), "wrong-when-timed") << detail_;
}

TEST_F(Cheats, AnEmptySumOfErrorsIsWrongWhenTimed) {
  const Variant& rmse = variant_named(&stages::rmse, "rows", Backend::cpu);
  Variant cheat = rmse;
  std::vector<double> kept;
  cheat.run = [&](const Config& config, const Shape& shape, const StageParams& params,
                  const RunContext& context) {
    const auto& errors = params.as<RmseParams>();
    if (kept.empty()) {
      rmse.run(config, shape, params, context);
      kept.assign(errors.partial_sums, errors.partial_sums + kRmsePartials);
    }
    std::copy(kept.begin(), kept.end(), errors.partial_sums);
    std::fill_n(errors.partial_cold, kRmsePartials, 0);
  };
  const std::string rule = fate(cheat);
  EXPECT_TRUE(rule == "stale-output" || rule == "wrong-result") << rule << " " << detail_;
}

// Where a clock of the process is not the one it is taken for.
class PatchedClock : public ForwardingDevice {
 public:
  Timing time(const std::function<void()>& work) override {
    Timing timing = ForwardingDevice::time(work);
    timing.seconds /= 10;
    return timing;
  }
};
TEST_F(Cheats, AClockThatOthersContradictIsNotBelieved) {
  PatchedClock device;
  const Variant& honest = variant_named(&stages::hermitian, "naive", Backend::cpu);
  EXPECT_EQ(fate_on(device, honest), "clock-mismatch") << detail_;
}

// Of a GPU: a stream of its own that goes on behind the last event.
class BusyStream : public ForwardingDevice {
 public:
  Timing time(const std::function<void()>& work) override {
    Timing timing = ForwardingDevice::time(work);
    timing.left_seconds = 0.01 + timing.seconds;
    return timing;
  }
};
TEST_F(Cheats, AStreamThatGoesOnIsLateWork) {
  BusyStream device;
  const Variant& honest = variant_named(&stages::hermitian, "naive", Backend::cpu);
  EXPECT_EQ(fate_on(device, honest), "late-work") << detail_;
}

// Of a GPU: a part of the L2 that flushes do not reach.
class SetAside : public ForwardingDevice {
 public:
  int64_t set_aside_bytes() const override { return 1 << 20; }
};
TEST_F(Cheats, ACacheThatIsSetAsideIsRefused) {
  SetAside device;
  const Variant& honest = variant_named(&stages::hermitian, "naive", Backend::cpu);
  EXPECT_EQ(fate_on(device, honest), "cache-set-aside") << detail_;
}

}  // namespace
}  // namespace alsbench
