// SPDX-License-Identifier: Apache-2.0
#include "harness/files/file_plan.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "base/error.h"
#include "harness/files/atomic_file.h"
#include "harness/files/input_file.h"
#include "harness/files/link_target.h"

namespace alsbench {
namespace {

namespace fs = std::filesystem;

constexpr const char* kRemedy = "give another name for what is written";

// Names that differ in the case of letters alone are one file on some disks.
std::string without_case(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

struct Ending {
  std::string_view text, content;
};
constexpr std::array kEndings{Ending{".tsv", content::kTsv},
                              Ending{".csv", content::kCsv},
                              Ending{".npy", content::kNpy},
                              Ending{".json", content::kJson},
                              Ending{".md", content::kMarkdown},
                              Ending{".html", content::kHtml},
                              Ending{".htm", content::kHtml},
                              Ending{".jsonl", "JSON lines"},
                              Ending{".ndjson", "JSON lines"},
                              Ending{".npz", "npz"},
                              Ending{".mtx", "MatrixMarket"},
                              Ending{".alsset", "a set file"},
                              Ending{".xml", "XML"},
                              Ending{".yaml", "YAML"},
                              Ending{".yml", "YAML"},
                              Ending{".xlsx", "Excel"},
                              Ending{".xls", "Excel"},
                              Ending{".h5", "HDF5"},
                              Ending{".hdf5", "HDF5"},
                              Ending{".pkl", "pickle"},
                              Ending{".pickle", "pickle"},
                              Ending{".zip", "zip"}};

// Throws UsageError where the name's ending stands for other content.
void refuse_other_content(const fs::path& path, const std::string& role, std::string_view content) {
  const auto of_content = std::ranges::find(kEndings, content, &Ending::content);
  const auto of_name = std::ranges::find(kEndings, ending_of(path), &Ending::text);
  if (of_content == kEndings.end() || of_name == kEndings.end() || of_name->content == content)
    return;
  throw UsageError(fmt::format("{} '{}': {} is written, and the name says {}; write '{}'", role,
                               path.string(), content, of_name->content,
                               fs::path(path).replace_extension(of_content->text).string()));
}

}  // namespace

std::string ending_of(const fs::path& path) { return without_case(path.extension().string()); }

FilePlan::FilePlan() {
  std::error_code none;
  reads(fs::read_symlink("/proc/self/exe", none), "this program");
}

void FilePlan::reads(const fs::path& path, const std::string& role, const std::string& ending) {
  std::error_code none;
  if (fs::is_directory(path, none)) return reads_folder(path, role, ending);
  const fs::path file = input_path(path).name;
  const auto id = id_of(file);
  if (id && !is_stream(file)) inputs_.push_back({file, role, ending, false, {*id}});
}

void FilePlan::reads_folder(const fs::path& folder, const std::string& role,
                            const std::string& ending) {
  if (folder.empty()) return;
  Input input{folder, role, ending, true, {}};
  std::error_code none;
  for (fs::directory_iterator entry(folder, none), end; entry != end; entry.increment(none))
    if (input.ends_so(entry->path().native()) && entry->is_regular_file(none))
      if (const auto id = id_of(entry->path())) input.files.push_back(*id);
  inputs_.push_back(std::move(input));
}

bool FilePlan::Input::ends_so(std::string_view name) const {
  return name.ends_with(ending) || name.ends_with(ending + ".gz");
}

void FilePlan::writes(const fs::path& path, const std::string& role, std::string_view content) {
  if (!path.empty() && !is_stream(path)) outputs_.push_back({path, role, false, content});
}

void FilePlan::writes_or_prints(const std::string& target, const std::string& role,
                                std::string_view content) {
  if (target == kStdout)
    printed_.push_back(role);
  else
    writes(target, role, content);
}

void FilePlan::writes_folder(const fs::path& folder, const std::string& role,
                             const std::vector<std::string>& names) {
  if (folder.empty()) return;
  outputs_.push_back({folder, role, true});
  for (const std::string& name : names) writes(folder / name, role);
}

void refuse_arrow_output(const fs::path& path, const std::string& role, std::string_view format) {
  const std::string ending = ending_of(path);
  const bool parquet =
      format.empty() ? ending == ".parquet" || ending == ".pq" : format == "parquet";
  const bool arrow = format.empty() ? ending == ".feather" || ending == ".arrow" || ending == ".ipc"
                                    : format == "arrow";
  if (parquet || arrow)
    throw UsageError(fmt::format(
        "{} '{}': {} is written by data convert, data generate, data split, explain, predict, "
        "recommend and similar of the Python package's alsbench: pip install 'alsbench[arrow]', "
        "then python -m alsbench; or give a name of another format, such as .csv",
        role, path.string(), parquet ? "Parquet" : "Arrow"));
}

std::optional<FilePlan::FileId> FilePlan::id_of(const fs::path& path) {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0) return std::nullopt;
  return FileId{status.st_dev, status.st_ino};
}

bool FilePlan::same(const fs::path& a, const fs::path& b) {
  const auto id_a = id_of(a), id_b = id_of(b);
  if (id_a || id_b) return id_a == id_b;
  return without_case(link_target(a).native()) == without_case(link_target(b).native());
}

// Its content would belie its name, and other programs go by that.
void FilePlan::check_ending(const Output& output) {
  const std::string ending = ending_of(output.path);
  if (!output.is_folder) refuse_arrow_output(output.path, output.role);
  if (output.content == content::kCompressed ||
      (ending != ".gz" && ending != ".zst" && ending != ".bz2" && ending != ".xz"))
    return;
  throw UsageError(fmt::format(
      "{} '{}': files are written uncompressed; write '{}', then compress it", output.role,
      output.path.string(), fs::path(output.path).replace_extension().string()));
}

void FilePlan::check(const Output& output, const Input& input) {
  if (output.role == input.role) return;
  if (same(output.path, input.path))
    throw UsageError(
        fmt::format("{} '{}' and {} '{}' are one {}, which is read and would be overwritten; {}",
                    output.role, output.path.string(), input.role, input.path.string(),
                    input.is_folder ? "folder" : "file", kRemedy));
  const auto id = id_of(output.path);
  const bool listed =
      id && std::find(input.files.begin(), input.files.end(), *id) != input.files.end();
  const bool inside = input.is_folder && !output.is_folder && input.ends_so(output.path.native()) &&
                      same(link_target(output.path).parent_path(), input.path);
  if (listed || inside)
    throw UsageError(
        fmt::format("{} '{}' is one of the files in {} '{}', which are read and would be "
                    "overwritten; {}",
                    output.role, output.path.string(), input.role, input.path.string(), kRemedy));
}

void FilePlan::check(const Output& output, const Output& earlier) {
  if (output.role == earlier.role || !same(output.path, earlier.path)) return;
  throw UsageError(
      fmt::format("{} '{}' and {} '{}' are one file, and one would replace the other; give another "
                  "name for one of them",
                  output.role, output.path.string(), earlier.role, earlier.path.string()));
}

void FilePlan::check() const {
  if (printed_.size() > 1)
    throw UsageError(
        fmt::format("{} and {} both write to stdout, where nothing tells them apart; give a file "
                    "to one of them",
                    printed_[0], printed_[1]));
  for (auto output = outputs_.begin(); output != outputs_.end(); ++output) {
    check_ending(*output);
    for (const Input& input : inputs_) check(*output, input);
    for (auto earlier = outputs_.begin(); earlier != output; ++earlier) check(*output, *earlier);
  }
  for (const Output& output : outputs_)
    refuse_other_content(output.path, output.role, output.content);
}

void FilePlan::check_writable() const {
  for (const Output& output : outputs_)
    if (!output.is_folder) alsbench::check_writable(output.path);
}

}  // namespace alsbench
