// Lowers one module. The state of a body and nothing else; each .cpp of this folder defines a part of it:
//
//   nodes.cpp        reserves every named value, so that references need no order
//   order.cpp        the order of locals, so that their types are known where they are used
//   expressions.cpp  operators, constructors, conditionals, `for`, splats
//   calls.cpp        function calls
//   templates.cpp    quoted text and heredocs
//   traversals.cpp   `a.b[c]`: the steps behind a root
//   roots.cpp        what the root of a traversal means
//   faults.cpp       reports of names that mean nothing
//   inference.cpp    types that cannot fit
//   blocks.cpp       bodies against a schema or without, `dynamic`
//   resources.cpp    resources, providers, provisioners
//   modules.cpp      module calls
//   conditions.cpp   validations, preconditions, postconditions, assertions
//   imports.cpp      import, moved and removed blocks
//   inherited.cpp    the providers that a module takes from its caller
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "frontend/hcl/parse.h"
#include "frontend/load/config.h"
#include "frontend/lower/scope.h"
#include "frontend/lower/shared.h"
#include "frontend/lower/text_constants.h"
#include "ir/builder.h"
#include "ir/diagnostics/lower.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallVector.h>

namespace pravo::lower {

// A value, and the place where it is named.
struct Ref {
  InstId id;
  SourceRange range;
};
using Refs = llvm::SmallVector<Ref, 6>;

class BodyLowering {
 public:
  // The body of `module` must be there and empty, those of the modules it calls complete.
  BodyLowering(Shared& shared, uint32_t module);
  void run();
  // After run(): one more expression, or local, in the scope of the module (see expression_scope.h).
  InstId add_expression(load::Expr expr);
  InstId add_local(std::string_view local, load::Expr expr);

 private:
  // --- nodes.cpp
  void reserve_nodes();
  void reserve_variables();
  void reserve_locals();
  void reserve_providers();
  void reserve_resources();
  void reserve_calls();
  void reserve_outputs();
  void reserve_checks();
  // What a resource's provider says of its type.
  struct ResourceType {
    NameId provider;      // local name
    std::string address;  // of the provider
    const Schema* schema = nullptr;
    TypeId result;
    bool unknown_type = false;  // the provider is known and has no such type
  };
  const ResourceType& resource_type(const load::Resource& resource);
  const std::string& provider_address(NameId local_name);

  // --- order.cpp
  std::vector<uint32_t> order_of_locals() const;

  // --- entry points
  bool is_constant(load::Expr expr) const;
  void lower_variables();
  void lower_locals();
  void lower_outputs();
  Ref lower(load::Expr expr, const Context& context);

  // --- expressions.cpp: on the tree that lower() was given
  Ref expression(hcl::NodeId n);
  Ref number(hcl::NodeId n);
  Ref constant(Value value, SourceRange range, TypeId type);
  Ref text_constant(std::string_view text, SourceRange range);
  Ref tuple(hcl::NodeId n);
  Ref object(hcl::NodeId n);
  bool is_json_template(hcl::NodeId key) const;
  Ref json_template(hcl::NodeId key);
  bool static_key(hcl::NodeId key, NameId* name);
  static void keep_last(llvm::SmallVectorImpl<NameId>& names, Refs& values);
  Ref keyed_object(hcl::NodeId n);
  Ref unary(hcl::NodeId n);
  Ref binary(hcl::NodeId n);
  Ref conditional(hcl::NodeId n);
  Ref conditional_arm(Ref owner, hcl::NodeId arm);
  Ref for_expression(hcl::NodeId n);
  Ref splat(hcl::NodeId n);
  Ref splat_item(hcl::NodeId n);
  void push_for_bindings(hcl::NodeId n, InstId owner, Types::Step step, size_t* next_child);

  // --- calls.cpp
  Ref call(hcl::NodeId n);
  Ref core_call(hcl::NodeId n, std::string_view name, SourceRange name_range);
  Ref convert_call(hcl::NodeId n, std::string_view called);
  Ref provider_call(hcl::NodeId n, std::string_view name, SourceRange name_range);
  bool check_template_reference(hcl::NodeId argument);
  Refs arguments(hcl::NodeId n);
  // Whether a call that cannot succeed fails when it is evaluated, if it is: try() and can() take that for any other
  // failure, and at a prompt nothing else is looked at before.
  bool fails_late() const { return lenient_ > 0 || late_at_prompt(); }
  bool late_at_prompt() const { return evaluated_ && (arms_ > 0 || !bindings_.empty() || !splats_.empty()); }
  bool check_arity(hcl::NodeId n, std::string_view name, size_t least, bool any_number, size_t given);

