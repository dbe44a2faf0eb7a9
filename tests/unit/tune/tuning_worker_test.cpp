// SPDX-License-Identifier: Apache-2.0
// TuningWorker against a fake worker: a shell script that has memory for one prepared case.
#include "harness/tune/stage/tuning_worker.h"

#include <gtest/gtest.h>

#include "harness/record/core_codecs.h"
#include "variants/als/stages.h"
#include "variants/catalog.h"

namespace alsbench {
namespace {

TuningWorkerOptions with_room_for_one() {
  TuningWorkerOptions options;
  Json prepared = to_json(worker::Prepared{});
  Json opened = to_json(DeviceRecord{}), loaded = to_json(DataRecord{});
  const Json shaped{
      {"ok", true}, {"shape", to_json(Shape{})}, {"damping", 0.25}, {"distinct_ratings", 5}};
  for (Json* answer : {&prepared, &opened, &loaded}) (*answer)["ok"] = true;
  options.command = {"/bin/bash", "-c",
                     "prepared='" + prepared.dump() + "'; opened='" + opened.dump() +
                         "'; loaded='" + loaded.dump() + "'; shape='" + shaped.dump() + R"('; used=0
    while read -r request <&$2; do
      case $request in
        *'"op":"prepare"'*bin=128*) answer='{"ok":false,"outcome":"oom","detail":"too big"}' ;;
        *'"op":"prepare"'*)
          if [ $used = 1 ]; then answer='{"ok":false,"outcome":"oom","detail":"full"}'
          else used=1; answer=$prepared; fi ;;
        *'"op":"shape"'*) answer=$shape ;;
        *'"op":"release"'*) used=0; answer='{"ok":true}' ;;
        *'"op":"load"'*) answer=$loaded ;;
        *) answer=$opened ;;
      esac
      echo "$answer" >&$2
    done)",
                     "fake"};
  return options;
}

Case blocked(const TuningWorker& worker, const char* config) {
  const Variant& variant = variant_named(&stages::hermitian, "blocked", Backend::cpu);
  return worker.case_of(variant, variant.space.parse(config), "x");
}

TEST(TuningWorker, KnowsWhatDocumentsDoNotSayOfAShape) {
  EXPECT_EQ(TuningWorker(with_room_for_one()).shape("x").damping, 0.25);
  EXPECT_EQ(TuningWorker(with_room_for_one()).shape("x").distinct_ratings, 5);
}

TEST(TuningWorker, ReleasesWhatItPreparedWhereMemoryRunsOut) {
  TuningWorker worker(with_room_for_one());
  const Case first = blocked(worker, "bin=32"), second = blocked(worker, "bin=64");
  worker.prepare(first);
  EXPECT_TRUE(worker.prepared(first));
  worker.prepare(second);
  EXPECT_TRUE(worker.prepared(second));
  EXPECT_FALSE(worker.prepared(first)) << "its memory is gone";
}

TEST(TuningWorker, ACaseThatIsTooBigAloneFails) {
  TuningWorker worker(with_room_for_one());
  worker.prepare(blocked(worker, "bin=32"));
  try {
    worker.prepare(blocked(worker, "bin=128"));
    FAIL();
  } catch (const WorkerFailure& failure) {
    EXPECT_EQ(failure.outcome, Outcome::oom);
  }
}

}  // namespace
}  // namespace alsbench
