// Files and paths: abspath basename dirname file filebase64 fileexists fileset pathexpand, and templates.
#include "ir/functions/files.h"

#include <algorithm>

#include <fmt/format.h>

#include "ir/functions/bytes.h"
#include "ir/functions/glob.h"
#include "ir/misfit.h"
#include "ir/unicode.h"

namespace pravo::functions {

namespace {

std::unique_ptr<EvalError> unreadable(const Call& call, size_t i, const EvalError& why) {
  if (why.kind != EvalErrorKind::Host) return std::make_unique<EvalError>(why);
  return call.fault(static_cast<int>(i), "the file cannot be read",
                    fmt::format("{}: {}", quoted(call.text(i)), why.message), EvalErrorKind::Host);
}

// A value for Go's filepath.Base and Dir.
std::string_view last_part(std::string_view path) {
  if (path.empty()) return ".";
  while (path.size() > 1 && path.ends_with('/')) path.remove_suffix(1);
  if (path == "/") return path;
  size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

std::string join_paths(std::string_view a, std::string_view b) {
  if (a.empty()) return clean_path(b);
  if (b.empty()) return clean_path(a);
  return clean_path(fmt::format("{}/{}", a, b));
}

bool is_name(std::string_view text) {
  if (text.empty()) return false;
  for (size_t at = 0; at < text.size();) {
    CodePoint c = decode_utf8(text, at);
    bool letter = is_letter(c.value) || c.value == '_';
    bool inner = letter || is_decimal_digit(c.value) || c.value == '-';
    if (at == 0 ? !letter : !inner) return false;
    at += c.length;
  }
  return true;
}

Result<bool> check_variables(const Call& call, const Value& variables) {
  if (variables.kind() != ValueKind::Object && variables.kind() != ValueKind::Map)
    return call.wrong_type(1, "the variables must be a map or an object");
  for (const Str& name : variables.keys().all())
    if (!is_name(name))
      return call.fault(1, "a variable's name must be a letter followed by letters, digits, underscores and dashes",
                        quoted(name));
  return true;
}

Result<Value> render(const Call& call, std::string_view text, std::string_view name) {
  PRAVO_TRY(checked, check_variables(call, call[1]));
  static_cast<void>(checked);
  Result<Value> rendered = call.host.render_template(text, name, call[1]);
  if (rendered) return rendered;
  // What went wrong inside may tell of the variables' contents.
  const EvalError& error = rendered.error();
  if (error.kind == EvalErrorKind::Refused || error.kind == EvalErrorKind::Limit) return rendered;
  return call.fault(1, "the template cannot be rendered", error.message, error.kind);
}

}  // namespace

std::string clean_path(std::string_view path) {
  bool rooted = path.starts_with('/');
  std::vector<std::string_view> parts;
  for (size_t at = 0; at < path.size();) {
    size_t end = std::min(path.find('/', at), path.size());
    std::string_view part = path.substr(at, end - at);
    at = end + 1;
    if (part.empty() || part == ".") continue;
    if (part == ".." && !parts.empty() && parts.back() != "..") {
      parts.pop_back();
      continue;
    }
    if (part == ".." && rooted) continue;
    parts.push_back(part);
  }
  std::string out = rooted ? "/" : "";
  for (size_t i = 0; i < parts.size(); ++i) {
    if (i > 0) out += '/';
    out += parts[i];
  }
  return out.empty() ? "." : out;
}

Result<std::string> expand_home(const Call& call, int argument, std::string_view path) {
  if (!path.starts_with('~')) return std::string(path);
  if (path.size() > 1 && path[1] != '/') return call.fault(argument, "the home directory of another user is not known");
  PRAVO_TRY(home, call.host.home_directory());
  return home + std::string(path.substr(1));
}

Result<bool> read_file(const Call& call, size_t i, EvalHost::TakePart take) {
  PRAVO_TRY(path, expand_home(call, static_cast<int>(i), call.text(i)));
  Result<bool> read = call.host.read_file(path, take);
  if (!read) return unreadable(call, i, read.error());
  return read;
}

Result<Str> read_whole_file(const Call& call, size_t i) {
  StrBuilder contents;
  bool fits = true;
  PRAVO_TRY(read, read_file(call, i, [&](std::string_view part) {
              fits = contents.size() + part.size() <= kMaxText;
              if (fits) contents += part;
              return fits;
            }));
  static_cast<void>(read);
  if (!fits)
    return call.fault(static_cast<int>(i), fmt::format("the file is larger than {} MiB", kMaxText >> 20), {},
                      EvalErrorKind::Limit);
  return std::move(contents).finish();
}

// --- paths

Result<Value> run_Basename(const Call& call, const Type&) { return Value::string(last_part(call.text(0))); }

Result<Value> run_Dirname(const Call& call, const Type&) {
  std::string_view path = call.text(0);
  size_t slash = path.rfind('/');
  return Value::string(clean_path(slash == std::string_view::npos ? std::string_view() : path.substr(0, slash + 1)));
}

Result<Value> run_Abspath(const Call& call, const Type&) {
  std::string_view path = call.text(0);
  if (path.starts_with('/')) return Value::string(clean_path(path));
  PRAVO_TRY(directory, call.host.working_directory());
  return Value::string(join_paths(directory, path));
}

Result<Value> run_Pathexpand(const Call& call, const Type&) {
  PRAVO_TRY(path, expand_home(call, 0, call.text(0)));
  return Value::string(path);
}

// --- files

Result<Value> run_File(const Call& call, const Type&) {
  PRAVO_TRY(contents, read_whole_file(call, 0));
  if (!is_valid_utf8(contents))
    return call.fault(0, "the file is not UTF-8 text; `filebase64` reads any bytes", quoted(call.text(0)));
  return Value::string(normalized(std::move(contents))).with_marks(call[0].marks());
}

Result<Value> run_Filebase64(const Call& call, const Type&) {
  PRAVO_TRY(contents, read_whole_file(call, 0));
  StrBuilder out;
  append_base64(out, contents);
  return Value::string(std::move(out).finish()).with_marks(call[0].marks());
}

Result<Value> run_Fileexists(const Call& call, const Type&) {
  PRAVO_TRY(path, expand_home(call, 0, call.text(0)));
  Result<EvalHost::FileKind> kind = call.host.file_kind(path.empty() ? "." : path);
  if (!kind) return unreadable(call, 0, kind.error());
  switch (*kind) {
    case EvalHost::FileKind::None:
      return Value::boolean(false).with_marks(call[0].marks());
    case EvalHost::FileKind::Regular:
      return Value::boolean(true).with_marks(call[0].marks());
    case EvalHost::FileKind::Directory:
      return call.fault(0, "this is a directory, not a file", quoted(call.text(0)));
    case EvalHost::FileKind::Other:
      break;
  }
  return call.fault(0, "this is not a regular file", quoted(call.text(0)));
}

Result<Value> run_Fileset(const Call& call, const Type&) {
  MarkSet marks = call[0].marks() | call[1].marks();
  PRAVO_TRY(directory, expand_home(call, 0, call.text(0)));
  // The parts of the pattern before the first with a wildcard say where to start.
  std::string pattern = clean_path(call.text(1));
  std::string fixed;
  std::string_view rest = pattern;
  while (true) {
    size_t slash = rest.find('/');
    if (slash == std::string_view::npos || glob_has_wildcard(rest.substr(0, slash))) break;
    fixed += rest.substr(0, slash + 1);
    rest.remove_prefix(slash + 1);
  }
  bool any_depth = rest.find("**") != std::string_view::npos || rest.find('{') != std::string_view::npos;
  int depth = any_depth ? -1 : static_cast<int>(std::count(rest.begin(), rest.end(), '/'));
  std::string start = join_paths(directory.empty() ? "." : directory, fixed);
  PRAVO_TRY(names, call.host.list_files(start, depth));
  // Where there is nothing to match, the pattern may be anything.
  if (!names.empty() && glob_match(rest, "") == GlobMatch::Malformed)
    return call.fault(1, "the pattern is malformed", quoted(pattern));
  std::vector<Value> found;
  for (const std::string& name : names) {
    if (glob_match(rest, name) == GlobMatch::Yes) found.push_back(Value::string(fixed + name));
    if (found.size() > kMaxElements) return too_many_elements();
  }
  return Value::set(Type::string(), std::move(found)).with_marks(marks);
}

// --- templates

Result<Type> type_Templatefile(const Call& call) {
  Type type = call[1].type();
  // What is not known is looked at when it is.
  if (!call[1].is_known()) return Type();
  if (type.kind() == TypeKind::Map || type.kind() == TypeKind::Object || type.is_dynamic()) return Type();
  return call.wrong_type(
      1, fmt::format("an object or a map of the template's variables is required, but this is {}", described(type)));
}

Result<Value> run_Templatefile(const Call& call, const Type&) {
  PRAVO_TRY(contents, read_whole_file(call, 0));
  if (!is_valid_utf8(contents)) return call.fault(0, "the file is not UTF-8 text", quoted(call.text(0)));
  return render(call, contents, call.text(0));
}

Result<Value> run_Templatestring(const Call& call, const Type&) {
  return render(call, call.text(0), "<templatestring argument>");
}

}  // namespace pravo::functions
