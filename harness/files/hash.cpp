// SPDX-License-Identifier: Apache-2.0
#include "harness/files/hash.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <new>
#include <vector>

#include "base/error.h"
#include "kernels/shared/generate.h"

namespace alsbench {
namespace {

struct Digest {
  uint64_t low = 0;
  uint64_t high = 0;
};

Digest digest_block(const char* data, int64_t bytes) {
  Digest digest{mix64(static_cast<uint64_t>(bytes)), mix64(~static_cast<uint64_t>(bytes))};
  // Inlined with a constant length, memcpy is two loads; with a variable one it is a call.
  const auto step = [&](const char* from, size_t length) {
    uint64_t words[2] = {};
    std::memcpy(words, from, length);
    digest.low = (std::rotl(digest.low, 29) ^ words[0]) * 0x9fb21c651e98df25ull;
    digest.high = (std::rotl(digest.high, 31) ^ words[1] ^ digest.low) * 0xd6e8feb86659fd93ull;
  };
  int64_t at = 0;
  for (; at + 16 <= bytes; at += 16) step(data + at, 16);
  if (at < bytes) step(data + at, static_cast<size_t>(bytes - at));
  return {mix64(digest.low ^ digest.high), mix64(digest.high)};
}

}  // namespace

Fnv1a128& Fnv1a128::add(std::string_view bytes) {
  __extension__ using Word = unsigned __int128;
  constexpr Word kPrime = (Word{1} << 88) + 0x13b;
  Word hash = (Word{high_} << 64) | low_;
  for (const char byte : bytes) hash = (hash ^ static_cast<unsigned char>(byte)) * kPrime;
  high_ = static_cast<uint64_t>(hash >> 64);
  low_ = static_cast<uint64_t>(hash);
  return *this;
}

Fnv1a128& Fnv1a128::add_field(std::string_view bytes) {
  return add(std::to_string(bytes.size()) + ":").add(bytes);
}

std::string Fnv1a128::hex() const { return fmt::format("{:016x}{:016x}", high_, low_); }

std::string hash_bytes(const void* data, int64_t bytes) {
  constexpr int64_t kBlockBytes = int64_t{1} << 22;
  const int64_t blocks = (bytes + kBlockBytes - 1) / kBlockBytes;
  std::vector<Digest> digests(static_cast<size_t>(blocks));
#pragma omp parallel for schedule(dynamic, 1)  // cannot throw
  for (int64_t block = 0; block < blocks; ++block) {
    const int64_t begin = block * kBlockBytes;
    digests[static_cast<size_t>(block)] = digest_block(
        static_cast<const char*>(data) + begin, std::min<int64_t>(kBlockBytes, bytes - begin));
  }
  const Digest whole = digest_block(reinterpret_cast<const char*>(digests.data()),
                                    static_cast<int64_t>(digests.size() * sizeof(Digest)));
  return fmt::format("{:016x}{:016x}", whole.low, whole.high);
}

Sha256::Sha256() : context_(EVP_MD_CTX_new()) {
  if (context_ == nullptr) throw std::bad_alloc();
  if (EVP_DigestInit_ex(context_, EVP_sha256(), nullptr) == 1) return;
  EVP_MD_CTX_free(context_);
  throw EnvironmentError("OpenSSL has no SHA-256 here; is it limited to another provider?");
}

Sha256::~Sha256() { EVP_MD_CTX_free(context_); }

void Sha256::add(std::string_view bytes) { EVP_DigestUpdate(context_, bytes.data(), bytes.size()); }

std::string Sha256::hex() {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest;
  unsigned length = 0;
  EVP_DigestFinal_ex(context_, digest.data(), &length);
  return fmt::format("{:02x}", fmt::join(digest.data(), digest.data() + length, ""));
}

std::string sha256(std::string_view bytes) {
  Sha256 hash;
  hash.add(bytes);
  return hash.hex();
}

}  // namespace alsbench
