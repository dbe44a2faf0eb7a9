// SPDX-License-Identifier: Apache-2.0
#include "harness/sweep/worker/worker.h"

#include <fmt/format.h>
#include <omp.h>

#include <cstdio>
#include <functional>
#include <new>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "base/clock.h"
#include "base/error.h"
#include "harness/device/cuda_backend.h"
#include "harness/device/device_selection.h"
#include "harness/device/nvml.h"
#include "harness/files/host_memory.h"
#include "harness/measure/energy.h"
#include "harness/measure/sampler.h"
#include "harness/peers/peer_factors.h"
#include "harness/peers/peer_ratings.h"
#include "harness/record/case_record.h"
#include "harness/record/core_codecs.h"
#include "harness/record/device_record.h"
#include "harness/sweep/worker/cache_model.h"
#include "harness/sweep/worker/datasheet_rates.h"
#include "harness/sweep/worker/line_socket.h"
#include "harness/sweep/worker/profiling.h"
#include "harness/train/run_training.h"

namespace alsbench {
namespace {

worker::Failure failure(Outcome outcome, const char* detail) {
  return {{}, outcome, detail, {}, false};
}

worker::Failure refusal(worker::Refusal why, const std::exception& error) {
  return {why, {}, error.what(), {}, false};
}

Json failed(const worker::Failure& failure) {
  Json json{{"ok", false}};
  json.update(to_json(failure));
  return json;
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

// Sends each iteration as it ends.
class IterationSender : public TrainingObserver {
 public:
  explicit IterationSender(std::function<void(const Json&)> send) : send_(std::move(send)) {}
  void iterated(const IterationRecord& iteration) override { send_(to_json(iteration)); }

 private:
  std::function<void(const Json&)> send_;
};

}  // namespace

void Worker::serve() {
  LineSocket lines(socket_);
  while (!fatal_) {
    const auto line = lines.read_line();
    if (!line) return;
    const Json request = Json::parse(*line);
    send(answer(read_as<worker::Request>(JsonField(request))));
    std::fflush(stdout);
  }
}

void Worker::send(const Json& message) {
  send_line(socket_, message.dump(-1, ' ', false, Json::error_handler_t::replace));
}

Json Worker::answer(const worker::Request& request) {
  try {
    return std::visit(
        [this](const auto& one) {
          Json result = to_json(handle(one));
          result["ok"] = true;
          return result;
        },
        request);
  } catch (const ObjectionError& error) {
    return failed(failure(Outcome::skipped, error.what()));
  } catch (const CompileError& error) {
    return failed(failure(Outcome::compile_error, error.what()));
  } catch (const OutOfMemoryError& error) {
    return failed(failure(Outcome::oom, error.what()));
  } catch (const std::bad_alloc& error) {
    return failed(failure(Outcome::oom, host_memory_text(error)));
  } catch (const LaunchRefusedError& error) {
    return failed(failure(Outcome::launch_refused, error.what()));
  } catch (const RuleBroken& error) {
    fatal_ = damages(error.rule);
    worker::Failure broken = failure(outcome_of(error.rule), error.what());
    broken.rule = error.rule;
    broken.fatal = fatal_;
    return failed(broken);
  } catch (const WrongFactors& error) {
    return failed(failure(Outcome::wrong, error.what()));
  } catch (const NonFiniteError& error) {
    return failed(failure(Outcome::nan, error.what()));
  } catch (const UsageError& error) {
    return failed(refusal(worker::Refusal::usage, error));
  } catch (const EnvironmentError& error) {
    return failed(refusal(worker::Refusal::environment, error));
  } catch (const std::exception& error) {
    // Whatever else, a sticky CUDA error above all: this process can no longer be trusted.
    fatal_ = true;
    worker::Failure lost = failure(Outcome::crashed, error.what());
    lost.fatal = true;
    return failed(lost);
  }
}

DeviceRecord Worker::handle(const worker::Open& request) {
  leave_problem();  // it lives on the device that is left
  team_ = open_team(request.device);
  device_ = &team_->device();
  return record_of(*device_, request.device);
}

worker::PartShape Worker::handle(const worker::GetShape& request) {
  const Shape shape = shape_of_part(problem(request.problem).first(), request.part);
  return {shape, shape.damping, shape.distinct_ratings};
}

Sample Worker::handle(const worker::TakeSample& request) {
  const PreparedCase& target = prepared(request.name);
  const ProfileRange range(target.c.name());
  return target.guard->sample(request.mode);
}

worker::Rechecked Worker::handle(const worker::Recheck& request) {
  PreparedCase& target = prepared(request.name);
  const ProfileRange range(target.c.name());
  auto seconds = sample_kernels(*target.fixture, *target.c.variant, *target.executable);
  Verification verification = target.guard->recheck(references_);
  require_intact(verification);
  return {std::move(seconds), std::move(verification)};
}

CountersRecord Worker::handle(const worker::Count& request) {
  const PreparedCase& target = prepared(request.name);
  const ProfileRange range(target.c.name());
  return count_execution(*target.fixture, *target.c.variant, *target.executable, request.mode);
}

EnergyRecord Worker::handle(const worker::MeasureEnergy& request) {
  const PreparedCase& target = prepared(request.name);
  const ProfileRange range(target.c.name());
  return measure_energy(*target.fixture, *target.c.variant, *target.executable);
}

worker::Done Worker::handle(const worker::Profile& request) {
  const PreparedCase& target = prepared(request.name);
  const ProfileRange range(target.c.name());
  target.fixture->restore(*target.c.variant);
  device_->synchronize();
  const ProfilerCapture capture;
  const ProfileRange captured(target.c.name());  // profilers leave out ranges that began before
  target.fixture->launch(*target.executable);
  device_->synchronize();
  return {};
}

worker::Done Worker::handle(const worker::Release&) {
  prepared_.clear();
  return {};
}

worker::Compiled Worker::handle(const worker::Compile& request) {
  return {compile_kernel({request.source, request.instance, request.architecture}).compile_seconds};
}

void Worker::leave_problem() {
  prepared_.clear();  // whose fixtures refer to it
  references_.clear();
  problem_.reset();
  loaded_problem_.reset();
}

DataRecord Worker::handle(const worker::Load& request) {
  load(request.problem);
  return {set_->id,
          set_->content_hash,
          set_->by_user.rows,
          set_->by_item.rows,
          set_->by_user.nnz(),
          set_->test.nnz(),
          empty_rows(set_->by_user),
          empty_rows(set_->by_item)};
}

void Worker::load(const ProblemSpec& spec) {
  if (loaded_problem_ != spec) leave_problem();
  if (loaded_data_ == spec.data) return;
  if (const auto size = size_before_loading(spec.data); size && device_ != nullptr)
    require_device_memory(*device_, *size, spec.rank, RatingsResidency::as_fits);
  set_ = std::make_shared<const RatingSet>(cached_rating_set(spec.data, DrawTarget{device_}));
  loaded_data_ = spec.data;
}

std::shared_ptr<StageFixture> Worker::fixture_for(const Case& c) {
  const Storage storage = storage_of(*c.variant, c.config);
  const std::string key =
      fmt::format("{}/{}/{}", name_of(c.variant->stage), c.part, storage.text());
  if (auto existing = fixtures_[key].lock()) return existing;
  std::shared_ptr<StageFixture> fixture =
      make_fixture({problem_->first(), c.variant->stage, c.part, storage, c.problem.data.seed});
  fixture->on_activity([this](const std::string& what) { send(to_json(worker::Activity{what})); });
  fixtures_[key] = fixture;
  return fixture;
}

const TeamProblem& Worker::problem(const ProblemSpec& spec, RatingsResidency residency) {
  load(spec);
  if (problem_ && residency == RatingsResidency::whole && !problem_->first().holds_all())
    leave_problem();
  if (!problem_) {
    problem_ =
        std::make_unique<const TeamProblem>(*team_, *set_, spec.rank, spec.lambda, residency);
    loaded_problem_ = spec;
  }
  return *problem_;
}

worker::Prepared Worker::handle(const worker::Prepare& request) {
  const Case& c = request.c;
  if (team_->size() > 1)
    throw ObjectionError("a team trains; its stages are measured on one device");
  Shape shape = shape_of_part(problem(c.problem).first(), c.part);
  if (const auto objection = objection_of(*c.variant, c.config, shape, device_->traits()))
    throw ObjectionError(*objection);
  const ProfileRange range(c.name());
  const auto prepared = std::make_shared<PreparedCase>();
  prepared->c = c;
  prepared->fixture = fixture_for(c);
  shape = prepared->fixture->shape();
  const Config& verifiable = prepared->verified_config = without_diagnostics(*c.variant, c.config);
  if (!(verifiable == c.config))
    prepared->verifiable = device_->prepare(*c.variant, verifiable, shape);
  // Both make what they need now, which is no need, nor time, of the case's.
  prepared->fixture->restore(*c.variant);
  if (c.modes != std::vector{CacheMode::hot}) device_->flush_cache();
  const PeakMemory memory(*device_);
  prepared->executable = device_->prepare(*c.variant, c.config, shape);
  Executable& verified = *(prepared->verifiable ? prepared->verifiable : prepared->executable);
  prepared->guard =
      std::make_unique<Guard>(Measured{*prepared->fixture, *c.variant, prepared->c.config,
                                       *prepared->executable, prepared->verified_config, verified});
  const auto begin = Clock::now();
  worker::Prepared report;
  report.verification = prepared->guard->verify(references_);
  require_intact(report.verification);
  report.verify_seconds = seconds_since(begin);
  report.kernels = prepared->executable->kernels();
  if (verifiable == c.config)
    report.work = work_of(c, *prepared->fixture, report.verification.mean_solver_steps);
  report.shape = std::move(shape);
  report.measured_rows = prepared->fixture->measured_rows();
  report.peak_device_bytes =
      problem_->first().bytes() + prepared->fixture->bytes() + memory.bytes();
  prepared_.insert_or_assign(c.name(), prepared);
  return report;
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

Worker::PreparedCase& Worker::prepared(const std::string& name) {
  const auto found = prepared_.find(name);
  if (found == prepared_.end())
    throw std::logic_error(fmt::format("case '{}' was not prepared", name));
  return *found->second;
}

void Worker::require_intact(const Verification& verification) const {
  if (verification.rule && damages(*verification.rule)) throw RuleBroken(verification);
}

worker::Trained Worker::handle(const worker::Train& request) {
  const Case& c = request.c;
  prepared_.clear();  // whose memory the training needs
  const TeamProblem& on_devices = problem(c.problem, residency_of(c.train->recipe));
  const ProfileRange range(c.name());
  TrainingRequest training;
  TrainOptions& options = training.options;
  options.recipe = c.train->recipe;
  options.rank = c.problem.rank;
  options.lambda = c.problem.lambda;
  options.iterations = c.train->iterations;
  options.seed = c.problem.data.seed;
  options.target = c.train->target;
  options.evaluation = c.train->evaluation;
  options.keep_model = false;
  options.energy = request.energy;
  IterationSender sender([this](const Json& message) { send(message); });
  const auto finished = run_training({*team_, *set_, &on_devices}, training, sender);
  worker::Trained trained;
  trained.training = record_of(*finished).first().result.value();
  trained.peak_device_bytes = finished->result.peak_device_bytes;
  return trained;
}

// Another program is to have the device's memory.
worker::Exported Worker::handle(const worker::ExportRatings& request) {
  leave_problem();
  load(request.c.problem);
  const PeerSpec& spec = *request.c.peer;
  const bool implicit = spec.algorithm().feedback != kExplicitFeedback;
  write_peer_ratings(*spec.peer, *set_, implicit, request.folder);
  return {omp_get_max_threads()};
}

// By what judges the algorithm's own trainings: one that goes on from these factors.
PeerScore Worker::handle(const worker::Score& request) {
  const Case& c = request.c;
  const PeerSpec& spec = *c.peer;
  load(c.problem);
  const std::vector<ModelMatrix> model = read_peer_factors(
      spec.peer->factors, request.folder, {set_->by_user.rows, set_->by_item.rows, c.problem.rank});
  Recipe recipe = exact_recipe(spec.algorithm(), c.backend);
  recipe.hyper = spec.hyper();
  const DeviceProblem& on_device = problem(c.problem, residency_of(recipe)).first();
  const auto training = spec.algorithm().start(on_device, recipe, c.problem.data.seed);
  training->restore(model, {});
  const MetricValues values = training->evaluate(spec.iterations, EvaluatedRatings::all);
  return {values.train, values.test, values.cold_test_ratings};
}

}  // namespace alsbench
