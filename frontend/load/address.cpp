#include "frontend/load/address.h"

#include <algorithm>

#include <fmt/format.h>

#include "frontend/hcl/char_class.h"
#include "ir/unicode.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringRef.h>

namespace pravo::load {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
bool is_ascii_word(char c) { return is_digit(c) || is_lower(c) || is_upper(c); }
bool is_other(char c) { return static_cast<unsigned char>(c) >= 0x80; }

std::string lower_case(std::string_view text) {
  if (is_ascii(text)) return llvm::StringRef(text.data(), text.size()).lower();
  StrBuilder out;
  for (size_t at = 0; at < text.size();) {
    CodePoint point = decode_utf8(text, at);
    append_utf8(out, static_cast<uint32_t>(to_lower(point.value)));
    at += point.length;
  }
  return std::string(out.view());
}

llvm::SmallVector<std::string_view, 4> split(std::string_view text, char separator) {
  llvm::SmallVector<std::string_view, 4> parts;
  while (true) {
    size_t at = text.find(separator);
    parts.push_back(text.substr(0, at));
    if (at == std::string_view::npos) return parts;
    text.remove_prefix(at + 1);
  }
}

// What is wrong with a part of a provider address in any case of letters.
std::optional<std::string> provider_part_fault(std::string_view part) {
  if (part.empty()) return "is empty";
  if (part.find('.') != std::string_view::npos) return "has a dot";
  if (part.find("--") != std::string_view::npos && !part.starts_with("xn--")) return "has two dashes in a row";
  if (part.front() == '-' || part.back() == '-') return "starts or ends with a dash";
  for (size_t at = 0; at < part.size();) {
    CodePoint point = decode_utf8(part, at);
    bool good = point.length == 1 && point.value < 0x80
                    ? is_ascii_word(static_cast<char>(point.value)) || point.value == '-'
                    : is_letter(point.value) || is_decimal_digit(point.value);
    if (!good) return "has other characters than letters, digits and dashes";
    at += point.length;
  }
  return std::nullopt;
}

// A host name with an optional port.
bool is_host(std::string_view text, bool dotted) {
  size_t colon = text.find(':');
  std::string_view host = text.substr(0, colon);
  if (colon != std::string_view::npos) {
    std::string_view port = text.substr(colon + 1);
    if (port.empty() || port.size() > 5 || !std::all_of(port.begin(), port.end(), is_digit)) return false;
  }
  if (host.empty() || (dotted && colon == std::string_view::npos && host.find('.') == std::string_view::npos))
    return false;
  for (std::string_view label : split(host, '.')) {
    if (label.empty() || label.front() == '-' || label.back() == '-') return false;
    if (!std::all_of(label.begin(), label.end(), [](char c) { return is_ascii_word(c) || c == '-' || is_other(c); }))
      return false;
  }
  return true;
}

}  // namespace

bool is_identifier(std::string_view text) {
  if (text.empty()) return false;
  // Nearly all are plain.
  auto plain = [](char c) { return is_lower(c) || is_upper(c) || is_digit(c) || c == '_' || c == '-'; };
  if (!is_digit(text[0]) && text[0] != '-' && std::all_of(text.begin(), text.end(), plain)) return true;
  const char* end = text.data() + text.size();
  for (size_t at = 0; at < text.size();) {
    char c = text[at];
    const char* p = text.data() + at;
    size_t length = static_cast<unsigned char>(c) < 0x80
                        ? hcl::is_identifier_byte(c) && (at > 0 || hcl::char_class(c) == hcl::CharClass::Letter)
                    : at == 0 ? hcl::unicode_identifier_start(p, end)
                              : hcl::unicode_identifier_part(p, end);
    if (length == 0) return false;
    at += length;
  }
  return true;
}

std::optional<std::string> provider_name_fault(std::string_view name) {
  if (auto fault = provider_part_fault(name)) return fault;
  if (lower_case(name) != name) return fmt::format("is not in lower case (`{}`)", lower_case(name));
  return std::nullopt;
}

ProviderSource parse_provider_source(std::string_view text) {
  auto parts = split(text, '/');
  ProviderSource result;
  if (text.empty() || parts.size() > 3 ||
      std::any_of(parts.begin(), parts.end(), [](std::string_view part) { return part.empty(); })) {
    result.fault = "it is not of the form `[host/][namespace/]name`";
    return result;
  }
  std::string_view type = parts.back();
  std::string_view space = parts.size() > 1 ? parts[parts.size() - 2] : std::string_view("hashicorp");
  std::string_view host = parts.size() > 2 ? parts[0] : kDefaultRegistry;
  if (auto fault = provider_part_fault(type)) {
    result.fault = fmt::format("its name `{}` {}", type, *fault);
    return result;
  }
  // `-` is the namespace of providers from before there were any.
  if (space != "-") {
    if (auto fault = provider_part_fault(space)) {
      result.fault = fmt::format("its namespace `{}` {}", space, *fault);
      return result;
    }
  }
  if (parts.size() > 2 && !is_host(host, false)) {
    result.fault = fmt::format("`{}` is no host name", host);
    return result;
  }
  std::string name = lower_case(type);
  for (std::string_view prefix : {"terraform-provider-", "terraform-"}) {
    if (!name.starts_with(prefix)) continue;
    result.fault = fmt::format("its name starts with `{}`", prefix);
    result.suggestion = lower_case(text.substr(0, text.size() - type.size())) + name.substr(prefix.size());
    if (name.size() == prefix.size()) result.suggestion.clear();
    return result;
  }
  result.address = fmt::format("{}/{}/{}", lower_case(host), lower_case(space), name);
  return result;
}

