#include "frontend/load/body.h"

#include <algorithm>
#include <utility>

#include "frontend/load/address.h"
#include "ir/diagnostics/load.h"

#include <llvm/ADT/DenseMap.h>

namespace pravo::load {

using hcl::NodeId;
using hcl::NodeKind;
using hcl::SyntaxTree;

namespace {

// Property names that JSON uses for comments.
constexpr std::string_view kJsonComment = "//";

SourceRange one_byte(SourceRange range, uint32_t at) { return {range.file, at, at + 1}; }

// The opening brace of a native block's body.
SourceRange opening_brace(const FileContext& context, SourceRange header, NodeId body) {
  SourceRange range = context.range(body);
  std::string_view text = context.sources.text(range.file);
  if (range.begin < text.size() && text[range.begin] == '{') return one_byte(range, range.begin);
  // The body's range may begin after it.
  size_t at = text.substr(0, range.begin).rfind('{');
  if (at != std::string_view::npos && at >= header.end) return one_byte(range, static_cast<uint32_t>(at));
  return {range.file, header.end, header.end};
}

// Where JSON reports that something is missing.
SourceRange json_missing(const FileContext& context, NodeId value) {
  SourceRange range = context.range(value);
  if (context.tree.kind(value) == NodeKind::Object && range.end > range.begin) return one_byte(range, range.end - 1);
  return one_byte(range, range.begin);
}

// "one label (name)", "no labels".
std::string labels_text(const BlockRow& row) {
  if (row.labels.empty()) return "no labels";
  std::string names;
  for (std::string_view name : row.labels) {
    if (!names.empty()) names += ", ";
    names += name;
  }
  return fmt::format("{} ({})", row.labels.size() == 1 ? "one label" : fmt::format("{} labels", row.labels.size()),
                     names);
}

class Reader {
 public:
  Reader(FileContext& context, const BodySchema& schema, bool partial)
      : context_(context), tree_(context.tree), schema_(schema), partial_(partial) {
    content_.schema = &schema;
  }

  Content read(const RawBody& body) {
    content_.rest.range = body.missing;
    content_.rest.json = tree_.json;
    if (body.node.valid()) {
      if (tree_.json)
        read_json(body.node);
      else
        read_native(body.node);
      check_repeated_rest();
    }
    if (!partial_) check_required(body);
    return std::move(content_);
  }

 private:
  size_t argument_row(std::string_view name) const {
    for (size_t i = 0; i < schema_.arguments.size(); ++i)
      if (schema_.arguments[i].name == name) return i;
    return SIZE_MAX;
  }
  const BlockRow* block_row(std::string_view name) const {
    for (const BlockRow& row : schema_.blocks)
      if (row.name == name) return &row;
    return nullptr;
  }

  // --- native syntax

  void read_native(NodeId body) {
    uint32_t count = tree_.child_count(body);
    constexpr uint32_t kMany = 64;
    if (count > kMany) content_.blocks.reserve(count);
    for (uint32_t i = 0; i < count; ++i) {
      NodeId child = tree_.child(body, i);
      if (tree_.kind(child) == NodeKind::Attribute)
        native_attribute(child);
      else if (tree_.kind(child) == NodeKind::Block)
        native_block(child);
    }
  }

  void native_attribute(NodeId node) {
    NodeId name_node = tree_.child(node, 0);
    std::string_view text = context_.text(name_node);
    Attribute attribute{{NameId(), tree_.range(name_node)}, context_.expr(tree_.child(node, 1)), tree_.range(node)};
    size_t row = argument_row(text);
    if (row != SIZE_MAX) return known_argument(row, attribute, text);
    attribute.name.id = context_.names.intern(text);
    if (schema_.open)
      content_.rest.attributes.push_back(attribute);
    else
      unknown_argument(attribute.name.range, text);
  }

  void known_argument(size_t row, Attribute& attribute, std::string_view text) {
    attribute.name.id = context_.names.intern(text);
    Attribute& slot = content_.arguments[row];
    if (slot.value.valid()) {
      report_repeated(attribute, slot.name.range);
      return;
    }
    slot = attribute;
    if (schema_.arguments[row].presence == Presence::Reserved)
      context_.diags.emit(attribute.name.range, diag::ReservedName, text, schema_.what);
    if (schema_.arguments[row].presence == Presence::Newer)
      context_.diags.emit(attribute.name.range, diag::NewerArgument, text, schema_.what);
  }

  // In native syntax the parser has told.
  void report_repeated(const Attribute& again, SourceRange first) {
    if (!tree_.json) return;
    context_.diags.emit(again.name.range, diag::DuplicateArgument, context_.names.text(again.name.id))
        .note(first, "first set here");
  }

