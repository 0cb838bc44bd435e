#include "runtime/state/unconfirmed.h"

#include <algorithm>
#include <cerrno>

#include "runtime/state/json_fields.h"

namespace pravo::runtime {

namespace {

std::string format_line(const UnconfirmedObject& object) {
  return format_text_fields(
             {{"address", object.address}, {"begun", object.begun}, {"who", object.who}, {"lineage", object.lineage}}) +
         "\n";
}

bool parse_line(std::string_view line, UnconfirmedObject& object) {
  JsonReader reader(line);
  const bool read = read_text_fields(
      reader, {{"address", object.address}, {"begun", object.begun}, {"who", object.who}, {"lineage", object.lineage}});
  return read && !object.address.empty();
}

}  // namespace

std::vector<UnconfirmedObject> read_unconfirmed(const std::string& path, FileError& error) {
  std::vector<UnconfirmedObject> out;
  std::optional<std::string> text = read_file(path, error);
  // A place that cannot be is no place where anything was kept.
  if (error.code == ENOTDIR) error = {};
  std::string_view rest = text ? std::string_view(*text) : std::string_view();
  while (!rest.empty()) {
    std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    UnconfirmedObject object;
    if (parse_line(line, object)) out.push_back(std::move(object));
  }
  return out;
}

bool add_unconfirmed(const std::string& path, const std::vector<UnconfirmedObject>& objects, mode_t new_mode,
                     FileError& error) {
  std::vector<UnconfirmedObject> known = read_unconfirmed(path, error);
  if (error.code != 0) return false;
  size_t before = known.size();
  for (const UnconfirmedObject& object : objects)
    if (std::find(known.begin(), known.end(), object) == known.end()) known.push_back(object);
  if (known.size() == before) return true;
  std::string text;
  for (const UnconfirmedObject& object : known) text += format_line(object);
  WriteOptions options;
  options.new_mode = new_mode;
  return write_file_atomic(path, text, options, error);
}

}  // namespace pravo::runtime
