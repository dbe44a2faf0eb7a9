// SPDX-License-Identifier: Apache-2.0
#include "harness/record/fields/fields.h"

#include <utility>

namespace alsbench {

FieldOptions add_field(RecordType& record, std::string_view name, std::string_view doc,
                       const FieldMember& member, std::shared_ptr<const Type> own) {
  record.fields.push_back({member, std::string(name), std::string(doc)});
  record.fields.back().own = std::move(own);
  return {record, record.fields.size() - 1};
}

RecordField& FieldOptions::field() { return record_->fields[index_]; }

FieldOptions& FieldOptions::limit(Limit limit) {
  field().limits.push_back(std::move(limit));
  return *this;
}

FieldOptions& FieldOptions::since(std::string_view version) {
  field().since = version;
  return *this;
}

FieldOptions& FieldOptions::range(Range::Kind kind) { return limit(limits::range(kind)); }

FieldOptions& FieldOptions::range(double minimum, double maximum) {
  return limit(limits::interval(minimum, maximum));
}

FieldOptions& FieldOptions::names(std::string kind,
                                  std::function<std::vector<std::string>()> known) {
  return limit(limits::names(std::move(kind), std::move(known)));
}

FieldOptions& FieldOptions::pattern(const std::string& pattern, std::string remedy) {
  return limit(limits::pattern(pattern, std::move(remedy)));
}

FieldOptions& FieldOptions::check(std::function<void(const JsonField&)> check) {
  return limit({std::move(check)});
}

FieldOptions& FieldOptions::omitted() {
  field().omitted = true;
  return *this;
}

FieldOptions& FieldOptions::nullable() {
  field().nullable = true;
  return *this;
}

FieldOptions& FieldOptions::column(std::string_view name) {
  record_->add_column(index_, std::string(name), false);
  return *this;
}

FieldOptions& FieldOptions::key_column(std::string_view name) {
  record_->add_column(index_, std::string(name), true);
  return *this;
}

}  // namespace alsbench
