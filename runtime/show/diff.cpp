#include "runtime/show/diff.h"

#include <algorithm>

#include <fmt/format.h>

#include "ir/json_codec.h"
#include "runtime/address.h"

namespace pravo::runtime {

namespace {

constexpr std::string_view kUnknown = "(known after apply)";
constexpr std::string_view kSensitive = "(sensitive value)";

bool is_sequence(const Value& v) { return v.kind() == ValueKind::List || v.kind() == ValueKind::Tuple; }
bool is_keyed(const Value& v) { return v.kind() == ValueKind::Map || v.kind() == ValueKind::Object; }
bool is_hidden(const Value& v) { return any(v.marks()); }

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> out;
  while (true) {
    size_t end = text.find('\n');
    out.push_back(text.substr(0, end));
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  // A line break at the end starts no further line.
  if (out.size() > 1 && out.back().empty()) out.pop_back();
  return out;
}

bool is_multiline(const Value& v) {
  return v.kind() == ValueKind::String && v.as_string().find('\n') != std::string_view::npos;
}

// A string that holds a JSON object or array is shown as what it says.
std::optional<Value> as_json(const Value& v) {
  if (v.kind() != ValueKind::String || is_hidden(v)) return std::nullopt;
  std::string_view text = v.as_string();
  size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos || (text[first] != '{' && text[first] != '[')) return std::nullopt;
  Result<Value> parsed = decode_json(text);
  if (!parsed.ok() || !parsed->is_compound()) return std::nullopt;
  return std::move(*parsed);
}

}  // namespace

std::string written_key(std::string_view key) {
  bool bare = !key.empty();
  for (size_t i = 0; i < key.size() && bare; ++i) {
    char c = key[i];
    bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    bare = letter || (i > 0 && ((c >= '0' && c <= '9') || c == '-'));
  }
  if (bare) return std::string(key);
  std::string out;
  append_quoted(out, key);
  return out;
}

bool same_value(const Value& before, const Value& after) {
  return before.is_wholly_known() && after.is_wholly_known() && before.equals_raw(after);
}

std::vector<std::pair<size_t, size_t>> common_elements(size_t before, size_t after,
                                                       const std::function<bool(size_t, size_t)>& same) {
  constexpr size_t kMaxCells = 4'000'000;
  std::vector<std::pair<size_t, size_t>> out;
  size_t head = 0;
  while (head < before && head < after && same(head, head)) out.emplace_back(head, head), ++head;
  size_t tail = 0;
  while (tail < before - head && tail < after - head && same(before - 1 - tail, after - 1 - tail)) ++tail;
  size_t n = before - head - tail;
  size_t m = after - head - tail;
  if (n > 0 && m > 0 && n * m <= kMaxCells) {
    std::vector<uint32_t> length((n + 1) * (m + 1), 0);
    auto at = [&](size_t i, size_t k) -> uint32_t& { return length[i * (m + 1) + k]; };
    for (size_t i = n; i-- > 0;)
      for (size_t k = m; k-- > 0;)
        at(i, k) = same(head + i, head + k) ? at(i + 1, k + 1) + 1 : std::max(at(i + 1, k), at(i, k + 1));
    for (size_t i = 0, k = 0; i < n && k < m;) {
      if (same(head + i, head + k) && at(i, k) == at(i + 1, k + 1) + 1) {
        out.emplace_back(head + i, head + k);
        ++i;
        ++k;
      } else if (at(i + 1, k) >= at(i, k + 1)) {
        ++i;
      } else {
        ++k;
      }
    }
  }
  for (size_t i = tail; i-- > 0;) out.emplace_back(before - 1 - i, after - 1 - i);
  return out;
}

// "# forces replacement" goes where the line of the name ends.
void Diff::end_of_line() {
  if (!replaces_) return;
  replaces_ = false;
  out_.style("\033[31m", " # forces replacement");
}

// --- one value

void Diff::scalar(const Value& v) {
  if (is_hidden(v)) return out_.text(kSensitive);
  switch (v.kind()) {
    case ValueKind::Null:
      return out_.text("null");
    case ValueKind::Unknown:
      return out_.text(kUnknown);
    case ValueKind::Bool:
      return out_.text(v.as_bool() ? "true" : "false");
    case ValueKind::Number:
      return out_.text(v.as_number().to_string());
    case ValueKind::String: {
      std::string quoted;
      append_quoted(quoted, v.as_string());
      return out_.text(quoted);
    }
    case ValueKind::List:
    case ValueKind::Set:
    case ValueKind::Tuple:
      return out_.text("[]");
    case ValueKind::Map:
    case ValueKind::Object:
      return out_.text("{}");
  }
}

