// For tests: random programs that verify and use everything that the IR has, the same for the same seed on every
// machine. What they compute makes no sense.
#pragma once

#include <random>
#include <string>
#include <vector>

#include "ir/builder.h"

namespace pravo::testing {

class RandomProgram {
 public:
  RandomProgram(Names& names, uint64_t seed, int statements) : program_(names), rng_(seed), statements_(statements) {
    auto modules = static_cast<uint32_t>(below(4) + 1);
    for (uint32_t m = 0; m < modules; ++m) {
      auto body = std::make_unique<ModuleBody>();
      body->root = m == 0;
      body->label = m == 0 ? "root" : chance(2) ? "m" + std::to_string(m) : "./modules/\"m\" " + std::to_string(m);
      body->directory = m == 0 ? "." : chance(2) ? body->label : "elsewhere";
      program_.bodies.push_back(std::move(body));
    }
    for (uint32_t m = 0; m < modules; ++m) Body(*this, ModuleId(m)).fill();
  }
  Program take() { return std::move(program_); }

 private:
  // Not a distribution of the standard library: those differ between implementations.
  uint64_t below(uint64_t bound) { return rng_() % bound; }
  bool chance(uint64_t of) { return below(of) == 0; }

  std::string word() {
    static constexpr const char* kWords[] = {"a",        "b2",       "name",        "db-main", "_x",
                                             "for",      "module",   "12",          "x y",     "\"q",
                                             "back\\sl", "\xC3\xA9", "a.b",         "%",       ";",
                                             "over",     "",         "line\nbreak", "\x01",    "@root",
                                             "yield",    "} else {", "null",        "...",     "\xF0\x9F\x98\x80"};
    std::string out = kWords[below(std::size(kWords))];
    if (chance(3)) out += std::to_string(below(5));
    return out;
  }

  Type type(int depth = 0) {
    switch (below(depth > 3 ? 4 : 9)) {
      case 0:
        return Type::dynamic();
      case 1:
        return Type::string();
      case 2:
        return Type::number();
      case 3:
        return Type::boolean();
      case 4:
        return Type::list(type(depth + 1));
      case 5:
        return Type::set(type(depth + 1));
      case 6:
        return Type::map(type(depth + 1));
      case 7: {
        std::vector<Type> elements;
        for (auto n = below(3); n > 0; --n) elements.push_back(type(depth + 1));
        return Type::tuple(std::move(elements));
      }
      default: {
        std::vector<Type::Attribute> attributes;
        for (auto n = below(4); n > 0; --n) attributes.emplace_back(std::string_view(word()), type(depth + 1));
        return Type::object(std::move(attributes));
      }
    }
  }

  Value value(int depth = 0) {
    switch (below(depth > 3 ? 5 : 10)) {
      case 0:
        return Value::null(type());
      case 1:
        return Value::boolean(chance(2));
      case 2:
        return Value::number(static_cast<int64_t>(rng_()) >> below(64));
      case 3: {
        static constexpr const char* kNumbers[] = {"0.1", "-1e40", "123456789012345678901234567890", "1.5e-20", "-0.5"};
        return Value::number(*Number::parse(kNumbers[below(std::size(kNumbers))]));
      }
      case 4:
        return Value::string(word());
      case 5: {
        std::vector<Value> elements;
        for (auto n = below(4); n > 0; --n) elements.push_back(Value::string(word()));
        return chance(2) ? Value::list(Type::string(), std::move(elements))
                         : Value::set(Type::string(), std::move(elements));
      }
      case 6: {
        std::vector<std::pair<Str, Value>> entries;
        for (auto n = below(4); n > 0; --n)
          entries.emplace_back(Str(word()), Value::number(static_cast<int64_t>(below(100))));
        return Value::map(Type::number(), std::move(entries));
      }
      case 7: {
        std::vector<Value> elements;
        for (auto n = below(4); n > 0; --n) elements.push_back(value(depth + 1));
        return Value::tuple(std::move(elements));
      }
      default: {
        std::vector<std::pair<Str, Value>> entries;
        for (auto n = below(4); n > 0; --n) entries.emplace_back(Str(word()), value(depth + 1));
        return Value::object(std::move(entries));
      }
    }
  }

