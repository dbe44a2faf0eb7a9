// SPDX-License-Identifier: Apache-2.0
// TuningDocument: what a search for the fastest configuration of a stage found, as
// `alsbench tune --json` writes it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/record/counters.h"
#include "harness/record/measurement_record.h"
#include "harness/record/pipeline_record.h"
#include "harness/tune/search/energy_front.h"
#include "harness/tune/search/portability.h"
#include "harness/tune/search/tuning_journal.h"

namespace alsbench {

// Hardware counters of a finalist, taken after the playoff.
struct CountedStep {
  StepRecord step;
  std::optional<BoundBy> bound;
  CountersRecord counters;
};

struct TuningDocument {
  // The recording that was the objective.
  struct Replayed {
    std::string journal;
    std::optional<Provenance> provenance;
  };
  struct Found {
    TuningResultRecord result;
    double share_of_ceiling = 0;  // NaN where ceilings were not measured
    std::optional<std::vector<CountedStep>> counters;
    std::optional<PointEnergyFront> energy;        // where it was asked for
    std::optional<PortabilityRecord> portability;  // of a search of several shapes
  };
  Provenance provenance;
  std::optional<Replayed> replay_of;
  std::optional<DeviceRecord> device;
  std::optional<Shape> shape;
  TuningSearch search;
  Budget budget;
  Found result;
};

void describe(Fields<CountedStep>& fields);
void describe(Fields<Budget>& fields);
void describe(Fields<TuningDocument::Replayed>& fields);
void describe(Fields<TuningDocument::Found>& fields);
void describe(Fields<TuningDocument>& fields);

}  // namespace alsbench