void Diff::text(const Value& v, unsigned level, Mark) {
  out_.text("<<-EOT");
  end_of_line();
  for (std::string_view line : lines_of(v.as_string())) out_.plain_line(level + 1, line);
  out_.plain_line(level, "EOT");
}

void Diff::value(const Value& v, unsigned level, Mark mark) {
  if (is_hidden(v) || v.is_null() || v.is_unknown() || (v.is_compound() && v.length() == 0)) {
    scalar(v);
    return end_of_line();
  }
  if (v.kind() == ValueKind::String && json(v, nullptr, level, mark)) return;
  if (is_multiline(v)) return text(v, level, mark);
  if (!v.is_compound()) {
    scalar(v);
    return end_of_line();
  }
  if (is_keyed(v)) {
    out_.text("{");
    end_of_line();
    std::vector<NamedChange> parts;
    for (size_t i = 0; i < v.length(); ++i)
      parts.push_back({std::string(v.key(i).view()), mark == Mark::Create ? nullptr : &v.element(i),
                       mark == Mark::Delete ? nullptr : &v.element(i)});
    members(parts, level + 1, mark, {});
    return out_.plain_line(level, "}");
  }
  out_.text("[");
  end_of_line();
  for (const Value& element : v.elements()) {
    out_.line(level + 1, mark);
    value(element, level + 1, mark);
    out_.text(",");
  }
  out_.plain_line(level, "]");
}

bool Diff::json(const Value& before, const Value* after, unsigned level, Mark mark) {
  std::optional<Value> first = as_json(before);
  if (!first) return false;
  std::optional<Value> second;
  if (after != nullptr) {
    second = as_json(*after);
    if (!second || first->kind() != second->kind()) return false;
  }
  out_.text("jsonencode(");
  end_of_line();
  if (second && same_value(*first, *second)) {
    // Only the text around it changed.
    out_.remark(level + 1, "only white space changes");
  } else if (second) {
    out_.line(level + 1, Mark::Update);
    change(*first, *second, level + 1);
  } else {
    out_.plain_line(level + 1, "");
    value(*first, level + 1, mark);
  }
  out_.plain_line(level, ")");
  return true;
}

// --- differences

void Diff::change(const Value& before, const Value& after, unsigned level) {
  bool hidden = is_hidden(before) || is_hidden(after);
  if (!hidden && !after.is_unknown() && !before.is_null() && !after.is_null()) {
    if (is_keyed(before) && is_keyed(after)) return object_change(before, after, level);
    if (is_sequence(before) && is_sequence(after)) return sequence_change(before, after, level);
    if (before.kind() == ValueKind::Set && after.kind() == ValueKind::Set) return set_change(before, after, level);
    if (before.kind() == ValueKind::String && after.kind() == ValueKind::String) {
      if (json(before, &after, level, Mark::Update)) return;
      if (is_multiline(before) || is_multiline(after)) return text_change(before.as_string(), after.as_string(), level);
    }
  }
  if (is_hidden(before) && is_hidden(after)) {
    scalar(after);
    return end_of_line();
  }
  bool replaces = replaces_;
  replaces_ = false;
  value(before, level, Mark::Delete);
  out_.arrow();
  replaces_ = replaces;
  value(after, level, Mark::Create);
  end_of_line();
}

void Diff::object_change(const Value& before, const Value& after, unsigned level) {
  out_.text("{");
  end_of_line();
  std::vector<NamedChange> parts;
  size_t i = 0;
  size_t k = 0;
  while (i < before.length() || k < after.length()) {
    int c = i == before.length() ? 1 : k == after.length() ? -1 : before.key(i).view().compare(after.key(k).view());
    NamedChange part;
    part.name = std::string(c <= 0 ? before.key(i).view() : after.key(k).view());
    if (c <= 0) part.before = &before.element(i++);
    if (c >= 0) part.after = &after.element(k++);
    parts.push_back(std::move(part));
  }
  Style style;
  style.hide_unchanged = true;
  if (after.kind() == ValueKind::Map) style.noun = "element";
  members(parts, level + 1, Mark::None, style);
  out_.plain_line(level, "}");
}