  TypeConstraint constraint() {
    TypeConstraint out;
    std::vector<Type::Attribute> attributes;
    for (auto n = below(3); n > 0; --n) {
      std::string name = "k" + std::to_string(n) + word();
      if (chance(2)) {
        attributes.emplace_back(std::string_view(name), Type::number(), true);
        if (chance(2)) out.defaults.values.emplace_back(Str(name), value());
      } else {
        std::vector<Type::Attribute> inner;
        inner.emplace_back(std::string_view("deep"), Type::string(), true);
        attributes.emplace_back(std::string_view(name), Type::list(Type::object(std::move(inner))));
        Defaults element;
        element.values.emplace_back(Str("deep"), Value::string(word()));
        Defaults list;
        list.element.push_back(std::move(element));
        out.defaults.attributes.emplace_back(Str(name), std::move(list));
      }
    }
    out.type = Type::object(std::move(attributes));
    return out;
  }

  class Body {
   public:
    Body(RandomProgram& random, ModuleId module)
        : r_(random), module_(module), b_(random.program_, module), body_(random.program_.body(module)) {}

    void fill() {
      constant();
      for (int n = 0; n < r_.statements_; ++n) {
        domain_ = expands_.empty() || r_.chance(2) ? InstId() : expands_[r_.below(expands_.size())];
        size_t top = scope_.size();
        InstId made = statement();
        // Nothing inside regions is in scope afterwards.
        scope_.resize(top);
        if (made.valid()) scope_.push_back(made);
        if (made.valid() && r_.chance(3)) b_.hint(made, b_.name(r_.word()));
      }
      finish();
    }

   private:
    TypeId type() { return r_.chance(5) ? TypeId() : b_.type(r_.type()); }
    NameId fresh_name() { return b_.name(r_.word() + "_" + std::to_string(counter_++)); }
    NameId name() { return b_.name(r_.word()); }
    MarkSet marks() { return static_cast<MarkSet>(r_.below(4)); }

    bool fits(InstId id) const {
      InstId domain = body_.inst(id).domain;
      return !domain.valid() || domain == domain_;
    }
    // Some value in scope that is over no domain, or over the current one.
    InstId pick() {
      for (int tries = 0; tries < 20; ++tries) {
        InstId id = scope_[r_.below(scope_.size())];
        if (fits(id) && body_.inst(id).kind != OpKind::Yield) return id;
      }
      return scope_[0];
    }
    std::vector<InstId> picks(uint64_t most) {
      std::vector<InstId> out;
      for (auto n = r_.below(most + 1); n > 0; --n) out.push_back(pick());
      return out;
    }
    InstId constant() {
      InstId id = b_.constant(r_.value());
      scope_.push_back(id);
      return id;
    }

