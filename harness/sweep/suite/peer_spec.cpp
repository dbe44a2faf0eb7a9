// SPDX-License-Identifier: Apache-2.0
#include "harness/sweep/suite/peer_spec.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/suggestion.h"
#include "harness/algorithms/algorithms.h"

namespace alsbench {
namespace {

std::shared_ptr<const Peer> loaded(const std::string& source) {
  auto peer = std::make_shared<const Peer>(load_peer(source));
  algorithm_named(peer->algorithm);
  return peer;
}

void set_options(const PeerEntry& entry, const JsonField& json, PeerSpec& spec) {
  spec.options = spec.peer->options;
  std::vector<std::string> known;
  for (const auto& [name, value] : spec.options) known.push_back(name);
  for (const auto& [name, value] : entry.options)
    if (const auto option = spec.options.find(name); option != spec.options.end())
      option->second = value.text;
    else
      json.at("options").at(name).report(unknown_name("option of " + spec.peer->name, name, known));
  if (!entry.options.empty()) json.at("options").attempt([&] { spec.hyper(); });
}

}  // namespace

const Algorithm& PeerSpec::algorithm() const { return algorithm_named(peer->algorithm); }

Config PeerSpec::hyper() const {
  Config hyper = algorithm().hyper.default_config();
  for (const auto& [option, value] : options)
    if (algorithm().hyper.find(option) != nullptr)
      hyper = hyper.with(option,
                         parse_hyper(algorithm(), fmt::format("{}={}", option, value)).get(option));
  return hyper;
}

PeerRequest PeerSpec::request(double problem_lambda) const {
  PeerRequest request;
  request.peer = peer->name;
  request.algorithm = algorithm().name;
  request.metric = algorithm().metric;
  request.hyper = hyper();
  request.regularisation = peer->regularisation.weight;
  request.lambda = lambda.value_or(problem_lambda) * peer->regularisation.factor;
  request.iterations = iterations;
  request.command = peer->command;
  return request;
}

PeerSpec peer_of(const PeerEntry& entry, const JsonField& json) {
  PeerSpec spec;
  if (!json.is_sound()) return spec;
  spec.source = entry.peer;
  json.at("peer").attempt([&] { spec.peer = loaded(spec.source); });
  if (!spec.peer) return spec;
  spec.name = entry.name.empty() ? spec.peer->name : entry.name;
  spec.iterations = entry.iterations;
  spec.lambda = entry.lambda;
  if (entry.memory_mib) spec.memory_bytes = *entry.memory_mib << 20;
  set_options(entry, json, spec);
  return spec;
}

void check_peer_names(const std::vector<PeerSpec>& peers, const std::vector<JsonField>& elements) {
  std::map<std::string, size_t> seen;
  for (size_t i = 0; i < peers.size(); ++i) {
    if (!peers[i].peer) continue;
    if (const auto [first, fresh] = seen.try_emplace(peers[i].name, i); !fresh)
      elements[i].report(
          fmt::format("'{}' is also the name of /peers/{}; give it a 'name' of its own",
                      peers[i].name, first->second));
  }
}

void describe(Fields<PeerSpec>& fields) {
  fields("source", &PeerSpec::source);
  fields("name", &PeerSpec::name);
  fields("iterations", &PeerSpec::iterations);
  fields("lambda", &PeerSpec::lambda);
  fields("options", &PeerSpec::options);
  fields("memory_bytes", &PeerSpec::memory_bytes);
  fields.check([](const JsonField&, PeerSpec& spec) { spec.peer = loaded(spec.source); });
}

}  // namespace alsbench