namespace {

std::string hidden_count(size_t count, std::string_view noun) {
  return fmt::format("# ({} unchanged {}{} hidden)", count, noun, count == 1 ? "" : "s");
}

}  // namespace

void Diff::sequence_change(const Value& before, const Value& after, unsigned level) {
  out_.text("[");
  end_of_line();
  auto common = common_elements(before.length(), after.length(),
                                [&](size_t i, size_t k) { return same_value(before.element(i), after.element(k)); });
  // Between what stays, elements that went and elements that came stand for each other, pair by pair.
  struct Entry {
    const Value* before;
    const Value* after;
    size_t index;  // in the new sequence, for paths
  };
  std::vector<Entry> entries;
  size_t i = 0;
  size_t k = 0;
  auto gap = [&](size_t end_before, size_t end_after) {
    size_t paired = std::min(end_before - i, end_after - k);
    // Elements of different shapes are no versions of each other.
    for (size_t p = 0; p < paired; ++p, ++i, ++k) {
      const Value& b = before.element(i);
      const Value& a = after.element(k);
      bool alike = a.is_unknown() || b.is_null() || a.is_null() || b.is_compound() == a.is_compound();
      if (alike) {
        entries.push_back({&b, &a, k});
      } else {
        entries.push_back({&b, nullptr, i});
        entries.push_back({nullptr, &a, k});
      }
    }
    for (; i < end_before; ++i) entries.push_back({&before.element(i), nullptr, i});
    for (; k < end_after; ++k) entries.push_back({nullptr, &after.element(k), k});
  };
  for (auto [bi, ak] : common) {
    gap(bi, ak);
    entries.push_back({&before.element(i), &after.element(k), k});
    ++i;
    ++k;
  }
  gap(before.length(), after.length());

  auto unchanged = [&](size_t e) {
    return entries[e].before != nullptr && entries[e].after != nullptr &&
           same_value(*entries[e].before, *entries[e].after);
  };
  size_t hidden = 0;
  auto flush = [&] {
    if (hidden > 0) out_.remark(level + 1, hidden_count(hidden, "element"));
    hidden = 0;
  };
  for (size_t e = 0; e < entries.size(); ++e) {
    const Entry& entry = entries[e];
    if (unchanged(e)) {
      // The neighbours of a change help to find it.
      bool neighbour = (e > 0 && !unchanged(e - 1)) || (e + 1 < entries.size() && !unchanged(e + 1));
      if (!neighbour) {
        ++hidden;
        continue;
      }
      flush();
      out_.line(level + 1, Mark::None);
      value(*entry.after, level + 1, Mark::None);
    } else {
      flush();
      path_.push_back(PathStep::at(entry.index));
      replaces_ = options_.forces_replacement && options_.forces_replacement(path_);
      if (entry.before == nullptr) {
        out_.line(level + 1, Mark::Create);
        value(*entry.after, level + 1, Mark::Create);
      } else if (entry.after == nullptr) {
        out_.line(level + 1, Mark::Delete);
        value(*entry.before, level + 1, Mark::Delete);
      } else {
        out_.line(level + 1, Mark::Update);
        change(*entry.before, *entry.after, level + 1);
      }
      path_.pop_back();
    }
    out_.text(",");
  }
  flush();
  out_.plain_line(level, "]");
}

void Diff::set_change(const Value& before, const Value& after, unsigned level) {
  out_.text("[");
  end_of_line();
  // Both are sorted alike, so what both have is found by going through them side by side.
  auto common = common_elements(before.length(), after.length(),
                                [&](size_t i, size_t k) { return same_value(before.element(i), after.element(k)); });
  size_t i = 0;
  size_t k = 0;
  auto gap = [&](size_t end_before, size_t end_after) {
    for (; i < end_before; ++i) {
      out_.line(level + 1, Mark::Delete);
      value(before.element(i), level + 1, Mark::Delete);
      out_.text(",");
    }
    for (; k < end_after; ++k) {
      out_.line(level + 1, Mark::Create);
      value(after.element(k), level + 1, Mark::Create);
      out_.text(",");
    }
  };
  for (auto [bi, ak] : common) {
    gap(bi, ak);
    ++i;
    ++k;
  }
  gap(before.length(), after.length());
  if (!common.empty()) out_.remark(level + 1, hidden_count(common.size(), "element"));
  out_.plain_line(level, "]");
}