    // An expression: legal inside a region too.
    InstId expression(int depth) {
      switch (r_.below(20)) {
        case 0:
          return b_.constant(r_.value());
        case 1:
          return b_.add(OpKind::Env, type(), {}, name().index);
        case 2:
          return b_.add(OpKind::Meta, type(), {}, b_.name("path.module").index);
        case 3:
          return b_.add(OpKind::Unknown, type(), {});
        case 4: {
          std::vector<InstId> arguments = picks(3);
          InstId id = b_.add(r_.chance(4) ? OpKind::ProviderCall : OpKind::Call, type(), arguments,
                             b_.name(r_.chance(3) ? "provider::aws::arn" : "upper").index);
          if (!arguments.empty() && r_.chance(3)) body_.inst(id).flags |= kExpandLast;
          return id;
        }
        case 5:
          return b_.add(OpKind::Binary, type(), {pick(), pick()}, static_cast<uint32_t>(r_.below(13)));
        case 6:
          return b_.add(OpKind::Unary, type(), {pick()}, static_cast<uint32_t>(r_.below(2)));
        case 7: {
          InstId id = b_.add(OpKind::Template, type(), picks(3));
          if (r_.chance(2)) body_.inst(id).flags |= kFromSyntax;
          return id;
        }
        case 8:
          return b_.add(OpKind::TemplateJoin, type(), {pick()});
        case 9:
          return b_.add(OpKind::Index, type(), {pick(), pick()});
        case 10:
          return b_.add(OpKind::Attr, type(), {pick()}, name().index);
        case 11:
          return b_.add(OpKind::Convert, type(), {pick()});
        case 12: {
          std::vector<InstId> values = picks(4);
          std::vector<NameId> fields;
          for (size_t i = 0; i < values.size(); ++i) fields.push_back(b_.name(r_.word() + "/" + std::to_string(i)));
          return b_.object(type(), fields, values);
        }
        case 13:
          return b_.add(OpKind::Tuple, type(), picks(4));
        case 14: {
          std::vector<InstId> values = picks(4);
          bool spread[4];
          for (bool& s : spread) s = r_.chance(2);
          return b_.blocks(type(), std::span<const bool>(spread, values.size()), values);
        }
        case 15: {
          std::vector<InstId> values = picks(3);
          values.resize(values.size() / 2 * 2);
          return b_.add(OpKind::ObjectKeyed, type(), values);
        }
        case 16: {
          InstId id = b_.add(r_.chance(2) ? OpKind::MarkAdd : OpKind::MarkRemove, type(), {pick()});
          body_.inst(id).marks = marks();
          return id;
        }
        case 17:
          if (domain_.valid()) return b_.add(r_.chance(2) ? OpKind::Key : OpKind::Each, type(), {domain_});
          return b_.constant(r_.value());
        default:
          return depth > 3 ? b_.constant(r_.value()) : owner(depth);
      }
    }

    InstId owner(int depth) {
      static constexpr OpKind kOwners[] = {OpKind::Cond, OpKind::ForList, OpKind::ForObject, OpKind::Splat};
      OpKind kind = kOwners[r_.below(4)];
      InstId id = b_.add(kind, type(), {pick()});
      if (kind == OpKind::Splat && r_.chance(2)) body_.inst(id).flags |= kSplatFull;
      if (kind == OpKind::ForObject && r_.chance(2)) body_.inst(id).flags |= kGrouped;
      for (int n = 0; n < op_info(kind).regions; ++n) {
        RegionId region = b_.open_region(id);
        size_t outside = scope_.size();
        if (kind != OpKind::Cond) {
          scope_.push_back(b_.add(OpKind::Key, type(), {id}));
          scope_.push_back(b_.add(OpKind::Each, type(), {id}));
        }
        for (auto count = r_.below(4); count > 0; --count) {
          InstId made = expression(depth + 1);
          scope_.push_back(made);
          if (r_.chance(4)) b_.hint(made, b_.name(r_.word()));
        }
        std::vector<InstId> yielded{pick()};
        if (kind == OpKind::ForObject) yielded.push_back(pick());
        if ((kind == OpKind::ForObject || kind == OpKind::ForList) && r_.chance(2)) yielded.push_back(pick());
        b_.close_region(region, yielded);
        scope_.resize(outside);
      }
      return id;
    }

    InstId statement() {
      switch (r_.below(14)) {
        case 0: {
          domain_ = InstId();
          InstId id = b_.add(r_.chance(2) ? OpKind::ExpandCount : OpKind::ExpandForEach, type(), {pick()});
          expands_.push_back(id);
          return id;
        }
        case 1:
          return variable();
        case 2: {
          domain_ = InstId();
          InstId id = b_.reserve(OpKind::Local, type(), fresh_name().index);
          locals_.push_back(id);
          return id;
        }
        case 3:
          return output();
        case 4:
          return provider();
        case 5:
          return resource();
        case 6:
          return call();
        case 7:
          return check();
        case 8: {
          InstId id = b_.add(OpKind::Use, TypeId(), {pick()}, r_.chance(2) ? UINT32_MAX : pick().index);
          body_.inst(id).flags = static_cast<uint16_t>(r_.below(7));
          return InstId();
        }
        case 9:
          if (domain_.valid()) {
            InstId value = pick();
            if (body_.inst(value).domain.valid())
              return r_.chance(2) ? b_.add(OpKind::Collect, type(), {value})
                                  : b_.add(OpKind::At, type(), {value, pick()});
          }
          return expression(0);
        default:
          return expression(0);
      }
    }

