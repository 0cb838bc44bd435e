// yamldecode: YAML 1.1 as Terraform takes it, over libyaml's events.
#include <yaml.h>

#include <memory>
#include <unordered_map>
#include <unordered_set>

#include <fmt/format.h>

#include "ir/check.h"
#include "ir/functions/bytes.h"
#include "ir/functions/call.h"
#include "ir/functions/timestamps.h"
#include "ir/unicode.h"

namespace pravo::functions {

namespace {

constexpr std::string_view kTagPrefix = "tag:yaml.org,2002:";

class Event {
 public:
  Event() = default;
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  ~Event() { yaml_event_delete(&event_); }
  yaml_event_t* get() { return &event_; }
  yaml_event_type_t type() const { return event_.type; }

  std::string_view anchor() const {
    switch (event_.type) {
      case YAML_ALIAS_EVENT:
        return text(event_.data.alias.anchor);
      case YAML_SCALAR_EVENT:
        return text(event_.data.scalar.anchor);
      case YAML_SEQUENCE_START_EVENT:
        return text(event_.data.sequence_start.anchor);
      case YAML_MAPPING_START_EVENT:
        return text(event_.data.mapping_start.anchor);
      default:
        return {};
    }
  }
  std::string_view tag() const {
    switch (event_.type) {
      case YAML_SCALAR_EVENT:
        return text(event_.data.scalar.tag);
      case YAML_SEQUENCE_START_EVENT:
        return text(event_.data.sequence_start.tag);
      case YAML_MAPPING_START_EVENT:
        return text(event_.data.mapping_start.tag);
      default:
        return {};
    }
  }
  std::string_view scalar() const {
    return {reinterpret_cast<const char*>(event_.data.scalar.value), event_.data.scalar.length};
  }
  bool is_plain() const { return event_.data.scalar.style == YAML_PLAIN_SCALAR_STYLE; }
  bool is_quoted() const {
    return event_.data.scalar.style == YAML_SINGLE_QUOTED_SCALAR_STYLE ||
           event_.data.scalar.style == YAML_DOUBLE_QUOTED_SCALAR_STYLE;
  }
  bool wants_other_version() const {
    const yaml_version_directive_t* version = event_.data.document_start.version_directive;
    return version != nullptr && (version->major != 1 || version->minor != 1);
  }
  size_t line() const { return event_.start_mark.line + 1; }

 private:
  static std::string_view text(const yaml_char_t* s) {
    return s == nullptr ? std::string_view() : std::string_view(reinterpret_cast<const char*>(s));
  }
  yaml_event_t event_{};
};

// Words that stand for a bool, null or infinity.
std::optional<Value> word_value(std::string_view text) {
  static const std::unordered_map<std::string_view, Value> words = [] {
    std::unordered_map<std::string_view, Value> map;
    for (std::string_view w : {"y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON"})
      map.emplace(w, Value::boolean(true));
    for (std::string_view w : {"n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF"})
      map.emplace(w, Value::boolean(false));
    for (std::string_view w : {"", "~", "null", "Null", "NULL"}) map.emplace(w, Value::null());
    for (std::string_view w : {".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF"})
      map.emplace(w, Value::number(Number::infinity(false)));
    for (std::string_view w : {"-.inf", "-.Inf", "-.INF"}) map.emplace(w, Value::number(Number::infinity(true)));
    return map;
  }();
  auto it = words.find(text);
  return it == words.end() ? std::nullopt : std::optional<Value>(it->second);
}

bool all_digits(std::string_view text, std::string_view digits) {
  return !text.empty() && text.find_first_not_of(digits) == std::string_view::npos;
}

std::string_view without_sign(std::string_view text) {
  return text.starts_with('-') || text.starts_with('+') ? text.substr(1) : text;
}

bool is_integer(std::string_view text) {
  if (text.starts_with("0o")) return all_digits(text.substr(2), "01234567");
  if (text.starts_with("0x")) return all_digits(text.substr(2), "0123456789abcdefABCDEF");
  return all_digits(without_sign(text), "0123456789");
}

// [-+]? ( . digits | digits [. digits*] ) [ e [-+] digits ]
bool is_float(std::string_view text) {
  text = without_sign(text);
  size_t at = 0;
  auto digits = [&] {
    size_t start = at;
    while (at < text.size() && text[at] >= '0' && text[at] <= '9') ++at;
    return at - start;
  };
  size_t whole = digits();
  if (at < text.size() && text[at] == '.') {
    ++at;
    if (digits() == 0 && whole == 0) return false;
  } else if (whole == 0) {
    return false;
  }
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    ++at;
    if (at < text.size() && (text[at] == '-' || text[at] == '+')) ++at;
    if (digits() == 0) return false;
  }
  return at == text.size();
}

std::optional<Number> to_number(std::string_view text) {
  std::string plain;
  for (char c : text)
    if (c != '_') plain += c;
  if (std::optional<Number> number = Number::parse(plain)) return number;
  std::string_view rest = without_sign(plain);
  int base = rest.starts_with("0x") || rest.starts_with("0X")   ? 16
             : rest.starts_with("0o") || rest.starts_with("0O") ? 8
             : rest.starts_with("0b") || rest.starts_with("0B") ? 2
                                                                : 0;
  if (base == 0 || rest.size() > 66) return std::nullopt;
  std::optional<Number> number = Number::parse_int(rest.substr(2), base);
  if (!number || number->compare(Number::from_uint(UINT64_MAX)) > 0) return std::nullopt;
  return plain.starts_with('-') ? number->negate() : *number;
}

class YamlReader {
 public:
  YamlReader(const Call& call, std::string_view text) : call_(call) {
    PRAVOC_CHECK(yaml_parser_initialize(&parser_) == 1);
    yaml_parser_set_input_string(&parser_, reinterpret_cast<const unsigned char*>(text.data()), text.size());
    // What a byte order mark says is not for text that is UTF-8 already.
    yaml_parser_set_encoding(&parser_, YAML_UTF8_ENCODING);
  }
  YamlReader(const YamlReader&) = delete;
  YamlReader& operator=(const YamlReader&) = delete;
  ~YamlReader() { yaml_parser_delete(&parser_); }

