#include "frontend/lower/types.h"

#include <algorithm>

#include "ir/convert.h"

namespace pravo::lower {

namespace {

// Larger types are not followed: what they would tell is not worth their cost.
constexpr uint32_t kMaxWeight = 4096;
constexpr unsigned kMaxTypeDepth = 64;

uint32_t measure(const Type& type, uint32_t budget) {
  uint32_t size = 1;
  auto add = [&](const Type& part) {
    if (size < budget) size += measure(part, budget - size);
  };
  switch (type.kind()) {
    case TypeKind::Dynamic:
    case TypeKind::Bool:
    case TypeKind::Number:
    case TypeKind::String:
      break;
    case TypeKind::List:
    case TypeKind::Set:
    case TypeKind::Map:
      add(type.element());
      break;
    case TypeKind::Tuple:
    case TypeKind::Object:
      for (const Type& part : type.elements()) add(part);
      break;
  }
  return size;
}

}  // namespace

Types::Types(Program& program) : program_(program) {
  any = program.intern(Type::dynamic());
  boolean = program.intern(Type::boolean());
  number = program.intern(Type::number());
  string = program.intern(Type::string());
}

uint32_t Types::weight(TypeId id) {
  if (id.index >= weights_.size()) weights_.resize(id.index + 64, 0);
  uint32_t& known = weights_[id.index];
  if (known == 0) known = measure(get(id), kMaxWeight + 1);
  return known;
}

TypeId Types::intern(const Type& type) {
  if (type.depth() > kMaxTypeDepth) return any;
  TypeId id = program_.intern(type);
  return weight(id) > kMaxWeight ? any : id;
}

TypeId Types::object(std::span<const NameId> names, std::span<const TypeId> fields) {
  Key key;
  key.push_back(0);
  for (size_t i = 0; i < names.size(); ++i) {
    key.push_back(names[i].index);
    key.push_back(fields[i].index);
  }
  auto [it, inserted] = shapes_.try_emplace(key, any);
  if (!inserted) return it->second;
  uint64_t size = 1;
  for (TypeId field : fields) size += weight(field);
  if (size > kMaxWeight) return any;
  std::vector<Type::Attribute> attributes;
  attributes.reserve(names.size());
  for (size_t i = 0; i < names.size(); ++i) attributes.emplace_back(program_.text(names[i]), get(fields[i]));
  return it->second = intern(Type::object(std::move(attributes)));
}

TypeId Types::tuple(std::span<const TypeId> elements) {
  if (elements.size() > kMaxWeight) return any;
  Key key;
  key.push_back(1);
  for (TypeId element : elements) key.push_back(element.index);
  auto [it, inserted] = shapes_.try_emplace(key, any);
  if (!inserted) return it->second;
  uint64_t size = 1;
  for (TypeId element : elements) size += weight(element);
  if (size > kMaxWeight) return any;
  std::vector<Type> types;
  types.reserve(elements.size());
  for (TypeId element : elements) types.push_back(get(element));
  return it->second = intern(Type::tuple(std::move(types)));
}

TypeId Types::of_unary(UnaryKind kind) const {
  switch (kind) {
    case UnaryKind::Negate:
      return number;
    case UnaryKind::Not:
      return boolean;
  }
  PRAVOC_UNREACHABLE();
}

TypeId Types::of_binary(BinaryKind kind) const {
  switch (kind) {
    case BinaryKind::Or:
    case BinaryKind::And:
    case BinaryKind::Equal:
    case BinaryKind::NotEqual:
    case BinaryKind::Less:
    case BinaryKind::Greater:
    case BinaryKind::LessEqual:
    case BinaryKind::GreaterEqual:
      return boolean;
    case BinaryKind::Add:
    case BinaryKind::Subtract:
    case BinaryKind::Multiply:
    case BinaryKind::Divide:
    case BinaryKind::Modulo:
      return number;
  }
  PRAVOC_UNREACHABLE();
}

std::optional<TypeId> Types::conditional(TypeId when_true, TypeId when_false) {
  if (when_true == when_false) return when_true;
  // A dynamic part may turn out to be what makes the arms agree, or not.
  if (!certain(when_true) || !certain(when_false)) return any;
  const Type arms[] = {get(when_true), get(when_false)};
  std::optional<Type> type = unify(arms, /*safe=*/false);
  if (!type) return std::nullopt;
  return intern(*type);
}

std::optional<TypeId> Types::attribute(TypeId base, std::string_view name) {
  const Type& type = get(base);
  switch (type.kind()) {
    case TypeKind::Dynamic:
      return any;
    case TypeKind::Map:
      return intern(type.element());
    case TypeKind::Object: {
      size_t i = type.find(name);
      if (i == Type::npos) return std::nullopt;
      return intern(type.elements()[i]);
    }
    case TypeKind::Bool:
    case TypeKind::Number:
    case TypeKind::String:
    case TypeKind::List:
    case TypeKind::Set:
    case TypeKind::Tuple:
      return std::nullopt;
  }
  PRAVOC_UNREACHABLE();
}

TypeId Types::element(TypeId base) {
  const Type& type = get(base);
  switch (type.kind()) {
    case TypeKind::Dynamic:
    case TypeKind::Bool:
    case TypeKind::Number:
    case TypeKind::String:
      return any;
    case TypeKind::List:
    case TypeKind::Set:
    case TypeKind::Map:
      return intern(type.element());
    case TypeKind::Tuple:
    case TypeKind::Object:
      break;
  }
  auto parts = type.elements();
  if (parts.empty()) return any;
  Key key{base.index};
  auto [it, inserted] = elements_.try_emplace(key, any);
  if (!inserted) return it->second;
  for (const Type& part : parts.subspan(1))
    if (part != parts.front()) return any;
  return it->second = intern(Type(parts.front()));
}

std::optional<TypeId> Types::element(TypeId base, uint64_t index) {
  const Type& type = get(base);
  if (type.kind() != TypeKind::Tuple) return element(base);
  if (index >= type.elements().size()) return std::nullopt;
  return intern(Type(type.elements()[index]));
}

std::optional<Types::Step> Types::iterate(TypeId base) {
  switch (get(base).kind()) {
    case TypeKind::Dynamic:
      return Step{any, any};
    case TypeKind::Bool:
    case TypeKind::Number:
    case TypeKind::String:
      return std::nullopt;
    case TypeKind::List:
    case TypeKind::Tuple:
      return Step{number, element(base)};
    case TypeKind::Set: {
      TypeId value = element(base);
      return Step{value, value};
    }
    case TypeKind::Map:
    case TypeKind::Object:
      return Step{string, element(base)};
  }
  PRAVOC_UNREACHABLE();
}

const Types::CallType& Types::call(FunctionId function, std::span<const TypeId> arguments) {
  Key key{static_cast<uint32_t>(function)};
  for (TypeId argument : arguments) key.push_back(argument.index);
  auto [it, inserted] = calls_.try_emplace(std::move(key));
  CallType& type = it->second;
  if (!inserted) return type;
  type.result = any;
  const FunctionInfo& info = function_info(function);
  if (info.lazy) {
    if (!info.result.is_dynamic()) type.result = intern(info.result);
    return type;
  }
  if (info.marks == MarkTransfer::Convert && arguments.size() == 1) {
    Result<Type> converted = converted_type(get(arguments[0]), info.result);
    // What unifies with a type that is not known yet is not known either.
    bool told = converted.ok() && (certain(arguments[0]) || !info.result.has_dynamic());
    type.result = intern(told ? converted.value() : info.result);
    if (!converted.ok() && certain(arguments[0])) {
      type.fault = converted.error().text();
      type.argument = 0;
    }
    return type;
  }
  // An unknown value stands for all values of its type, so evaluating with unknowns tells what holds for all.
  std::vector<Value> values;
  values.reserve(arguments.size());
  for (TypeId argument : arguments) values.push_back(Value::unknown(get(argument)));
  RefusingHost host;
  Result<Value> result = call_function(function, values, host);
  if (result.ok()) {
    type.result = intern(result.value().type());
    return type;
  }
  if (!info.result.has_dynamic()) type.result = intern(info.result);
  const EvalError& error = result.error();
  if (error.kind != EvalErrorKind::Type || error.argument < 0) return type;
  auto argument = static_cast<size_t>(error.argument);
  if (argument >= arguments.size() || !certain(arguments[argument])) return type;
  type.fault = error.text();
  type.argument = error.argument;
  return type;
}

}  // namespace pravo::lower
