// The JSON of what workers report: the blocks of a case record, and the worker protocol's answers.
// NaN and infinity become null.
#pragma once

#include <optional>

#include "harness/device/device.h"
#include "harness/measure/sampler.h"
#include "harness/record/journal.h"
#include "harness/stage/verifier.h"

namespace alsbench {

Json json_of(double value);  // null where it is not finite
template <class T>
Json json_of(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}
Json json_of(const DeviceTraits& traits);
Json json_of(const KernelReport& report);
Json json_of(const Verification& verification);
Json json_of(const Work& work);
Json json_of(const Shape& shape);
Shape shape_of(const Json& json);
Json json_of(const Sample& sample);
Sample sample_of(const Json& json);
Json json_of(const Statistics& statistics);

}  // namespace alsbench
