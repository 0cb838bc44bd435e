// What the HCL specification suite's tool `hcldec` does, for tests: a body decoded by a specification, its expressions
// evaluated by way of the IR.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "frontend/hcl/parse.h"
#include "ir/diagnostics.h"
#include "ir/names.h"
#include "ir/value.h"

namespace pravo::testing {

// A file with its tree.
struct HclFile {
  FileId id;
  hcl::SyntaxTree tree;
};

// A part of a specification: what to take from a body.
struct HclSpec {
  enum class Kind : uint8_t {
    Object,      // named parts
    Array,       // parts in order
    Attribute,   // the argument `name`, converted to `type`
    Block,       // the one block of type `name`
    BlockList,   // all blocks of that type
    BlockSet,    // the same as a set
    BlockMap,    // the same by their labels
    BlockAttrs,  // the arguments of the one block, whatever their names
    Default,     // the first part, or where that is null the second
    Literal,     // a value
  } kind = Kind::Object;
  std::string name;
  Type type;
  bool required = false;
  uint64_t min_items = 0;
  uint64_t max_items = UINT64_MAX;
  size_t labels = 0;
  Value literal;
  std::vector<std::pair<std::string, HclSpec>> parts;  // of a block: one, for its body
};

class HclSuite {
 public:
  // All texts are kept; `diags()` collects what is wrong with them, in order.
  HclFile parse(std::string name, std::string text, bool json);
  SourceManager& sources() { return sources_; }
  Diagnostics& diags() { return diags_; }

  struct Specification {
    HclSpec spec;
    std::vector<std::pair<std::string, Value>> variables;
  };
  Specification read_specification(const HclFile& file);
  // The value that the specification makes of the body. Faults of the body go to `faults`, each with its place.
  struct Decoded {
    Value value;
    std::vector<SourceRange> faults;
    size_t traversals = 0;  // references in the expressions that the specification takes
  };
  Decoded decode(const HclFile& file, const Specification& specification);

  Value evaluate(const HclFile& file, hcl::NodeId expression,
                 const std::vector<std::pair<std::string, Value>>& variables);
  Type type(HclFile& file, hcl::NodeId expression);
  // Items of a body: arguments and blocks with this name.
  hcl::NodeId argument(const HclFile& file, hcl::NodeId body, std::string_view name) const;
  std::vector<hcl::NodeId> blocks(const HclFile& file, hcl::NodeId body, std::string_view type) const;
  hcl::NodeId body(const HclFile& file, hcl::NodeId block) const;

 private:
  class Decoder;
  HclSpec read_spec(HclFile& file, hcl::NodeId block);
  std::string text(const HclFile& file, hcl::NodeId node) const;
  std::string string_argument(const HclFile& file, hcl::NodeId body, std::string_view name);

  SourceManager sources_;
  Names names_;
  Diagnostics diags_;
};

}  // namespace pravo::testing
