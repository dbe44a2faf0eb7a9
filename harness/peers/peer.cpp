// SPDX-License-Identifier: Apache-2.0
#include "harness/peers/peer.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "base/error.h"
#include "base/suggestion.h"
#include "harness/files/atomic_file.h"
#include "harness/files/embedded.h"
#include "harness/files/gzip.h"
#include "harness/files/strict_json.h"
#include "harness/peers/placeholders.h"
#include "harness/record/json.h"

namespace alsbench {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kFolder = "configs/peers/";
constexpr std::string_view kJsonSuffix = ".json";

// Those that hold the compact indices, which the rows of factors are.
constexpr std::array kRatingFormats{Format::libmf, Format::matrix_market, Format::npz,
                                    Format::cumf};

template <class Value, size_t kCount>
using NamedValues = std::array<std::pair<std::string_view, Value>, kCount>;

constexpr NamedValues<FactorFormat, 5> kFactorFormats{{{"npy", FactorFormat::npy},
                                                       {"raw", FactorFormat::raw},
                                                       {"text", FactorFormat::text},
                                                       {"id-text", FactorFormat::id_text},
                                                       {"libmf", FactorFormat::libmf}}};
constexpr NamedValues<ProgressPattern::Field, 5> kFields{
    {{"iteration", ProgressPattern::Field::iteration},
     {"index", ProgressPattern::Field::index},
     {"seconds", ProgressPattern::Field::seconds},
     {"total_seconds", ProgressPattern::Field::total_seconds},
     {"test_metric", ProgressPattern::Field::test_metric}}};

template <class Value, size_t kCount>
Value word_of(const JsonField& json, const NamedValues<Value, kCount>& words,
              std::string_view kind) {
  std::vector<std::string> names;
  for (const auto& [name, value] : words) {
    if (json.text() == name) return value;
    names.emplace_back(name);
  }
  json.fail("has an " + unknown_name(kind, json.text(), names));
}

// A key that nothing reads is a slip of the pen.
void expect_keys(const JsonField& json, const std::vector<std::string>& known) {
  for (const auto& [key, value] : json.members())
    if (std::find(known.begin(), known.end(), key) == known.end())
      json.fail("has an " + unknown_name("key", key, known));
}

// A name in the folder that a peer runs in, and not of any other place.
std::string file_name(const JsonField& json) {
  const std::string name = json.text();
  if (name.empty() || name == "." || name == ".." || name.find('/') != std::string::npos)
    json.fail(fmt::format("'{}' is no name of a file; it lies in the folder that the peer runs in",
                          name));
  return name;
}

std::vector<std::string> command_of(const JsonField& json) {
  std::vector<std::string> words = json.texts();
  if (words.empty() || words.front().empty()) json.fail("must begin with the name of a program");
  return words;
}

void read_needs(const JsonField& json, Peer& peer) {
  expect_keys(json, {"check", "install"});
  if (const auto check = json.find("check")) peer.check = command_of(*check);
  peer.install = json.at("install").text();
}

void read_ratings(const JsonField& json, Peer& peer) {
  expect_keys(json, {"format", "train", "test"});
  peer.ratings = format_named(json.at("format").text());
  if (std::find(kRatingFormats.begin(), kRatingFormats.end(), peer.ratings) == kRatingFormats.end())
    json.at("format").fail("peers read libmf, matrix-market, npz or cumf, whose rows count from 0");
  peer.train = file_name(json.at("train"));
  if (const auto test = json.find("test")) peer.test = file_name(*test);
}

void read_regularisation(const JsonField& json, Peer& peer) {
  expect_keys(json, {"weight", "factor", "source"});
  peer.regularisation = json.at("weight").text();
  if (peer.regularisation != "ratings" && peer.regularisation != "plain")
    json.at("weight").fail(
        "is 'ratings', where lambda is multiplied by a row's number of ratings, "
        "or 'plain'");
  peer.lambda_factor = optional_number(json.find("factor")).value_or(1);
  json.at("source").text();
}

ProgressPattern progress_of(const JsonField& json) {
  expect_keys(json, {"line", "fields"});
  ProgressPattern progress;
  progress.text = json.at("line").text();
  try {
    progress.pattern = std::regex(progress.text, std::regex::ECMAScript | std::regex::optimize);
  } catch (const std::regex_error& error) {
    json.at("line").fail(fmt::format("is no regular expression: {}", error.what()));
  }
  for (const JsonField& field : json.at("fields").elements())
    progress.fields.push_back(word_of(field, kFields, "field"));
  if (progress.fields.size() != progress.pattern.mark_count())
    json.at("fields").fail(fmt::format("has {} names, and the line has {} groups",
                                       progress.fields.size(), progress.pattern.mark_count()));
  return progress;
}

FactorFiles factors_of(const JsonField& json) {
  expect_keys(json, {"format", "x", "theta", "model"});
  FactorFiles files;
  files.format = word_of(json.at("format"), kFactorFormats, "format of factors");
  if (files.format == FactorFormat::libmf) {
    files.x = files.theta = file_name(json.at("model"));
  } else {
    files.x = file_name(json.at("x"));
    files.theta = file_name(json.at("theta"));
  }
  return files;
}

// Every {name} of its texts must stand for something.
void check_placeholders(const JsonField& json, const Peer& peer) {
  std::vector<std::string> known = peer_placeholders();
  for (const auto& [name, value] : peer.options) known.push_back(name);
  const auto check = [&](const std::string& key, const std::string& text) {
    for (const std::string& name : placeholders_in(text))
      if (std::find(known.begin(), known.end(), name) == known.end())
        json.at(key).fail("has an " + unknown_name("placeholder", name, known));
  };
  for (const std::string& word : peer.command) check("command", word);
  for (const auto& [name, value] : peer.environment) check("environment", value);
  if (peer.reads_test() && peer.test.empty())
    json.at("ratings").fail("needs 'test', which the command names");
}

Peer peer_from_json(const JsonField& json) {
  expect_keys(json, {"$schema", "name", "title", "home", "backend", "algorithm", "needs", "files",
                     "ratings", "command", "environment", "options", "regularisation", "progress",
                     "factors"});
  Peer peer;
  peer.name = json.at("name").text();
  peer.title = json.at("title").text();
  peer.backend = json.at("backend").word(backend_named);
  peer.algorithm = json.at("algorithm").text();
  read_needs(json.at("needs"), peer);
  if (const auto files = json.find("files"))
    for (const JsonField& file : files->elements()) peer.files.push_back({file_name(file), ""});
  read_ratings(json.at("ratings"), peer);
  peer.command = command_of(json.at("command"));
  if (const auto environment = json.find("environment"))
    for (const auto& [name, value] : environment->members())
      peer.environment.emplace_back(name, value.text());
  if (const auto options = json.find("options"))
    for (const auto& [name, value] : options->members())
      peer.options[name] = value.value().is_string() ? value.text() : value.value().dump();
  read_regularisation(json.at("regularisation"), peer);
  if (const auto progress = json.find("progress")) peer.progress = list_of(*progress, progress_of);
  peer.factors = factors_of(json.at("factors"));
  check_placeholders(json, peer);
  return peer;
}

const EmbeddedFile* shipped(std::string_view name) {
  for (const EmbeddedFile& file : embedded_configs())
    if (file.path.starts_with(kFolder) && file.path.substr(kFolder.size()) == name) return &file;
  return nullptr;
}

Peer read_peer(const std::string& text, const std::string& source) {
  const Json json = parse_json(text, source);
  return read_document(json, source, peer_from_json);
}

}  // namespace

bool Peer::reads_test() const {
  return std::any_of(command.begin(), command.end(), [](const std::string& word) {
    return word.find("{test}") != std::string::npos;
  });
}

const std::vector<std::string>& peer_placeholders() {
  static const std::vector<std::string> names{"rank",  "lambda", "iterations",    "threads",
                                              "seed",  "train",  "test",          "users",
                                              "items", "device", "train_ratings", "test_ratings"};
  return names;
}

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