  Result<Value> run() {
    PRAVO_TRY(start, expect(YAML_STREAM_START_EVENT, "the text is no YAML"));
    PRAVO_TRY(document, expect(YAML_DOCUMENT_START_EVENT, "there is no document"));
    if (document->wants_other_version()) return failed(document->line(), "the document is not of YAML 1.1");
    PRAVO_TRY(first, next());
    PRAVO_TRY(value, parse(*first, 0));
    PRAVO_TRY(end, expect(YAML_DOCUMENT_END_EVENT, "there is more after the value"));
    PRAVO_TRY(last, expect(YAML_STREAM_END_EVENT, "there is more than one document"));
    return std::move(value.value);
  }

 private:
  // A value and how many values are in it, each use of an anchor counted.
  struct Weighed {
    Value value;
    size_t weight = 1;
  };

  std::unique_ptr<EvalError> failed(size_t line, std::string_view why) {
    return call_.fault(0, "this is not valid YAML", fmt::format("line {}: {}", line, why));
  }

  Result<std::unique_ptr<Event>> next() {
    auto event = std::make_unique<Event>();
    if (yaml_parser_parse(&parser_, event->get()) != 1) {
      std::string_view why = parser_.problem != nullptr ? std::string_view(parser_.problem) : "malformed";
      return failed(parser_.problem_mark.line + 1, why);
    }
    return event;
  }

  Result<std::unique_ptr<Event>> expect(yaml_event_type_t type, std::string_view why) {
    PRAVO_TRY(event, next());
    if (event->type() != type) return failed(event->line(), why);
    return event;
  }

  Result<Weighed> parse(const Event& event, unsigned depth) {
    if (depth >= kMaxDepth) return too_deep();
    std::string anchor(event.anchor());
    if (event.type() == YAML_ALIAS_EVENT) {
      if (pending_.count(anchor) > 0) return failed(event.line(), "an anchor is used inside what it stands for");
      auto it = anchors_.find(anchor);
      if (it == anchors_.end()) return failed(event.line(), "an alias of no anchor");
      return it->second;
    }
    if (!anchor.empty()) pending_.insert(anchor);
    Result<Weighed> parsed = event.type() == YAML_SCALAR_EVENT           ? parse_scalar(event)
                             : event.type() == YAML_SEQUENCE_START_EVENT ? parse_sequence(event, depth)
                             : event.type() == YAML_MAPPING_START_EVENT
                                 ? parse_mapping(event, depth)
                                 : Result<Weighed>(failed(event.line(), "a value is missing"));
    if (!parsed) return parsed;
    if (parsed->weight > kMaxElements) return too_many_elements();
    // Short texts become much larger values: `[[],[],[]]`. What an alias repeats is counted by its weight.
    if (!made_.add(1, parsed->value.is_compound() ? kEmptySize : size_of(parsed->value))) return too_large_value();
    if (!anchor.empty()) {
      pending_.erase(anchor);
      anchors_[anchor] = *parsed;
    }
    return parsed;
  }

  Result<Weighed> parse_sequence(const Event& start, unsigned depth) {
    if (std::string_view tag = start.tag(); !tag.empty() && tag != YAML_SEQ_TAG)
      return failed(start.line(), "a sequence with a tag of something else");
    std::vector<Value> elements;
    size_t weight = 1;
    while (true) {
      PRAVO_TRY(event, next());
      if (event->type() == YAML_SEQUENCE_END_EVENT) break;
      PRAVO_TRY(element, parse(*event, depth + 1));
      weight += element.weight;
      if (weight > kMaxElements) return too_many_elements();
      elements.push_back(std::move(element.value));
    }
    return Weighed{Value::tuple(std::move(elements)), weight};
  }