void Diff::text_change(std::string_view before, std::string_view after, unsigned level) {
  out_.text("<<-EOT");
  end_of_line();
  std::vector<std::string_view> old_lines = lines_of(before);
  std::vector<std::string_view> new_lines = lines_of(after);
  auto common = common_elements(old_lines.size(), new_lines.size(),
                                [&](size_t i, size_t k) { return old_lines[i] == new_lines[k]; });
  size_t i = 0;
  size_t k = 0;
  constexpr size_t kContext = 3;
  auto gap = [&](size_t end_before, size_t end_after) {
    for (; i < end_before; ++i) {
      out_.line(level + 1, Mark::Delete);
      out_.text(old_lines[i]);
    }
    for (; k < end_after; ++k) {
      out_.line(level + 1, Mark::Create);
      out_.text(new_lines[k]);
    }
  };
  // Long runs of lines that stay are cut to what surrounds a change.
  for (size_t c = 0; c < common.size();) {
    gap(common[c].first, common[c].second);
    size_t run = c;
    while (run < common.size() && common[run].first == i + (run - c) && common[run].second == k + (run - c)) ++run;
    size_t length = run - c;
    bool first = c == 0 && i == 0 && k == 0;
    bool last = run == common.size() && common.back().first + 1 == old_lines.size() &&
                common.back().second + 1 == new_lines.size();
    size_t keep_before = first ? 0 : kContext;
    size_t keep_after = last ? 0 : kContext;
    for (size_t n = 0; n < length; ++n, ++i, ++k) {
      bool shown = length <= keep_before + keep_after + 1 || n < keep_before || n >= length - keep_after;
      if (shown)
        out_.plain_line(level + 1, new_lines[k]);
      else if (n == keep_before)
        out_.remark(level + 1, hidden_count(length - keep_before - keep_after, "line"));
    }
    c = run;
  }
  gap(old_lines.size(), new_lines.size());
  out_.plain_line(level, "EOT");
}

// --- named parts

void Diff::members(const std::vector<NamedChange>& parts, unsigned level, Mark whole, const Style& style) {
  struct Shown {
    const NamedChange* part;
    std::string key;
    Mark mark;
  };
  std::vector<Shown> shown;
  size_t hidden = 0;
  size_t width = 0;
  for (const NamedChange& part : parts) {
    const Value* b = part.before;
    const Value* a = part.after;
    bool b_there = b != nullptr && !(style.skip_null && b->is_null() && !is_hidden(*b));
    bool a_there = a != nullptr && !(style.skip_null && a->is_null() && !is_hidden(*a));
    if (!b_there && !a_there) continue;
    Mark mark = whole;
    if (whole == Mark::None && style.hide_unchanged) {
      if (b_there && a_there && same_value(*b, *a)) {
        bool keep = std::find(style.always.begin(), style.always.end(), part.name) != style.always.end();
        if (!keep) {
          ++hidden;
          continue;
        }
      } else {
        mark = !b_there ? Mark::Create : !a_there ? Mark::Delete : Mark::Update;
      }
    }
    Shown entry{&part, written_key(part.name), mark};
    width = std::max(width, entry.key.size());
    shown.push_back(std::move(entry));
  }
  for (const Shown& entry : shown) {
    const Value* b = entry.part->before;
    const Value* a = entry.part->after;
    out_.line(level, entry.mark);
    out_.text(entry.key);
    out_.text(std::string(width - entry.key.size(), ' '));
    out_.text(" = ");
    path_.push_back(PathStep::attribute(Str(entry.part->name)));
    replaces_ = options_.forces_replacement && options_.forces_replacement(path_);
    switch (entry.mark) {
      case Mark::None:
      case Mark::Create:
        value(a != nullptr ? *a : *b, level, entry.mark);
        break;
      case Mark::Delete:
        if (whole == Mark::Delete && !style.skip_null) {
          value(*b, level, Mark::Delete);
        } else {
          bool replaces = replaces_;
          replaces_ = false;
          value(*b, level, Mark::Delete);
          out_.arrow();
          out_.text("null");
          replaces_ = replaces;
          end_of_line();
        }
        break;
      case Mark::Update:
        change(*b, *a, level);
        break;
    }
    path_.pop_back();
  }
  if (hidden > 0) out_.remark(level, hidden_count(hidden, style.noun));
}

}  // namespace pravo::runtime
