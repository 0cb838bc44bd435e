// What a provider may get wrong: in the plan it makes, and in what it returns of an apply.
#include <algorithm>

#include <fmt/format.h>

#include "runtime/plan/rules.h"

namespace pravo::runtime {

namespace {

// Known parts equal, whatever is known of unknown ones.
bool same(const Value& a, const Value& b) {
  if (a.is_unknown() && b.is_unknown()) return a.type() == b.type();
  if (a.equals_raw(b)) return true;
  // Equal but for refinements somewhere inside.
  if (a.kind() != b.kind() || !a.is_compound() || a.is_wholly_known() || b.is_wholly_known()) return false;
  if (a.length() != b.length()) return false;
  if ((a.kind() == ValueKind::Map || a.kind() == ValueKind::Object) && !(a.keys() == b.keys())) return false;
  for (size_t i = 0; i < a.length(); ++i)
    if (!same(a.element(i), b.element(i))) return false;
  return true;
}

// Walks along a schema and collects sentences.
class FaultList {
 public:
  std::vector<std::string> take() { return std::move(faults_); }

 protected:
  void add(std::string_view what) { faults_.push_back(fmt::format("`{}`: {}", place(), what)); }
  std::string place() const {
    std::string text = path_to_string(path_);
    if (text.empty()) return "the object";
    return text.front() == '.' ? text.substr(1) : text;
  }

  struct Step {
    Path& path;
    Step(Path& p, PathStep step) : path(p) { path.push_back(std::move(step)); }
    Step(const Step&) = delete;
    Step& operator=(const Step&) = delete;
    ~Step() { path.pop_back(); }
  };
  static PathStep name(std::string_view text) { return PathStep::attribute(Str(text)); }

  Path path_;
  std::vector<std::string> faults_;
};

bool is_single(NestingMode nesting) { return nesting == NestingMode::Single || nesting == NestingMode::Group; }

class PlanFaults : public FaultList {
 public:
  void object(const SchemaBlock& schema, const Value& prior, const Value& config, const Value& planned) {
    if (planned.is_null() != config.is_null()) {
      add(planned.is_null() ? "planned to be absent although it is configured"
                            : "planned to be there although it is not configured");
      return;
    }
    if (planned.is_null()) return;
    if (planned.is_unknown() || config.is_unknown()) {
      if (planned.is_unknown() && !config.is_unknown()) add("planned to be unknown as a whole");
      return;
    }
    bool has_prior = prior.is_compound();
    for (size_t i = 0; i < schema.members.size(); ++i) {
      if (schema.members[i] >= 0) {
        const SchemaAttribute& a = schema.attributes[static_cast<size_t>(schema.members[i])];
        Step step(path_, name(a.name));
        attribute(a, has_prior ? prior.element(i) : Value::null(a.type), config.element(i), planned.element(i));
      } else {
        const SchemaNestedBlock& b = schema.blocks[static_cast<size_t>(-1 - schema.members[i])];
        Step step(path_, name(b.name));
        blocks(b, has_prior ? prior.element(i) : Value::null(b.type), config.element(i), planned.element(i));
      }
    }
  }

 private:
  void attribute(const SchemaAttribute& schema, const Value& prior, const Value& config, const Value& planned) {
    if (schema.write_only) {
      if (!planned.is_null()) add("a write-only attribute must be planned as null");
      return;
    }
    if (same(planned, config)) return;
    // A provider may keep what it has where it takes the configured value to mean the same.
    if (same(planned, prior) && !prior.is_null() && !config.is_null()) return;
    if (schema.computed_only()) return;
    if (config.is_null()) {
      if (schema.computed) return;
      if (!planned.is_null()) add("planned to have a value, but the configuration sets none and it is not computed");
      return;
    }
    if (schema.nested != nullptr) {
      nested(*schema.nested, prior, config, planned);
      return;
    }
    add("planned to have another value than the configuration sets");
  }

  void nested(const SchemaObject& schema, const Value& prior, const Value& config, const Value& planned) {
    if (planned.is_null()) {
      add("planned to be absent although it is configured");
      return;
    }
    if (config.is_unknown()) return;
    if (planned.is_unknown()) {
      add("planned to be unknown although it is configured");
      return;
    }
    elements(schema.nesting, schema.block, prior, config, planned);
  }

  void blocks(const SchemaNestedBlock& schema, const Value& prior, const Value& config, const Value& planned) {
    if (config.is_unknown()) {
      if (!planned.is_unknown()) add("unknown blocks must be planned as they are");
      return;
    }
    if (schema.block.computed && (config.is_null() || (config.is_compound() && config.length() == 0))) return;
    if (schema.nesting == NestingMode::Single && config.is_null() && planned.is_null()) return;
    if (planned.is_null()) {
      add("planned to be absent; blocks are empty, never null");
      return;
    }
    if (planned.is_unknown()) {
      add("planned to be unknown although it is configured");
      return;
    }
    elements(schema.nesting, schema.block, prior, config, planned);
  }

