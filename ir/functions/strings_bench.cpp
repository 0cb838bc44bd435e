// Text: case, search, parts, format, regular expressions.
#include "ir/testing/benchmarks.h"

namespace pravo {

namespace {

Value text() { return Value::string(bench::prose(100'000)); }
// Beyond ASCII, where characters are several bytes.
Value accents() {
  std::string out;
  for (int i = 0; i < 20'000; ++i) out += "é☃x";
  return Value::string(out);
}

}  // namespace

PRAVO_BENCHMARK_TEXT(upper, Upper, text());
PRAVO_BENCHMARK_TEXT(upper_accents, Upper, accents());
PRAVO_BENCHMARK_TEXT(title, Title, text());
PRAVO_BENCHMARK_TEXT(length_text, Length, text());
PRAVO_BENCHMARK_TEXT(length_accents, Length, accents());
PRAVO_BENCHMARK_TEXT(strrev_accents, Strrev, accents());
PRAVO_BENCHMARK_TEXT(substr_end, Substr, text(), Value::number(-10), Value::number(5));
PRAVO_BENCHMARK_TEXT(trimspace, Trimspace, text());
PRAVO_BENCHMARK_CALL(indent, Indent, Value::number(2), text());
PRAVO_BENCHMARK_TEXT(replace_text, Replace, text(), Value::string("word"), Value::string("term"));
PRAVO_BENCHMARK_TEXT(replace_pattern, Replace, text(), Value::string("/word-([0-9]+)/"), Value::string("$1"));
PRAVO_BENCHMARK_ELEMENTS(join, Join, Value::string(", "), bench::strings(n));
PRAVO_BENCHMARK_CALL(split_line, Split, Value::string(","), Value::string("a,b,c,d,e,f,g,h"));
PRAVO_BENCHMARK_CALL(upper_word, Upper, Value::string("hello world"));

PRAVO_BENCHMARK_CALL(regex_groups, Regex, Value::string("^([a-z]+)-(\\d+)$"), Value::string("web-17"));
PRAVO_BENCHMARK_CALL(regexall_text, Regexall, Value::string("word-[0-9]+"), text());

PRAVO_BENCHMARK_CALL(format_verbs, Format, Value::string("%s-%03d-%v"), Value::string("web"), Value::number(7),
                     Value::boolean(true));
PRAVO_BENCHMARK_ELEMENTS(formatlist, Formatlist, Value::string("%s=%d"), bench::strings(n), bench::numbers(n));

}  // namespace pravo
