// SPDX-License-Identifier: Apache-2.0
// `alsbench schema`: the JSON Schema of a document, made of the declaration that reads and writes
// it.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>

#include "base/suggestion.h"
#include "harness/cli/commands.h"
#include "harness/cli/inspect/compile_document.h"
#include "harness/cli/inspect/doctor.h"
#include "harness/cli/inspect/list_document.h"
#include "harness/cli/tune/best_document.h"
#include "harness/custom/kernel_file.h"
#include "harness/data/generator_spec.h"
#include "harness/judge/bisection.h"
#include "harness/judge/history_shifts.h"
#include "harness/judge/static_baseline.h"
#include "harness/model/evaluation.h"
#include "harness/model/model_record.h"
#include "harness/peers/peer.h"
#include "harness/process/exit_code.h"
#include "harness/record/comparison_record.h"
#include "harness/record/full_table.h"
#include "harness/record/result.h"
#include "harness/sweep/suite/suite_document.h"
#include "harness/tune/pipeline/pipeline_document.h"
#include "harness/tune/search/strategies_document.h"

namespace alsbench {
namespace {

struct Document {
  std::string_view name;
  const RecordType& (*type)();
};

constexpr std::array kDocuments{
    Document{"accepted_shifts", record_type<AcceptedShifts>},
    Document{"best", record_type<BestDocument>},
    Document{"bisection", record_type<BisectionDocument>},
    Document{"comparison", record_type<ComparisonDocument>},
    Document{"compile", record_type<CompileDocument>},
    Document{"dataset", record_type<DatasetSpec>},
    Document{"doctor", record_type<DoctorDocument>},
    Document{"evaluation", record_type<EvaluationDocument>},
    Document{"history", record_type<HistoryDocument>},
    Document{"history_run", record_type<HistoryRun>},
    Document{"kernel", record_type<custom::KernelFile>},
    Document{"list", record_type<ListDocument>},
    Document{"model", record_type<SavedModelRecord>},
    Document{"peer", record_type<Peer>},
    Document{"pipeline-tuning", record_type<PipelineTuningDocument>},
    Document{"result", record_type<ResultDocument>},
    Document{"static", record_type<StaticBaseline>},
    Document{"static_comparison", record_type<StaticComparisonDocument>},
    Document{"strategies", record_type<StrategiesDocument>},
    Document{"suite", record_type<SuiteDocument>},
    Document{"table", full_table_row},
    Document{"training", record_type<ModelRecord>},
    Document{"tuned", record_type<TunedDocument>},
    Document{"tuning", record_type<TuningDocument>},
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
  fmt::print("{}", text_of(document_schema(found->type(), fmt::format("alsbench {}", name))));
  return kExitOk;
}

}  // namespace

void add_schema_command(CLI::App& app, CommandResult& result) {
  auto name = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand("schema", "Print the JSON Schema of a kind of document");
  command->add_option("document", *name, "Kind of document; without it, list the kinds");
  result.runs(*command, [name] { return print_schema(*name); });
}

}  // namespace alsbench
