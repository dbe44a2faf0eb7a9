// SPDX-License-Identifier: Apache-2.0
// CostEstimate: how long the rest of a command takes, from what its pieces of work were expected
// to cost and what those that ended did cost. A piece has a kind, a path such as
// "measure/solve/cg". The pieces of a kind correct the expectation of those to come, and a kind
// that has ended few borrows from the kind above it. A piece counts as three medians of its kind at
// most: the first of a kind often bears what all share.
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
  double expected_seconds = 1;  // above 0; in any unit that the first part of the path shares
};

class CostEstimate {
 public:
  size_t add(WorkItem item);  // its index
  const WorkItem& operator[](size_t item) const { return items_.at(item).work; }
  size_t size() const { return items_.size(); }

  void rename(size_t item, const std::string& name) { items_.at(item).work.name = name; }
  void spend(size_t item, double seconds);  // so far unfinished
  void finish(size_t item);                 // its cost is what was spent on it
  void drop(size_t item);                   // it will cost nothing more, and teaches nothing

  size_t ended() const { return ended_; }
  double spent_seconds() const { return spent_; }
  // Of all items that are open. Nothing as long as no item has cost anything.
  std::optional<double> remaining_seconds() const;

 private:
  struct Item {
    WorkItem work;
    double spent = 0;
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

  // What the pieces cost, each at most kMostMedians of them.
  static double capped(const std::vector<Piece>& pieces);

  // What an item of this kind costs for each second that was expected of it.
  double ratio(const std::string& kind) const;

  std::vector<Item> items_;
  std::map<std::string, Costs> costs_;  // by kind, and by every kind above it
  size_t ended_ = 0;
  double spent_ = 0;
};

}  // namespace alsbench
