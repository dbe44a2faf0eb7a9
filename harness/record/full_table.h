// SPDX-License-Identifier: Apache-2.0
// The table of a whole result for programs: every row in SI units at full precision, with what was
// run, when and on what. Of a committed result it is the summary that pages and plots read. Its
// columns are declared with the fields of the records.
#pragma once

#include "harness/record/result.h"
#include "harness/record/tables.h"

namespace alsbench {

// A row for each case and cache mode. Columns of parameters and of parts of the model are those
// that the cases have.
Table full_table(const ResultDocument& document);

// A row of it, for its JSON Schema: a member a column, without parameters and parts.
const RecordType& full_table_row();

}  // namespace alsbench
