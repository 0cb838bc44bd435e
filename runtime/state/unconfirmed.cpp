#include "runtime/state/unconfirmed.h"

#include <algorithm>
#include <cerrno>

#include "ir/json_codec.h"
#include "runtime/state/json_fields.h"

namespace pravo::runtime {

namespace {

std::string format_line(const UnconfirmedObject& object) {
  std::string out = "{";
  auto field = [&](std::string_view name, std::string_view value) {
    if (out.size() > 1) out += ',';
    append_json_string(out, name, true);
    out += ':';
    append_json_string(out, value, true);
  };
  field("address", object.address);
  field("begun", object.begun);
  field("who", object.who);
  field("lineage", object.lineage);
  return out + "}\n";
}

bool parse_line(std::string_view line, UnconfirmedObject& object) {
  JsonReader reader(line);
  return read_members(reader,
                      [&](std::string_view key) {
                        if (key == "address")
                          object.address = read_text(reader);
                        else if (key == "begun")
                          object.begun = read_text(reader);
                        else if (key == "who")
                          object.who = read_text(reader);
                        else if (key == "lineage")
                          object.lineage = read_text(reader);
                        else
                          reader.skip_value();
                      }) &&
         !object.address.empty();
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