std::string implied_provider_address(std::string_view local_name) {
  if (local_name == "terraform") return std::string(kBuiltinTerraform);
  return fmt::format("{}/hashicorp/{}", kDefaultRegistry, local_name);
}

std::string_view short_provider_address(std::string_view address) {
  if (address.starts_with(kDefaultRegistry)) address.remove_prefix(kDefaultRegistry.size() + 1);
  return address;
}

namespace {

// A namespace or a name of the module registry.
bool is_registry_name(std::string_view text) {
  if (text.empty() || text.size() > 64 || !is_ascii_word(text.front()) || !is_ascii_word(text.back())) return false;
  return std::all_of(text.begin(), text.end(), [](char c) { return is_ascii_word(c) || c == '-' || c == '_'; });
}

bool is_registry_system(std::string_view text) {
  return !text.empty() && text.size() <= 64 &&
         std::all_of(text.begin(), text.end(), [](char c) { return is_digit(c) || is_lower(c); });
}

bool is_reserved_host(std::string_view host) { return host == "github.com" || host == "bitbucket.org"; }

// A registry address, or why it is none.
std::optional<std::string> registry_fault(std::string_view package) {
  auto parts = split(package, '/');
  if (parts.size() != 3 && parts.size() != 4) return "a registry address has the form `[host/]namespace/name/system`";
  size_t first = parts.size() == 4 ? 1 : 0;
  if (first == 1) {
    if (!is_host(parts[0], true)) return fmt::format("`{}` is no host name", parts[0]);
    if (is_reserved_host(parts[0])) return fmt::format("`{}` is no module registry", parts[0]);
  }
  if (!is_registry_name(parts[first])) return fmt::format("`{}` is no namespace of a registry", parts[first]);
  if (!is_registry_name(parts[first + 1])) return fmt::format("`{}` is no module name of a registry", parts[first + 1]);
  if (!is_registry_system(parts[first + 2])) return fmt::format("`{}` is no target system", parts[first + 2]);
  return std::nullopt;
}

bool has_scheme(std::string_view text) {
  size_t at = text.find("://");
  if (at == std::string_view::npos || at == 0) return false;
  return std::all_of(text.begin(), text.begin() + static_cast<ptrdiff_t>(at),
                     [](char c) { return is_ascii_word(c) || c == '+' || c == '-' || c == '.'; });
}

// user@host:path
bool is_scp_like(std::string_view text) {
  size_t at = text.find('@');
  size_t colon = text.find(':');
  return at != std::string_view::npos && at > 0 && colon != std::string_view::npos && colon > at + 1 &&
         colon + 1 < text.size();
}

// Whether something is known that can fetch it.
bool is_remote(std::string_view text) {
  // `git::...` names the way to fetch; the rest must still be an address.
  if (size_t forced = text.find("::"); forced != std::string_view::npos && forced > 0) {
    bool word = std::all_of(text.begin(), text.begin() + static_cast<ptrdiff_t>(forced), is_ascii_word);
    if (word) {
      if (is_scp_like(text.substr(forced + 2))) return true;
      text.remove_prefix(forced + 2);
    }
  }
  if (has_scheme(text) || is_scp_like(text)) return true;
  if (text.starts_with('/')) return true;
  if (text.size() > 2 && text[1] == ':' && (text[2] == '\\' || text[2] == '/')) return true;
  if (text.starts_with("github.com/") || text.starts_with("bitbucket.org/"))
    return split(text.substr(0, text.find('?')), '/').size() >= 3;
  if (text.find(".amazonaws.com/") != std::string_view::npos) return true;
  return text.starts_with("www.googleapis.com/storage/");
}

bool escapes(std::string_view sub) {
  int depth = 0;
  for (std::string_view part : split(sub, '/')) {
    if (part == "..")
      --depth;
    else if (!part.empty() && part != ".")
      ++depth;
    if (depth < 0) return true;
  }
  return false;
}

}  // namespace

ModuleSource parse_module_source(std::string_view text, bool registry) {
  ModuleSource result;
  auto invalid = [&](std::string fault) {
    result.fault = std::move(fault);
    return result;
  };
  bool local = text.starts_with("./") || text.starts_with("../") || text.starts_with(".\\") || text.starts_with("..\\");
  if (registry) {
    if (local) return invalid("`version` is given, but a local path has none");
  } else if (local) {
    result.kind = ModuleSource::Kind::Local;
    result.path = text;
    std::replace(result.path.begin(), result.path.end(), '\\', '/');
    return result;
  }
  if (text.empty()) return invalid("it is empty");
  // `package//directory`, but not the slashes of a scheme.
  size_t from = text.find("://");
  size_t sub = text.find("//", from == std::string_view::npos ? 0 : from + 3);
  std::string_view package = text.substr(0, sub);
  if (sub != std::string_view::npos && escapes(text.substr(sub + 2, text.find('?', sub) - sub - 2)))
    return invalid("its directory leads out of the package");
  auto fault = registry_fault(package);
  if (!fault) {
    result.kind = ModuleSource::Kind::Registry;
    return result;
  }
  if (registry) return invalid(fmt::format("`version` is given, so it must be a registry address, and {}", *fault));
  if (is_remote(text)) {
    result.kind = ModuleSource::Kind::Remote;
    return result;
  }
  return invalid("it is neither a path that starts with `./` or `../`, nor an address that can be fetched");
}

}  // namespace pravo::load