  // --- templates.cpp
  Ref template_expression(hcl::NodeId n);
  bool is_plain_template(hcl::NodeId n) const;
  Ref interpolation(hcl::NodeId n);
  Ref template_of(const Refs& operands, SourceRange range);
  Ref template_parts(hcl::NodeId n);
  Ref template_if(hcl::NodeId n);
  Ref template_for(hcl::NodeId n);

  // --- traversals.cpp
  struct Step {
    hcl::NodeId node;     // GetAttr, LegacyIndex or Index; its range ends with the step
    hcl::NodeId operand;  // Name, Number or the key's expression
    bool attribute = false;
  };
  using Steps = llvm::SmallVector<Step, 6>;
  struct Resolved {
    Ref ref;
    size_t used = 0;  // steps
  };
  Ref traversal(hcl::NodeId n);
  Ref apply(Ref base, const Step& step);
  Ref apply_attribute(Ref base, const Step& step);
  Ref apply_index(Ref base, const Step& step);
  Ref instance_key(const Step& step, InstId expand);
  bool literal_key(const Step& step) const;
  SourceRange step_range(const Step& step) const;
  std::string_view step_name(const Step& step) const;

  // --- roots.cpp
  Resolved resolve(hcl::NodeId root, const Steps& steps);
  Resolved binding_value(const Binding& binding, hcl::NodeId root, const Steps& steps);
  Resolved resolve_variable(hcl::NodeId root, const Steps& steps);
  Resolved resolve_template_variable(hcl::NodeId root, const Steps& steps);
  Resolved resolve_local(hcl::NodeId root, const Steps& steps);
  Resolved resolve_module(hcl::NodeId root, const Steps& steps);
  Resolved resolve_resource(load::ResourceMode mode, hcl::NodeId root, const Steps& steps, size_t first);
  Resolved resolve_each(hcl::NodeId root, const Steps& steps);
  Resolved resolve_count(hcl::NodeId root, const Steps& steps);
  Resolved resolve_self(hcl::NodeId root, const Steps& steps);
  Resolved resolve_meta(hcl::NodeId root, const Steps& steps);
  SourceRange reference_range(hcl::NodeId root, const Steps& steps, size_t used) const;
  // The node that a reference starts from, for what depends on the whole of it; invalid where there is none.
  InstId node_of(load::Expr expr, const Context& context);
  InstId module_part(const ModuleCallInfo& call, const Steps& steps) const;
  // Takes `a.b[c]` apart; the root is what is left.
  hcl::NodeId take_apart(hcl::NodeId n, Steps* steps) const;

  // --- faults.cpp
  Resolved fail(hcl::NodeId root, const Steps& steps, size_t used);
  Resolved incomplete(hcl::NodeId root, const Steps& steps, std::string_view needs);
  void undeclared_resource(load::ResourceMode mode, std::string_view type, std::string_view name, SourceRange range);
  std::string meant_by(std::string_view name) const;
  std::string meant_root(std::string_view root, std::string_view wanted) const;
  // What evaluating finds. In the content of a dynamic block that may make no block it is a warning, since then
  // nothing in there is evaluated.
  template <class Row, class... Args>
  Diagnostics::Builder report(SourceRange range, Row row, const Args&... args) {
    if (latent_ == 0) return report_certain(range, row, args...);
    auto text = [&](std::string_view format) {
      return fmt::vformat(fmt::string_view(format.data(), format.size()), fmt::make_format_args(args...));
    };
    auto builder = report_certain(range, diag::LatentFault, text(Row::format()));
    if (!Row::help().empty()) builder.help(text(Row::help()));
    return builder;
  }
  // What is wrong with the structure, evaluated or not.
  template <class Row, class... Args>
  Diagnostics::Builder report_certain(SourceRange range, Row row, const Args&... args) {
    auto builder = shared_.diags.emit(range, row, args...);
    if (context_ != nullptr) builder.address(address(*context_));
    return builder;
  }
  std::string address(const Context& context) const;
  std::string resource_name(uint32_t resource) const;
  std::string suggestion(std::string_view name, const std::vector<std::string_view>& candidates,
                         std::string_view before);

