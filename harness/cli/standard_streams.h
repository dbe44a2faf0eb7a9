// SPDX-License-Identifier: Apache-2.0
// Standard output and standard error that may be closed, full or without a reader.
#pragma once

namespace alsbench {

// Opens those of the three standard streams that are closed, so no file takes their place.
void secure_standard_streams();

// The message where output did not reach standard output. Where that is a pipe whose reader has
// gone, such as `head`, it ends the process in silence as other programs end: by SIGPIPE.
const char* lost_output();
// Throws EnvironmentError with that where anything that was printed so far did not reach standard
// output.
void flush_output();

}  // namespace alsbench
