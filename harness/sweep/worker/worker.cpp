// SPDX-License-Identifier: Apache-2.0
#include "harness/sweep/worker/worker.h"

#include <fmt/format.h>
#include <omp.h>

#include <chrono>
#include <cstdio>
#include <new>
#include <stdexcept>
#include <string_view>

#include "harness/device/cuda_backend.h"
#include "harness/device/device_selection.h"
#include "harness/device/nvml.h"
#include "harness/measure/sampler.h"
#include "harness/peers/peer_factors.h"
#include "harness/peers/peer_ratings.h"
#include "harness/record/case_record.h"
#include "harness/record/core_codecs.h"
#include "harness/record/device_record.h"
#include "harness/sweep/worker/cache_model.h"
#include "harness/sweep/worker/datasheet_rates.h"
#include "harness/sweep/worker/line_socket.h"
#include "harness/sweep/worker/prepared_report.h"
#include "harness/sweep/worker/profiling.h"
#include "harness/train/train.h"
#include "variants/core/error.h"

namespace alsbench {
namespace {

using Clock = std::chrono::steady_clock;

Json failure(Outcome outcome, const std::string& detail) {
  return {{"ok", false}, {"outcome", name_of(outcome)}, {"detail", detail}, {"fatal", false}};
}

// The user's or the machine's fault, not the case's: the whole run ends with it.
Json refusal(std::string_view error, const std::string& detail) {
  return {{"ok", false}, {"error", error}, {"detail", detail}, {"fatal", false}};
}

Config without_diagnostics(const Variant& variant, Config config) {
  for (const Parameter& parameter : variant.space.parameters())
    if (parameter.diagnostic()) config = config.with(parameter.name, parameter.values.front().text);
  return config;
}

WorkOptions work_options(const Case& c, double mean_solver_steps) {
  WorkOptions options{.storage = storage_of(*c.variant, c.config),
                      .config = c.config,
                      .products = c.variant->products};
  if (c.variant->measures_solver_steps) options.solver_steps = mean_solver_steps;
  return options;
}

NvmlRecord nvml_record(const std::string& pci_bus_id, const DeviceState& state) {
  const NvmlDevice nvml(pci_bus_id);
  return {nvml.driver_version(), nvml.ecc_enabled(),       nvml.uncorrected_ecc_errors(),
          nvml.mig_enabled(),    nvml.power_limit_watts(), state.others_unknown};
}

DeviceRecord record_of(const Device& device, const std::string& id) {
  DeviceRecord record;
  record.traits = device.traits();
  record.id = id;
  const DeviceState state = device.state();
  if (record.traits.backend == Backend::cuda) {
    record.versions = cuda_versions();
    record.nvml = nvml_record(cuda_pci_bus_id(std::stoi(team_members(id).front())), state);
  }
  record.nominal = nominal_rates(record.traits.name);
  if (!state.available) return record;
  record.power_watts = state.power_watts;
  record.temperature_celsius = state.temperature_celsius;
  return record;
}

}  // namespace

void Worker::serve() {
  LineSocket lines(socket_);
  while (!fatal_) {
    const auto line = lines.read_line();
    if (!line) return;
    send(answer(Json::parse(*line)));
    std::fflush(stdout);
  }
}

void Worker::send(const Json& message) {
  send_line(socket_, message.dump(-1, ' ', false, Json::error_handler_t::replace));
}

Json Worker::answer(const Json& request) {
  try {
    Json result = handle(request);
    result["ok"] = true;
    return result;
  } catch (const ObjectionError& error) {
    return failure(Outcome::skipped, error.what());
  } catch (const CompileError& error) {
    return failure(Outcome::compile_error, error.what());
  } catch (const OutOfMemoryError& error) {
    return failure(Outcome::oom, error.what());
  } catch (const std::bad_alloc& error) {
    return failure(Outcome::oom, error.what());
  } catch (const LaunchRefusedError& error) {
    return failure(Outcome::launch_refused, error.what());
  } catch (const WrongFactors& error) {
    return failure(Outcome::wrong, error.what());
  } catch (const NonFiniteError& error) {
    return failure(Outcome::nan, error.what());
  } catch (const UsageError& error) {
    return refusal("usage", error.what());
  } catch (const EnvironmentError& error) {
    return refusal("environment", error.what());
  } catch (const std::exception& error) {
    // Whatever else, a sticky CUDA error above all: this process can no longer be trusted.
    fatal_ = true;
    Json result = failure(Outcome::crashed, error.what());
    result["fatal"] = true;
    return result;
  }
}

Json Worker::handle(const Json& request) {
  const JsonField fields(request);
  const std::string op = fields.at("op").text();
  if (op == "open") return open(request.at("device"));
  if (op == "load")
    return load(request.contains("problem") ? problem_from_json(fields.at("problem"))
                                            : case_from_json(fields.at("case")).problem);
  if (op == "shape") {
    const DeviceProblem& loaded = problem(problem_from_json(fields.at("problem"))).first();
    const Shape shape = shape_of_part(loaded, request.at("part").get<std::string>());
    return {{"shape", to_json(shape)},
            {"damping", shape.damping},
            {"distinct_ratings", shape.distinct_ratings}};
  }
  if (op == "prepare") return prepare(case_from_json(fields.at("case")));
  if (op == "train") return train(case_from_json(fields.at("case")));
  if (op == "export")
    return export_ratings(case_from_json(fields.at("case")), fields.at("folder").text());
  if (op == "score") return score(case_from_json(fields.at("case")), fields.at("folder").text());
  if (op == "compile") {
    const CompiledKernel kernel =
        compile_kernel({fields.at("source").text(), fields.at("instance").text(),
                        fields.at("architecture").integer32()});
    return {{"compile_seconds", kernel.compile_seconds}};
  }
  if (op == "release") {
    prepared_.clear();
    return Json::object();
  }
  Prepared& target = prepared(request.at("name"));
  const ProfileRange range(target.c.name());
  if (op == "sample") {
    const CacheMode mode = request.at("mode") == "cold" ? CacheMode::cold : CacheMode::hot;
    return sample(target, mode, request.at("count"));
  }
  if (op == "recheck") {
    const auto seconds = sample_kernels(*target.fixture, *target.c.variant, *target.executable);
    return {{"kernel_seconds", seconds}, {"verification", to_json(check(target))}};
  }
  if (op == "count") {
    const CacheMode mode = fields.at("mode").word(cache_mode_named);
    return {{"counters", to_json(count_execution(*target.fixture, *target.c.variant,
                                                 *target.executable, mode))}};
  }
  if (op == "profile") {
    target.fixture->restore(*target.c.variant);
    device_->synchronize();
    const ProfilerCapture capture;
    const ProfileRange captured(target.c.name());  // profilers leave out ranges that began before
    target.fixture->launch(*target.executable);
    device_->synchronize();
    return Json::object();
  }
  throw std::logic_error(fmt::format("unknown request '{}'", op));
}

Json Worker::open(const std::string& name) {
  leave_problem();  // it lives on the device that is left
  team_ = open_team(name);
  device_ = &team_->device();
  return {{"device", to_json(record_of(*device_, name))}};
}

void Worker::leave_problem() {
  prepared_.clear();  // whose fixtures refer to it
  references_.clear();
  problem_.reset();
  loaded_problem_.reset();
}

Json Worker::load(const ProblemSpec& spec) {
  if (loaded_problem_ != spec) leave_problem();
  if (loaded_data_ != spec.data) {
    if (const auto size = size_before_loading(spec.data); size && device_ != nullptr)
      expect_device_memory(*device_, *size, spec.rank, Holding::as_fits);
    set_ = std::make_shared<const RatingSet>(cached_rating_set(spec.data, DrawOn{device_}));
    loaded_data_ = spec.data;
  }
  const DataRecord record{set_->id,
                          set_->content_hash,
                          set_->by_user.rows,
                          set_->by_item.rows,
                          set_->by_user.nnz(),
                          set_->test.nnz(),
                          empty_rows(set_->by_user),
                          empty_rows(set_->by_item)};
  return {{"data", to_json(record)}};
}

std::shared_ptr<StageFixture> Worker::fixture_for(const Case& c) {
  const Storage storage = storage_of(*c.variant, c.config);
  const std::string key =
      fmt::format("{}/{}/{}", name_of(c.variant->stage), c.part, storage.text());
  if (auto existing = fixtures_[key].lock()) return existing;
  std::shared_ptr<StageFixture> fixture =
      make_fixture({problem_->first(), c.variant->stage, c.part, storage, c.problem.data.seed});
  fixtures_[key] = fixture;
  return fixture;
}

const TeamProblem& Worker::problem(const ProblemSpec& spec, Holding holding) {
  load(spec);
  if (problem_ && holding == Holding::whole && !problem_->first().holds_all()) leave_problem();
  if (!problem_) {
    problem_ = std::make_unique<const TeamProblem>(*team_, *set_, spec.rank, spec.lambda, holding);
    loaded_problem_ = spec;
  }
  return *problem_;
}

Json Worker::prepare(const Case& c) {
  if (team_->size() > 1)
    throw ObjectionError("a team trains; its stages are measured on one device");
  Shape shape = shape_of_part(problem(c.problem).first(), c.part);
  if (const auto objection = objection_of(*c.variant, c.config, shape, device_->traits()))
    throw ObjectionError(*objection);
  const ProfileRange range(c.name());
  Prepared prepared{c, fixture_for(c), nullptr, nullptr};
  shape = prepared.fixture->shape();
  const Config verifiable = without_diagnostics(*c.variant, c.config);
  if (!(verifiable == c.config))
    prepared.verifiable = device_->prepare(*c.variant, verifiable, shape);
  // Both make what they need now, which is no need, nor time, of the case's.
  prepared.fixture->restore(*c.variant);
  device_->flush_cache();
  const PeakMemory memory(*device_);
  prepared.executable = device_->prepare(*c.variant, c.config, shape);
  const auto begin = Clock::now();
  PreparedReport report;
  report.verification = check(prepared);
  report.verify_seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  report.kernels = prepared.executable->kernels();
  if (verifiable == c.config)
    report.work = work_of(c, *prepared.fixture, report.verification.mean_cg_steps);
  report.shape = shape;
  report.measured_rows = prepared.fixture->measured_rows();
  report.peak_device_bytes = problem_->first().bytes() + prepared.fixture->bytes() + memory.bytes();
  prepared_.insert_or_assign(c.name(), std::move(prepared));
  return to_json(report);
}

Work Worker::work_of(const Case& c, const StageFixture& fixture, double cg_steps) {
  Work work = fixture.work(work_options(c, cg_steps));
  if (!(work.table_bytes > 0) || device_->traits().backend != Backend::cuda) return work;
  const Csr& gathered = fixture.gathered_ratings();
  const int32_t rank = fixture.shape().rank;
  const auto element = static_cast<double>(size_of(storage_of(*c.variant, c.config).factors));
  GatheredTable table{gathered.offsets.span(), factor_pitch(rank) * element};
  table.passes = work.gathered_bytes / (rank * element * static_cast<double>(gathered.nnz()));
  const double other_bytes = work.compulsory_bytes - work.table_bytes;
  const std::string key =
      fmt::format("missed bytes/{}/{}/{}/{}", c.part, table.row_bytes, table.passes, other_bytes);
  work.missed_bytes = references_.get<double>(
      key, [&] { return missed_bytes(table, other_bytes, shared_cache_bytes(device_->traits())); });
  return work;
}

Worker::Prepared& Worker::prepared(const std::string& name) {
  const auto found = prepared_.find(name);
  if (found == prepared_.end())
    throw std::logic_error(fmt::format("case '{}' was not prepared", name));
  return found->second;
}

Verification Worker::check(Prepared& target) {
  const Variant& variant = *target.c.variant;
  Executable& executable = target.verifiable ? *target.verifiable : *target.executable;
  return verify(*target.fixture, variant, without_diagnostics(variant, target.c.config), executable,
                references_);
}

Json Worker::sample(Prepared& target, CacheMode mode, int64_t count) {
  Json samples = Json::array();
  for (int64_t i = 0; i < count; ++i)
    samples.push_back(
        to_json(take_sample(*target.fixture, *target.c.variant, *target.executable, mode)));
  return {{"samples", samples}};
}

Json Worker::train(const Case& c) {
  prepared_.clear();  // whose memory the training needs
  const TeamProblem& on_devices = problem(c.problem, holding_of(c.train->recipe));
  const ProfileRange range(c.name());
  TrainOptions options;
  options.recipe = c.train->recipe;
  options.rank = c.problem.rank;
  options.lambda = c.problem.lambda;
  options.iterations = c.train->iterations;
  options.seed = c.problem.data.seed;
  options.target = c.train->target;
  options.judging = c.train->judging;
  options.keep_model = false;
  const TrainResult result =
      alsbench::train(on_devices, options, [&](const IterationRecord& record) {
        send({{"iteration", to_json(record, c.train->recipe.algorithm->metric)}});
      });
  const TrainingResult report{
      result.reached_target, result.setup_seconds, result.failed_rows, result.overflows,
      result.empty_users,    result.empty_items,   result.team};
  return {{"training", to_json(report)}, {"peak_device_bytes", result.peak_device_bytes}};
}

// Another program is to have the device's memory.
Json Worker::export_ratings(const Case& c, const std::filesystem::path& folder) {
  leave_problem();
  load(c.problem);
  write_peer_ratings(*c.peer->peer, *set_, folder);
  return {{"threads", omp_get_max_threads()}};
}

// By what judges the algorithm's own trainings: one that goes on from these factors.
Json Worker::score(const Case& c, const std::filesystem::path& folder) {
  const PeerSpec& spec = *c.peer;
  load(c.problem);
  const std::vector<ModelMatrix> model = read_peer_factors(
      spec.peer->factors, folder, {set_->by_user.rows, set_->by_item.rows, c.problem.rank});
  Recipe recipe = exact_recipe(spec.algorithm(), c.backend);
  recipe.hyper = spec.hyper();
  const DeviceProblem& on_device = problem(c.problem, holding_of(recipe)).first();
  const auto training = spec.algorithm().start(on_device, recipe, c.problem.data.seed);
  training->restore(model, 0);
  const MetricValues values = training->evaluate(spec.iterations, Judged::all);
  return {{"score", to_json(PeerScore{values.train, values.test, values.cold_test_ratings},
                            spec.algorithm().metric)}};
}

}  // namespace alsbench