  void elements(NestingMode nesting, const SchemaBlock& inside, const Value& prior, const Value& config,
                const Value& planned) {
    if (is_single(nesting)) {
      object(inside, prior, config, planned);
      return;
    }
    if (nesting == NestingMode::Set) {
      // Which element stands for which cannot be told; there cannot be more of them.
      if (planned.length() > config.length()) add("planned to have more elements than the configuration has");
      return;
    }
    bool keyed = nesting == NestingMode::Map;
    if (planned.length() != config.length() || (keyed && !(planned.keys() == config.keys()))) {
      add("planned to have other elements than the configuration has");
      return;
    }
    for (size_t i = 0; i < planned.length(); ++i) {
      Step step(path_, keyed ? PathStep::key(planned.key(i)) : PathStep::at(i));
      const Value* p = !prior.is_compound() ? nullptr
                       : keyed              ? prior.find(planned.key(i).view())
                       : i < prior.length() ? &prior.element(i)
                                            : nullptr;
      object(inside, p == nullptr ? Value::null(inside.type) : *p, config.element(i), planned.element(i));
    }
  }
};

class CompatibilityFaults : public FaultList {
 public:
  void object(const SchemaBlock& schema, const Value& planned, const Value& actual) {
    if (planned.is_unknown()) return;
    if (planned.is_null() != actual.is_null()) {
      add(planned.is_null() ? "it was planned to be absent, but is there"
                            : "it was planned to be there, but is absent");
      return;
    }
    if (planned.is_null() || actual.is_unknown()) return;
    for (size_t i = 0; i < schema.members.size(); ++i) {
      const Value& p = planned.element(i);
      const Value& a = actual.element(i);
      Step step(path_, PathStep::attribute(schema.keys.str(i)));
      if (schema.members[i] >= 0)
        value(p, a, schema.attributes[static_cast<size_t>(schema.members[i])].sensitive);
      else
        blocks(schema.blocks[static_cast<size_t>(-1 - schema.members[i])], p, a);
    }
  }

 private:
  // An unknown of the plan may have become anything of its type that its refinements allow.
  static bool fits(const Value& planned, const Value& actual) {
    if (actual.is_unknown()) return true;
    Type type = planned.type();
    if (!type.is_dynamic() && !conforms(actual.type(), type) && !actual.is_null()) return false;
    const Refinements& known = planned.refinements();
    if (actual.is_null()) return !known.not_null;
    if (!known.prefix.empty() && actual.kind() == ValueKind::String &&
        !actual.as_string().starts_with(known.prefix.view()))
      return false;
    if (actual.kind() == ValueKind::Number) {
      Number n = actual.as_number();
      if (known.lower && (n.compare(*known.lower) < 0 || (n == *known.lower && !known.lower_inclusive))) return false;
      if (known.upper && (n.compare(*known.upper) > 0 || (n == *known.upper && !known.upper_inclusive))) return false;
    }
    if (actual.kind() == ValueKind::List || actual.kind() == ValueKind::Set || actual.kind() == ValueKind::Map)
      return actual.length() >= known.min_length && actual.length() <= known.max_length;
    return true;
  }

  // Whether two elements of sets may be the same one.
  static bool may_be(const Value& planned, const Value& actual) {
    CompatibilityFaults inner;
    inner.value(planned, actual, false);
    return inner.faults_.empty();
  }

  void value(const Value& planned, const Value& actual, bool sensitive) {
    if (planned.is_unknown()) {
      if (!fits(planned, actual)) add("the new value does not keep what was known of it at plan");
      return;
    }
    if (planned.equals_raw(actual)) return;
    if (planned.is_null() || actual.is_null()) {
      add(planned.is_null() ? "was planned to be null, but has a value" : "was planned to have a value, but is null");
      return;
    }
    if (actual.is_unknown()) {
      add("was known at plan, but is unknown now");
      return;
    }
    if (planned.is_wholly_known() || planned.kind() != actual.kind() || !planned.is_compound()) {
      if (planned.is_compound() && planned.kind() == actual.kind() && !sensitive) {
        if (inside(planned, actual)) return;
      }
      add(sensitive ? "the value of a sensitive attribute is another than was planned"
                    : "the value is another than was planned");
      return;
    }
    if (!inside(planned, actual)) add("it has other elements than were planned");
  }

