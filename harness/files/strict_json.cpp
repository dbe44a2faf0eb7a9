// SPDX-License-Identifier: Apache-2.0
#include "harness/files/strict_json.h"

#include <fmt/format.h>

#include <set>
#include <vector>

#include "base/error.h"
#include "harness/files/gzip.h"

namespace alsbench {
namespace {

using Json = nlohmann::ordered_json;

constexpr size_t kDeepest = 64;

// Follows the parser through a document.
class Walk {
 public:
  explicit Walk(const std::string& source) : source_(source) {}

  bool on(Json::parse_event_t event, const Json& parsed) {
    switch (event) {
      case Json::parse_event_t::object_start:
      case Json::parse_event_t::array_start:
        levels_.push_back({event == Json::parse_event_t::object_start, {}, "", 0});
        if (levels_.size() > kDeepest)
          fail(fmt::format("is nested over {} levels deep; flatten it", kDeepest));
        break;
      case Json::parse_event_t::key:
        levels_.back().key = parsed.get<std::string>();
        if (!levels_.back().keys.insert(levels_.back().key).second)
          fail("is there twice; remove one");
        break;
      case Json::parse_event_t::object_end:
      case Json::parse_event_t::array_end:
        levels_.pop_back();
        next();
        break;
      case Json::parse_event_t::value:
        next();
        break;
    }
    return true;
  }

  [[noreturn]] void fail(const std::string& why) const {
    throw UsageError(fmt::format("{}: {} {}", source_, pointer(), why));
  }

 private:
  struct Level {
    bool object;
    std::set<std::string> keys;
    std::string key;    // of the member under way
    int64_t index = 0;  // of the element under way
  };

  void next() {
    if (!levels_.empty()) ++levels_.back().index;
  }

  // Of what is being read. Quoted, so no control character of a key reaches a terminal.
  std::string pointer() const {
    std::string text;
    for (const Level& level : levels_) {
      text += '/';
      if (!level.object) text += std::to_string(level.index);
      for (const char letter : level.object ? level.key : "")
        text += letter == '~' ? "~0" : letter == '/' ? "~1" : std::string(1, letter);
    }
    return nlohmann::json(text.size() > 80 ? text.substr(0, 80) + "..." : text)
        .dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
  }

  const std::string& source_;
  std::vector<Level> levels_;
};

}  // namespace

nlohmann::ordered_json parse_json(const std::string& text, const std::string& source) {
  Walk walk(source);
  try {
    return Json::parse(
        text, [&](int, Json::parse_event_t event, Json& parsed) { return walk.on(event, parsed); });
  } catch (const Json::out_of_range&) {
    walk.fail("is a number beyond what a double holds; write a smaller one");
  } catch (const Json::exception& error) {
    // "[json.exception.parse_error.101] parse error at line 1, column 2: ..."
    const std::string why = error.what();
    throw UsageError(fmt::format("{}: is not JSON: {}; was it cut off?", source,
                                 why.substr(why.find("] ") + 2)));
  }
}

nlohmann::ordered_json read_json(const std::filesystem::path& path) {
  return parse_json(document_text(path), path.string());
}

}  // namespace alsbench
