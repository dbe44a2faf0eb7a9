// SPDX-License-Identifier: Apache-2.0
#include "harness/judge/command_settings.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstring>
#include <filesystem>
#include <map>
#include <optional>
#include <sstream>

namespace alsbench {
namespace {

namespace fs = std::filesystem;

bool is_flag(const std::string& word) {
  return word.size() > 1 && word[0] == '-' &&
         std::isdigit(static_cast<unsigned char>(word[1])) == 0;
}

// NAME=VALUE
bool is_assignment(const std::string& word) {
  const size_t equals = word.find('=');
  if (equals == std::string::npos || equals == 0 ||
      std::isdigit(static_cast<unsigned char>(word[0])))
    return false;
  return std::all_of(word.begin(), word.begin() + static_cast<std::ptrdiff_t>(equals), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
  });
}

bool is_number(const std::string& word) {
  char* end = nullptr;
  std::strtod(word.c_str(), &end);
  return !word.empty() && end == word.c_str() + word.size();
}

bool is_program(const std::string& word) {
  std::error_code none;
  return fs::is_regular_file(word, none) && access(word.c_str(), X_OK) == 0;
}

// Whether a word behind a flag may be its value. A file behind "-u" is rather what is read.
bool may_be_value(const std::string& flag, const std::string& word) {
  std::error_code none;
  return !is_flag(word) && !is_program(word) &&
         (flag.starts_with("--") || !fs::is_regular_file(word, none));
}

// Whether variables may follow it as they follow no program.
bool starts_others(const std::string& word) {
  constexpr std::array<std::string_view, 4> kWords{"env", "export", "sh", "bash"};
  return std::ranges::find(kWords, fs::path(word).filename().string()) != kWords.end();
}

// The name of a file; nothing of what tells no setting.
std::optional<std::string> value_of(const std::string& text) {
  std::error_code none;
  if (text.find("{json}") != std::string::npos || fs::is_directory(text, none)) return std::nullopt;
  return text.find('/') == std::string::npos ? text : fs::path(text).filename().string();
}

// Values by name; of a name that comes several times all of them.
class Settings {
 public:
  void add(const std::string& name, const std::string& text) {
    const auto value = value_of(text);
    if (!value) return;
    std::string& known = values_[name];
    known += (known.empty() ? "" : " ") + *value;
  }
  std::vector<Property> properties() const {
    std::vector<Property> list;
    for (const auto& [name, value] : values_)
      list.push_back({name, value.empty() ? "set" : value, StoryKind::method, false});
    return list;
  }

 private:
  std::map<std::string, std::string> values_;
};

}  // namespace

std::vector<std::string> words_of(const std::string& command) {
  std::string text = command;
  std::replace_if(
      text.begin(), text.end(), [](char c) { return std::strchr("'\";&|()", c) != nullptr; }, ' ');
  std::istringstream stream(text);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

std::vector<Property> settings_of(const std::vector<std::string>& words) {
  Settings settings;
  bool in_program = false;  // whose flags may have values such as N=1, which are variables before
  for (size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    const size_t equals = word.find('=');
    if (is_assignment(word)) {
      settings.add(fmt::format("{}{}", kVariable, word.substr(0, equals)), word.substr(equals + 1));
    } else if (is_flag(word)) {
      const std::string name = fmt::format("{}{}", kFlag, word.substr(0, equals));
      const bool with_value = equals != std::string::npos && equals + 1 < word.size();
      const bool takes_next = !with_value && i + 1 < words.size() &&
                              may_be_value(word, words[i + 1]) &&
                              (in_program || !is_assignment(words[i + 1]));
      settings.add(name, with_value ? word.substr(equals + 1) : takes_next ? words[++i] : "");
    } else if (is_number(word)) {
      settings.add(std::string(kNumbers), word);
    } else if (!starts_others(word)) {
      in_program = true;
    }
  }
  return settings.properties();
}

}  // namespace alsbench
