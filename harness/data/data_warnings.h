// SPDX-License-Identifier: Apache-2.0
// Doubts about a user's ratings: signs that a file was not meant as it was read.
#pragma once

#include <string>
#include <vector>

#include "harness/data/csr.h"
#include "harness/data/data_request.h"

namespace alsbench {

// A sentence each, with the remedy. Every user or item has one rating. A value such as -1 stands
// apart from all others. At least half of the test users or items have no training rating. The set
// is that of the file that the request names.
std::vector<std::string> data_warnings(const RatingSet& set, const DataRequest& request);

// The same of ratings that no file holds: a value that stands apart, and ids that stand for none.
std::vector<std::string> value_warnings(const RatingSet& set);

// The same of ids alone, of what they are: "user" or "item". `has_columns`: whether their file has
// columns to choose from.
std::vector<std::string> id_warnings(const std::vector<std::string>& ids, const char* what,
                                     bool has_columns);

// Which comment in the text of a request may be meant for one of its lines; or empty.
std::string comment_of(const DataRequest& request);

// Which id in the text of a request is that of another line because blanks are cut; or empty.
std::string merged_id_of(const DataRequest& request);

// "1 of 4 columns is not read", of the file of a request, whose times are; or empty.
std::string unread_columns_of(const DataRequest& request);

// "3 lines of 'view' are left out, as --values says"; empty where none is.
std::string left_out_note(int64_t count, const NameValues& values);

}  // namespace alsbench
