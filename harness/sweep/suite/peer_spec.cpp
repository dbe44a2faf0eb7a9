// SPDX-License-Identifier: Apache-2.0
#include "harness/sweep/suite/peer_spec.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/suggestion.h"
#include "harness/algorithms/algorithms.h"
#include "harness/sweep/suite/suite_reader.h"

namespace alsbench {
namespace {

std::shared_ptr<const Peer> loaded(const std::string& source) {
  auto peer = std::make_shared<const Peer>(load_peer(source));
  algorithm_named(peer->algorithm);
  return peer;
}

std::string text_of_value(const Json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

void read_options(SuiteReader& reader, const Json& json, const std::string& pointer,
                  PeerSpec& spec) {
  spec.options = spec.peer->options;
  if (!json.contains("options")) return;
  if (!json["options"].is_object())
    return reader.error(pointer + "/options", "must be an object of names and values");
  std::vector<std::string> known;
  for (const auto& [name, value] : spec.options) known.push_back(name);
  for (const auto& [name, value] : json["options"].items()) {
    const std::string place = fmt::format("{}/options/{}", pointer, name);
    if (!spec.options.contains(name))
      reader.error(place, unknown_name("option of " + spec.peer->name, name, known));
    else if (!value.is_string() && !value.is_number())
      reader.error(place, "must be a number or a text");
    else
      spec.options[name] = text_of_value(value);
  }
  reader.attempt(pointer + "/options", [&] { spec.hyper(); });
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
  request.regularisation = peer->regularisation;
  request.lambda = lambda.value_or(problem_lambda) * peer->lambda_factor;
  request.iterations = iterations;
  request.command = peer->command;
  return request;
}

PeerSpec read_peer_spec(SuiteReader& reader, const Json& json, const std::string& pointer) {
  PeerSpec spec;
  if (!reader.object(json, pointer,
                     {"peer", "name", "iterations", "lambda", "options", "memory_mib"}, {"peer"}))
    return spec;
  spec.source = reader.text(json, pointer, "peer", "");
  reader.attempt(pointer + "/peer", [&] { spec.peer = loaded(spec.source); });
  if (!spec.peer) return spec;
  spec.name = reader.text(json, pointer, "name", spec.peer->name);
  if (spec.name.empty()) reader.error(pointer + "/name", "must not be empty");
  spec.iterations = static_cast<int>(reader.integer(json, pointer, "iterations", 10, 1, 10000));
  if (json.contains("lambda")) spec.lambda = reader.number(json, pointer, "lambda", 0.05, 0, 1e6);
  if (json.contains("memory_mib"))
    spec.memory_bytes = reader.integer(json, pointer, "memory_mib", 1, 1, int64_t{1} << 30) << 20;
  read_options(reader, json, pointer, spec);
  return spec;
}

void check_peer_names(SuiteReader& reader, const std::vector<PeerSpec>& peers) {
  std::map<std::string, size_t> seen;
  for (size_t i = 0; i < peers.size(); ++i)
    if (const auto [first, fresh] = seen.try_emplace(peers[i].name, i); !fresh)
      reader.error(fmt::format("/peers/{}", i),
                   fmt::format("'{}' is also the name of /peers/{}; give it a 'name' of its own",
                               peers[i].name, first->second));
}

Json to_json(const PeerSpec& spec) {
  return {{"source", spec.source},         {"name", spec.name},
          {"iterations", spec.iterations}, {"lambda", json_of(spec.lambda)},
          {"options", spec.options},       {"memory_bytes", json_of(spec.memory_bytes)}};
}

PeerSpec peer_spec_from_json(const JsonField& json) {
  PeerSpec spec;
  spec.source = json.at("source").text();
  spec.peer = loaded(spec.source);
  spec.name = json.at("name").text();
  spec.iterations = json.at("iterations").integer32();
  spec.lambda = optional_number(json.find("lambda"));
  for (const auto& [name, value] : json.at("options").members()) spec.options[name] = value.text();
  spec.memory_bytes = optional_integer(json.find("memory_bytes"));
  return spec;
}

}  // namespace alsbench
