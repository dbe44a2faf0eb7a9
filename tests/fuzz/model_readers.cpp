// SPDX-License-Identifier: Apache-2.0
// Models, and the pairs that they predict.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "harness/data/raw_ratings.h"
#include "harness/files/atomic_file.h"
#include "harness/model/model.h"
#include "readers.h"
#include "tests/unit/model/written_model.h"

namespace alsbench::fuzz {
namespace {

namespace fs = std::filesystem;

// One file of a model at a time: with hashes every change of it is seen, without them what is read
// must be a model still.
void add_model(const fs::path& folder, std::vector<Reader>& readers) {
  for (const bool proven : {true, false})
    for (const std::string& name : model_file_names()) {
      if (proven && name != "x.npy") continue;  // a hash is a hash
      const fs::path whole = folder / fmt::format("model-{}-{}", proven, name);
      fs::create_directories(whole);
      write(whole);
      if (!proven) {
        write_file_atomically(whole / kRecordFile, alsbench::text_of(record_of(SmallModel())),
                              Sync::no);
      }
      const auto read = [whole, name](const fs::path& file) {
        fs::copy_file(file, whole / name, fs::copy_options::overwrite_existing);
        const Model model = read_model(whole);
        std::string text;
        for (int64_t user = 0; user <= model.users.rows(); ++user)
          for (int64_t item = 0; item <= model.items.rows(); ++item)
            text += fmt::format("{} ", model.predict(user, item));
        return text + fmt::format("{} {}", fmt::join(model.users.ids, " "),
                                  fmt::join(model.items.ids, " "));
      };
      readers.push_back({fmt::format("{} {}", proven ? "proven" : "older", name),
                         {read_whole_file(whole / name)},
                         read,
                         proven});
    }
}

void add_pairs(std::vector<Reader>& readers) {
  readers.push_back({"pairs",
                     {"user,item\n1,2\n3,4\n", "a\tb\t5\n", "1::2\n", "1 2\n"},
                     [](const fs::path& file) {
                       const RawRatings raw = load_pairs(file);
                       return fmt::format("{} {}", raw.users.size(), raw.items.size());
                     }});
}

}  // namespace

void add_model_readers(const fs::path& folder, std::vector<Reader>& readers) {
  add_model(folder, readers);
  add_pairs(readers);
}

}  // namespace alsbench::fuzz
