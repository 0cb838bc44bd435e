// Timestamps of RFC 3339: formatdate plantimestamp timeadd timecmp timestamp.
#include <array>

#include <fmt/format.h>

#include "ir/functions/call.h"
#include "ir/functions/timestamps.h"

namespace pravo::functions {

namespace {

struct Timestamp {
  int64_t seconds = 0;  // since 1970 in UTC
  int64_t nanoseconds = 0;
  int64_t offset = 0;  // of the local time, in seconds
};

struct Civil {
  int64_t year = 0;
  unsigned month = 1;
  unsigned day = 1;
  int64_t hour = 0;
  int64_t minute = 0;
  int64_t second = 0;
  unsigned weekday = 0;  // 0 is Sunday
};

bool is_leap(int64_t year) { return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0); }

unsigned days_in(unsigned month, int64_t year) {
  constexpr std::array<unsigned, 12> kDays = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  return month == 2 && is_leap(year) ? 29 : kDays[month - 1];
}

int64_t floor_div(int64_t a, int64_t b) { return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0); }

// Days since 1970-01-01 of a date of the proleptic Gregorian calendar, counting years from March.
int64_t days_from_civil(int64_t year, unsigned month, unsigned day) {
  if (month <= 2) --year;
  int64_t era = floor_div(year, 400);
  int64_t year_of_era = year - era * 400;
  int64_t day_of_year = (153 * (static_cast<int64_t>(month) + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
  int64_t day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
  return era * 146097 + day_of_era - 719468;
}

Civil to_civil(const Timestamp& t) {
  int64_t local = t.seconds + t.offset;
  int64_t days = floor_div(local, 86400);
  int64_t rest = local - days * 86400;
  Civil c;
  c.hour = rest / 3600;
  c.minute = rest / 60 % 60;
  c.second = rest % 60;
  c.weekday = static_cast<unsigned>(((days + 4) % 7 + 7) % 7);
  int64_t shifted = days + 719468;
  int64_t era = floor_div(shifted, 146097);
  int64_t day_of_era = shifted - era * 146097;
  int64_t year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
  int64_t day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  int64_t month_index = (5 * day_of_year + 2) / 153;
  c.day = static_cast<unsigned>(day_of_year - (153 * month_index + 2) / 5 + 1);
  c.month = static_cast<unsigned>(month_index < 10 ? month_index + 3 : month_index - 9);
  c.year = year_of_era + era * 400 + (c.month <= 2 ? 1 : 0);
  return c;
}

// Reads a timestamp. `lenient` is how timecmp reads: an hour of one digit, a comma before the fraction.
class TimestampReader {
 public:
  TimestampReader(std::string_view text, bool lenient) : text_(text), lenient_(lenient) {}

  // Empty: malformed, fault() says why.
  std::optional<Timestamp> read() {
    int64_t year = number(4, 0, 9999, "the year");
    separator('-');
    auto month = static_cast<unsigned>(number(2, 1, 12, "the month"));
    separator('-');
    auto day = static_cast<unsigned>(number(2, 1, 31, "the day of the month"));
    if (!fault_.empty()) return std::nullopt;
    if (day > days_in(month, year)) return failed("that month has not so many days");
    separator('T');
    bool short_hour = lenient_ && at_ + 1 < text_.size() && text_[at_ + 1] == ':';
    int64_t hour = number(short_hour ? 1 : 2, 0, 23, "the hour");
    separator(':');
    int64_t minute = number(2, 0, 59, "the minute");
    separator(':');
    int64_t second = number(2, 0, 59, "the second");
    Timestamp t;
    if (at_ + 1 < text_.size() && (text_[at_] == '.' || (lenient_ && text_[at_] == ',')) && is_digit(at_ + 1)) {
      int64_t scale = 100'000'000;
      for (++at_; is_digit(at_); ++at_, scale /= 10) t.nanoseconds += (text_[at_] - '0') * scale;
    }
    if (at_ < text_.size() && text_[at_] == 'Z') {
      ++at_;
    } else {
      bool west = at_ < text_.size() && text_[at_] == '-';
      if (!west && (at_ == text_.size() || text_[at_] != '+')) return failed("`Z` or an offset must follow the time");
      ++at_;
      int64_t hours = number(2, 0, lenient_ ? 24 : 23, "the hours of the offset");
      separator(':');
      int64_t minutes = number(2, 0, lenient_ ? 60 : 59, "the minutes of the offset");
      t.offset = (hours * 60 + minutes) * 60 * (west ? -1 : 1);
    }
    if (fault_.empty() && at_ != text_.size()) return failed("there is more after the timestamp");
    if (!fault_.empty()) return std::nullopt;
    t.seconds = days_from_civil(year, month, day) * 86400 + hour * 3600 + minute * 60 + second - t.offset;
    return t;
  }

  const std::string& fault() const { return fault_; }

 private:
  bool is_digit(size_t at) const { return at < text_.size() && text_[at] >= '0' && text_[at] <= '9'; }

  std::nullopt_t failed(std::string why) {
    if (fault_.empty()) fault_ = std::move(why);
    return std::nullopt;
  }

  int64_t number(int digits, int64_t low, int64_t high, std::string_view what) {
    int64_t value = 0;
    for (int i = 0; i < digits; ++i, ++at_) {
      if (!is_digit(at_)) {
        failed(fmt::format("{} must have {} digits", what, digits));
        return low;
      }
      value = value * 10 + (text_[at_] - '0');
    }
    if (value < low || value > high) failed(fmt::format("{} must be from {} to {}", what, low, high));
    return value;
  }

  void separator(char c) {
    if (at_ < text_.size() && text_[at_] == c)
      ++at_;
    else
      failed(fmt::format("`{}` is missing", c));
  }

  std::string_view text_;
  bool lenient_;
  size_t at_ = 0;
  std::string fault_;
};

Result<Timestamp> read_timestamp(const Call& call, int argument, bool lenient = false) {
  TimestampReader reader(call.text(static_cast<size_t>(argument)), lenient);
  std::optional<Timestamp> t = reader.read();
  if (!t) return call.fault(argument, "a timestamp as 2006-01-02T15:04:05Z is required", reader.fault());
  return *t;
}

std::string offset_text(int64_t offset, bool colon) {
  int64_t minutes = (offset < 0 ? -offset : offset) / 60;
  return fmt::format("{}{:02}{}{:02}", offset < 0 ? '-' : '+', minutes / 60, colon ? ":" : "", minutes % 60);
}

std::string year_text(int64_t year) { return year < 0 ? fmt::format("-{:04}", -year) : fmt::format("{:04}", year); }

std::string to_rfc3339(const Timestamp& t) {
  Civil c = to_civil(t);
  return fmt::format("{}-{:02}-{:02}T{:02}:{:02}:{:02}{}", year_text(c.year), c.month, c.day, c.hour, c.minute,
                     c.second, t.offset == 0 ? "Z" : offset_text(t.offset, true));
}

// --- durations

// Go's time.ParseDuration: "1h30m", "-1.5h", "100ms". In nanoseconds; empty: malformed or out of range.
std::optional<int64_t> parse_duration(std::string_view text) {
  bool negative = false;
  if (text.starts_with('+') || text.starts_with('-')) {
    negative = text[0] == '-';
    text.remove_prefix(1);
  }
  if (text == "0") return 0;
  if (text.empty()) return std::nullopt;
  constexpr uint64_t kMax = uint64_t{1} << 63;
  uint64_t total = 0;
  while (!text.empty()) {
    uint64_t whole = 0;
    size_t at = 0;
    auto digit = [&] { return at < text.size() && text[at] >= '0' && text[at] <= '9'; };
    for (; digit(); ++at) {
      if (whole > kMax / 10) return std::nullopt;
      whole = whole * 10 + static_cast<uint64_t>(text[at] - '0');
      if (whole > kMax) return std::nullopt;
    }
    bool any_digit = at > 0;
    uint64_t fraction = 0;
    double scale = 1;
    if (at < text.size() && text[at] == '.') {
      size_t start = ++at;
      bool overflow = false;
      for (; digit(); ++at) {
        if (overflow) continue;
        if (fraction > (kMax - 1) / 10) {
          overflow = true;
          continue;
        }
        fraction = fraction * 10 + static_cast<uint64_t>(text[at] - '0');
        scale *= 10;
      }
      any_digit |= at > start;
    }
    if (!any_digit) return std::nullopt;
    size_t unit_start = at;
    while (at < text.size() && text[at] != '.' && !digit()) ++at;
    std::string_view unit = text.substr(unit_start, at - unit_start);
    uint64_t nanoseconds = unit == "ns"                                                 ? 1
                           : unit == "us" || unit == "\xC2\xB5s" || unit == "\xCE\xBCs" ? 1000
                           : unit == "ms"                                               ? 1'000'000
                           : unit == "s"                                                ? 1'000'000'000
                           : unit == "m"                                                ? 60'000'000'000
                           : unit == "h"                                                ? 3'600'000'000'000
                                                                                        : 0;
    if (nanoseconds == 0 || whole > kMax / nanoseconds) return std::nullopt;
    uint64_t part = whole * nanoseconds;
    if (fraction > 0)
      part += static_cast<uint64_t>(static_cast<double>(fraction) * (static_cast<double>(nanoseconds) / scale));
    if (part > kMax || total + part > kMax) return std::nullopt;
    total += part;
    text.remove_prefix(at);
  }
  if (negative) return static_cast<int64_t>(0 - total);
  if (total > kMax - 1) return std::nullopt;
  return static_cast<int64_t>(total);
}

// --- formatdate

constexpr std::string_view kMonths[] = {"January", "February", "March",     "April",   "May",      "June",
                                        "July",    "August",   "September", "October", "November", "December"};
constexpr std::string_view kDays[] = {"Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"};

// What a run of `length` times the letter `verb` stands for, or nothing.
std::optional<std::string> verb_text(char verb, size_t length, const Civil& c, int64_t offset) {
  auto number = [&](int64_t value) -> std::optional<std::string> {
    if (length > 2) return std::nullopt;
    return length == 1 ? fmt::format("{}", value) : fmt::format("{:02}", value);
  };
  switch (verb) {
    case 'Y':
      if (length == 2) return fmt::format("{:02}", c.year % 100);
      if (length == 4) return fmt::format("{:04}", c.year);
      return std::nullopt;
    case 'M':
      if (length == 3) return std::string(kMonths[c.month - 1].substr(0, 3));
      if (length == 4) return std::string(kMonths[c.month - 1]);
      return number(c.month);
    case 'D':
      return number(c.day);
    case 'E':
      if (length == 3) return std::string(kDays[c.weekday].substr(0, 3));
      if (length == 4) return std::string(kDays[c.weekday]);
      return std::nullopt;
    case 'h':
      return number(c.hour);
    case 'H':
      return number(c.hour % 12 == 0 ? 12 : c.hour % 12);
    case 'm':
      return number(c.minute);
    case 's':
      return number(c.second);
    case 'A':
      if (length != 2) return std::nullopt;
      return c.hour < 12 ? "AM" : "PM";
    case 'a':
      if (length != 2) return std::nullopt;
      return c.hour < 12 ? "am" : "pm";
    case 'Z':
      if (length == 1) return offset == 0 ? "Z" : offset_text(offset, true);
      if (length == 3) return offset == 0 ? "UTC" : offset_text(offset, false);
      if (length == 4) return offset_text(offset, false);
      if (length == 5) return offset_text(offset, true);
      return std::nullopt;
    default:
      return std::nullopt;
  }
}

Value moment_value(const Moment& moment) {
  return Value::string_normal(to_rfc3339({moment.seconds, moment.nanoseconds, 0}));
}

}  // namespace

std::optional<std::string> yaml_timestamp(std::string_view text) {
  size_t at = 0;
  bool ok = true;
  // Numbers of one or two digits, but a year of four.
  auto number = [&](size_t least, size_t most, int64_t low, int64_t high) {
    int64_t value = 0;
    size_t digits = 0;
    for (; digits < most && at < text.size() && text[at] >= '0' && text[at] <= '9'; ++digits, ++at)
      value = value * 10 + (text[at] - '0');
    ok = ok && digits >= least && value >= low && value <= high;
    return ok ? value : low;
  };
  auto take = [&](char c) {
    bool here = at < text.size() && text[at] == c;
    if (here) ++at;
    return here;
  };
  int64_t year = number(4, 4, 0, 9999);
  ok = ok && take('-');
  auto month = static_cast<unsigned>(number(1, 2, 1, 12));
  ok = ok && take('-');
  auto day = static_cast<unsigned>(number(1, 2, 1, 31));
  if (!ok || day > days_in(month, year)) return std::nullopt;
  Timestamp t;
  t.seconds = days_from_civil(year, month, day) * 86400;
  if (at == text.size()) return to_rfc3339(t);
  bool zoned = text[at] == 'T' || text[at] == 't';
  if (!zoned && text[at] != ' ') return std::nullopt;
  ++at;
  int64_t hour = number(1, 2, 0, 23);
  ok = ok && take(':');
  int64_t minute = number(1, 2, 0, 59);
  ok = ok && take(':');
  int64_t second = number(1, 2, 0, 59);
  if (ok && at + 1 < text.size() && text[at] == '.' && text[at + 1] >= '0' && text[at + 1] <= '9')
    for (++at; at < text.size() && text[at] >= '0' && text[at] <= '9'; ++at) {
    }
  if (zoned && ok && !take('Z')) {
    bool west = take('-');
    ok = west || take('+');
    int64_t hours = number(2, 2, 0, 23);
    ok = ok && take(':');
    t.offset = (hours * 60 + number(2, 2, 0, 59)) * 60 * (west ? -1 : 1);
  }
  if (!ok || at != text.size()) return std::nullopt;
  t.seconds += hour * 3600 + minute * 60 + second - t.offset;
  return to_rfc3339(t);
}

Result<Value> run_Formatdate(const Call& call, const Type&) {
  PRAVO_TRY(t, read_timestamp(call, 1));
  Civil c = to_civil(t);
  std::string_view format = call.text(0);
  StrBuilder out;
  auto is_verb = [](char letter) { return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z'); };
  for (size_t at = 0; at < format.size();) {
    char letter = format[at];
    if (letter == '\'') {
      // Quoted text; a doubled quote is one, inside and outside.
      if (format.substr(at).starts_with("''")) {
        out += '\'';
        at += 2;
        continue;
      }
      size_t begin = ++at;
      bool closed = false;
      for (; at < format.size() && !closed; ++at) {
        if (format[at] != '\'') {
          out += format[at];
        } else if (at + 1 < format.size() && format[at + 1] == '\'') {
          out += '\'';
          ++at;
          closed = at + 1 == format.size();  // Terraform takes the second of two at the very end for the end
        } else {
          closed = true;
        }
      }
      if (!closed)
        return call.fault(0, "a quote in the format is not closed", fmt::format("opened at byte {}", begin - 1));
    } else if (is_verb(letter)) {
      size_t end = at;
      while (end < format.size() && format[end] == letter) ++end;
      std::optional<std::string> text = verb_text(letter, end - at, c, t.offset);
      if (!text)
        return call.fault(0, "the format has an unknown sequence of letters; put literal text in single quotes",
                          quoted(format.substr(at, end - at)));
      out += *text;
      at = end;
    } else {
      out += letter;
      ++at;
    }
  }
  return Value::string(std::move(out).finish());
}

Result<Value> run_Timeadd(const Call& call, const Type&) {
  PRAVO_TRY(t, read_timestamp(call, 0));
  std::optional<int64_t> duration = parse_duration(call.text(1));
  if (!duration)
    return call.fault(1, "a duration as `1h30m` is required, with the units h, m, s, ms, us and ns",
                      quoted(call.text(1)));
  int64_t nanoseconds = t.nanoseconds + *duration % 1'000'000'000;
  t.seconds += *duration / 1'000'000'000 + floor_div(nanoseconds, 1'000'000'000);
  return Value::string_normal(to_rfc3339(t));
}

Result<Value> run_Timecmp(const Call& call, const Type&) {
  PRAVO_TRY(a, read_timestamp(call, 0, true));
  PRAVO_TRY(b, read_timestamp(call, 1, true));
  if (a.seconds != b.seconds) return Value::number(a.seconds < b.seconds ? -1 : 1);
  return Value::number(a.nanoseconds < b.nanoseconds ? -1 : a.nanoseconds > b.nanoseconds ? 1 : 0);
}

Result<Value> run_Timestamp(const Call& call, const Type&) {
  PRAVO_TRY(moment, call.host.now());
  return moment_value(moment);
}

Result<Value> run_Plantimestamp(const Call& call, const Type&) {
  PRAVO_TRY(moment, call.host.plan_timestamp());
  return moment_value(moment);
}

}  // namespace pravo::functions
