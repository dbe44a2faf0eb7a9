// SPDX-License-Identifier: Apache-2.0
// The header of a file that numpy.load reads: .npy format 1.0 (NumPy Enhancement Proposal 1).
#pragma once

#include <string>
#include <string_view>

namespace alsbench {

// The start of such a file, padded so that its data begin at a multiple of 64 bytes; they follow in
// C order. `type` and `shape` as Python writes them: "'<f4'" and "(3, 2)". A structured array has a
// list of fields as its type: "[('item', '<i4'), ('score', '<f4')]".
std::string npy_header(std::string_view type, std::string_view shape);

// The dictionary in it, without the padding.
std::string npy_dictionary(std::string_view type, std::string_view shape);

}  // namespace alsbench
