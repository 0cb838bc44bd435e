#include "runtime/address.h"

#include <charconv>

#include <fmt/format.h>

#include "ir/unicode.h"

namespace pravo::runtime {

namespace {

std::strong_ordering order(std::string_view a, std::string_view b) {
  int c = a.compare(b);
  return c < 0 ? std::strong_ordering::less : c > 0 ? std::strong_ordering::greater : std::strong_ordering::equal;
}

bool is_name_byte(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' ||
         (static_cast<unsigned char>(c) >= 0x80);
}

// Reads the parts of an address from the left.
class AddressCursor {
 public:
  explicit AddressCursor(std::string_view text) : rest_(text) {}

  bool done() const { return rest_.empty(); }
  bool take(std::string_view prefix) {
    if (!rest_.starts_with(prefix)) return false;
    rest_.remove_prefix(prefix.size());
    return true;
  }
  bool name(std::string& out) {
    size_t n = 0;
    while (n < rest_.size() && is_name_byte(rest_[n])) ++n;
    if (n == 0) return false;
    out.assign(rest_.substr(0, n));
    rest_.remove_prefix(n);
    return true;
  }
  // `"..."` with the escapes of append_quoted().
  bool quoted(std::string& out) {
    if (!take("\"")) return false;
    out.clear();
    while (!rest_.empty()) {
      char c = rest_[0];
      if (c == '"') {
        rest_.remove_prefix(1);
        return true;
      }
      if (c == '\\') {
        if (!escape(out)) return false;
        continue;
      }
      if ((c == '$' || c == '%') && rest_.size() >= 3 && rest_[1] == c && rest_[2] == '{') {
        out += c;
        out += '{';
        rest_.remove_prefix(3);
        continue;
      }
      out += c;
      rest_.remove_prefix(1);
    }
    return false;
  }
  // An optional `[key]`.
  bool key(InstanceKey& out) {
    out = InstanceKey::none();
    if (!take("[")) return true;
    std::string text;
    if (!rest_.empty() && rest_[0] == '"') {
      if (!quoted(text)) return false;
      out = InstanceKey::named(normalized(text));
    } else {
      size_t n = 0;
      while (n < rest_.size() && rest_[n] >= '0' && rest_[n] <= '9') ++n;
      uint64_t number = 0;
      auto [end, error] = std::from_chars(rest_.data(), rest_.data() + n, number);
      if (n == 0 || error != std::errc()) return false;
      rest_.remove_prefix(n);
      out = InstanceKey::at(number);
    }
    return take("]");
  }
  // `module.a["k"]` steps, as long as there are any.
  bool modules(std::vector<ModulePath::Step>& steps) {
    while (rest_.starts_with("module.")) {
      take("module.");
      ModulePath::Step step;
      if (!name(step.name) || !key(step.key)) return false;
      steps.push_back(std::move(step));
      if (done()) return true;
      if (!take(".")) return false;
    }
    return true;
  }

 private:
  bool escape(std::string& out) {
    if (rest_.size() < 2) return false;
    char c = rest_[1];
    rest_.remove_prefix(2);
    switch (c) {
      case 'n':
        out += '\n';
        return true;
      case 'r':
        out += '\r';
        return true;
      case 't':
        out += '\t';
        return true;
      case '"':
        out += '"';
        return true;
      case '\\':
        out += '\\';
        return true;
      case 'u':
        return code_point(out, 4);
      case 'U':
        return code_point(out, 8);
    }
    return false;
  }
  bool code_point(std::string& out, size_t digits) {
    if (rest_.size() < digits) return false;
    uint32_t value = 0;
    auto [end, error] = std::from_chars(rest_.data(), rest_.data() + digits, value, 16);
    if (error != std::errc() || end != rest_.data() + digits || value > 0x10ffff) return false;
    rest_.remove_prefix(digits);
    if (value < 0x80) {
      out += static_cast<char>(value);
    } else if (value < 0x800) {
      out += static_cast<char>(0xc0 | (value >> 6));
      out += static_cast<char>(0x80 | (value & 0x3f));
    } else if (value < 0x10000) {
      out += static_cast<char>(0xe0 | (value >> 12));
      out += static_cast<char>(0x80 | ((value >> 6) & 0x3f));
      out += static_cast<char>(0x80 | (value & 0x3f));
    } else {
      out += static_cast<char>(0xf0 | (value >> 18));
      out += static_cast<char>(0x80 | ((value >> 12) & 0x3f));
      out += static_cast<char>(0x80 | ((value >> 6) & 0x3f));
      out += static_cast<char>(0x80 | (value & 0x3f));
    }
    return true;
  }

