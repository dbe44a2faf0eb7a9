// SPDX-License-Identifier: Apache-2.0
// Shared by commands that ask the tuning database: its option, devices by name, choices for suites.
#pragma once

#include <string>
#include <vector>

#include "harness/cli/app.h"
#include "harness/sweep/suite/expansion.h"
#include "harness/tune/database/tuning_database.h"

namespace alsbench {

// Adds --db PATH.
void add_database_option(CLI::App& command, std::string& file);

// The traits of "auto" (the first GPU, else the CPU), "cpu", a CUDA ordinal or an architecture such
// as sm_90. A device that the database knows may be named in either spelling. Throws UsageError.
DeviceTraits traits_of_device(const std::string& device, const TuningDatabase& database);

// The command whose entry would serve a query on these ratings better than an answer of this
// origin; empty where none would.
std::string tuning_hint(const TunedQuery& query, const TunedOrigin& origin, const DataRequest& data,
                        const std::vector<std::string>& more = {});

// How `alsbench run` leaves choices to the database, which is read when the first is to be made.
ChooseTuned choose_from_database(const std::string& file);
// Which level of the database served, on stderr: one line for each case that left its choice to it.
void print_tuned(const std::vector<Case>& cases);

}  // namespace alsbench
