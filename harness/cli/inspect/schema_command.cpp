// SPDX-License-Identifier: Apache-2.0
// `alsbench schema`: the JSON Schema of a document, made of the declaration that reads and writes
// it.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>

#include "harness/cli/commands.h"
#include "harness/data/generator_spec.h"
#include "harness/peers/peer.h"
#include "harness/process/exit_code.h"
#include "harness/record/result.h"
#include "harness/sweep/suite/suite_document.h"
#include "variants/core/suggestion.h"

namespace alsbench {
namespace {

struct Document {
  std::string_view name, title;
  const RecordType& (*type)();
};

constexpr std::array kDocuments{
    Document{"dataset", "alsbench data set", record_type<DatasetSpec>},
    Document{"peer", "alsbench peer", record_type<Peer>},
    Document{"result", "alsbench result", record_type<ResultDocument>},
    Document{"suite", "alsbench suite", record_type<SuiteDocument>},
};

int print_schema(const std::string& name) {
  if (name.empty()) {
    for (const Document& document : kDocuments) fmt::print("{}\n", document.name);
    return kExitOk;
  }
  const auto found = std::find_if(kDocuments.begin(), kDocuments.end(),
                                  [&](const Document& document) { return document.name == name; });
  if (found == kDocuments.end()) {
    std::vector<std::string> names;
    for (const Document& document : kDocuments) names.emplace_back(document.name);
    throw UsageError(unknown_name("document", name, names));
  }
  fmt::print("{}", text_of(document_schema(found->type(), found->title)));
  return kExitOk;
}

}  // namespace

void add_schema_command(CLI::App& app, CommandResult& result) {
  auto name = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand("schema", "Print the JSON Schema of a kind of document");
  command->add_option("document", *name, "Kind of document; without it, list the kinds");
  command->callback([&result, name] { result.action = [name] { return print_schema(*name); }; });
}

}  // namespace alsbench