  std::string_view rest_;
};

}  // namespace

std::strong_ordering InstanceKey::operator<=>(const InstanceKey& other) const {
  if (kind != other.kind) return kind <=> other.kind;
  if (number != other.number) return number <=> other.number;
  return order(text.view(), other.text.view());
}

std::string InstanceKey::to_string() const {
  switch (kind) {
    case Kind::None:
      return {};
    case Kind::Number:
      return fmt::format("[{}]", number);
    case Kind::String: {
      std::string out = "[";
      append_quoted(out, text.view());
      out += ']';
      return out;
    }
  }
  PRAVOC_UNREACHABLE();
}

Value InstanceKey::to_value() const {
  switch (kind) {
    case Kind::None:
      return Value::null();
    case Kind::Number:
      return Value::number(Number::from_uint(number));
    case Kind::String:
      return Value::string(text);
  }
  PRAVOC_UNREACHABLE();
}

void append_quoted(std::string& out, std::string_view text) {
  out += '"';
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    switch (c) {
      case '"':
        out += "\\\"";
        break;
      case '\\':
        out += "\\\\";
        break;
      case '\n':
        out += "\\n";
        break;
      case '\r':
        out += "\\r";
        break;
      case '\t':
        out += "\\t";
        break;
      case '$':
      case '%':
        out += c;
        if (i + 1 < text.size() && text[i + 1] == '{') out += c;
        break;
      default:
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
          out += fmt::format("\\u{:04x}", static_cast<unsigned char>(c));
        else
          out += c;
    }
  }
  out += '"';
}

ModulePath::ModulePath(std::vector<Step> steps) : steps_(std::move(steps)) {
  for (const Step& step : steps_) {
    if (!text_.empty()) text_ += '.';
    text_ += "module.";
    text_ += step.name;
    text_ += step.key.to_string();
  }
}

std::optional<ModulePath> ModulePath::parse(std::string_view text) {
  AddressCursor cursor(text);
  std::vector<Step> steps;
  if (!cursor.modules(steps) || !cursor.done() || text.ends_with('.')) return std::nullopt;
  return ModulePath(std::move(steps));
}

std::string ModulePath::static_text() const {
  std::string out;
  for (const Step& step : steps_) {
    if (!out.empty()) out += '.';
    out += "module.";
    out += step.name;
  }
  return out;
}

ModulePath ModulePath::child(std::string_view name, const InstanceKey& key) const {
  ModulePath out;
  out.steps_ = steps_;
  out.steps_.push_back({std::string(name), key});
  out.text_ = text_;
  if (!out.text_.empty()) out.text_ += '.';
  out.text_ += "module.";
  out.text_ += name;
  out.text_ += key.to_string();
  return out;
}

ModulePath ModulePath::parent() const {
  PRAVOC_CHECK(!steps_.empty());
  return ModulePath(std::vector<Step>(steps_.begin(), steps_.end() - 1));
}

bool ModulePath::contains(const ModulePath& other) const {
  if (other.steps_.size() < steps_.size()) return false;
  for (size_t i = 0; i < steps_.size(); ++i)
    if (steps_[i].name != other.steps_[i].name || !(steps_[i].key == other.steps_[i].key)) return false;
  return true;
}

