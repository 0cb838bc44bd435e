// csvdecode: CSV of RFC 4180 as Go's reader takes it.
#include <algorithm>

#include <fmt/format.h>

#include "ir/functions/call.h"
#include "ir/unicode.h"

namespace pravo::functions {

namespace {

class CsvReader {
 public:
  explicit CsvReader(std::string_view text) : text_(text) {}

  // Reads a record into `fields`; false at the end, or at a fault. Empty lines are skipped.
  bool next(std::vector<Str>& fields) {
    fields.clear();
    while (at_ < text_.size() && line_end() == 0) take_line_end();
    if (at_ == text_.size()) return false;
    while (true) {
      StrBuilder field;
      if (text_[at_ == text_.size() ? at_ - 1 : at_] == '"' && at_ < text_.size()) {
        if (!quoted_field(field)) return false;
      } else if (!plain_field(field)) {
        return false;
      }
      fields.push_back(normalized(std::move(field).finish()));
      if (at_ < text_.size() && text_[at_] == ',') {
        ++at_;
        continue;
      }
      if (at_ < text_.size()) take_line_end();
      return true;
    }
  }

  const std::string& fault() const { return fault_; }
  size_t line() const { return line_; }

 private:
  // The distance to the end of the line.
  size_t line_end() const {
    size_t end = std::min(text_.find('\n', at_), text_.size());
    // A carriage return belongs to the line's end, at the end of the text too.
    if (end > at_ && text_[end - 1] == '\r') --end;
    return end - at_;
  }

  void take_line_end() {
    if (text_[at_] == '\r') ++at_;
    if (at_ < text_.size() && text_[at_] == '\n') ++at_;
    ++line_;
  }

  bool at_line_end() const { return at_ == text_.size() || line_end() == 0; }

  bool plain_field(StrBuilder& field) {
    size_t stop = at_ + line_end();
    size_t end = std::min(text_.find(',', at_), stop);
    std::string_view value = text_.substr(at_, end - at_);
    if (value.find('"') != std::string_view::npos) {
      fault_ = "a quote in a field that does not begin with one";
      return false;
    }
    field += value;
    at_ = end;
    return true;
  }

  bool quoted_field(StrBuilder& field) {
    ++at_;
    while (true) {
      size_t quote = text_.find('"', at_);
      size_t stop = std::min(quote, text_.size());
      // Line breaks inside are one character.
      for (; at_ < stop; ++at_) {
        if (text_[at_] == '\r' && at_ + 1 < text_.size() && text_[at_ + 1] == '\n') continue;
        if (text_[at_] == '\n') ++line_;
        field += text_[at_];
      }
      if (quote == std::string_view::npos) {
        fault_ = "a quoted field that is not closed";
        return false;
      }
      ++at_;
      if (at_ < text_.size() && text_[at_] == '"') {
        field += '"';
        ++at_;
        continue;
      }
      if (at_line_end() || text_[at_] == ',') return true;
      fault_ = "text after the closing quote of a field";
      return false;
    }
  }

  std::string_view text_;
  size_t at_ = 0;
  size_t line_ = 1;
  std::string fault_;
};

std::unique_ptr<EvalError> csv_fault(const Call& call, const CsvReader& reader, std::string_view what) {
  return call.fault(0, "this is not valid CSV", fmt::format("line {} has {}", reader.line(), what));
}

}  // namespace

Result<Type> type_Csvdecode(const Call&) { return Type(); }

Result<Value> run_Csvdecode(const Call& call, const Type&) {
  CsvReader reader(call.text(0));
  std::vector<Str> header;
  if (!reader.next(header)) {
    if (!reader.fault().empty()) return csv_fault(call, reader, reader.fault());
    return call.fault(0, "the CSV text has no line with column names");
  }
  for (Str& name : header) name = normalized(std::move(name));
  // Columns in the order of their names.
  std::vector<size_t> order(header.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) { return header[a].view() < header[b].view(); });
  std::vector<Str> names;
  for (size_t i : order) {
    if (!names.empty() && names.back() == header[i])
      return call.fault(0, "two columns of the CSV text have the same name", quoted(header[i]));
    names.push_back(header[i]);
  }
  KeySet keys(std::move(names));
  Type row_type = Type::object(keys, std::vector<Type>(keys.size(), Type::string()));
  std::vector<Value> rows;
  SizeCount size;
  std::vector<Str> fields;
  while (reader.next(fields)) {
    if (fields.size() != header.size())
      return csv_fault(call, reader, fmt::format("{} fields, where {} are named", fields.size(), header.size()));
    std::vector<Value> values;
    values.reserve(order.size());
    for (size_t i : order) values.push_back(Value::string(fields[i]));
    rows.push_back(Value::object(keys, std::move(values)));
    if (!size.add(rows.back())) return too_large_value();
  }
  if (!reader.fault().empty()) return csv_fault(call, reader, reader.fault());
  return Value::list(std::move(row_type), std::move(rows));
}

}  // namespace pravo::functions