  Result<Weighed> parse_mapping(const Event& start, unsigned depth) {
    if (std::string_view tag = start.tag(); !tag.empty() && tag != YAML_MAP_TAG)
      return failed(start.line(), "a mapping with a tag of something else");
    std::vector<std::pair<Str, Value>> entries;
    size_t weight = 1;
    while (true) {
      PRAVO_TRY(key, next());
      if (key->type() == YAML_MAPPING_END_EVENT) break;
      if (key->type() != YAML_SCALAR_EVENT) return failed(key->line(), "a key that is no string");
      bool merge = key->tag() == "tag:yaml.org,2002:merge" || (key->tag().empty() && key->scalar() == "<<");
      PRAVO_TRY(event, next());
      if (merge) {
        PRAVO_TRY(merged, parse(*event, depth + 1));
        if (merged.value.kind() != ValueKind::Object) return failed(key->line(), "`<<` takes a mapping");
        for (size_t i = 0; i < merged.value.length(); ++i)
          entries.emplace_back(merged.value.key(i), merged.value.element(i));
        weight += merged.weight;
        continue;
      }
      PRAVO_TRY(name, parse_key(*key));
      PRAVO_TRY(value, parse(*event, depth + 1));
      weight += value.weight;
      if (weight > kMaxElements) return too_many_elements();
      entries.emplace_back(std::move(name), std::move(value.value));
    }
    return Weighed{Value::object(std::move(entries)), weight};
  }

  Result<Str> parse_key(const Event& event) {
    PRAVO_TRY(key, parse_scalar(event));
    const Value& v = key.value;
    if (v.is_null()) return failed(event.line(), "a key that is null");
    if (v.kind() == ValueKind::Number) return Str(v.as_number().to_string());
    if (v.kind() == ValueKind::Bool) return Str(v.as_bool() ? "true" : "false");
    return v.as_str();
  }

  Result<Weighed> parse_scalar(const Event& event) {
    std::string_view text = event.scalar();
    std::string_view tag = event.tag();
    auto string = [&] { return Weighed{Value::string(text)}; };
    if (tag.empty() && !event.is_plain()) return string();
    if (!tag.empty()) {
      if (!tag.starts_with(kTagPrefix)) return failed(event.line(), "an unknown tag");
      tag.remove_prefix(kTagPrefix.size());
      if (tag == "str") return string();
      if (tag == "binary") {
        if (!decode_base64(text)) return failed(event.line(), "a binary value that is not base64");
        return string();
      }
      if (tag != "bool" && tag != "int" && tag != "float" && tag != "null" && tag != "timestamp")
        return failed(event.line(), "an unknown tag");
    }
    // The first character tells whether it may be anything but a string.
    bool numeric = !text.empty() && (text[0] == '+' || text[0] == '-' || (text[0] >= '0' && text[0] <= '9'));
    bool hinted = text.empty() || numeric || std::string_view("yYnNtTfFoO~.").find(text[0]) != std::string_view::npos;
    if (hinted) {
      if (event.is_quoted()) return string();
      if (std::optional<Value> word = word_value(text)) return Weighed{*word};
      if (tag.empty() && (text == ".nan" || text == ".NaN" || text == ".NAN"))
        return failed(event.line(), "a number that is not a number");
      if (!text.empty() && text[0] == '.') {
        if (std::optional<Number> number = Number::parse(text)) return Weighed{Value::number(std::move(*number))};
      } else if (numeric) {
        if (tag.empty() || tag == "timestamp")
          if (std::optional<std::string> time = yaml_timestamp(text)) return Weighed{Value::string(*time)};
        if (is_integer(text) || is_float(text)) tag = "int";
      }
    }
    if (tag == "int" || tag == "float") {
      std::optional<Number> number = to_number(text);
      if (!number) return failed(event.line(), "a number that is malformed or too large");
      return Weighed{Value::number(std::move(*number))};
    }
    if (tag == "null") return Weighed{Value::null()};
    if (tag == "bool" || tag == "timestamp") {
      std::optional<std::string> time = tag == "timestamp" ? yaml_timestamp(text) : std::nullopt;
      if (!time) return failed(event.line(), "a value that is not what its tag says");
      return Weighed{Value::string(*time)};
    }
    return string();
  }

  static constexpr uint64_t kEmptySize = 48;

  const Call& call_;
  yaml_parser_t parser_;
  SizeCount made_;
  std::unordered_map<std::string, Weighed> anchors_;
  std::unordered_set<std::string> pending_;
};

}  // namespace

Result<Type> type_Yamldecode(const Call&) { return Type(); }

Result<Value> run_Yamldecode(const Call& call, const Type&) { return YamlReader(call, call.text(0)).run(); }

}  // namespace pravo::functions
