#include "frontend/load/target.h"

#include <fmt/format.h>

#include <llvm/ADT/STLExtras.h>

namespace pravo::load {

namespace {

// Roots of references that are no resource types.
constexpr std::string_view kReservedRoots[] = {
    "var", "local", "each", "count", "path", "self", "terraform", "template", "lazy", "arg",
};

class TargetParser {
 public:
  explicit TargetParser(const Reference& reference) : reference_(reference) { target_.range = reference.range; }

  std::optional<Target> parse(TargetFault* fault) {
    bool good = parse_modules() && (done() ? !target_.modules.empty() : parse_resource());
    if (!good) {
      *fault = std::move(fault_);
      return std::nullopt;
    }
    return std::move(target_);
  }

 private:
  // The steps, the root counted as the first.
  size_t size() const { return reference_.steps.size() + 1; }
  bool done() const { return at_ >= size(); }
  bool is_name(size_t i) const {
    return i < size() && (i == 0 || reference_.steps[i - 1].kind == ReferenceStep::Kind::Attribute);
  }
  std::string_view text(size_t i) const {
    return i == 0 ? reference_.root : std::string_view(reference_.steps[i - 1].text);
  }
  SourceRange range(size_t i) const { return i == 0 ? reference_.root_range : reference_.steps[i - 1].range; }

  bool fail(size_t i, std::string fact) {
    fault_ = {range(i < size() ? i : size() - 1), std::move(fact)};
    return false;
  }

  // An instance key, if there is one next.
  bool parse_key(Target::Step& step) {
    if (done() || is_name(at_)) return true;
    const ReferenceStep& key = reference_.steps[at_ - 1];
    step.key_range = key.range;
    switch (key.kind) {
      case ReferenceStep::Kind::Attribute:
        break;
      case ReferenceStep::Kind::OtherKey:
        return fail(at_, "an instance key is a string or a whole number");
      case ReferenceStep::Kind::NumberKey:
        if (key.text.find_first_not_of("0123456789") != std::string::npos)
          return fail(at_, "an instance key is a string or a whole number");
        step.key = key.text;
        break;
      case ReferenceStep::Kind::Computed:
        step.key = "*";
        break;
      case ReferenceStep::Kind::StringKey:
        step.key = fmt::format("\"{}\"", key.text);
        break;
    }
    ++at_;
    return true;
  }

  bool parse_modules() {
    while (!done() && is_name(at_) && text(at_) == "module") {
      if (!is_name(at_ + 1)) return fail(at_ + 1 < size() ? at_ + 1 : at_, "`module` is followed by a module's name");
      Target::Step step{std::string(text(at_ + 1)), {}, {}};
      at_ += 2;
      if (!parse_key(step)) return false;
      target_.modules.push_back(std::move(step));
    }
    return true;
  }

  bool parse_resource() {
    target_.resource = true;
    if (at_ == 0 || !target_.modules.empty()) {
      std::string_view root = text(at_);
      if (root == "data") {
        target_.mode = ResourceMode::Data;
        ++at_;
      } else if (root == "ephemeral" && is_name(at_ + 1) && is_name(at_ + 2)) {
        target_.mode = ResourceMode::Ephemeral;
        ++at_;
      } else if (root == "resource") {
        ++at_;
      } else if (llvm::is_contained(kReservedRoots, root)) {
        return fail_whole(fmt::format("`{}` is no type of a resource", root));
      }
    }
    if (!is_name(at_) || done()) return fail(size() - 1, "an address has the type and the name of a resource");
    target_.type = text(at_++);
    if (done() || !is_name(at_)) return fail(size() - 1, "an address has the type and the name of a resource");
    target_.name.name = text(at_++);
    if (done()) return true;
    if (is_name(at_)) return fail(at_, "an address ends with the resource, or an instance key in brackets");
    if (!parse_key(target_.name)) return false;
    if (!done()) return fail(at_, "nothing follows the instance key of an address");
    return true;
  }

  bool fail_whole(std::string fact) {
    fault_ = {reference_.range, std::move(fact)};
    return false;
  }

  const Reference& reference_;
  size_t at_ = 0;
  Target target_;
  TargetFault fault_;
};

void append_step(std::string& out, const Target::Step& step) {
  out += step.name;
  if (step.key) out += fmt::format("[{}]", *step.key);
}

}  // namespace

std::optional<Target> parse_target(const Reference& reference, TargetFault* fault) {
  return TargetParser(reference).parse(fault);
}

std::string Target::text() const {
  std::string out;
  for (const Step& step : modules) {
    if (!out.empty()) out += '.';
    out += "module.";
    append_step(out, step);
  }
  if (!resource) return out;
  if (!out.empty()) out += '.';
  if (mode == ResourceMode::Data) out += "data.";
  if (mode == ResourceMode::Ephemeral) out += "ephemeral.";
  out += type;
  out += '.';
  append_step(out, name);
  return out;
}

}  // namespace pravo::load
