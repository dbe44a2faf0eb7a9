// SPDX-License-Identifier: Apache-2.0
// Peer: another program that factorizes ratings, described by a file: configs/peers/*.json
// (embedded in the binary) or a user's. `alsbench schema peer` prints the schema;
// docs/explanation/peers.md explains it.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/data/raw_ratings.h"
#include "harness/files/regular_expression.h"
#include "harness/record/fields/fields.h"
#include "variants/core/backend.h"

namespace alsbench {

// How a line says how far a training is: what the groups of the pattern are, in their order.
struct ProgressPattern {
  // index: of an iteration, from 0.
  enum class Field { iteration, index, seconds, total_seconds, test_metric };
  std::string text;
  RegularExpression pattern;
  std::vector<Field> fields;
};

// How a peer writes a matrix of rows x rank.
//   npy       numpy's, little-endian 32-bit floats by rows
//   raw       the same without a header
//   text      a line of numbers for each row
//   id-text   likewise, after the row's number from 0; rows that are missing are zero
//   libmf     a model of LIBMF, which holds both matrices
enum class FactorFormat { npy, raw, text, id_text, libmf };
constexpr auto enum_names(FactorFormat) {
  return std::to_array<EnumName<FactorFormat>>({{FactorFormat::id_text, "id-text"}});
}

struct FactorFiles {
  FactorFormat format = FactorFormat::npy;
  std::string x, theta;  // names in the folder that it runs in; the same of libmf
};

// A file that is next to it as it runs, such as a script.
struct PeerFile {
  std::string name;
  std::string content;
};

struct PeerNeeds {
  std::vector<std::string> check;  // ends with 0 where it is there, and its last line is a version
  std::string install;             // for people
};

struct PeerRatings {
  Format format = Format::libmf;
  std::string train, test;  // names of the files
};

struct PeerRegularisation {
  std::string weight;  // what lambda multiplies: "ratings" or "plain"
  double factor = 1;   // its lambda is ours times this
  std::string source;  // that says so
};

struct Peer {
  std::string name;
  std::string title;
  std::string home;
  Backend backend = Backend::cpu;
  std::string algorithm;  // of this project, that has its model and judges its factors
  PeerNeeds needs;
  std::vector<PeerFile> files;
  PeerRatings ratings;
  std::vector<std::string> command;
  std::vector<std::pair<std::string, std::string>> environment;
  std::map<std::string, std::string> options;  // its own, with their defaults
  PeerRegularisation regularisation;
  std::vector<ProgressPattern> progress;
  FactorFiles factors;

  // Whether its command reads the test ratings. Others never see them.
  bool reads_test() const;
};

void describe(Fields<ProgressPattern>& fields);
void describe(Fields<FactorFiles>& fields);
void describe(Fields<PeerNeeds>& fields);
void describe(Fields<PeerRatings>& fields);
void describe(Fields<PeerRegularisation>& fields);
void describe(Fields<Peer>& fields);

// Placeholders of values in commands, in addition to a peer's options: "{rank}".
const std::vector<std::string>& peer_placeholders();

// A shipped peer by name, or that of a file: a path that ends with .json. Throws UsageError that
// names the file, the place and the remedy.
Peer load_peer(const std::string& name_or_path);
std::vector<std::string> peer_names();  // of the shipped ones

}  // namespace alsbench