  // --- inference.cpp
  TypeId type_of(Ref ref) const { return body_.inst(ref.id).type; }
  // The type of the elements of a collection whose own type says nothing; any where nothing is known.
  TypeId element_hint(InstId id) const;
  void set_element_hint(InstId id, TypeId element);
  // Whether the type comes from a declaration, not from what this very configuration computes.
  bool declared(InstId id) const;
  // Whether a collection has elements, whatever the inputs are.
  bool has_elements(InstId id) const;
  // Whether there is a call of `try` or `can` in an expression: as a condition it tests for what an arm may lack.
  bool tests_for_faults(hcl::NodeId n) const;
  // Whether it is an attribute of a resource, or of one of those, by the resource's own name: these are looked up in
  // the schema whether or not they are evaluated.
  bool is_resource_path(InstId id) const;
  bool reports_types(Ref base) const {
    return !evaluated_ && lenient_ == 0 && tested_ == 0 && (arms_ == 0 || declared(base.id));
  }
  TypeId attribute_type(Ref base, std::string_view name, SourceRange step, bool* fault);
  std::string attributes_of(Ref base, std::string_view asked, std::span<const std::string_view> names) const;
  TypeId index_type(Ref base, Ref key, SourceRange step, bool* fault);
  Types::Step iteration_type(Ref source, bool splat);
  // Reports where no value of the operand's type can be what is wanted.
  void want(Ref operand, TypeId wanted, std::string_view what);
  // Why the value can never be converted to the constraint.
  std::optional<std::string> misfit(Ref value, const TypeConstraint& wanted);
  void want_constraint(Ref value, const TypeConstraint& wanted, std::string_view what);
  Value abstract_value(InstId id, unsigned depth) const;

  // --- blocks.cpp
  // What the object of a body is made from, while its arguments and blocks are read.
  struct BlockGroup {
    load::Name type;
    const SchemaNestedBlock* schema = nullptr;
    Refs values;
    llvm::SmallVector<bool, 6> spread;
    llvm::SmallVector<NameId, 6> labels;  // of blocks that are keyed by one
  };
  // What a body is of, for messages: "resource" and its type.
  struct Subject {
    std::string_view kind;
    NameId name;  // may be invalid
    bool resource = false;
  };
  struct BodyBuild {
    BodyBuild(const load::Body& b, const SchemaBlock* s, Subject of, const Context& c, InstId u)
        : body(b), schema(s), subject(of), context(c), user(u) {}

    const load::Body& body;
    const SchemaBlock* schema;  // null: every argument is taken as it is
    Subject subject;
    const Context& context;
    InstId user;  // the provider, resource, ... that the body configures
    llvm::SmallVector<NameId, 8> names;
    Refs values;
    std::vector<BlockGroup> groups;
    llvm::SmallDenseMap<uint32_t, uint32_t, 8> group_ids;
  };
  Ref lower_body(const load::Body& body, const SchemaBlock* schema, Subject subject, const Context& context,
                 InstId user);
  std::string shown(Subject subject) const;
  void add_attribute(BodyBuild& build, const load::Attribute& attribute);
  void add_block(BodyBuild& build, const load::Block& block);
  void add_dynamic(BodyBuild& build, const load::Block& block);
  void add_json_blocks(BodyBuild& build, const load::Attribute& attribute, const SchemaNestedBlock& schema);
  void add_json_block(BodyBuild& build, const load::Name& type, const SchemaNestedBlock& schema, load::Expr value,
                      NameId label);
  BlockGroup& group(BodyBuild& build, const load::Name& type, const SchemaNestedBlock* schema);
  const SchemaNestedBlock* nested_schema(const BodyBuild& build, const load::Name& type, bool* fault);
  Ref finish_body(BodyBuild& build);
  Ref finish_group(const BlockGroup& group, SourceRange range);
  void check_missing(const BodyBuild& build);

  // --- resources.cpp
  void lower_providers();
  void lower_resources();
  void lower_resource(uint32_t index);
  Context resource_context(uint32_t index) const;
  // `lists`: for_each takes lists and tuples, too.
  void lower_expansion(InstId expand, load::Expr count, load::Expr for_each, const Context& context,
                       bool lists = false);
  void lower_provisioners(uint32_t index);
  void lower_lifecycle(uint32_t index);
  void check_provisioner(const load::Provisioner& provisioner);
  std::vector<Path> lower_ignore_changes(const load::Resource& resource);
  InstId provider_of(uint32_t index);
  std::vector<InstId> lower_depends_on(const std::vector<load::Expr>& exprs, const Context& context);
  void unsupported(SourceRange range, std::string what);

