// From syntax to declarations: one function a kind of block. Each appends to `Declarations` what it understood and
// reports the rest.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "frontend/load/body.h"
#include "frontend/load/config.h"
#include "frontend/load/context.h"

namespace pravo::load {

// What a module's primary files declare together, or one override file for itself.
struct Declarations {
  Module& module;
  SourceRange required_providers_block;  // the first one
  SourceRange cloud_block;
  std::vector<std::pair<Name, SourceRange>> provider_metas;
};

void decode_file(FileContext& context, Declarations& out);

// A test file (`*.tftest.hcl`).
void decode_test_file(FileContext& context, TestFile& out);
// What stands in for resources and modules in tests.
void decode_override(FileContext& context, const RawBlock& block, std::vector<TestOverride>& out);
// Reports overrides of what another of the list overrides, and takes them out.
void drop_repeated_overrides(FileContext& context, std::vector<TestOverride>& list);
std::optional<TestProvider> decode_mock_provider(FileContext& context, const RawBlock& block);
// A file of mock data (`*.tfmock.hcl`), for a mock provider.
void decode_mock_data(FileContext& context, TestMockData& out);

void decode_terraform(FileContext& context, const RawBlock& block, Declarations& out);
void decode_required_providers(FileContext& context, const RawBlock& block, Declarations& out);
void decode_provider(FileContext& context, const RawBlock& block, Declarations& out);
void decode_variable(FileContext& context, const RawBlock& block, Declarations& out);
void decode_locals(FileContext& context, const RawBlock& block, Declarations& out);
void decode_output(FileContext& context, const RawBlock& block, Declarations& out);
void decode_resource(FileContext& context, const RawBlock& block, ResourceMode mode, Declarations& out);
void decode_module_call(FileContext& context, const RawBlock& block, Declarations& out);
void decode_check(FileContext& context, const RawBlock& block, Declarations& out);
void decode_import(FileContext& context, const RawBlock& block, Declarations& out);
void decode_moved(FileContext& context, const RawBlock& block, Declarations& out);
void decode_removed(FileContext& context, const RawBlock& block, Declarations& out);
void decode_language(FileContext& context, const RawBlock& block, Declarations& out);

// --- parts that several kinds of blocks share

// `count` and `for_each`, of which there may be one.
void decode_repetition(FileContext& context, const Content& content, Expr& count, Expr& for_each);

// `depends_on`: references to whole objects.
std::vector<Expr> decode_depends_on(FileContext& context, const Attribute& attribute);

// A list of references; reports an expression that is no list. Elements are as written.
std::optional<std::vector<Expr>> static_list(FileContext& context, Expr expr);

// The expression of an argument that holds a reference: `"x.y"` in quotes is taken with a warning.
enum class RefersTo : uint8_t { Object, Provider };
Expr reference_element(FileContext& context, Expr expr, RefersTo what);

// `aws` or `aws.east`.
std::optional<ProviderRef> decode_provider_ref(FileContext& context, Expr expr, std::string_view argument);

// The `providers` argument: inner = outer.
std::vector<std::pair<ProviderRef, ProviderRef>> decode_provider_map(FileContext& context, Expr map);

// An argument that is one of two words without quotes (in JSON: a string): whether it is the first. Nothing where it is
// absent, or after saying what is wrong.
std::optional<bool> decode_choice(FileContext& context, const Content& content, std::string_view argument,
                                  std::string_view first, std::string_view second);

// condition and error_message. `kind` is the block's type.
CheckRule decode_check_rule(FileContext& context, const RawBlock& block);

// A `lifecycle` block of a resource, data source or ephemeral resource.
void decode_lifecycle(FileContext& context, const RawBlock& block, Resource& resource);

// A `provisioner` block, and the `connection` in it. `in_removed`: it is one of a `removed` block.
std::optional<Provisioner> decode_provisioner(FileContext& context, const RawBlock& block, bool in_removed);
// What a provisioner that runs at destroy may not refer to.
void check_destroy_references(FileContext& context, const Body& body);

// The string constant of an optional argument.
std::optional<std::string> decode_string(FileContext& context, const Content& content, std::string_view argument);
// The bool constant of an optional argument; `range` becomes the argument's.
std::optional<bool> decode_bool(FileContext& context, const Content& content, std::string_view argument,
                                SourceRange* range = nullptr);

// A version constraint; reports one that is malformed.
bool check_version_constraint(FileContext& context, std::string_view text, SourceRange range);

// The conversion of a variable's default; also used again after an override changed one of the two.
void check_variable_default(const SourceManager& sources, const Names& names, const Variable& variable,
                            SourceRange place, Diagnostics& diags);

}  // namespace pravo::load
