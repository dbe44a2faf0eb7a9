// What runs where nothing is known: defaults of a stage or of a whole pipeline that do run on a
// shape and device. Used by look-ups in the tuning database, and by tuning as what everything is
// held against.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "variants/pipeline.h"

namespace alsbench {

// Why one of the steps cannot run there, or nothing.
std::optional<std::string> objection_of(const std::vector<PipelineStep>& steps, const Shape& shape,
                                        const DeviceTraits& traits);

// The first that can run there: the variant's default configuration, another point of it, the other
// variants of its stage likewise, all of `like`'s storage types. Nothing where none can.
std::optional<PipelineStep> runnable_step(const PipelineStep& like, const Shape& shape,
                                          const DeviceTraits& traits);

// The default of `what`, as TunedEntry has it: of a stage what the default
// pipeline has, or its first variant. Steps that cannot
// run are replaced as runnable_step says, or left as they are where nothing can run. Throws
// UsageError where `what` names nothing that the backend has.
std::vector<PipelineStep> safe_default(const std::string& what, const Shape& shape,
                                       const DeviceTraits& traits);

}  // namespace alsbench
