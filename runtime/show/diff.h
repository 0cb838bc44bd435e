// The difference of two values as people read it. What is sensitive is never shown, only that it changed.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "ir/value.h"
#include "runtime/show/text_tree.h"

namespace pravo::runtime {

// A named part: an attribute of an object or an element of a map. Null pointers: it is not there.
struct NamedChange {
  std::string name;
  const Value* before = nullptr;
  const Value* after = nullptr;
};

struct DiffOptions {
  // Whether a place forces a replacement; paths are below the value that the diff starts from.
  std::function<bool(const Path&)> forces_replacement;
};

class Diff {
 public:
  Diff(TextTree& out, DiffOptions options) : out_(out), options_(std::move(options)) {}

  struct Style {
    bool skip_null = false;       // what is null wherever it is there is left out altogether
    bool hide_unchanged = false;  // unchanged parts are hidden and counted, but for those of `always`
    std::vector<std::string_view> always;
    std::string_view noun = "attribute";
  };
  // The named parts, aligned. `whole`: what happens to all of them; None: each says what happens to it.
  void members(const std::vector<NamedChange>& parts, unsigned level, Mark whole, const Style& style);

  // One value, after its name: what it is (mark: what happens to all of it), or from what to what.
  void value(const Value& value, unsigned level, Mark mark);
  void change(const Value& before, const Value& after, unsigned level);

 private:
  void scalar(const Value& value);
  void text(const Value& value, unsigned level, Mark mark);
  bool json(const Value& before, const Value* after, unsigned level, Mark mark);
  void sequence_change(const Value& before, const Value& after, unsigned level);
  void set_change(const Value& before, const Value& after, unsigned level);
  void object_change(const Value& before, const Value& after, unsigned level);
  void text_change(std::string_view before, std::string_view after, unsigned level);
  void end_of_line();

  TextTree& out_;
  DiffOptions options_;
  Path path_;
  bool replaces_ = false;  // the place at hand forces a replacement, and that was not said yet
};

// Which elements stay: pairs of indexes in both sequences, increasing. Exact up to a size, beyond it what a common
// beginning and end give.
std::vector<std::pair<size_t, size_t>> common_elements(size_t before, size_t after,
                                                       const std::function<bool(size_t, size_t)>& same);

// Whether two values are the same for a reader: known, equal and equally sensitive.
bool same_value(const Value& before, const Value& after);

// An attribute name or map key as it is written: bare, or in quotes.
std::string written_key(std::string_view key);

}  // namespace pravo::runtime
