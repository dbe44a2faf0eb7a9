// SPDX-License-Identifier: Apache-2.0
// Text formats line by line: MovieLens (tab, ::, comma), LIBMF, lists of items, Netflix Prize, KDD
// Cup.
#pragma once

#include "harness/data/raw_ratings.h"
#include "harness/data/text_columns.h"
#include "harness/data/text_pieces.h"

namespace alsbench {

// The columns of a format, before a file is looked at.
Columns columns_of(Format format);

// How the lines of a format with these columns are read.
TextLayout layout_of(Format format, const Columns& columns);

}  // namespace alsbench