  void native_block(NodeId node) {
    uint32_t count = tree_.child_count(node);
    NodeId type_node = tree_.child(node, 0);
    std::string_view type = context_.text(type_node);
    const BlockRow* row = block_row(type);
    if (row == nullptr) {
      if (schema_.open)
        content_.rest.blocks.push_back(open_block(node));
      else
        unknown_block(tree_.range(type_node), type);
      return;
    }
    RawBlock block;
    block.row = row;
    block.type = {context_.names.intern(type), tree_.range(type_node)};
    block.header = tree_.range(type_node);
    for (uint32_t i = 1; i + 1 < count; ++i) block.labels.push_back(label(tree_.child(node, i)));
    if (!block.labels.empty()) block.header.end = block.labels.back().range.end;
    block.body.node = tree_.child(node, count - 1);
    block.body.missing = opening_brace(context_, block.header, block.body.node);
    if (block.labels.size() != row->labels.size()) {
      SourceRange place =
          block.labels.size() < row->labels.size() ? block.body.missing : block.labels[row->labels.size()].range;
      report_labels(place, *row, block.labels.size());
      return;
    }
    add_block(std::move(block));
  }

  void report_labels(SourceRange place, const BlockRow& row, size_t given) {
    context_.diags.emit(place, diag::WrongLabels, row.name, labels_text(row),
                        given == 0 ? "none" : std::to_string(given));
  }

  Name label(NodeId node) {
    // Nearly all are in quotes, without an escape.
    std::string_view source = context_.text(node);
    if (source.size() > 1 && source.front() == '"' && source.find_first_of("\\$%") == std::string_view::npos)
      return {context_.names.intern(source.substr(1, source.size() - 2)), tree_.range(node)};
    std::string text;
    if (!hcl::literal_text(context_.sources, tree_, node, &text)) text = context_.text(node);
    return {context_.names.intern(text), tree_.range(node)};
  }

  // A nested block as it stands.
  Block open_block(NodeId node) {
    uint32_t count = tree_.child_count(node);
    NodeId type_node = tree_.child(node, 0);
    Block block;
    block.type = {context_.names.intern(context_.text(type_node)), tree_.range(type_node)};
    block.header = tree_.range(type_node);
    for (uint32_t i = 1; i + 1 < count; ++i) block.labels.push_back(label(tree_.child(node, i)));
    if (!block.labels.empty()) block.header.end = block.labels.back().range.end;
    NodeId body = tree_.child(node, count - 1);
    block.body = read_open_body(context_, {body, opening_brace(context_, block.header, body)});
    return block;
  }

  void add_block(RawBlock block) {
    if (block.row->presence == Presence::Reserved)
      context_.diags.emit(block.type.range, diag::ReservedName, block.row->name, schema_.what);
    if (block.row->presence == Presence::Newer || block.row->presence == Presence::NewerRead)
      context_.diags.emit(block.header, diag::NewerBlock, block.row->name);
    if (block.row->presence == Presence::Optional || block.row->presence == Presence::NewerRead)
      content_.blocks.push_back(std::move(block));
  }

  // --- JSON

  std::string key_text(NodeId key) const { return hcl::json_string_text(context_.sources, tree_, key); }

  // Calls visit(key, value) for each property of an object or of a list of objects.
  template <class F>
  void each_property(NodeId value, std::string_view what, F visit) {
    NodeKind kind = tree_.kind(value);
    if (kind == NodeKind::Null || kind == NodeKind::Error) return;
    if (kind == NodeKind::Object) return each_item(value, visit);
    if (kind != NodeKind::Tuple) {
      context_.diags.emit(tree_.range(value), diag::JsonShape, what, "an object or a list of objects");
      return;
    }
    for (uint32_t i = 0; i < tree_.child_count(value); ++i) {
      NodeId element = tree_.child(value, i);
      if (tree_.kind(element) == NodeKind::Object)
        each_item(element, visit);
      else if (tree_.kind(element) != NodeKind::Error)
        context_.diags.emit(tree_.range(element), diag::JsonShape, what, "an object");
    }
  }

  template <class F>
  void each_item(NodeId object, F visit) {
    for (uint32_t i = 0; i < tree_.child_count(object); ++i) {
      NodeId item = tree_.child(object, i);
      if (tree_.kind(item) == NodeKind::ObjectItem) visit(tree_.child(item, 0), tree_.child(item, 1));
    }
  }

  void read_json(NodeId body) {
    each_property(body, schema_.what, [&](NodeId key, NodeId value) { json_property(key, value); });
  }

