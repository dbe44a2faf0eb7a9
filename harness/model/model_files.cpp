// SPDX-License-Identifier: Apache-2.0
#include "harness/model/model_files.h"

#include "harness/files/atomic_file.h"
#include "harness/files/hash.h"

namespace alsbench {

Json to_json(const FileProof& proof) {
  return Json{{"name", proof.name}, {"bytes", proof.bytes}, {"sha256", proof.sha256}};
}

FileProof file_proof_from(const JsonField& field) {
  return {field.at("name").text(), field.at("bytes").integer(), field.at("sha256").text()};
}

std::string id_map_text(const std::vector<std::string>& ids, int64_t rows) {
  std::string text;
  for (int64_t row = 0; row < rows; ++row) {
    text += ids.empty() ? std::to_string(row) : ids[static_cast<size_t>(row)];
    text += '\n';
  }
  return text;
}

void write_model(const std::filesystem::path& folder, const std::vector<ModelFile>& files,
                 const Json& record) {
  std::vector<FileProof> proofs(files.size());
  std::vector<NewFile> all;
  for (size_t i = 0; i < files.size(); ++i)
    all.push_back({folder / files[i].name, [&proof = proofs[i], &file = files[i]] {
                     std::string content = file.content();
                     proof = {file.name, static_cast<int64_t>(content.size()), sha256(content)};
                     return content;
                   }});
  all.push_back({folder / kRecordFile, [&] {  // once the others are written
                   Json proven = record;
                   proven["files"] = json_list(proofs);
                   return text_of(proven);
                 }});
  replace_together(all);
}

}  // namespace alsbench
