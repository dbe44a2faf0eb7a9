// SPDX-License-Identifier: Apache-2.0
// The catalog: the table of all stages, all variants of them, and the pipelines they make. It is a
// plain function that calls the families, because linkers drop static registrations from static
// libraries.
#pragma once

#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "variants/core/pipeline_grammar.h"
#include "variants/core/variant.h"

namespace alsbench {

class Catalog {
 public:
  void add(Stage stage) { stages_.push_back(stage); }
  void add(const PipelineGrammar* grammar) { grammars_.push_back(grammar); }
  void add(Variant variant) { variants_.push_back(std::move(variant)); }
  // CPU variants first, those of a backend in the order of the stages.
  void sort();
  const std::vector<Stage>& stages() const { return stages_; }
  const std::vector<Variant>& variants() const { return variants_; }
  const std::vector<const PipelineGrammar*>& grammars() const { return grammars_; }

 private:
  std::vector<Stage> stages_;
  std::vector<Variant> variants_;
  std::vector<const PipelineGrammar*> grammars_;
};

// Adds to the catalog, before it is asked for the first time: custom kernels, and variants that
// tests alone have.
void extend_catalog(std::function<void(Catalog&)> add_family);

const std::vector<Stage>& all_stages();
std::optional<Stage> stage_named(std::string_view name);

const std::vector<Variant>& catalog();
const std::vector<const PipelineGrammar*>& all_grammars();
// Null when there is none.
const Variant* find_variant(Stage stage, std::string_view name, Backend backend);
// Throws UsageError with the nearest valid name.
const Variant& variant_named(Stage stage, std::string_view name, Backend backend);

}  // namespace alsbench
