// SPDX-License-Identifier: Apache-2.0
#include "harness/files/other_kinds.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <string>

#include "base/error.h"
#include "harness/files/unpack.h"

namespace alsbench {
namespace {

using std::string_view_literals::operator""sv;

struct Kind {
  std::string_view magic;
  size_t at;              // where it stands in the file
  std::string_view said;  // {0}: the name of the file; {1}: that of the folder it is a part of
};

constexpr std::string_view kParquet =
    "a file of Parquet, which Python's pyarrow reads: python -m alsbench.arrow {1} | alsbench ... "
    "--data -";
constexpr std::string_view kArrow =
    "a file of Arrow, which Python's pyarrow reads: python -m alsbench.arrow {1} | alsbench ... "
    "--data -";
constexpr std::string_view kJsonLines =
    "a file of JSON lines, which Python's pyarrow reads: python -m alsbench.arrow {1} | alsbench "
    "... --data -";
constexpr std::string_view kExcel = "a workbook of Excel; save its sheet as CSV";
constexpr std::string_view kPickle = "a pickle of Python; write its table as CSV from Python";
constexpr std::string_view kUtf16 =
    "text in UTF-16; make it UTF-8 on the way: iconv -f UTF-16 -t UTF-8 {0} | alsbench ... -";
constexpr std::string_view kHtml = "a page of HTML; fetch the file that the page links to";

// Of binary files; a text may begin so, too.
constexpr std::array kBinary{
    Kind{"1AY&SY"sv, 4, "packed by bzip2; unpack it on the way: bzcat {0} | alsbench ... -"},
    Kind{"\xfd\x37zXZ\0"sv, 0, "packed by xz; unpack it on the way: xzcat {0} | alsbench ... -"},
    Kind{"LZIP"sv, 0, "packed by lzip; unpack it on the way: lzip -dc {0} | alsbench ... -"},
    Kind{"\x04\x22\x4d\x18"sv, 0,
         "packed by lz4; unpack it on the way: lz4 -dc {0} | alsbench ... -"},
    Kind{"\x1f\x9d"sv, 0, "packed by compress; unpack it on the way: zcat {0} | alsbench ... -"},
    Kind{"\xff\x06\0\0sNaPpY"sv, 0, "packed by snappy; unpack it, or pack it by gzip"},
    Kind{"7z\xbc\xaf\x27\x1c"sv, 0,
         "an archive of 7-Zip; unpack it on the way: 7z x -so {0} | alsbench ... -"},
    Kind{"Rar!\x1a\x07"sv, 0,
         "an archive of RAR; unpack it on the way: unrar p -inul {0} | alsbench ... -"},
    Kind{"ustar"sv, 257,
         "an archive of tar; unpack its ratings on the way: tar -xOf {0} NAME | alsbench ... -, "
         "where tar -tf {0} lists the names"},
    Kind{"ORC"sv, 0, "a file of ORC; write it as Parquet or CSV"},
    Kind{"Obj\x01"sv, 0, "a file of Avro; write it as Parquet or CSV"},
    Kind{"\x89HDF\r\n\x1a\n"sv, 0,
         "a file of HDF5; write its matrix by scipy.sparse.save_npz, or its table as CSV"},
    Kind{"MATLAB 5.0 MAT-file"sv, 0,
         "a file of MATLAB; write its matrix by scipy.io.loadmat and scipy.sparse.save_npz"},
    Kind{"\x93NUMPY"sv, 0,
         "an array of numpy; write a matrix by scipy.sparse.save_npz, or lines by numpy.savetxt"},
    Kind{"\x80\x03"sv, 0, kPickle},
    Kind{"\x80\x04"sv, 0, kPickle},
    Kind{"\x80\x05"sv, 0, kPickle},
    Kind{"SQLite format 3\0"sv, 0,
         "a database of SQLite; write its table as CSV: sqlite3 -header -csv {0} 'select ...' | "
         "alsbench ... -"},
    Kind{"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"sv, 0, kExcel},
    Kind{"\xff\xfe"sv, 0, kUtf16},
    Kind{"\xfe\xff"sv, 0, kUtf16},
};

// Of any file.
constexpr std::array kAny{
    Kind{"PAR1"sv, 0, kParquet},
    Kind{"ARROW1"sv, 0, kArrow},
    Kind{"FEA1"sv, 0, kArrow},
    Kind{"{\""sv, 0, kJsonLines},
    Kind{"{ \""sv, 0, kJsonLines},
    Kind{"[{"sv, 0, "a list of JSON; make it lines of JSON: jq -c '.[]' {0} > ratings.jsonl"},
    Kind{"<!DOCTYPE"sv, 0, kHtml},
    Kind{"<!doctype"sv, 0, kHtml},
    Kind{"<html"sv, 0, kHtml},
    Kind{"version https://git-lfs"sv, 0, "a pointer of Git LFS; fetch the file: git lfs pull"},
};

// A word of a command line: in quotes where a shell would part it.
std::string word_of(const std::filesystem::path& name) {
  const std::string text = name.string();
  const bool plain = text.find_first_not_of(
                         "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                         "0123456789._-+/=:@%,") == std::string::npos;
  return plain ? text : fmt::format("'{}'", text);
}

bool is_binary(std::string_view bytes) {
  constexpr size_t kLooked = 4096;
  return std::ranges::any_of(bytes.substr(0, kLooked), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte < 0x20 && byte != '\t' && byte != '\n' && byte != '\r';
  });
}

[[noreturn]] void refuse(const std::filesystem::path& name, std::string_view said) {
  const bool is_part = name.filename().string().starts_with("part-") && name.has_parent_path();
  throw UsageError(fmt::format("{}: is {}", name.string(),
                               fmt::format(fmt::runtime(said), word_of(name),
                                           word_of(is_part ? name.parent_path() : name))));
}

void refuse_one_of(std::span<const Kind> kinds, const std::filesystem::path& name,
                   std::string_view bytes) {
  const auto kind = std::ranges::find_if(kinds, [&](const Kind& each) {
    return bytes.size() > each.at && bytes.substr(each.at).starts_with(each.magic);
  });
  if (kind != kinds.end()) refuse(name, kind->said);
}

}  // namespace

void refuse_other_kinds(const std::filesystem::path& name, std::string_view bytes,
                        const char* unpacked_by) {
  if (unpacked_by != nullptr && (is_gzip(bytes) || is_zstd(bytes) || is_zip(bytes)))
    refuse(name, fmt::format("packed twice; unpack it once on the way: {} {{0}} | alsbench ... -",
                             unpacked_by));
  if (is_binary(bytes)) refuse_one_of(kBinary, name, bytes);
  refuse_one_of(kAny, name, bytes);
}

void refuse_workbook(const std::filesystem::path& name, const std::vector<std::string>& members) {
  if (std::find(members.begin(), members.end(), "xl/workbook.xml") != members.end())
    refuse(name, kExcel);
}

}  // namespace alsbench
