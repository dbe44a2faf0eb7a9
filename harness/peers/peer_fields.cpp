// SPDX-License-Identifier: Apache-2.0
// The fields of a peer's description.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>

#include "base/error.h"
#include "base/suggestion.h"
#include "harness/peers/peer.h"
#include "harness/peers/placeholders.h"
#include "harness/record/core_codecs.h"
#include "harness/record/document.h"
#include "harness/record/fields/forms.h"

namespace alsbench {
namespace {

// Those that hold the compact indices, which the rows of factors are.
std::vector<std::string> rating_formats() {
  std::vector<std::string> names;
  for (const Format format : {Format::libmf, Format::matrix_market, Format::npz, Format::cumf})
    names.emplace_back(name_of(format));
  return names;
}

// A name in the folder that a peer runs in, and not of any other place.
void expect_file_name(FieldOptions field) {
  field.pattern(R"((?!\.{1,2}$)[^/]{1,255})",
                "is no name of a file; it lies in the folder that the peer runs in");
}

void expect_program(const JsonField& json) {
  const std::vector<std::string> words = json.texts();
  if (words.empty() || words.front().empty()) json.fail("must begin with the name of a program");
}

struct PartFile {
  std::string part, file;
};
void describe(Fields<PartFile>& fields) {
  fields("part", &PartFile::part).names("part", [] {
    return std::vector<std::string>{"x", "theta"};
  });
  expect_file_name(fields("file", &PartFile::file));
}

std::vector<PartFile> part_files_of(const FactorFiles& factors) {
  return {{"x", factors.x}, {"theta", factors.theta}};
}
void set_part_files(const std::vector<PartFile>& files, FactorFiles& factors) {
  for (const auto& [part, file] : files) (part == "x" ? factors.x : factors.theta) = file;
}

// Every {name} of its texts must stand for something.
void check_placeholders(const JsonField& json, Peer& peer) {
  std::vector<std::string> known = peer_placeholders();
  for (const auto& [name, value] : peer.options) known.push_back(name);
  const auto check = [&](const std::string& key, const std::string& text) {
    for (const std::string& name : placeholders_in(text))
      if (std::ranges::find(known, name) == known.end())
        json.at(key).report("has an " + unknown_name("placeholder", name, known));
  };
  for (const std::string& word : peer.command) check("command", word);
  for (const auto& [name, value] : peer.environment) check("environment", value);
  if (peer.reads_test() && peer.ratings.test.empty())
    json.at("ratings").report("needs 'test', which the command names");
}

}  // namespace

void describe(Fields<PeerNeeds>& fields) {
  fields.record("needs", "Requirements of a peer.");
  fields("check", &PeerNeeds::check,
         "a command that ends with 0 where the peer is there; its last line is the version")
      .omitted()
      .range(Range::Kind::not_empty)
      .check(expect_program);
  fields("install", &PeerNeeds::install, "how to get it").range(Range::Kind::not_empty);
}

void describe(Fields<PeerRatings>& fields) {
  fields.record("ratings", "The files of ratings that it reads.");
  fields
      .converted<std::string>(
          "format", [](const PeerRatings& r) { return std::string(name_of(r.format)); },
          [](const std::string& name, PeerRatings& r) { r.format = format_named(name); },
          "rows count from 0")
      .names("format", rating_formats);
  expect_file_name(fields("train", &PeerRatings::train));
  expect_file_name(fields("test", &PeerRatings::test).omitted());
}

void describe(Fields<PeerRegularisation>& fields) {
  fields.record("regularisation", "How its lambda relates to ours.");
  fields("weight", &PeerRegularisation::weight,
         "ratings: lambda is multiplied by a row's number of ratings; plain: it is not")
      .names("weight", [] {
        return std::vector<std::string>{"ratings", "plain"};
      });
  fields("factor", &PeerRegularisation::factor, "its lambda is ours times this").omitted();
  fields("source", &PeerRegularisation::source, "that says so").range(Range::Kind::not_empty);
}

void describe(Fields<ProgressPattern>& fields) {
  fields.record("progress", "Lines that say how far a training is.");
  fields("line", &ProgressPattern::text, "a regular expression of ECMAScript")
      .range(Range::Kind::not_empty);
  fields("fields", &ProgressPattern::fields, "meaning of its groups, in their order");
  fields.check([](const JsonField& json, ProgressPattern& progress) {
    try {
      progress.pattern = RegularExpression(progress.text, RegularExpression::Groups::kept);
    } catch (const std::runtime_error& error) {
      json.at("line").fail(fmt::format("is no regular expression: {}", error.what()));
    }
    if (const size_t groups = progress.pattern.group_count(); progress.fields.size() != groups)
      json.at("fields").fail(
          fmt::format("has {} names, and the line has {} groups", progress.fields.size(), groups));
  });
}

void describe(Fields<FactorFiles>& fields) {
  fields.record("factors", "The files of factors that it leaves.");
  fields("format", &FactorFiles::format);
  fields
      .converted<std::vector<PartFile>>("files", part_files_of, set_part_files,
                                        "of each part; of libmf the same of both")
      .range(Range::Kind::not_empty);
  fields.replaced([](const std::string& key) {
    if (key == "x" || key == "theta")
      return fmt::format("'files': [{{'part': '{}', 'file': ...}}, ...]", key);
    return std::string(key == "model" ? "'files', with the same file of both parts" : "");
  });
  fields.check([](const JsonField& json, FactorFiles& factors) {
    if (factors.x.empty() || factors.theta.empty())
      json.at("files").fail("needs a file of each part, x and theta");
    if ((factors.format == FactorFormat::libmf) != (factors.x == factors.theta))
      json.at("files").fail(
          "must name the same file of both parts where the format is libmf, and two elsewhere");
  });
}

void describe(Fields<Peer>& fields) {
  fields.record("",
                "Another program that factorizes ratings; docs/explanation/peers.md explains "
                "every key.");
  describe_hand_written(fields);
  fields("name", &Peer::name).range(Range::Kind::not_empty);
  fields("title", &Peer::title).range(Range::Kind::not_empty);
  fields("home", &Peer::home, "where it comes from").omitted();
  fields("backend", &Peer::backend);
  fields("algorithm", &Peer::algorithm,
         "of this project, that has its model and judges its factors")
      .range(Range::Kind::not_empty);
  fields("needs", &Peer::needs);
  expect_file_name(fields
                       .converted<std::vector<std::string>>(
                           "files",
                           [](const Peer& peer) {
                             std::vector<std::string> names;
                             for (const PeerFile& file : peer.files) names.push_back(file.name);
                             return names;
                           },
                           [](const std::vector<std::string>& names, Peer& peer) {
                             for (const std::string& name : names) peer.files.push_back({name, ""});
                           },
                           "beside this file; copied into the folder that it runs in")
                       .omitted());
  fields("ratings", &Peer::ratings);
  fields("command", &Peer::command).range(Range::Kind::not_empty).check(expect_program);
  fields("environment", &Peer::environment).omitted();
  fields
      .converted<std::map<std::string, TextOrNumber>>(
          "options",
          [](const Peer& peer) {
            std::map<std::string, TextOrNumber> options;
            for (const auto& [name, value] : peer.options) options[name] = {value};
            return options;
          },
          [](const std::map<std::string, TextOrNumber>& options, Peer& peer) {
            for (const auto& [name, value] : options) peer.options[name] = value.text;
          },
          "of its own, with their defaults")
      .omitted();
  fields("regularisation", &Peer::regularisation);
  fields("progress", &Peer::progress).omitted();
  fields("factors", &Peer::factors);
  fields.check(check_placeholders);
}

bool Peer::reads_test() const {
  return std::ranges::any_of(
      command, [](const std::string& word) { return word.find("{test}") != std::string::npos; });
}

const std::vector<std::string>& peer_placeholders() {
  static const std::vector<std::string> names{"rank",  "lambda", "iterations",    "threads",
                                              "seed",  "train",  "test",          "users",
                                              "items", "device", "train_ratings", "test_ratings"};
  return names;
}

}  // namespace alsbench
