// SPDX-License-Identifier: Apache-2.0
#include "harness/peers/peer.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/error.h"
#include "base/suggestion.h"
#include "harness/files/atomic_file.h"
#include "harness/files/embedded.h"
#include "harness/files/gzip.h"
#include "harness/files/strict_json.h"

namespace alsbench {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kFolder = "configs/peers/";
constexpr std::string_view kJsonSuffix = ".json";

const EmbeddedFile* shipped(std::string_view name) {
  for (const EmbeddedFile& file : embedded_configs())
    if (file.path.starts_with(kFolder) && file.path.substr(kFolder.size()) == name) return &file;
  return nullptr;
}

Peer read_peer(const std::string& text, const std::string& source) {
  const Json json = parse_json(text, source);
  DocumentErrors errors;
  auto peer = read_as<Peer>(JsonField(json, "", &errors));
  // In one line: what is wrong with a peer is one error of the suite that names it.
  if (const auto texts = errors.texts(); !texts.empty())
    throw UsageError(fmt::format("{}: {}", source, fmt::join(texts, "; ")));
  return peer;
}

}  // namespace

Peer load_peer(const std::string& name_or_path) {
  if (name_or_path.ends_with(kJsonSuffix)) {
    Peer peer = read_peer(document_text(name_or_path), name_or_path);
    for (PeerFile& file : peer.files)
      file.content = read_whole_file(fs::path(name_or_path).parent_path() / file.name);
    return peer;
  }
  const EmbeddedFile* description = shipped(name_or_path + std::string(kJsonSuffix));
  if (description == nullptr)
    throw UsageError(unknown_name("peer", name_or_path, peer_names()) +
                     "; a file's name ends with .json");
  Peer peer = read_peer(std::string(description->content), std::string(description->path));
  for (PeerFile& file : peer.files) {
    const EmbeddedFile* content = shipped(file.name);
    if (content == nullptr)
      throw UsageError(
          fmt::format("{}: /files: '{}' is not shipped", description->path, file.name));
    file.content = content->content;
  }
  return peer;
}

std::vector<std::string> peer_names() {
  std::vector<std::string> names;
  for (const EmbeddedFile& file : embedded_configs()) {
    if (!file.path.starts_with(kFolder) || !file.path.ends_with(kJsonSuffix)) continue;
    std::string_view name = file.path.substr(kFolder.size());
    name.remove_suffix(kJsonSuffix.size());
    names.emplace_back(name);
  }
  return names;
}

}  // namespace alsbench
