// SPDX-License-Identifier: Apache-2.0
// FilePlan: every file that a command reads and writes, named before any of them is opened. An
// output never replaces an input, nor another output.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace alsbench {

// The name by which an option writes to standard output in place of a file.
constexpr const char* kStdout = "stdout";

// Throws UsageError that names the Python package, where an output asks for a file of Parquet or
// Arrow: by the ending of its name, or by `format`, which may be empty.
void refuse_arrow_output(const std::filesystem::path& path, const std::string& role,
                         std::string_view format = {});

// The ending of a file's name in lower case, such as ".csv".
std::string ending_of(const std::filesystem::path& path);

// Kinds of content that the ending of a name may stand for.
namespace content {
constexpr std::string_view kTsv = "TSV", kCsv = "CSV", kNpy = "npy", kJson = "JSON",
                           kMarkdown = "Markdown", kHtml = "HTML", kCompressed = "compressed";
}  // namespace content

// A file is named with its role: what people know it by, such as "--json" or "the journal of
// quick". Files of one role may be the same: a tuning database is read and written again. Empty
// paths, pipes and devices are left out.
class FilePlan {
 public:
  FilePlan();  // the program itself is read

  // A file, or a folder as below. A missing file is left out.
  void reads(const std::filesystem::path& path, const std::string& role,
             const std::string& ending = "");
  // All that lies directly in the folder, now or later, and whose name ends so; compressed files
  // (.gz) among them.
  void reads_folder(const std::filesystem::path& folder, const std::string& role,
                    const std::string& ending = "");
  // `content`: one of those above; empty where any name will do.
  void writes(const std::filesystem::path& path, const std::string& role,
              std::string_view content = {});
  // The same of an option that takes kStdout for a name.
  void writes_or_prints(const std::string& target, const std::string& role,
                        std::string_view content = {});
  // Files of those names in a folder, which is made where it is missing.
  void writes_folder(const std::filesystem::path& folder, const std::string& role,
                     const std::vector<std::string>& names);

  // Throws UsageError where an output is an input, lies in a folder that is read, is another
  // output, or has the ending of compressed files, of Parquet and Arrow, or of other content than
  // is written. Names, links of either kind and the case of letters are considered.
  void check() const;
  // Throws EnvironmentError where an output cannot be replaced or made: of commands that work for
  // long before they write.
  void check_writable() const;

 private:
  // Identity of a file, whatever its name.
  struct FileId {
    dev_t device = 0;
    ino_t number = 0;
    bool operator==(const FileId&) const = default;
  };
  struct Input {
    std::filesystem::path path;
    std::string role, ending;
    bool is_folder = false;
    std::vector<FileId> files;  // itself, or those in the folder
    bool ends_so(std::string_view name) const;
  };
  struct Output {
    std::filesystem::path path;
    std::string role;
    bool is_folder = false;
    std::string_view content = {};
  };

  static std::optional<FileId> id_of(const std::filesystem::path& path);
  static bool same(const std::filesystem::path& a, const std::filesystem::path& b);
  static void check_ending(const Output& output);
  static void check(const Output& output, const Input& input);
  static void check(const Output& output, const Output& earlier);

  std::vector<Input> inputs_;
  std::vector<Output> outputs_;
  std::vector<std::string> printed_;  // the roles of what goes to standard output
};

}  // namespace alsbench