std::strong_ordering ModulePath::operator<=>(const ModulePath& other) const {
  if (this == &other) return std::strong_ordering::equal;
  if (steps_.size() != other.steps_.size()) return steps_.size() <=> other.steps_.size();
  for (size_t i = 0; i < steps_.size(); ++i) {
    if (auto c = order(steps_[i].name, other.steps_[i].name); c != 0) return c;
    if (auto c = steps_[i].key <=> other.steps_[i].key; c != 0) return c;
  }
  return std::strong_ordering::equal;
}

ModulePathRef root_module_path() {
  static const ModulePathRef root = std::make_shared<const ModulePath>();
  return root;
}

std::string ResourceAddress::local_text() const {
  std::string out;
  if (mode != ResourceMode::Managed) {
    out += resource_mode_text(mode);
    out += '.';
  }
  out += type;
  out += '.';
  out += name;
  return out;
}

std::string ResourceAddress::to_string() const {
  return module->is_root() ? local_text() : module->text() + "." + local_text();
}

std::string ResourceAddress::static_text() const {
  return module->is_root() ? local_text() : module->static_text() + "." + local_text();
}

std::strong_ordering ResourceAddress::operator<=>(const ResourceAddress& other) const {
  if (module != other.module)
    if (auto c = *module <=> *other.module; c != 0) return c;
  // Data sources come before managed resources.
  auto rank = [](ResourceMode m) { return m == ResourceMode::Data ? 0 : m == ResourceMode::Managed ? 1 : 2; };
  if (mode != other.mode) return rank(mode) <=> rank(other.mode);
  if (auto c = order(type, other.type); c != 0) return c;
  return order(name, other.name);
}

std::strong_ordering InstanceAddress::operator<=>(const InstanceAddress& other) const {
  if (auto c = resource <=> other.resource; c != 0) return c;
  return key <=> other.key;
}

std::optional<InstanceAddress> InstanceAddress::parse(std::string_view text) {
  AddressCursor cursor(text);
  std::vector<ModulePath::Step> steps;
  if (!cursor.modules(steps)) return std::nullopt;
  InstanceAddress out;
  if (!steps.empty()) out.resource.module = std::make_shared<const ModulePath>(ModulePath(std::move(steps)));
  if (cursor.take("data."))
    out.resource.mode = ResourceMode::Data;
  else if (cursor.take("ephemeral."))
    out.resource.mode = ResourceMode::Ephemeral;
  if (!cursor.name(out.resource.type) || !cursor.take(".") || !cursor.name(out.resource.name) || !cursor.key(out.key) ||
      !cursor.done())
    return std::nullopt;
  return out;
}

std::optional<StateAddress> StateAddress::parse(std::string_view text) {
  StateAddress out;
  if (std::optional<ModulePath> module = ModulePath::parse(text); module && !module->is_root()) {
    out.module = std::make_shared<const ModulePath>(std::move(*module));
    return out;
  }
  std::optional<InstanceAddress> instance = InstanceAddress::parse(text);
  if (!instance) return std::nullopt;
  out.kind = instance->key.is_none() ? Kind::Resource : Kind::Instance;
  out.module = instance->resource.module;
  out.resource = std::move(instance->resource);
  out.key = std::move(instance->key);
  return out;
}

std::string StateAddress::to_string() const {
  return kind == Kind::Module ? module->text() : resource.to_string() + key.to_string();
}

std::string ProviderConfigAddress::to_string() const {
  std::string out;
  if (!module.empty()) out = module + ".";
  out += "provider[";
  append_quoted(out, provider);
  out += ']';
  if (!alias.empty()) out += "." + alias;
  return out;
}

std::optional<ProviderConfigAddress> ProviderConfigAddress::parse(std::string_view text) {
  AddressCursor cursor(text);
  std::vector<ModulePath::Step> steps;
  if (!cursor.modules(steps)) return std::nullopt;
  ProviderConfigAddress out;
  out.module = ModulePath(std::move(steps)).text();
  if (!cursor.take("provider[") || !cursor.quoted(out.provider) || !cursor.take("]")) return std::nullopt;
  if (cursor.take(".") && !cursor.name(out.alias)) return std::nullopt;
  if (!cursor.done()) return std::nullopt;
  return out;
}

}  // namespace pravo::runtime
