#include "ir/text_cursor.h"

#include <algorithm>

#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/ConvertUTF.h>

#include "ir/diagnostics/text.h"
#include "ir/text_format.h"

namespace pravo::text {

char Cursor::peek() {
  read_end_ = read_end();
  while (at_ < text_.size()) {
    char c = text_[at_];
    if (c == ' ' || c == '\n' || c == '\t' || c == '\r') {
      ++at_;
    } else if (c == ';') {
      at_ = std::min(text_.find('\n', at_), text_.size());
    } else {
      break;
    }
  }
  skipped_to_ = at_;
  return at_ < text_.size() ? text_[at_] : '\0';
}

uint32_t Cursor::begin() {
  peek();
  return position();
}

bool Cursor::accept(char c) {
  if (peek() != c || at_ >= text_.size()) return false;
  ++at_;
  return true;
}

bool Cursor::accept_text(std::string_view punctuation) {
  peek();
  if (text_.substr(at_, punctuation.size()) != punctuation) return false;
  at_ += punctuation.size();
  return true;
}

std::string_view Cursor::peek_word() {
  if (!is_name_start(peek())) return {};
  size_t end = at_ + 1;
  while (end < text_.size() && is_name_char(text_[end])) ++end;
  return text_.substr(at_, end - at_);
}

std::string_view Cursor::take_word() {
  std::string_view word = peek_word();
  at_ += word.size();
  return word;
}

std::string_view Cursor::take_dotted() {
  size_t begin = this->begin();
  if (take_word().empty()) return {};
  while (at_ + 1 < text_.size() && text_[at_] == '.' && is_name_char(text_[at_ + 1])) {
    ++at_;
    while (at_ < text_.size() && is_name_char(text_[at_])) ++at_;
  }
  return text_.substr(begin, at_ - begin);
}

bool Cursor::accept_word(std::string_view word) {
  if (peek_word() != word) return false;
  at_ += word.size();
  return true;
}

bool Cursor::expect(char c) {
  if (accept(c)) return true;
  char quoted[] = {'`', c, '`', '\0'};
  return fail(quoted);
}

bool Cursor::expect_word(std::string_view word) { return accept_word(word) || fail("`" + std::string(word) + "`"); }

bool Cursor::identifier(std::string& out) {
  if (peek() == '"') return string(out);
  std::string_view word = take_word();
  out = word;
  return !word.empty() || fail("an identifier or a string");
}

bool Cursor::function(std::string& out) {
  if (peek() == '"') return string(out);
  uint32_t start = begin();
  if (take_word().empty()) return fail("the name of a function");
  while (text_.substr(at_, 2) == "::") {
    at_ += 2;
    if (at_ >= text_.size() || !is_name_start(text_[at_])) return fail("an identifier");
    take_word();
  }
  out = slice(start);
  return true;
}

bool Cursor::string(std::string& out) {
  if (peek() != '"') return fail("a string");
  std::string_view text;
  uint32_t start = position();
  if (!literal(text)) return false;
  std::optional<std::string> unescaped = unescape_string(text);
  if (!unescaped) {
    diags_.emit(range(start, position()), diag::IrBadString);
    return false;
  }
  out = std::move(*unescaped);
  return true;
}

bool Cursor::number(uint64_t& out) {
  if (!is_digit(peek())) return fail("a number");
  out = 0;
  for (; at_ < text_.size() && is_digit(text_[at_]); ++at_) {
    auto digit = static_cast<uint64_t>(text_[at_] - '0');
    if (out > (UINT64_MAX - digit) / 10) return fail("a smaller number");
    out = out * 10 + digit;
  }
  return true;
}

bool Cursor::name(Name& out) {
  if (peek() != '%') return fail("a name that starts with `%`");
  ++at_;
  size_t start = at_;
  if (at_ < text_.size() && text_[at_] == '"') {
    if (!string(unquoted_)) return false;
    out = {text_.substr(start, at_ - start), unquoted_, false};
    // A name that needs no quotes is the same with them.
    if (is_dotted_identifier(out.key.substr(1, out.key.size() - 2))) out.key = out.key.substr(1, out.key.size() - 2);
    return true;
  }
  while (at_ < text_.size() && (is_name_char(text_[at_]) || (text_[at_] == '.' && at_ > start &&
                                                             at_ + 1 < text_.size() && is_name_char(text_[at_ + 1]))))
    ++at_;
  out.key = out.text = text_.substr(start, at_ - start);
  out.number = !out.key.empty() && is_digit(out.key[0]);
  bool valid = out.number ? std::all_of(out.key.begin(), out.key.end(), is_digit) : is_dotted_identifier(out.key);
  if (valid) return true;
  at_ = start;
  return fail_here("a name behind `%`");
}

bool Cursor::literal(std::string_view& out) {
  peek();
  size_t start = at_;
  size_t depth = 0;
  do {
    if (at_ >= text_.size() || text_[at_] == '\n') return fail_here("the end of a constant");
    char c = text_[at_];
    if (c == '"') {
      ++at_;
      while (at_ < text_.size() && text_[at_] != '"' && text_[at_] != '\n') at_ += text_[at_] == '\\' ? 2 : 1;
      if (at_ >= text_.size() || text_[at_] != '"') {
        at_ = std::min(at_, text_.size());
        return fail_here("`\"` to close the string");
      }
      ++at_;
    } else if (c == '{' || c == '[') {
      ++depth;
      ++at_;
    } else if (c == '}' || c == ']') {
      if (depth == 0) return fail("a constant");
      --depth;
      ++at_;
    } else if (depth > 0) {
      ++at_;
    } else {
      // A scalar: a number, true, false, null.
      while (at_ < text_.size() && (is_name_char(text_[at_]) || text_[at_] == '.' || text_[at_] == '+')) ++at_;
      if (at_ == start) return fail("a constant");
    }
  } while (depth > 0);
  out = text_.substr(start, at_ - start);
  return true;
}

std::string_view Cursor::rest_of_line() {
  size_t end = std::min(text_.find('\n', at_), text_.size());
  return text_.substr(at_, end - at_);
}

SourceRange Cursor::found_range() const {
  size_t end = at_;
  while (end < text_.size() && is_name_char(text_[end])) ++end;
  if (end == at_ && end < text_.size()) {
    ++end;
    while (end < text_.size() && (static_cast<unsigned char>(text_[end]) & 0xC0) == 0x80) ++end;
  }
  return {file_, static_cast<uint32_t>(at_), static_cast<uint32_t>(end)};
}

bool Cursor::fail(std::string_view what) {
  peek();
  // What is missing is missing at the end of the line that was read, not at the start of the next.
  if (read_end_ > 0 && at_ < text_.size()) {
    size_t line_end = text_.find('\n', read_end_);
    if (line_end < at_) at_ = line_end;
  }
  return fail_here(what);
}

bool Cursor::fail_here(std::string_view what) {
  SourceRange place = found_range();
  std::string found = "`" + std::string(text_.substr(place.begin, place.end - place.begin)) + "`";
  if (at_ >= text_.size())
    found = "the end of the text";
  else if (text_[at_] == '\n')
    found = "the end of the line";
  else if (static_cast<unsigned char>(text_[at_]) <= ' ')
    found = "a blank";
  diags_.emit(place, diag::IrSyntax, what, found);
  return false;
}

bool Cursor::skip_line(uint32_t begin) {
  at_ = std::max<size_t>(read_end(), begin);
  std::string_view line = rest_of_line();
  at_ = std::min(at_ + line.size() + 1, text_.size());
  while (!line.empty() && (line.back() == ' ' || line.back() == '\r' || line.back() == '\t')) line.remove_suffix(1);
  return !line.empty() && line.back() == '{';
}

std::optional<std::string> unescape_string(std::string_view literal) {
  if (literal.size() < 2 || literal.front() != '"' || literal.back() != '"') return std::nullopt;
  literal = literal.substr(1, literal.size() - 2);
  std::string out;
  out.reserve(literal.size());
  auto hex = [&](size_t at) -> std::optional<uint32_t> {
    if (at + 4 > literal.size()) return std::nullopt;
    uint32_t value = 0;
    for (char c : literal.substr(at, 4)) {
      unsigned digit = llvm::hexDigitValue(c);
      if (digit > 15) return std::nullopt;
      value = value * 16 + digit;
    }
    return value;
  };
  for (size_t i = 0; i < literal.size();) {
    size_t plain = std::min(literal.find('\\', i), literal.size());
    out += literal.substr(i, plain - i);
    i = plain;
    if (i == literal.size()) break;
    if (i + 1 == literal.size()) return std::nullopt;
    char c = literal[i + 1];
    i += 2;
    switch (c) {
      case '"':
      case '\\':
      case '/':
        out += c;
        continue;
      case 'b':
        out += '\b';
        continue;
      case 'f':
        out += '\f';
        continue;
      case 'n':
        out += '\n';
        continue;
      case 'r':
        out += '\r';
        continue;
      case 't':
        out += '\t';
        continue;
      case 'u':
        break;
      default:
        return std::nullopt;
    }
    std::optional<uint32_t> code = hex(i);
    if (!code) return std::nullopt;
    i += 4;
    if (*code >= 0xD800 && *code < 0xDC00 && literal.substr(i, 2) == "\\u") {
      std::optional<uint32_t> low = hex(i + 2);
      if (!low || *low < 0xDC00 || *low > 0xDFFF) return std::nullopt;
      code = 0x10000 + ((*code - 0xD800) << 10) + (*low - 0xDC00);
      i += 6;
    }
    char utf8[4];
    char* end = utf8;
    if (!llvm::ConvertCodePointToUTF8(*code, end)) return std::nullopt;
    out.append(utf8, end);
  }
  return out;
}

}  // namespace pravo::text
