// SPDX-License-Identifier: Apache-2.0
// Other programs: their descriptions, and the factors that they leave.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/error.h"
#include "harness/files/atomic_file.h"
#include "harness/model/npy.h"
#include "harness/peers/peer.h"
#include "harness/peers/peer_factors.h"
#include "readers.h"
#include "tests/unit/content_text.h"

namespace alsbench::fuzz {
namespace {

namespace fs = std::filesystem;

// Shipped descriptions, without the scripts next to them.
void add_descriptions(std::vector<Reader>& readers) {
  std::vector<std::string> seeds;
  for (const std::string& name : peer_names()) {
    const fs::path folder = fs::path(ALSBENCH_SOURCE_DIR) / "configs/peers";
    Json json = Json::parse(read_whole_file(folder / (name + ".json")));
    json.erase("files");
    seeds.push_back(json.dump(1));
  }
  readers.push_back({"peer", seeds, [](const fs::path& file) {
                       const Peer peer = load_peer(file.string());
                       return fmt::format("{} {} {}", peer.name, fmt::join(peer.command, " "),
                                          peer.regularisation.factor);
                     }});
}

// X in a changed file; Theta as it was, unless one file has both.
void add_factors(const fs::path& folder, std::vector<Reader>& readers) {
  const std::vector<float> factors{1, 2, 3, 4};
  const std::string npy = whole_text(npy_content(factors, 2, 2)), rows = "1 2\n3 4\n";
  const std::vector<std::tuple<std::string, FactorFormat, std::string>> seeds{
      {"npy", FactorFormat::npy, npy},
      {"raw", FactorFormat::raw, std::string(16, '\1')},
      {"text", FactorFormat::text, rows},
      {"id-text", FactorFormat::id_text, "0 1 2\n1 3 4\n"},
      {"libmf", FactorFormat::libmf,
       "f 0\nm 2\nn 2\nk 2\nb 3.5\np0 T 1 2\np1 F 0 0\nq0 T 1 2\nq1 T 3 4\n"}};
  for (const auto& [name, format, seed] : seeds) {
    const fs::path whole = folder / ("peer-" + name);
    fs::create_directories(whole);
    write_file_atomically(whole / "theta", seed, Sync::no);
    const FactorFiles files{format, "x", "theta"};
    readers.push_back(
        {"factors-" + name, {seed}, [whole, files](const fs::path& file) {
           fs::copy_file(file, whole / "x", fs::copy_options::overwrite_existing);
           std::string text;
           try {
             for (const ModelMatrix& matrix : read_peer_factors(files, whole, {2, 2, 2}))
               text += fmt::format("{} ", fmt::join(matrix.values, " "));
           } catch (const WrongFactors& error) {
             throw UsageError(error.what());
           }
           return text;
         }});
  }
}

}  // namespace

void add_peer_readers(const fs::path& folder, std::vector<Reader>& readers) {
  add_descriptions(readers);
  add_factors(folder, readers);
}

}  // namespace alsbench::fuzz
