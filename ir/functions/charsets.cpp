#include "ir/functions/charsets.h"

#include <iconv.h>

#include <algorithm>
#include <cerrno>
#include <memory>

#include <fmt/format.h>

#include "ir/functions/bytes.h"
#include "ir/functions/call.h"
#include "ir/unicode.h"

namespace pravo::functions {

namespace {

struct Row {
  Charset charset;
  std::string_view aliases;  // in lower case, separated by blanks
};

// The encodings that Go's ianaindex knows, with their registered names.
constexpr Row kRows[] = {
    {{"US-ASCII", "ASCII"},
     "us-ascii iso-ir-6 ansi_x3.4-1968 ansi_x3.4-1986 iso_646.irv:1991 iso646-us us ibm367 cp367 csascii"},
    {{"ISO_8859-1:1987", "ISO-8859-1"},
     "iso_8859-1:1987 iso-ir-100 iso_8859-1 iso-8859-1 latin1 l1 ibm819 cp819 csisolatin1"},
    {{"ISO_8859-2:1987", "ISO-8859-2"}, "iso_8859-2:1987 iso-ir-101 iso_8859-2 iso-8859-2 latin2 l2 csisolatin2"},
    {{"ISO_8859-3:1988", "ISO-8859-3"}, "iso_8859-3:1988 iso-ir-109 iso_8859-3 iso-8859-3 latin3 l3 csisolatin3"},
    {{"ISO_8859-4:1988", "ISO-8859-4"}, "iso_8859-4:1988 iso-ir-110 iso_8859-4 iso-8859-4 latin4 l4 csisolatin4"},
    {{"ISO_8859-5:1988", "ISO-8859-5"}, "iso_8859-5:1988 iso-ir-144 iso_8859-5 iso-8859-5 cyrillic csisolatincyrillic"},
    {{"ISO_8859-6:1987", "ISO-8859-6"},
     "iso_8859-6:1987 iso-ir-127 iso_8859-6 iso-8859-6 ecma-114 asmo-708 arabic csisolatinarabic iso_8859-6-e "
     "csiso88596e iso-8859-6-e iso_8859-6-i csiso88596i iso-8859-6-i"},
    {{"ISO_8859-7:1987", "ISO-8859-7"},
     "iso_8859-7:1987 iso-ir-126 iso_8859-7 iso-8859-7 elot_928 ecma-118 greek greek8 csisolatingreek"},
    {{"ISO_8859-8:1988", "ISO-8859-8"},
     "iso_8859-8:1988 iso-ir-138 iso_8859-8 iso-8859-8 hebrew csisolatinhebrew iso_8859-8-e csiso88598e iso-8859-8-e "
     "iso_8859-8-i csiso88598i iso-8859-8-i"},
    {{"ISO_8859-9:1989", "ISO-8859-9"}, "iso_8859-9:1989 iso-ir-148 iso_8859-9 iso-8859-9 latin5 l5 csisolatin5"},
    {{"ISO-8859-10", "ISO-8859-10"}, "iso-8859-10 iso-ir-157 l6 iso_8859-10:1992 csisolatin6 latin6"},
    {{"ISO-8859-13", "ISO-8859-13"}, "iso-8859-13 csiso885913"},
    {{"ISO-8859-14", "ISO-8859-14"},
     "iso-8859-14 iso-ir-199 iso_8859-14:1998 iso_8859-14 latin8 iso-celtic l8 csiso885914"},
    {{"ISO-8859-15", "ISO-8859-15"}, "iso-8859-15 iso_8859-15 latin-9 csiso885915"},
    {{"ISO-8859-16", "ISO-8859-16"}, "iso-8859-16 iso-ir-226 iso_8859-16:2001 iso_8859-16 latin10 l10 csiso885916"},
    {{"Shift_JIS", "CP932"}, "shift_jis ms_kanji csshiftjis"},
    {{"Extended_UNIX_Code_Packed_Format_for_Japanese", "EUC-JP"},
     "extended_unix_code_packed_format_for_japanese cseucpkdfmtjapanese euc-jp"},
    {{"ISO-2022-JP", "ISO-2022-JP"}, "iso-2022-jp csiso2022jp"},
    {{"EUC-KR", "CP949"}, "euc-kr cseuckr"},
    {{"GBK", "GBK"}, "gbk cp936 ms936 windows-936 csgbk"},
    {{"GB18030", "GB18030"}, "gb18030 csgb18030"},
    {{"Big5", "BIG5"}, "big5 csbig5"},
    {{"UTF-8", "UTF-8"}, "utf-8 csutf8"},
    {{"UTF-16BE", "UTF-16BE"}, "utf-16be csutf16be"},
    {{"UTF-16LE", "UTF-16LE"}, "utf-16le csutf16le"},
    {{"UTF-16", "UTF-16"}, "utf-16 csutf16"},
    {{"macintosh", "MACINTOSH"}, "macintosh mac csmacintosh"},
    {{"IBM037", "IBM037"}, "ibm037 cp037 ebcdic-cp-us ebcdic-cp-ca ebcdic-cp-wt ebcdic-cp-nl csibm037"},
    {{"IBM437", "IBM437"}, "ibm437 cp437 437 cspc8codepage437"},
    {{"IBM850", "IBM850"}, "ibm850 cp850 850 cspc850multilingual"},
    {{"IBM852", "IBM852"}, "ibm852 cp852 852 cspcp852"},
    {{"IBM855", "IBM855"}, "ibm855 cp855 855 csibm855"},
    {{"IBM860", "IBM860"}, "ibm860 cp860 860 csibm860"},
    {{"IBM862", "IBM862"}, "ibm862 cp862 862 cspc862latinhebrew"},
    {{"IBM863", "IBM863"}, "ibm863 cp863 863 csibm863"},
    {{"IBM865", "IBM865"}, "ibm865 cp865 865 csibm865"},
    {{"IBM866", "IBM866"}, "ibm866 cp866 866 csibm866"},
    {{"IBM00858", "CP858"}, "ibm00858 ccsid00858 cp00858 pc-multilingual-850+euro csibm00858"},
    {{"IBM01140", "IBM1140"}, "ibm01140 ccsid01140 cp01140 ebcdic-us-37+euro csibm01140"},
    {{"IBM1047", "IBM1047"}, "ibm1047 ibm-1047 csibm1047"},
    {{"KOI8-R", "KOI8-R"}, "koi8-r cskoi8r"},
    {{"KOI8-U", "KOI8-U"}, "koi8-u cskoi8u"},
    {{"windows-874", "CP874"}, "windows-874 cswindows874"},
    {{"windows-1250", "CP1250"}, "windows-1250 cswindows1250"},
    {{"windows-1251", "CP1251"}, "windows-1251 cswindows1251"},
    {{"windows-1252", "CP1252"}, "windows-1252 cswindows1252"},
    {{"windows-1253", "CP1253"}, "windows-1253 cswindows1253"},
    {{"windows-1254", "CP1254"}, "windows-1254 cswindows1254"},
    {{"windows-1255", "CP1255"}, "windows-1255 cswindows1255"},
    {{"windows-1256", "CP1256"}, "windows-1256 cswindows1256"},
    {{"windows-1257", "CP1257"}, "windows-1257 cswindows1257"},
    {{"windows-1258", "CP1258"}, "windows-1258 cswindows1258"},
};

bool has_alias(std::string_view aliases, std::string_view name) {
  while (!aliases.empty()) {
    size_t blank = std::min(aliases.find(' '), aliases.size());
    if (aliases.substr(0, blank) == name) return true;
    aliases.remove_prefix(std::min(blank + 1, aliases.size()));
  }
  return false;
}

struct CloseConverter {
  void operator()(void* converter) const { iconv_close(converter); }
};

std::optional<Str> run_iconv(std::string_view to, std::string_view from, std::string_view input) {
  iconv_t handle = iconv_open(std::string(to).c_str(), std::string(from).c_str());
  if (handle == reinterpret_cast<iconv_t>(-1)) return std::nullopt;
  std::unique_ptr<void, CloseConverter> converter(handle);
  StrBuilder out;
  char* source = const_cast<char*>(input.data());
  size_t left = input.size();
  char buffer[4096];
  // Twice: the text, then what returns a stateful encoding to its first state.
  for (bool flush = false;; flush = true) {
    while (true) {
      char* target = buffer;
      size_t room = sizeof(buffer);
      size_t done = iconv(converter.get(), flush ? nullptr : &source, flush ? nullptr : &left, &target, &room);
      const int why = errno;  // making room for the text may set another
      out.append(std::string_view(buffer, sizeof(buffer) - room));
      if (done != static_cast<size_t>(-1)) {
        // A count above zero: characters were replaced by others that look alike.
        if (done > 0 && !flush) return std::nullopt;
        break;
      }
      if (why != E2BIG) return std::nullopt;
    }
    if (flush) return std::move(out).finish();
  }
}

}  // namespace

const Charset* find_charset(std::string_view name) {
  std::string lower;
  for (char c : name) lower += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  if (lower.empty() || lower.find(' ') != std::string::npos) return nullptr;
  for (const Row& row : kRows)
    if (has_alias(row.aliases, lower)) return &row.charset;
  return nullptr;
}

std::optional<Str> encode_text(const Charset& charset, std::string_view utf8) {
  if (charset.name == "UTF-8") return is_valid_utf8(utf8) ? std::optional<Str>(Str(utf8)) : std::nullopt;
  if (charset.name != "UTF-16") return run_iconv(charset.iconv, "UTF-8", utf8);
  // Big end first, with a mark that says so.
  std::optional<Str> body = run_iconv("UTF-16BE", "UTF-8", utf8);
  if (!body) return std::nullopt;
  StrBuilder out;
  out += "\xFE\xFF";
  out += body->view();
  return std::move(out).finish();
}

std::optional<Str> decode_text(const Charset& charset, std::string_view bytes) {
  if (charset.name == "UTF-8") return is_valid_utf8(bytes) ? std::optional<Str>(Str(bytes)) : std::nullopt;
  if (charset.name != "UTF-16") return run_iconv("UTF-8", charset.iconv, bytes);
  bool little = bytes.starts_with("\xFF\xFE");
  if (little || bytes.starts_with("\xFE\xFF")) bytes.remove_prefix(2);
  return run_iconv("UTF-8", little ? "UTF-16LE" : "UTF-16BE", bytes);
}

// --- the functions

Result<Value> run_Textencodebase64(const Call& call, const Type&) {
  const Charset* charset = find_charset(call.text(1));
  if (charset == nullptr) return call.fault(1, "this is no IANA name of a known encoding", quoted(call.text(1)));
  std::optional<Str> bytes = encode_text(*charset, call.text(0));
  if (!bytes)
    return call.fault(0, "the string has characters that the encoding lacks", fmt::format("{}", charset->name));
  StrBuilder out;
  append_base64(out, *bytes);
  return Value::string(std::move(out).finish());
}

Result<Value> run_Textdecodebase64(const Call& call, const Type&) {
  const Charset* charset = find_charset(call.text(1));
  if (charset == nullptr) return call.fault(1, "this is no IANA name of a known encoding", quoted(call.text(1)));
  std::optional<Str> bytes = decode_base64(call.text(0));
  if (!bytes) return call.fault(0, "this is not base64");
  std::optional<Str> text = decode_text(*charset, *bytes);
  if (!text || text->view().find("\xEF\xBF\xBD") != std::string_view::npos)
    return call.fault(0, "the bytes are no text in this encoding", fmt::format("{}", charset->name));
  return Value::string(normalized(std::move(*text)));
}

}  // namespace pravo::functions