  void json_property(NodeId key, NodeId value) {
    std::string text = key_text(key);
    SourceRange key_range = tree_.range(key);
    size_t row = argument_row(text);
    if (row != SIZE_MAX) {
      Attribute attribute = json_attribute(key, value, text);
      return known_argument(row, attribute, text);
    }
    if (const BlockRow* block = block_row(text)) {
      llvm::SmallVector<Name, 2> labels;
      return json_block(*block, {context_.names.intern(text), key_range}, value, labels);
    }
    if (text == kJsonComment) return;
    if (!schema_.open) return unknown_property(key_range, text);
    if (text == "dynamic") return json_dynamic({context_.names.intern(text), key_range}, value);
    content_.rest.attributes.push_back(json_attribute(key, value, text));
  }

  Attribute json_attribute(NodeId key, NodeId value, std::string_view text) {
    SourceRange range = tree_.range(key);
    range.end = tree_.range(value).end;
    return {{context_.names.intern(text), tree_.range(key)}, context_.expr(value), range};
  }

  // One property for each label; in the innermost value one block or a list of them.
  void json_block(const BlockRow& row, const Name& type, NodeId value, llvm::SmallVector<Name, 2>& labels) {
    if (labels.size() < row.labels.size()) {
      bool any = false;
      each_property(value, fmt::format("`{}`", row.name), [&](NodeId key, NodeId inner) {
        any = true;
        labels.push_back({context_.names.intern(key_text(key)), tree_.range(key)});
        json_block(row, type, inner, labels);
        labels.pop_back();
      });
      NodeKind kind = tree_.kind(value);
      bool shape = kind == NodeKind::Object || kind == NodeKind::Tuple || kind == NodeKind::Null;
      if (!any && shape) {
        SourceRange range = tree_.range(value);
        if (kind != NodeKind::Null) range = one_byte(range, range.begin);
        report_labels(range, row, labels.size());
      }
      return;
    }
    auto add = [&](NodeId body, NodeId at) {
      RawBlock block;
      block.row = &row;
      block.type = type;
      block.labels = labels;
      block.header = one_byte(tree_.range(at), tree_.range(at).begin);
      block.body = {body, json_missing(context_, body)};
      add_block(std::move(block));
    };
    switch (tree_.kind(value)) {
      case NodeKind::Null:
      case NodeKind::Error:
        return;
      case NodeKind::Object:
        return add(value, value);
      case NodeKind::Tuple:
        for (uint32_t i = 0; i < tree_.child_count(value); ++i) add(tree_.child(value, i), value);
        return;
      default:
        context_.diags.emit(tree_.range(value), diag::JsonShape, fmt::format("`{}`", row.name),
                            "an object or a list of objects");
    }
  }

  void json_dynamic(const Name& type, NodeId value) {
    each_property(value, "`dynamic`", [&](NodeId key, NodeId inner) {
      Name label{context_.names.intern(key_text(key)), tree_.range(key)};
      auto add = [&](NodeId body_node) {
        RawBody raw{body_node, json_missing(context_, body_node)};
        Content content = read_body(context_, raw, schema::kDynamic);
        Block block{type, {label}, one_byte(tree_.range(inner), tree_.range(inner).begin), {}};
        block.body.range = raw.missing;
        block.body.json = true;
        for (const Attribute& attribute : content.arguments)
          if (attribute.value.valid()) block.body.attributes.push_back(attribute);
        for (const RawBlock& nested : content.blocks)
          block.body.blocks.push_back({nested.type, {}, nested.header, read_open_body(context_, nested.body)});
        content_.rest.blocks.push_back(std::move(block));
      };
      if (tree_.kind(inner) == NodeKind::Tuple)
        for (uint32_t i = 0; i < tree_.child_count(inner); ++i) add(tree_.child(inner, i));
      else
        add(inner);
    });
  }

  // --- faults

  std::vector<std::string_view> argument_names() const {
    std::vector<std::string_view> names;
    for (const ArgumentRow& row : schema_.arguments) names.push_back(row.name);
    return names;
  }
  std::vector<std::string_view> block_names() const {
    std::vector<std::string_view> names;
    for (const BlockRow& row : schema_.blocks) names.push_back(row.name);
    return names;
  }

  void unknown_argument(SourceRange range, std::string_view name) {
    auto built = context_.diags.emit(range, diag::UnknownArgument, name, schema_.what);
    if (block_row(name) != nullptr) {
      built.help(fmt::format("`{0}` is a block: write `{0} {{ ... }}` without `=`", name));
      return;
    }
    auto closest = closest_name(name, argument_names());
    if (closest.empty()) return;
    built.help(fmt::format("did you mean `{}`?", closest))
        .fix(range, std::string(closest), fmt::format("rename to `{}`", closest));
  }

