// SPDX-License-Identifier: Apache-2.0
#include "harness/peers/peer_factors.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstring>
#include <memory>
#include <optional>
#include <string_view>

#include "base/error.h"
#include "harness/data/side.h"
#include "harness/files/mapped_file.h"
#include "harness/model/npy.h"
#include "harness/record/escape.h"

namespace alsbench {
namespace {

namespace fs = std::filesystem;

static_assert(std::endian::native == std::endian::little, "raw factors have the host's byte order");

float* row_of(ModelMatrix& matrix, int64_t row) { return matrix.values.data() + row * matrix.rank; }

ModelMatrix zeros(Side side, int64_t rows, int64_t rank) {
  return {std::string(name_of(side)), std::vector<float>(static_cast<size_t>(rows * rank)), rows,
          rank};
}

std::shared_ptr<const MappedFile> open_file(const fs::path& path) {
  const std::string name = path.filename().string();
  std::error_code ignored;
  if (!fs::is_regular_file(path, ignored))
    throw WrongFactors(fmt::format("it left no file '{}'", name));
  try {
    return MappedFile::open(path);
  } catch (const UsageError& error) {
    throw WrongFactors(error.what());
  }
}

// Goes through a text word by word and line by line.
class TextReader {
 public:
  TextReader(std::string_view text, std::string name) : text_(text), name_(std::move(name)) {}

  bool at_end() {
    while (!text_.empty() && is_space(text_.front())) take_space();
    return text_.empty();
  }

  std::string_view word() {
    if (at_end()) fail("ends too early");
    size_t length = 0;
    while (length < text_.size() && !is_space(text_[length])) ++length;
    const std::string_view word = text_.substr(0, length);
    text_.remove_prefix(length);
    return word;
  }

  template <class Number>
  Number number() {
    const std::string_view text = word();
    Number value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size())
      fail(fmt::format("has '{}' where a number should be", visible(text)));
    return value;
  }

  void take_row(ModelMatrix& matrix, int64_t row) {
    float* const values = row_of(matrix, row);
    for (int64_t i = 0; i < matrix.rank; ++i) values[i] = number<float>();
  }

  [[noreturn]] void fail(const std::string& problem) const {
    throw WrongFactors(fmt::format("'{}', line {}: {}", name_, line_, problem));
  }

 private:
  static bool is_space(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }
  void take_space() {
    line_ += text_.front() == '\n' ? 1 : 0;
    text_.remove_prefix(1);
  }

  std::string_view text_;
  std::string name_;
  int64_t line_ = 1;
};

void read_npy(const fs::path& path, ModelMatrix& matrix) {
  const auto file = open_file(path);
  std::optional<NpyMatrix> read;
  try {
    read = npy_matrix(file, path.filename().string(), "a peer writes numpy.float32 by rows");
  } catch (const UsageError& error) {
    throw WrongFactors(error.what());
  }
  if (read->rows != matrix.rows || read->cols != matrix.rank)
    throw WrongFactors(fmt::format("'{}' has {} x {} factors, not {} x {}",
                                   path.filename().string(), read->rows, read->cols, matrix.rows,
                                   matrix.rank));
  matrix.values.assign(read->values.begin(), read->values.end());
}

void read_raw(const fs::path& path, ModelMatrix& matrix) {
  const auto file = open_file(path);
  const std::string_view bytes = file->text();
  const size_t expected = matrix.values.size() * sizeof(float);
  if (bytes.size() != expected)
    throw WrongFactors(fmt::format("'{}' has {} bytes, which are not {} x {} floats",
                                   path.filename().string(), bytes.size(), matrix.rows,
                                   matrix.rank));
  std::memcpy(matrix.values.data(), bytes.data(), expected);
}

void read_text(const fs::path& path, ModelMatrix& matrix) {
  const auto file = open_file(path);
  TextReader words(file->text(), path.filename().string());
  for (int64_t row = 0; row < matrix.rows; ++row) words.take_row(matrix, row);
  if (!words.at_end()) words.fail(fmt::format("has more than {} rows", matrix.rows));
}

void read_id_text(const fs::path& path, ModelMatrix& matrix) {
  const auto file = open_file(path);
  TextReader words(file->text(), path.filename().string());
  std::vector<bool> seen(static_cast<size_t>(matrix.rows));
  while (!words.at_end()) {
    const auto row = words.number<int64_t>();
    if (row < 0 || row >= matrix.rows)
      words.fail(fmt::format("has row {} of {}", row, matrix.rows));
    if (seen[static_cast<size_t>(row)]) words.fail(fmt::format("has row {} twice", row));
    seen[static_cast<size_t>(row)] = true;
    words.take_row(matrix, row);
  }
}

// The section "Model Format" of LIBMF's README. Rows without ratings are marked F and stay zero.
void read_libmf(const fs::path& path, ModelMatrix& x, ModelMatrix& theta) {
  const auto file = open_file(path);
  TextReader words(file->text(), path.filename().string());
  const auto expect = [&](std::string_view key, int64_t value) {
    const std::string_view found = words.word();
    const auto number = words.number<int64_t>();
    if (found != key || number != value)
      words.fail(fmt::format("has '{} {}', not '{} {}'", visible(found), number, key, value));
  };
  expect("f", 0);
  expect("m", x.rows);
  expect("n", theta.rows);
  expect("k", x.rank);
  words.word();  // b, the mean of the ratings
  words.number<float>();
  for (const auto& [letter, matrix] : {std::pair('p', &x), std::pair('q', &theta)})
    for (int64_t row = 0; row < matrix->rows; ++row) {
      if (words.word() != fmt::format("{}{}", letter, row))
        words.fail(fmt::format("has no {}{}", letter, row));
      const bool rated = words.word() == "T";
      words.take_row(*matrix, row);
      if (!rated) std::fill_n(row_of(*matrix, row), matrix->rank, 0.0f);
    }
}

}  // namespace

std::vector<ModelMatrix> read_peer_factors(const FactorFiles& files, const fs::path& folder,
                                           const FactorShape& shape) {
  std::vector<ModelMatrix> model{zeros(Side::x, shape.users, shape.rank),
                                 zeros(Side::theta, shape.items, shape.rank)};
  if (files.format == FactorFormat::libmf) {
    read_libmf(folder / files.x, model[0], model[1]);
    return model;
  }
  const auto read = files.format == FactorFormat::npy    ? read_npy
                    : files.format == FactorFormat::raw  ? read_raw
                    : files.format == FactorFormat::text ? read_text
                                                         : read_id_text;
  read(folder / files.x, model[0]);
  read(folder / files.theta, model[1]);
  return model;
}

}  // namespace alsbench
