// IP prefixes: cidrcontains cidrhost cidrnetmask cidrsubnet cidrsubnets, for IPv4 and IPv6.
#include <fmt/format.h>

#include "ir/functions/call.h"
#include "ir/number_rep.h"

namespace pravo::functions {

namespace {

struct Prefix {
  BigInt address = 0;  // with the host bits cleared
  int bits = 32;       // of an address: 32 or 128
  int length = 0;      // of the prefix
  // An IPv6 address that stands for an IPv4 one (::ffff:0:0/96) is shown, and partly treated, as that one.
  bool is_v4() const { return bits == 32 || (address >> 32) == 0xFFFF; }
};

std::optional<uint64_t> parse_decimal(std::string_view text, uint64_t max) {
  if (text.empty()) return std::nullopt;
  uint64_t value = 0;
  for (char c : text) {
    if (c < '0' || c > '9') return std::nullopt;
    value = value * 10 + static_cast<uint64_t>(c - '0');
    if (value > max) return std::nullopt;
  }
  return value;
}

// Four decimal numbers; leading zeros do not make them octal.
std::optional<uint64_t> parse_v4(std::string_view text) {
  uint64_t address = 0;
  for (int i = 0; i < 4; ++i) {
    size_t dot = i < 3 ? text.find('.') : text.size();
    if (dot == std::string_view::npos) return std::nullopt;
    std::optional<uint64_t> part = parse_decimal(text.substr(0, dot), 255);
    if (!part) return std::nullopt;
    address = address << 8 | *part;
    text.remove_prefix(std::min(dot + 1, text.size()));
  }
  return text.empty() ? std::optional<uint64_t>(address) : std::nullopt;
}

std::optional<BigInt> parse_v6(std::string_view text) {
  std::vector<uint32_t> groups;
  size_t gap = SIZE_MAX;  // before which group the `::` stands
  if (text.starts_with("::")) {
    gap = 0;
    text.remove_prefix(2);
  }
  while (!text.empty()) {
    if (groups.size() >= 8) return std::nullopt;
    size_t end = std::min(text.find(':'), text.size());
    std::string_view part = text.substr(0, end);
    if (part.find('.') != std::string_view::npos) {
      std::optional<uint64_t> v4 = parse_v4(part);
      if (!v4 || end != text.size()) return std::nullopt;
      groups.push_back(static_cast<uint32_t>(*v4 >> 16));
      groups.push_back(static_cast<uint32_t>(*v4 & 0xFFFF));
      text = {};
      break;
    }
    if (part.empty() || part.size() > 4) return std::nullopt;
    uint32_t value = 0;
    for (char c : part) {
      int digit = c >= '0' && c <= '9'   ? c - '0'
                  : c >= 'a' && c <= 'f' ? c - 'a' + 10
                  : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                         : -1;
      if (digit < 0) return std::nullopt;
      value = value * 16 + static_cast<uint32_t>(digit);
    }
    groups.push_back(value);
    text.remove_prefix(end);
    if (text.empty()) break;
    text.remove_prefix(1);
    if (text.empty()) return std::nullopt;  // ends with a single colon
    if (text.starts_with(':')) {
      if (gap != SIZE_MAX) return std::nullopt;
      gap = groups.size();
      text.remove_prefix(1);
    }
  }
  if (groups.size() > 8 || (gap == SIZE_MAX && groups.size() != 8) || (gap != SIZE_MAX && groups.size() == 8))
    return std::nullopt;
  if (gap != SIZE_MAX) groups.insert(groups.begin() + static_cast<std::ptrdiff_t>(gap), 8 - groups.size(), 0);
  BigInt address = 0;
  for (uint32_t group : groups) address = address << 16 | group;
  return address;
}

std::optional<Prefix> parse_prefix(std::string_view text) {
  size_t slash = text.find('/');
  if (slash == std::string_view::npos) return std::nullopt;
  Prefix prefix;
  std::string_view address = text.substr(0, slash);
  if (address.find(':') == std::string_view::npos) {
    std::optional<uint64_t> v4 = parse_v4(address);
    if (!v4) return std::nullopt;
    prefix.address = *v4;
  } else {
    std::optional<BigInt> v6 = parse_v6(address);
    if (!v6) return std::nullopt;
    prefix.address = *v6;
    prefix.bits = 128;
  }
  std::optional<uint64_t> length = parse_decimal(text.substr(slash + 1), static_cast<uint64_t>(prefix.bits));
  if (!length) return std::nullopt;
  prefix.length = static_cast<int>(*length);
  auto host_bits = static_cast<unsigned>(prefix.bits - prefix.length);
  prefix.address = prefix.address >> host_bits << host_bits;
  return prefix;
}

std::string address_text(const BigInt& address, int bits) {
  if (bits == 32 || (address >> 32) == 0xFFFF) {
    auto v4 = static_cast<uint32_t>(BigInt(address & 0xFFFFFFFF));
    return fmt::format("{}.{}.{}.{}", v4 >> 24, v4 >> 16 & 255, v4 >> 8 & 255, v4 & 255);
  }
  unsigned groups[8];
  for (int i = 0; i < 8; ++i)
    groups[i] = static_cast<unsigned>(BigInt(address >> static_cast<unsigned>(112 - 16 * i) & 0xFFFF));
  // The first of the longest runs of zero groups, if longer than one, becomes `::`.
  int best = -1;
  int best_length = 1;
  for (int i = 0; i < 8;) {
    int end = i;
    while (end < 8 && groups[end] == 0) ++end;
    if (end - i > best_length) {
      best = i;
      best_length = end - i;
    }
    i = end > i ? end : i + 1;
  }
  std::string out;
  for (int i = 0; i < 8; ++i) {
    if (i == best) {
      out += "::";
      i += best_length - 1;
      continue;
    }
    if (i > 0 && !out.ends_with(':')) out += ':';
    out += fmt::format("{:x}", groups[i]);
  }
  return out;
}

std::string prefix_text(const BigInt& address, int bits, int length) {
  // A mapped IPv4 prefix is written as IPv4.
  bool mapped = bits == 128 && (address >> 32) == 0xFFFF;
  return fmt::format("{}/{}", address_text(address, bits), mapped ? length - 96 : length);
}

Result<Prefix> read_prefix(const Call& call) {
  std::optional<Prefix> prefix = parse_prefix(call.text(0));
  if (!prefix)
    return call.fault(0, "an IP prefix as `10.0.0.0/8` or `2001:db8::/32` is required", quoted(call.text(0)));
  return *prefix;
}

Result<BigInt> whole_number(const Call& call, size_t i) {
  Number number = call[i].as_number();
  if (!number.is_integer()) return call.fault(static_cast<int>(i), "a whole number is required");
  return NumberAccess::integer_part(number);
}

// address | number << shift in two's complement without end; of a negative result Terraform takes the magnitude.
BigInt insert_number(const BigInt& address, const BigInt& number, int shift, int bits) {
  BigInt shifted = boost::multiprecision::abs(number) << static_cast<unsigned>(shift);
  BigInt result = address | shifted;
  if (number < 0) {
    BigInt below = shifted - 1;
    result = below - (below & address) + 1;
  }
  return result & ((BigInt(1) << static_cast<unsigned>(bits)) - 1);
}

}  // namespace

Result<Value> run_Cidrhost(const Call& call, const Type&) {
  PRAVO_TRY(number, whole_number(call, 1));
  PRAVO_TRY(prefix, read_prefix(call));
  BigInt last = (BigInt(1) << static_cast<unsigned>(prefix.bits - prefix.length)) - 1;
  // Negative numbers count from the end.
  BigInt distance = number < 0 ? BigInt(-number - 1) : number;
  if (distance > last)
    return call.fault(1, "the prefix has not so many hosts",
                      fmt::format("`/{}` has no host {}", prefix.length, number.str()));
  if (number < 0) number = last - distance;
  int shift = prefix.bits == 128 && prefix.is_v4() ? 96 : 0;
  BigInt host = insert_number(prefix.address, number, shift, prefix.bits);
  return Value::string_normal(address_text(host, prefix.bits));
}

Result<Value> run_Cidrnetmask(const Call& call, const Type&) {
  PRAVO_TRY(prefix, read_prefix(call));
  if (!prefix.is_v4()) return call.fault(0, "only an IPv4 prefix has a netmask");
  BigInt all = (BigInt(1) << static_cast<unsigned>(prefix.bits)) - 1;
  auto host_bits = static_cast<unsigned>(prefix.bits - prefix.length);
  return Value::string_normal(address_text(BigInt(all >> host_bits << host_bits), prefix.bits));
}

Result<Value> run_Cidrcontains(const Call& call, const Type&) {
  PRAVO_TRY(outer, read_prefix(call));
  std::string_view text = call.text(1);
  std::optional<Prefix> inner = parse_prefix(text);
  if (!inner) {
    std::string_view length = text.find(':') == std::string_view::npos ? "/32" : "/128";
    inner = parse_prefix(std::string(text) + std::string(length));
  }
  if (!inner) return call.fault(1, "this is no IP address or prefix", quoted(text));
  // ::ffff:1.2.3.4 is an IPv4 address.
  auto as_v6 = [](Prefix p) {
    if (p.bits == 32) p = {p.address | BigInt(0xFFFF) << 32, 128, p.length + 96};
    return p;
  };
  if (outer.is_v4() != inner->is_v4())
    return call.fault(1, "one is an IPv4 address and the other an IPv6 address; both must be of one family");
  outer = as_v6(outer);
  *inner = as_v6(*inner);
  auto host_bits = static_cast<unsigned>(outer.bits - outer.length);
  bool contains = inner->length >= outer.length && (inner->address >> host_bits) == (outer.address >> host_bits);
  return Value::boolean(contains);
}

Result<Value> run_Cidrsubnet(const Call& call, const Type&) {
  PRAVO_TRY(new_bits, call.integer(1));
  PRAVO_TRY(number, whole_number(call, 2));
  PRAVO_TRY(prefix, read_prefix(call));
  if (new_bits > prefix.bits - prefix.length)
    return call.fault(1, "the prefix cannot be made so much longer",
                      fmt::format("`/{}` by {} bits", prefix.length, new_bits));
  if (new_bits < -prefix.length)
    return call.fault(1, "the prefix cannot be made so much shorter",
                      fmt::format("`/{}` by {} bits", prefix.length, -new_bits));
  // A prefix that is made shorter takes any number, as in Terraform.
  BigInt magnitude = boost::multiprecision::abs(number);
  if (new_bits >= 0 && (magnitude >> static_cast<unsigned>(new_bits)) != 0)
    return call.fault(2, "there is no subnet with this number",
                      fmt::format("{} bits have no number {}", new_bits, number.str()));
  int length = prefix.length + static_cast<int>(new_bits);
  BigInt subnet = insert_number(prefix.address, number, prefix.bits - length, prefix.bits);
  return Value::string_normal(prefix_text(subnet, prefix.bits, length));
}

Result<Value> run_Cidrsubnets(const Call& call, const Type&) {
  PRAVO_TRY(prefix, read_prefix(call));
  BigInt next = prefix.address;
  BigInt end = prefix.address + (BigInt(1) << static_cast<unsigned>(prefix.bits - prefix.length));
  std::vector<Value> subnets;
  for (size_t i = 1; i < call.size(); ++i) {
    auto argument = static_cast<int>(i);
    PRAVO_TRY(new_bits, call.integer(i));
    if (new_bits < 1) return call.fault(argument, "a subnet must be at least one bit longer than the prefix");
    if (new_bits > prefix.bits - prefix.length)
      return call.fault(argument, "the prefix cannot be made so much longer",
                        fmt::format("`/{}` by {} bits", prefix.length, new_bits));
    int length = prefix.length + static_cast<int>(new_bits);
    BigInt size = BigInt(1) << static_cast<unsigned>(prefix.bits - length);
    BigInt start = (next + size - 1) / size * size;
    if (start >= end) return call.fault(argument, "there is no room left for this subnet");
    subnets.push_back(Value::string_normal(prefix_text(start, prefix.bits, length)));
    next = start + size;
  }
  return Value::list(Type::string(), std::move(subnets));
}

}  // namespace pravo::functions
