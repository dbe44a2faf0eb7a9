// SPDX-License-Identifier: Apache-2.0
// Standard output and standard error that may be closed, full or without a reader.
#pragma once

namespace alsbench {

// Opens those of the three standard streams that are closed, so no file takes their place.
void secure_standard_streams();

inline constexpr const char* kLostOutput =
    "cannot write all of the output to standard output; send it to a file on a disk with free "
    "space";
// Throws EnvironmentError with that where anything that was printed so far did not reach standard
// output.
void flush_output();

}  // namespace alsbench
