// SPDX-License-Identifier: Apache-2.0
// Writes ratings in the formats that other programs read.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/data/csr.h"
#include "harness/data/raw_ratings.h"

namespace alsbench {

// `ratings` is set.by_user or set.test, and `times` has those of its cells, or none; libmf,
// matrix-market and npz hold none. tsv, dat and csv hold original ids; libmf, matrix-market
// and npz the compact indices (from 0, MatrixMarket from 1). The file appears complete or not at
// all. Throws UsageError for formats that are not written or cannot hold an id, EnvironmentError
// when it cannot write.
void write_ratings(const RatingSet& set, const Csr& ratings, Format format,
                   const std::filesystem::path& path, std::span<const RatingTime> times = {});

// An id as a field of CSV: quoted where it would be read as something else.
std::string csv_field(const std::string& id);

// Whether an id stays what it is as a field of TSV, below a header and where no comment is begun.
bool stays_in_tsv(std::string_view id);

// The formats that are written, for messages and help; cumf and alsset hold whole sets.
constexpr std::string_view kWrittenFormats =
    "tsv, dat, csv, libmf, matrix-market, npz, cumf or alsset";

// The whole set as a folder in cuMF's layout, compact indices.
void write_cumf(const RatingSet& set, const std::filesystem::path& folder);
std::vector<std::string> cumf_files();  // their names

}  // namespace alsbench
