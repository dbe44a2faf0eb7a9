// SPDX-License-Identifier: Apache-2.0
#include "harness/files/unpack.h"

#include <fmt/format.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <new>

#include "base/error.h"
#include "harness/files/reading_progress.h"
#include "harness/files/zip_archive.h"

namespace alsbench {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const fs::path& path, const std::string& what) {
  throw UsageError(
      fmt::format("{}: {}; fetch the file again, or pack it again", path.string(), what));
}

class Gzip {
 public:
  Gzip(fs::path path, std::string_view packed) : path_(std::move(path)), packed_(packed) {
    constexpr int kGzipWindow = 15 + 16;
    if (inflateInit2(&stream_, kGzipWindow) != Z_OK) throw std::bad_alloc();
    reading_progress().begin(std::ssize(packed_));
  }
  ~Gzip() { inflateEnd(&stream_); }
  Gzip(const Gzip&) = delete;
  Gzip& operator=(const Gzip&) = delete;

  size_t read(char* to, size_t room) {
    stream_.next_out = reinterpret_cast<Bytef*>(to);
    const auto most = static_cast<uInt>(std::min<size_t>(room, kLargest));
    stream_.avail_out = most;
    while (stream_.avail_out == most) {
      const auto fed = static_cast<uInt>(std::min<size_t>(packed_.size() - at_, kLargest));
      if (member_ended_ && fed == 0) return 0;
      if (member_ended_) inflateReset(&stream_);
      stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed_.data() + at_));
      stream_.avail_in = fed;
      const int code = inflate(&stream_, Z_NO_FLUSH);
      at_ += fed - stream_.avail_in;
      reading_progress().add(fed - stream_.avail_in);
      check(code);
      member_ended_ = code == Z_STREAM_END;
    }
    return most - stream_.avail_out;
  }

 private:
  static constexpr size_t kLargest = std::numeric_limits<uInt>::max();

  void check(int code) const {
    if (code == Z_MEM_ERROR) throw std::bad_alloc();
    if (code == Z_BUF_ERROR)
      refuse(path_, fmt::format("its gzip data ends too early, after {} bytes", at_));
    if (code != Z_OK && code != Z_STREAM_END)
      refuse(path_, fmt::format("its gzip data is damaged at byte {} ({})", at_,
                                stream_.msg != nullptr ? stream_.msg : "no reason"));
  }

  fs::path path_;
  std::string_view packed_;
  size_t at_ = 0;
  bool member_ended_ = false;
  z_stream stream_{};
};

class Zstd {
 public:
  Zstd(fs::path path, std::string_view packed)
      : path_(std::move(path)), packed_{packed.data(), packed.size(), 0} {
    if (!stream_) throw std::bad_alloc();
    constexpr int kWidestWindow = 31;  // of `zstd --long=31`
    ZSTD_DCtx_setParameter(stream_.get(), ZSTD_d_windowLogMax, kWidestWindow);
    reading_progress().begin(std::ssize(packed));
  }

  size_t read(char* to, size_t room) {
    ZSTD_outBuffer out{to, room, 0};
    while (out.pos == 0) {
      if (packed_.pos == packed_.size && frame_ended_) return 0;
      const size_t before = packed_.pos;
      const size_t left = ZSTD_decompressStream(stream_.get(), &out, &packed_);
      reading_progress().add(static_cast<int64_t>(packed_.pos - before));
      if (ZSTD_isError(left))
        refuse(path_, fmt::format("its zstd data is damaged near byte {} ({})", packed_.pos,
                                  ZSTD_getErrorName(left)));
      frame_ended_ = left == 0;
      if (out.pos == 0 && packed_.pos == before && !frame_ended_)
        refuse(path_, fmt::format("its zstd data ends too early, after {} bytes", packed_.pos));
    }
    return out.pos;
  }

 private:
  fs::path path_;
  ZSTD_inBuffer packed_;
  bool frame_ended_ = true;
  std::unique_ptr<ZSTD_DStream, size_t (*)(ZSTD_DStream*)> stream_{ZSTD_createDStream(),
                                                                   ZSTD_freeDStream};
};

class Zip {
 public:
  Zip(fs::path path, std::string_view archive) : path_(std::move(path)) {
    std::string why;
    zip_ = open_zip(archive, why);
    if (!zip_) refuse(path_, fmt::format("is no whole zip archive ({})", why));
  }

  std::vector<std::string> members() const {
    std::vector<std::string> names;
    const zip_int64_t count = zip_get_num_entries(zip_.get(), 0);
    for (zip_int64_t i = 0; i < count; ++i) {
      const char* const name = zip_get_name(zip_.get(), static_cast<zip_uint64_t>(i), 0);
      if (name != nullptr && !std::string_view(name).ends_with('/')) names.emplace_back(name);
    }
    return names;
  }
  void open(const std::string& member) {
    file_.reset(zip_fopen(zip_.get(), member.c_str(), 0));
    if (!file_)
      refuse(path_ / member, fmt::format("cannot be read ({})", zip_strerror(zip_.get())));
    path_ /= member;
  }
  size_t read(char* to, size_t room) {
    const zip_int64_t got = zip_fread(file_.get(), to, room);
    if (got < 0)
      refuse(path_, fmt::format("is damaged behind its first {} bytes ({})", read_,
                                zip_file_strerror(file_.get())));
    read_ += static_cast<size_t>(got);
    return static_cast<size_t>(got);
  }

 private:
  fs::path path_;
  size_t read_ = 0;
  ZipArchive zip_{nullptr, zip_discard};
  std::unique_ptr<zip_file_t, int (*)(zip_file_t*)> file_{nullptr, zip_fclose};
};

template <class Unpacker>
ReadBytes reader(const std::shared_ptr<Unpacker>& unpacker) {
  return [unpacker](char* to, size_t room) { return unpacker->read(to, room); };
}

}  // namespace

bool is_gzip(std::string_view bytes) { return bytes.starts_with("\x1f\x8b"); }
bool is_zstd(std::string_view bytes) { return bytes.starts_with("\x28\xb5\x2f\xfd"); }
// The second is the beginning of an archive without members.
bool is_zip(std::string_view bytes) {
  return bytes.starts_with("PK\x03\x04") || bytes.starts_with("PK\x05\x06");
}

ReadBytes gzip_reader(const fs::path& path, std::string_view packed) {
  return reader(std::make_shared<Gzip>(path, packed));
}

ReadBytes zstd_reader(const fs::path& path, std::string_view packed) {
  return reader(std::make_shared<Zstd>(path, packed));
}

std::vector<std::string> zip_members(const fs::path& path, std::string_view archive) {
  return Zip(path, archive).members();
}

ReadBytes zip_reader(const fs::path& path, std::string_view archive, const std::string& member) {
  const auto zip = std::make_shared<Zip>(path, archive);
  zip->open(member);
  return reader(zip);
}

}  // namespace alsbench
