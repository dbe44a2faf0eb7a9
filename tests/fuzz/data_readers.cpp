// SPDX-License-Identifier: Apache-2.0
// The formats of ratings.
#include <fmt/format.h>

#include <map>

#include "harness/data/dataset.h"
#include "harness/data/raw_ratings.h"
#include "harness/data/set_file.h"
#include "harness/data/write_ratings.h"
#include "harness/files/atomic_file.h"
#include "harness/files/gzip.h"
#include "harness/files/hash.h"
#include "readers.h"
#include "tests/unit/packed.h"

namespace alsbench::fuzz {
namespace {

namespace fs = std::filesystem;

std::string hash_of(const Csr& matrix) {
  return fmt::format("{}x{} {} {} {} ", matrix.rows, matrix.cols,
                     hash_bytes(matrix.offsets.data(), matrix.offsets.bytes()),
                     hash_bytes(matrix.indices.data(), matrix.indices.bytes()),
                     hash_bytes(matrix.values.data(), matrix.values.bytes()));
}

std::string text_of(const RatingSet& set) {
  std::string text = hash_of(set.by_user) + hash_of(set.by_item) + hash_of(set.test);
  text += fmt::format("{} {} ", set.content_hash, set.mean);
  for (const auto* names : {&set.users, &set.items})
    for (const std::string& name : *names) text += name + ' ';
  return text;
}

// Whole sets, unless a file states a shape that costs time and not thought.
std::string read_ratings(const fs::path& file, Format format, SplitBy split_by = SplitBy::random) {
  constexpr int64_t kLargest = 100'000;
  const RawRatings raw = load_raw(file, format);
  if (std::max(raw.users.stated, raw.items.stated) > kLargest) return "large";
  DataRequest request;
  request.path = file;
  request.format = name_of(format);
  request.split_by = split_by;
  RatingSet set = load_rating_set(request);
  return text_of(set);
}

RatingSet small_set(const fs::path& folder) {
  std::string text;
  for (int user = 1; user <= 12; ++user)
    for (int item = user % 3 + 1; item <= 9; item += 2)
      text += fmt::format("{},{},{}\n", user, item, (user + item) % 9 * 0.5 + 0.5);
  write_file_atomically(folder / "small.csv", text, Sync::no);
  DataRequest request;
  request.path = folder / "small.csv";
  return load_rating_set(request);
}

void add_formats(const fs::path& folder, std::vector<Reader>& readers) {
  const RatingSet set = small_set(folder);
  for (const Format format :
       {Format::tsv, Format::dat, Format::csv, Format::libmf, Format::matrix_market, Format::npz}) {
    const fs::path path = folder / "seed";
    write_ratings(set, set.by_user, format, path);
    readers.push_back(
        {.name = std::string(name_of(format)),
         .seeds = {read_whole_file(path)},
         .read = [format](const fs::path& file) { return read_ratings(file, format); },
         .checked = format == Format::npz});
  }
  readers.push_back({"netflix",
                     {"1:\n7,3,2005-09-06\n8,5,2005-05-13\n2:\n7,1,2003-01-01\n"},
                     [](const fs::path& file) { return read_ratings(file, Format::netflix); }});
  // A file of the folder that Netflix shipped.
  const fs::path movies = folder / "movies";
  fs::create_directories(movies);
  write_file_atomically(movies / "mv_0000002.txt", "2:\n7,1,2003-01-01\n9,2,2003-01-02\n",
                        Sync::no);
  readers.push_back(
      {"netflix-folder", {"1:\n7,3,2005-09-06\n8,5,2005-05-13\n"}, [movies](const fs::path& file) {
         fs::copy_file(file, movies / "mv_0000001.txt", fs::copy_options::overwrite_existing);
         return read_ratings(movies, Format::netflix);
       }});
  readers.push_back({"adjacency", {"0 5 9 2\n1 4 8\n3\n2 3 7 6 1\n"}, [](const fs::path& file) {
                       return read_ratings(file, Format::adjacency);
                     }});
  readers.push_back({"kddcup", {"7|2\n1\t90\n2\t50\n8|1\n1\t30\n"}, [](const fs::path& file) {
                       return read_ratings(file, Format::kddcup);
                     }});
  write_set_file(folder / "seed.alsset", set, Sync::no);
  readers.push_back({"alsset",
                     {read_whole_file(folder / "seed.alsset")},
                     [](const fs::path& file) { return text_of(read_set_file(file)); },
                     true});
}

// The same ratings, packed. Their checksums notice what changes.
void add_packed(const fs::path& folder, std::vector<Reader>& readers) {
  const RatingSet set = small_set(folder);
  write_ratings(set, set.by_user, Format::csv, folder / "seed");
  const std::string text = read_whole_file(folder / "seed");
  for (const auto& [name, packed] : std::map<std::string, std::string>{
           {"csv.gz", gzip_of(text)},
           {"csv.zst", zstd_of(text)},
           {"csv.zip", zip_of(folder / "seed.zip", {{"ratings.csv", text}})}})
    readers.push_back({name,
                       {packed},
                       [](const fs::path& file) { return read_ratings(file, Format::csv); },
                       true});
}

// The formats that say when a rating was made, split by it.
void add_timed(std::vector<Reader>& readers) {
  const std::vector<std::pair<Format, std::string>> seeds{
      {Format::tsv, "1\t2\t3\t881250949\n1\t3\t4\t881250950\n2\t2\t1\t-5\n2\t4\t2\t0\n"},
      {Format::dat, "1::2::3::881250949\n1::3::4::881250950\n2::2::1::978300760\n"},
      {Format::csv,
       "userId,movieId,rating,timestamp\n1,2,3.5,2005-09-06\n1,3,4,2005-09-06 23:59:59\n"
       "2,2,1,2004-02-29T00:00:00Z\n2,4,0.5,1112486027\n"},
      {Format::netflix,
       "1:\n7,3,2005-09-06\n8,5,2005-05-13\n2:\n7,1,2003-01-01\n8,2,1969-12-31\n"}};
  for (const auto& [format, seed] : seeds)
    for (const SplitBy by : {SplitBy::time, SplitBy::user_time})
      readers.push_back(
          {fmt::format("{}-by-{}", name_of(format), name_of(by)),
           {seed},
           [format = format, by](const fs::path& file) { return read_ratings(file, format, by); }});
}

// One file of a folder in cuMF's layout at a time.
void add_cumf(const fs::path& folder, std::vector<Reader>& readers) {
  for (const std::string& name : cumf_files()) {
    const fs::path whole = folder / ("cumf-" + name);
    fs::create_directories(whole);
    write_cumf(small_set(folder), whole);
    const auto read = [whole, name](const fs::path& file) {
      fs::copy_file(file, whole / name, fs::copy_options::overwrite_existing);
      return read_ratings(whole, Format::cumf);
    };
    readers.push_back({name, {read_whole_file(whole / name)}, read});
  }
}

}  // namespace

void add_data_readers(const fs::path& folder, std::vector<Reader>& readers) {
  add_formats(folder, readers);
  add_packed(folder, readers);
  add_timed(readers);
  add_cumf(folder, readers);
}

}  // namespace alsbench::fuzz