    InstId condition(ConditionKind kind, InstId of) {
      InstId id = b_.add(OpKind::Condition, TypeId(), {pick(), pick()}, of.index);
      body_.inst(id).flags = static_cast<uint16_t>(kind);
      return id;
    }

    InstId variable() {
      domain_ = InstId();
      VariableInfo row;
      row.name = fresh_name();
      std::vector<InstId> operands;
      if (r_.chance(2)) operands.push_back(b_.constant(r_.value()));
      row.inst = b_.add(OpKind::Variable, b_.type(r_.type()), operands, row.name.index);
      Inst& inst = body_.inst(row.inst);
      inst.marks = marks();
      if (!operands.empty()) inst.flags |= kHasDefault;
      if (r_.chance(3)) inst.flags |= kNotNullable;
      row.type.type = r_.program_.type(inst.type);
      if (r_.chance(2)) row.type = r_.constraint();
      if (r_.chance(2)) row.validations.push_back(condition(ConditionKind::Validation, row.inst));
      body_.variables.push_back(row);
      return row.inst;
    }
    InstId output() {
      domain_ = InstId();
      OutputInfo row;
      row.name = fresh_name();
      row.inst = b_.reserve(OpKind::Output, type(), row.name.index);
      body_.inst(row.inst).marks = marks();
      InstId value = pick();
      b_.set_operands(row.inst, std::span(&value, 1));
      if (r_.chance(2)) row.preconditions.push_back(condition(ConditionKind::Precondition, row.inst));
      if (r_.chance(2)) row.after = picks(2);
      body_.outputs.push_back(row);
      return InstId();
    }
    InstId provider() {
      domain_ = InstId();
      ProviderInfo row;
      row.local_name = fresh_name();
      if (r_.chance(2)) row.alias = name();
      if (r_.chance(2)) row.address = "registry.terraform.io/hashicorp/aws";
      row.inst = b_.add(OpKind::Provider, type(), {pick()}, row.local_name.index);
      body_.providers.push_back(row);
      return InstId();
    }
    Path path() {
      Path out{PathStep::attribute(Str(r_.word()))};
      for (auto n = r_.below(3); n > 0; --n)
        out.push_back(r_.chance(2)   ? PathStep::at(r_.below(9))
                      : r_.chance(2) ? PathStep::key(Str(r_.word()))
                                     : PathStep::attribute(Str(r_.word())));
      return out;
    }
    InstId resource() {
      ResourceInfo row;
      row.mode = static_cast<ResourceMode>(r_.below(3));
      OpKind kind = row.mode == ResourceMode::Managed ? OpKind::Resource
                    : row.mode == ResourceMode::Data  ? OpKind::Data
                                                      : OpKind::Ephemeral;
      row.type = b_.name("aws_db" + std::to_string(r_.below(3)));
      row.name = fresh_name();
      row.expand = domain_;
      auto index = static_cast<uint32_t>(body_.resources.size());
      std::vector<InstId> operands{pick()};
      bool has_provider = !body_.providers.empty() && r_.chance(2);
      if (has_provider) {
        const ProviderInfo& provider = body_.providers[r_.below(body_.providers.size())];
        operands.push_back(provider.inst);
        if (r_.chance(2)) {
          row.provider_address = provider.address;
          row.provider_local_name = provider.local_name;
          row.provider_alias = provider.alias;
        }
      } else if (r_.chance(2)) {
        row.provider_address = "terraform.io/builtin/terraform";
        row.provider_local_name = name();
        if (r_.chance(2)) row.provider_alias = name();
      }
      body_.resources.push_back(row);
      row.inst = b_.add(kind, type(), operands, index);
      if (has_provider) body_.inst(row.inst).flags |= kHasProvider;
      if (r_.chance(2)) row.after = picks(3);
      row.create_before_destroy = r_.chance(3);
      row.prevent_destroy = r_.chance(3);
      row.ignore_all_changes = r_.chance(3);
      for (auto n = r_.below(3); n > 0; --n) row.ignore_changes.push_back(path());
      row.replace_triggered_by = picks(2);
      if (r_.chance(2)) row.conditions.push_back(condition(ConditionKind::Postcondition, row.inst));
      for (auto n = r_.below(3); n > 0; --n) {
        ProvisionerInfo provisioner;
        provisioner.type = name();
        provisioner.on_destroy = r_.chance(2);
        provisioner.continue_on_failure = r_.chance(2);
        provisioner.config = pick();
        if (r_.chance(2)) provisioner.connection = pick();
        row.provisioners.push_back(provisioner);
      }
      if (row.expand.valid()) row.collect = b_.add(OpKind::Collect, type(), {row.inst});
      row.in_check = r_.chance(4);
      if (r_.chance(4)) row.lifecycle_range = SourceRange();
      body_.resources[index] = row;
      return row.inst;
    }
    InstId call() {
      ModuleCallInfo row;
      row.name = fresh_name();
      row.expand = domain_;
      if (module_.index + 1 < r_.program_.bodies.size() && !r_.chance(3))
        row.target = ModuleId(module_.index + 1 +
                              static_cast<uint32_t>(r_.below(r_.program_.bodies.size() - module_.index - 1)));
      auto index = static_cast<uint32_t>(body_.calls.size());
      body_.calls.push_back(row);
      row.inst = b_.add(OpKind::ModuleInstance, type(), {}, index);
      for (auto n = r_.below(4); n > 0; --n) {
        NameId argument = fresh_name();
        row.args.emplace_back(argument, b_.add(OpKind::ModuleArg, type(), {pick(), row.inst}, argument.index));
      }
      for (auto n = r_.below(4); n > 0; --n) {
        NameId out = fresh_name();
        row.outs.emplace_back(out, b_.add(OpKind::ModuleOut, type(), {row.inst}, out.index));
      }
      std::sort(row.args.begin(), row.args.end());
      std::sort(row.outs.begin(), row.outs.end());
      if (r_.chance(2)) row.object = pick();
      if (r_.chance(2)) row.after = picks(2);
      if (r_.chance(2)) row.providers = {{"aws", "aws." + r_.word()}, {r_.word(), "b"}};
      body_.calls[index] = row;
      return InstId();
    }
    InstId check() {
      domain_ = InstId();
      std::vector<InstId> conditions;
      for (auto n = r_.below(3); n > 0; --n) conditions.push_back(condition(ConditionKind::Assert, InstId()));
      CheckInfo row;
      row.name = fresh_name();
      row.inst = b_.add(OpKind::Check, TypeId(), conditions, row.name.index);
      body_.checks.push_back(row);
      return InstId();
    }

    void finish() {
      domain_ = InstId();
      for (InstId local : locals_) {
        InstId value = pick();
        b_.set_operands(local, std::span(&value, 1));
      }
      for (auto n = r_.below(3); n > 0; --n) {
        ImportInfo row;
        row.to = "aws_db." + r_.word();
        row.id = pick();
        if (r_.chance(2)) row.for_each = pick();
        body_.imports.push_back(row);
      }
      for (auto n = r_.below(3); n > 0; --n) {
        body_.unsupported.emplace_back();
        body_.unsupported_what.push_back(r_.word());
      }
    }

    RandomProgram& r_;
    ModuleId module_;
    Builder b_;
    ModuleBody& body_;
    std::vector<InstId> scope_;
    std::vector<InstId> expands_;
    std::vector<InstId> locals_;
    InstId domain_;
    int counter_ = 0;
  };

  Program program_;
  std::mt19937_64 rng_;
  int statements_;
};

}  // namespace pravo::testing
