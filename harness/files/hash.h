// SPDX-License-Identifier: Apache-2.0
// Hashes that name contents: cache keys, machine code, data sets. Stable from run to run. The first
// two are not cryptographic and give 32 hexadecimal digits.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

struct evp_md_ctx_st;

namespace alsbench {

// FNV-1a, 128 bits, byte by byte: for texts and code that come in pieces.
// http://www.isthe.com/chongo/tech/comp/fnv
class Fnv1a128 {
 public:
  Fnv1a128& add(std::string_view bytes);
  // Adds the length too, so ("ab", "c") and ("a", "bc") differ.
  Fnv1a128& add_field(std::string_view bytes);
  std::string hex() const;

 private:
  uint64_t high_ = 0x6c62272e07bb0142;  // the offset basis
  uint64_t low_ = 0x62b821756295c58d;
};

// For gigabytes: 16 bytes a step, in parallel; the result does not depend on the number of threads.
std::string hash_bytes(const void* data, int64_t bytes);

// SHA-256 of bytes that come in pieces.
class Sha256 {
 public:
  Sha256();
  ~Sha256();
  Sha256(const Sha256&) = delete;
  Sha256& operator=(const Sha256&) = delete;

  void add(std::string_view bytes);
  std::string hex();  // once, in the end

 private:
  evp_md_ctx_st* context_;
};

// SHA-256 (FIPS 180-4) in 64 hexadecimal digits, as `sha256sum` prints it: for what others check,
// and for code.
std::string sha256(std::string_view bytes);

}  // namespace alsbench
