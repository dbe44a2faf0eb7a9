// SPDX-License-Identifier: Apache-2.0
// The readers that are fuzzed, each with the inputs that mutation starts from. The project's own
// writers and files make these inputs.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace alsbench::fuzz {

struct Reader {
  std::string name;
  std::vector<std::string> seeds;
  // The reader's result for a file's content, as a text; throws as the reader does.
  std::function<std::string(const std::filesystem::path& file)> read;
  // Whether it must notice every change of content: the format has a checksum.
  bool checked = false;
};

// `folder` takes what is needed to make the seeds.
void add_data_readers(const std::filesystem::path& folder, std::vector<Reader>& readers);
void add_document_readers(const std::filesystem::path& folder, std::vector<Reader>& readers);
void add_journal_readers(const std::filesystem::path& folder, std::vector<Reader>& readers);
void add_model_readers(const std::filesystem::path& folder, std::vector<Reader>& readers);
void add_peer_readers(const std::filesystem::path& folder, std::vector<Reader>& readers);

}  // namespace alsbench::fuzz
