// SPDX-License-Identifier: Apache-2.0
// CRC-32C (Castagnoli): the checksum of the journal's lines.
#pragma once

#include <cstdint>
#include <string_view>

namespace alsbench {

uint32_t crc32c(std::string_view bytes);

}  // namespace alsbench
