// SPDX-License-Identifier: Apache-2.0
// CostEstimate: the remaining time of a command. It compares the expected cost of the finished
// pieces of work with their real cost. A piece has a kind, a path such as "measure/solve/cg". The
// pieces of a kind correct the expectation of those to come, and a kind that has ended few borrows
// from the kind above it. A piece counts as three medians of its kind at most: the first of a kind
// often bears what all share.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace alsbench {

struct WorkItem {
  std::string name;             // for people
  std::string kind;             // a path, from general to special
  double expected_seconds = 1;  // above 0
  // Nothing but how pieces compare whose paths begin alike: no seconds before one has ended.
  bool relative_only = false;
};

class CostEstimate {
 public:
  size_t add(WorkItem item);  // its index
  const WorkItem& operator[](size_t item) const { return items_.at(item).work; }
  size_t size() const { return items_.size(); }

  void rename(size_t item, const std::string& name) { items_.at(item).work.name = name; }
  // On what is unfinished so far. `share`: how much of the item that was, 0 where nobody knows.
  void spend(size_t item, double seconds, double share = 0);
  void finish(size_t item);  // its cost is what was spent on it
  void drop(size_t item);    // it will cost nothing more, and teaches nothing

  size_t ended() const { return ended_; }
  double spent_seconds() const { return spent_; }
  // Of all items that are open. Nothing as long as no item has cost anything, or nothing is known
  // of one.
  std::optional<double> remaining_seconds() const;

 private:
  struct Item {
    WorkItem work;
    double spent = 0;
    double share = 0;  // that is done
    bool open = true;
  };
  struct Piece {
    double expected = 0, spent = 0;
    double ratio() const { return spent / expected; }
  };
  struct Costs {  // of items that ended
    double expected = 0, spent = 0, items = 0;
    std::vector<Piece> pieces = {};  // of this very kind
  };

  // Cost of the pieces, each at most kMaxMediansPerPiece of them.
  static double capped(const std::vector<Piece>& pieces);

  // Cost of an item of this kind for each second that was expected of it; nothing where none has
  // ended whose path begins alike.
  std::optional<double> ratio(const std::string& kind) const;
  // Final cost of an item, with the ratio of its kind.
  std::optional<double> cost(const Item& item, const std::optional<double>& ratio) const;

  std::vector<Item> items_;
  std::map<std::string, Costs> costs_;  // by kind, and by every kind above it
  Costs all_;
  size_t ended_ = 0;
  double spent_ = 0;
};

}  // namespace alsbench
