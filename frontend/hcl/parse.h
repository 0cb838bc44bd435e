// Entry points of the parser: text -> SyntaxTree. Every function answers for any bytes: what cannot be parsed
// is reported once, and the tree holds what could be.
#pragma once

#include <string>
#include <string_view>

#include "frontend/hcl/syntax.h"
#include "ir/diagnostics.h"

namespace pravo::hcl {

// Parses a native-syntax file (`.tf`, `.tfvars`). Thread safe on different files: the parser is per thread.
SyntaxTree parse_native(const SourceManager& sources, FileId file, Diagnostics& diags);

// How the strings of a JSON file are read.
enum class JsonStrings : uint8_t {
  Templates,  // `.tf.json`: `${}` and `%{}` are template sequences
  Literal,    // `.tfvars.json`: every string is what it says
};

// Parses a JSON file (`.tf.json`, `.tfvars.json`). Objects, arrays, numbers (with their sign), booleans and null
// become Object, Tuple, Number, Bool, Null; a string becomes a Template of form Json, whose parts are already parsed
// as a template. Two exceptions hold one StringPart, unparsed, because Terraform does not evaluate them either: what
// is below a property `//`, and the description of a variable or an output. A property name is a Template of form
// Json with at most one StringPart (its `${}` is not parsed). Repeated names are left to the reader. The root is an
// Object or a Tuple whose elements have still to be looked at; anything else is reported and replaced by an empty
// Object.
SyntaxTree parse_json(const SourceManager& sources, FileId file, Diagnostics& diags,
                      JsonStrings strings = JsonStrings::Templates);

// Parses one native expression that is the whole file (console, -var, tests).
SyntaxTree parse_expression(const SourceManager& sources, FileId file, Diagnostics& diags);

// Parses a whole file as a template (templatefile).
SyntaxTree parse_template(const SourceManager& sources, FileId file, Diagnostics& diags);

// The content of a JSON string node parsed as one native expression (a type constraint, a reference), added to
// `tree`. The nodes' ranges point into the JSON source. Invalid when the content is no expression (reported).
NodeId parse_json_string_as_expression(const SourceManager& sources, SyntaxTree& tree, NodeId string,
                                       Diagnostics& diags);

// The same as a template: for a property name where names are evaluated (an object within an expression). Always
// a Template.
NodeId parse_json_string_as_template(const SourceManager& sources, SyntaxTree& tree, NodeId string, Diagnostics& diags);

// A JSON string node, or property name, as JSON alone reads it: `${` and `$${` are left as they are.
std::string json_string_text(const SourceManager& sources, const SyntaxTree& tree, NodeId string);

// The text of an identifier (Name, Variable), or of a Template without any sequences with its escapes
// processed. For a Template with sequences: false.
bool literal_text(const SourceManager& sources, const SyntaxTree& tree, NodeId node, std::string* text);

// A template's parts after escapes, strip markers and heredoc indentation have been applied: literal text or
// a child node (Interpolation, TemplateIf, TemplateFor).
struct TemplatePart {
  NodeId node;       // invalid for literal text
  std::string text;  // NFC is the reader's business
  SourceRange range;
};
// `node` is Template or TemplateBody. Strip markers of the sequences that surround a TemplateBody are applied
// to its first and last text.
std::vector<TemplatePart> template_parts(const SourceManager& sources, const SyntaxTree& tree, NodeId node);

}  // namespace pravo::hcl
