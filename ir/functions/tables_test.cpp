// The tables of expressions with the results that Terraform prints, run through operators and functions.
#include <doctest/doctest.h>

#include <cstdlib>
#include <set>

#include "ir/convert.h"
#include "ir/functions/expression_for_test.h"

namespace pravo::testing {

namespace {

std::string unescape(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\' || i + 1 == text.size()) {
      out += text[i];
      continue;
    }
    char c = text[++i];
    out += c == 'n' ? '\n' : c == 't' ? '\t' : c == 'r' ? '\r' : c;
  }
  return out;
}

// What `terraform console` shows for the expression, or ERROR.
std::string console(std::string_view text, const Scope& scope, EvalHost& host) {
  if (text.starts_with("type(") && text.ends_with(")")) {
    Result<Value> v = evaluate_for_test(text.substr(5, text.size() - 6), scope, host);
    return v ? console_type(*v) : "ERROR";
  }
  Result<Value> v = evaluate_for_test(text, scope, host);
  return v ? format_value(*v) : "ERROR";
}

// The tables lie with their runner; that drives the whole program over them, this the values and functions alone.
std::filesystem::path tables() {
  const char* source = std::getenv("PRAVO_SOURCE_DIR");
  return std::filesystem::path(source == nullptr ? "." : source) / "tests/expressions";
}

struct Row {
  std::string expression;
  std::string result;
};

std::vector<Row> read_table(const std::filesystem::path& path) {
  std::vector<Row> rows;
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);) {
    size_t tab = line.find('\t');
    if (tab != std::string::npos) rows.push_back({line.substr(0, tab), unescape(line.substr(tab + 1))});
  }
  return rows;
}

void run_table(const std::vector<Row>& rows, const Scope& scope, EvalHost& host,
               const std::set<std::string>& not_here) {
  size_t run = 0;
  for (const Row& row : rows) {
    if (not_here.count(row.expression) > 0) continue;
    ++run;
    std::string got = console(row.expression, scope, host);
    CHECK_MESSAGE(got == row.result, row.expression);
  }
  MESSAGE(run, " rows");
}

Value object(std::initializer_list<std::pair<std::string_view, Value>> entries) {
  std::vector<std::pair<Str, Value>> list;
  for (const auto& [key, value] : entries) list.emplace_back(Str(key), value);
  return Value::object(std::move(list));
}

// The variables and locals of marks/main.tf.
Scope marks_scope(EvalHost& host) {
  Value s = Value::string("sec").with_marks(MarkSet::Sensitive);
  Value e = Value::string("eph").with_marks(MarkSet::Ephemeral);
  Value p = Value::string("plain");
  Value ab = Value::list(Type::string(), {Value::string("a"), Value::string("b")});
  Value eo = object({{"a", Value::string("x")}, {"b", Value::number(1)}}).with_marks(MarkSet::Ephemeral);
  Value so = object({{"a", Value::string("x")},
                     {"b", Value::number(1)},
                     {"c", Value::list(Type::string(), {Value::string("d")})}})
                 .with_marks(MarkSet::Sensitive);
  Scope scope;
  scope.names["var"] = object({{"s", s},
                               {"sl", ab.with_marks(MarkSet::Sensitive)},
                               {"so", so},
                               {"e", e},
                               {"el", ab.with_marks(MarkSet::Ephemeral)},
                               {"eo", eo},
                               {"en", Value::null(Type::string()).with_marks(MarkSet::Ephemeral)},
                               {"es", Value::string("both").with_marks(MarkSet::Both)},
                               {"p", p},
                               {"pn", Value::number(2)}});
  scope.names["terraform_data"] = object({{"u", Value::unknown()}});
  Scope outer = scope;
  Result<Value> le = evaluate_for_test("\"x-${var.e}\"", outer, host);
  Result<Value> ls = evaluate_for_test("\"x-${var.s}\"", outer, host);
  scope.names["local"] = object(
      {{"mix", object({{"pub", p}, {"sec", s}, {"eph", e}})}, {"lst", Value::tuple({p, s})}, {"le", *le}, {"ls", *ls}});
  return scope;
}

}  // namespace

TEST_CASE("table of functions and operators") {
  DirectoryHost host(tables() / "fixtures");
  Scope scope;
  scope.names["path"] = object({{"module", Value::string(".")}});
  scope.names["terraform"] = object({{"workspace", Value::string("default")}});
  std::vector<Row> rows = read_table(tables() / "functions.tsv");
  REQUIRE(rows.size() > 1000);
  run_table(rows, scope, host, {});
}

TEST_CASE("table of marks and unknowns") {
  DirectoryHost host(tables() / "fixtures");
  std::vector<Row> rows = read_table(tables() / "functions-marks.tsv");
  REQUIRE(rows.size() > 350);
  // These are refused by the schema of the resource, which the evaluation does not see.
  std::set<std::string> not_here = {"terraform_data.u.nope", "terraform_data.u[0]", "terraform_data.u.id[0]"};
  // Terraform forgets the marks of a key when it indexes an object (not a map or a list): what is found tells the key,
  // so pravo keeps them.
  not_here.insert({"{eph=1}[var.e]", "{sec=1}[var.s]"});
  run_table(rows, marks_scope(host), host, not_here);
}

}  // namespace pravo::testing