  // --- modules.cpp
  void lower_calls();
  void lower_call(uint32_t index);
  void lower_arguments(uint32_t index, const Context& context);

  // --- conditions.cpp
  InstId lower_condition(const load::CheckRule& rule, ConditionKind kind, InstId guarded, const Context& context);
  void lower_validations();
  void lower_checks();

  // --- imports.cpp
  void lower_imports();
  void lower_refactorings();

  // --- inherited.cpp
  void find_inherited_providers();

  // --- emitting
  InstId add(OpKind kind, TypeId type, std::span<const Ref> operands, SourceRange range, uint32_t payload = UINT32_MAX);
  InstId add(OpKind kind, TypeId type, std::initializer_list<Ref> operands, SourceRange range,
             uint32_t payload = UINT32_MAX) {
    return add(kind, type, std::span<const Ref>(operands.begin(), operands.size()), range, payload);
  }
  Ref object_of(std::span<const NameId> names, std::span<const Ref> values, SourceRange range);
  void set_operands(InstId id, std::span<const Ref> operands);
  void set_operands(InstId id, std::initializer_list<Ref> operands) {
    set_operands(id, std::span<const Ref>(operands.begin(), operands.size()));
  }
  void close_region(RegionId region, std::span<const Ref> yielded, SourceRange range);
  void close_region(RegionId region, std::initializer_list<Ref> yielded, SourceRange range) {
    close_region(region, std::span<const Ref>(yielded.begin(), yielded.size()), range);
  }
  void note_uses(InstId id, std::span<const Ref> operands);
  InstId reserve(OpKind kind, TypeId type, SourceRange range, uint32_t payload = UINT32_MAX);
  Ref unknown(SourceRange range) {
    return {add(OpKind::Unknown, types_.any, std::initializer_list<Ref>{}, range), range};
  }

  NameId name(std::string_view text) { return shared_.names.intern(text); }
  std::string_view text(NameId id) const { return shared_.names.text(id); }
  std::string_view text(SourceRange range) const { return shared_.sources.text(range); }
  std::string_view text(hcl::NodeId n) const { return text(tree_->range(n)); }

  Shared& shared_;
  const uint32_t module_index_;
  const load::Module& module_;
  ModuleBody& body_;
  Builder builder_;
  Types& types_;
  Declarations declarations_;
  std::vector<InstId> locals_;          // by index in module_.locals
  std::vector<InstId> call_instances_;  // by call: the object of outputs of one instance
  uint32_t nodes_end_ = 0;              // nodes are the instructions before this one
  llvm::DenseMap<uint64_t, uint32_t> resource_type_ids_;
  std::vector<ResourceType> resource_types_;
  llvm::DenseMap<uint32_t, uint32_t> provider_address_ids_;
  std::vector<std::string> provider_addresses_;
  llvm::DenseMap<uint64_t, InstId> implied_providers_;
  llvm::DenseMap<uint32_t, TypeId> element_hints_;
  TextConstants text_constants_;
  llvm::DenseMap<uint32_t, Types::Step> domains_;  // by expand.for_each

  // --- of the expression that is being lowered
  const hcl::SyntaxTree* tree_ = nullptr;
  const Context* context_ = nullptr;
  std::vector<Binding> bindings_;
  struct SplatItem {
    InstId owner;
    TypeId type;
  };
  std::vector<SplatItem> splats_;
  bool evaluated_ = false;  // what is added is evaluated at once, which finds faults of types as they are
  unsigned lenient_ = 0;    // inside try() and can(): what fails there is no fault
  unsigned arms_ = 0;       // inside an arm of a conditional
  unsigned tested_ = 0;     // inside an arm of one whose condition asks whether something fails
  unsigned latent_ = 0;     // inside the content of a dynamic block that may make no block
};

// Lowers every module, called ones first, and gives the lowering of the root, which further expressions may be added
// to.
std::unique_ptr<BodyLowering> lower_modules(Shared& shared);

}  // namespace pravo::lower