  // Reports what differs inside; false: the elements cannot be compared one by one.
  bool inside(const Value& planned, const Value& actual) {
    switch (planned.kind()) {
      case ValueKind::List:
      case ValueKind::Tuple:
        if (planned.length() != actual.length()) return false;
        for (size_t i = 0; i < planned.length(); ++i) {
          Step step(path_, PathStep::at(i));
          value(planned.element(i), actual.element(i), false);
        }
        return true;
      case ValueKind::Map:
      case ValueKind::Object:
        if (!(planned.keys() == actual.keys())) return false;
        for (size_t i = 0; i < planned.length(); ++i) {
          Step step(path_, planned.kind() == ValueKind::Map ? PathStep::key(planned.key(i))
                                                            : PathStep::attribute(planned.key(i)));
          value(planned.element(i), actual.element(i), false);
        }
        return true;
      case ValueKind::Set:
        // Elements that were unknown may have become equal, so there may be fewer, never more.
        if (actual.length() > planned.length()) return false;
        return std::all_of(planned.elements().begin(), planned.elements().end(),
                           [&](const Value& p) {
                             return std::any_of(actual.elements().begin(), actual.elements().end(),
                                                [&](const Value& a) { return may_be(p, a); });
                           }) &&
               std::all_of(actual.elements().begin(), actual.elements().end(), [&](const Value& a) {
                 return std::any_of(planned.elements().begin(), planned.elements().end(),
                                    [&](const Value& p) { return may_be(p, a); });
               });
      case ValueKind::Null:
      case ValueKind::Unknown:
      case ValueKind::Bool:
      case ValueKind::Number:
      case ValueKind::String:
        break;
    }
    return false;
  }

  void blocks(const SchemaNestedBlock& schema, const Value& planned, const Value& actual) {
    if (planned.is_unknown()) return;
    if (is_single(schema.nesting)) {
      object(schema.block, planned, actual);
      return;
    }
    if (planned.is_null() || actual.is_null() || actual.is_unknown()) {
      if (!planned.equals_raw(actual)) add("it has other blocks than were planned");
      return;
    }
    if (schema.nesting == NestingMode::Set) {
      if (!inside(planned, actual)) add("it has other blocks than were planned");
      return;
    }
    bool keyed = schema.nesting == NestingMode::Map;
    if (planned.length() != actual.length() || (keyed && !(planned.keys() == actual.keys()))) {
      add("it has other blocks than were planned");
      return;
    }
    for (size_t i = 0; i < planned.length(); ++i) {
      Step step(path_, keyed ? PathStep::key(planned.key(i)) : PathStep::at(i));
      object(schema.block, planned.element(i), actual.element(i));
    }
  }
};

class ShapeFaults : public FaultList {
 public:
  void object(const SchemaBlock& schema, const Value& value) {
    if (!conforms(value.type(), schema.type)) {
      add("it is not of the type that the provider's schema says");
      return;
    }
    write_only(schema, value);
  }

 private:
  void write_only(const SchemaBlock& schema, const Value& value) {
    if (!schema.any_write_only || !value.is_compound()) return;
    for (const SchemaAttribute& attribute : schema.attributes) {
      const Value* part = value.find(attribute.name);
      if (part == nullptr || part->is_null()) continue;
      Step step(path_, name(attribute.name));
      if (attribute.write_only)
        add("a write-only attribute must not be kept");
      else if (attribute.nested != nullptr)
        inside(attribute.nested->nesting, attribute.nested->block, *part);
    }
    for (const SchemaNestedBlock& nested : schema.blocks) {
      const Value* part = value.find(nested.name);
      if (part == nullptr) continue;
      Step step(path_, name(nested.name));
      inside(nested.nesting, nested.block, *part);
    }
  }
  void inside(NestingMode nesting, const SchemaBlock& schema, const Value& value) {
    if (!value.is_compound()) return;
    if (is_single(nesting)) {
      write_only(schema, value);
      return;
    }
    for (const Value& element : value.elements()) write_only(schema, element);
  }
};

}  // namespace

std::vector<std::string> plan_faults(const SchemaBlock& schema, const Value& prior, const Value& config,
                                     const Value& planned) {
  PlanFaults faults;
  faults.object(schema, prior, config, planned);
  return faults.take();
}

std::vector<std::string> compatibility_faults(const SchemaBlock& schema, const Value& planned, const Value& actual) {
  CompatibilityFaults faults;
  faults.object(schema, planned, actual);
  return faults.take();
}

std::vector<std::string> shape_faults(const SchemaBlock& schema, const Value& value) {
  ShapeFaults faults;
  faults.object(schema, value);
  return faults.take();
}

}  // namespace pravo::runtime
