// SPDX-License-Identifier: Apache-2.0
#include "harness/report/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "harness/files/embedded.h"
#include "harness/files/gzip.h"
#include "harness/files/strict_json.h"
#include "harness/record/document.h"

namespace alsbench {
namespace {

constexpr std::string_view kDataMark = "@DATA@";
constexpr std::array kKinds{"run",        "training",  "tuning",    "pipeline-tuning",
                            "comparison", "history",   "static",    "static_comparison",
                            "compile",    "tuned",     "best",      "doctor",
                            "evaluation", "bisection", "strategies"};

std::string base64(std::string_view bytes) {
  constexpr std::string_view kAlphabet =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (size_t i = 0; i < bytes.size(); i += 3) {
    const size_t count = std::min<size_t>(3, bytes.size() - i);
    uint32_t group = 0;
    for (size_t k = 0; k < 3; ++k)
      group = group << 8 | (k < count ? static_cast<unsigned char>(bytes[i + k]) : 0u);
    for (size_t k = 0; k < 4; ++k)
      text += k <= count ? kAlphabet[group >> (18 - 6 * k) & 63u] : '=';
  }
  return text;
}

// Numbers to nine digits, which are more than any clock has: half of the page's size.
Json rounded(Json json) {
  if (json.is_number_float())
    return std::strtod(fmt::format("{:.9g}", json.get<double>()).c_str(), nullptr);
  for (Json& element : json)
    if (element.is_structured() || element.is_number_float()) element = rounded(std::move(element));
  return json;
}

std::string data_of(const ReportFile& file) {
  const Json data = {
      {"name", file.name}, {"kind", file.kind}, {"document", rounded(file.document)}};
  return data.dump(-1, ' ', false, Json::error_handler_t::replace);
}

// How much each file takes, the largest first.
std::string sizes_text(const std::vector<ReportFile>& files) {
  std::vector<std::pair<size_t, std::string>> sizes;
  for (const ReportFile& file : files)
    sizes.emplace_back(base64(gzip_of(data_of(file))).size(), file.name);
  std::sort(sizes.rbegin(), sizes.rend());
  std::string text;
  for (size_t i = 0; i < std::min<size_t>(3, sizes.size()); ++i)
    text += fmt::format("{}{} ({} kB)", i == 0 ? "" : ", ", sizes[i].second, sizes[i].first / 1000);
  return text;
}

ReportFile read_report_file(const std::filesystem::path& path) {
  ReportFile file{path.filename().string(), "", read_json(path)};
  if (file.document.is_object()) file.kind = text_at(file.document, "kind");
  if (std::find(kKinds.begin(), kKinds.end(), file.kind) == kKinds.end())
    throw UsageError(fmt::format(
        "{}: {}; a report shows files of these kinds: {}", path.string(),
        file.kind.empty() ? "is no result of alsbench" : fmt::format("is of kind '{}'", file.kind),
        fmt::join(kKinds, ", ")));
  check_schema_version(text_at(file.document, "schema_version"), kSchemaVersion, path.string());
  return file;
}

// The last `folders` folders of a path, and its name.
std::string end_of(const std::filesystem::path& path, int64_t folders) {
  std::filesystem::path end = path.filename(), rest = path.parent_path();
  for (int64_t i = 0; i < folders && rest.has_filename(); ++i, rest = rest.parent_path())
    end = rest.filename() / end;
  return end.string();
}

}  // namespace

std::vector<ReportFile> read_report_files(const std::vector<std::filesystem::path>& paths) {
  std::vector<ReportFile> files;
  std::vector<std::filesystem::path> whole;
  for (const auto& path : paths) {
    files.push_back(read_report_file(path));
    whole.push_back(std::filesystem::canonical(path));
    if (std::count(whole.begin(), whole.end(), whole.back()) > 1)
      throw UsageError(fmt::format("{}: is given twice; name it once", path.string()));
  }
  for (size_t i = 0; i < files.size(); ++i) {
    int64_t folders = 0;
    const auto alike = [&](const std::filesystem::path& other) {
      return end_of(other, folders) == end_of(whole[i], folders);
    };
    while (std::count_if(whole.begin(), whole.end(), alike) > 1) ++folders;
    files[i].name = end_of(whole[i], folders);
  }
  return files;
}

std::string report_page(const std::vector<ReportFile>& files) {
  std::string data = "[";
  for (const ReportFile& file : files) data += (data.size() > 1 ? "," : "") + data_of(file);
  const std::string encoded = base64(gzip_of(data + "]"));
  std::string page(embedded_page().front().content);
  page.replace(page.find(kDataMark), kDataMark.size(), encoded);
  if (static_cast<int64_t>(page.size()) > kMaxReportBytes)
    throw UsageError(fmt::format(
        "the report would have {} kB, more than {} kB; the largest files are {}; give it fewer",
        page.size() / 1000, kMaxReportBytes / 1000, sizes_text(files)));
  return page;
}

}  // namespace alsbench