  void unknown_block(SourceRange range, std::string_view name) {
    auto built = context_.diags.emit(range, diag::UnknownBlock, name, schema_.what);
    if (&schema_ == &schema::kFile && name == "required_providers") {
      built.help("`required_providers` stands inside a `terraform` block");
      return;
    }
    if (argument_row(name) != SIZE_MAX) {
      built.help(fmt::format("`{0}` is an argument: write `{0} = ...`", name));
      return;
    }
    auto closest = closest_name(name, block_names());
    if (closest.empty()) return;
    built.help(fmt::format("did you mean `{}`?", closest))
        .fix(range, std::string(closest), fmt::format("rename to `{}`", closest));
  }

  void unknown_property(SourceRange range, std::string_view name) {
    auto names = argument_names();
    for (const BlockRow& row : schema_.blocks) names.push_back(row.name);
    auto built = context_.diags.emit(range, diag::UnknownArgument, name, schema_.what);
    auto closest = closest_name(name, names);
    if (!closest.empty()) built.help(fmt::format("did you mean `{}`?", closest));
  }

  void check_required(const RawBody& body) {
    for (size_t i = 0; i < schema_.arguments.size(); ++i)
      if (schema_.arguments[i].presence == Presence::Required && !content_.arguments[i].value.valid())
        context_.diags.emit(body.missing, diag::MissingArgument, schema_.arguments[i].name, schema_.what);
  }

  void check_repeated_rest() {
    auto& attributes = content_.rest.attributes;
    // In JSON the same property may name several nested blocks.
    if (tree_.json || attributes.size() < 2) return;
    if (attributes.size() <= 12) {
      for (size_t i = 1; i < attributes.size(); ++i)
        for (size_t j = 0; j < i; ++j)
          if (attributes[i].name.id == attributes[j].name.id) {
            report_repeated(attributes[i], attributes[j].name.range);
            attributes.erase(attributes.begin() + static_cast<ptrdiff_t>(i--));
            break;
          }
      return;
    }
    llvm::DenseMap<uint32_t, SourceRange> seen;
    std::vector<Attribute> kept;
    kept.reserve(attributes.size());
    for (const Attribute& attribute : attributes) {
      auto [first, fresh] = seen.try_emplace(attribute.name.id.index, attribute.name.range);
      if (fresh)
        kept.push_back(attribute);
      else
        report_repeated(attribute, first->second);
    }
    attributes = std::move(kept);
  }

  FileContext& context_;
  const SyntaxTree& tree_;
  const BodySchema& schema_;
  bool partial_;
  Content content_;
};

const BodySchema kOpen{"a block", {}, {}, true};

}  // namespace

const Attribute* Content::find(std::string_view name) const {
  for (size_t i = 0; i < schema->arguments.size(); ++i)
    if (schema->arguments[i].name == name) return arguments[i].value.valid() ? &arguments[i] : nullptr;
  return nullptr;
}

Content read_body(FileContext& context, const RawBody& body, const BodySchema& schema, bool partial) {
  return Reader(context, schema, partial).read(body);
}

Body read_open_body(FileContext& context, const RawBody& body) {
  return std::move(Reader(context, kOpen, true).read(body).rest);
}

RawBody file_body(FileContext& context) {
  NodeId root = context.tree.root;
  if (!root.valid()) return {};
  SourceRange range = context.range(root);
  return {root, {range.file, range.begin, range.begin}};
}

void merge_escaped(FileContext& context, const RawBlock& block, Body& rest) {
  Body escaped = read_open_body(context, block.body);
  llvm::DenseMap<uint32_t, SourceRange> seen;
  if (!rest.json)
    for (const Attribute& attribute : rest.attributes) seen.try_emplace(attribute.name.id.index, attribute.name.range);
  for (Attribute& attribute : escaped.attributes) {
    auto first = seen.find(attribute.name.id.index);
    if (first != seen.end()) {
      context.diags.emit(attribute.name.range, diag::DuplicateArgument, context.names.text(attribute.name.id))
          .note(first->second, "first set here");
      continue;
    }
    rest.attributes.push_back(std::move(attribute));
  }
  for (Block& nested : escaped.blocks) rest.blocks.push_back(std::move(nested));
}

bool check_identifier(FileContext& context, const Name& name, std::string_view what) {
  std::string_view text = context.names.text(name.id);
  if (is_identifier(text)) return true;
  context.diags.emit(name.range, diag::InvalidName, quoted(text), what);
  return false;
}

void report_repeated_block(FileContext& context, const RawBlock& second, SourceRange first, std::string_view where) {
  context.diags.emit(second.header, diag::DuplicateBlock, second.row->name, where).note(first, "the first one is here");
}

}  // namespace pravo::load
