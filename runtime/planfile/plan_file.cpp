#include "runtime/planfile/plan_file.h"

#include <algorithm>

#include <fmt/format.h>

#include "ir/diagnostics/runtime.h"
#include "ir/json_codec.h"
#include "runtime/planfile/value_text.h"
#include "runtime/run.h"
#include "runtime/state/file_io.h"
#include "runtime/state/json_fields.h"

namespace pravo::runtime {

namespace {

constexpr std::string_view kMagic = "{\"pravo_plan\":";
constexpr std::string_view kEnd = "{\"end\":";

// A record on a line of its own: {"kind":{...}}
class Record {
 public:
  Record(std::string& out, std::string_view kind) : out_(out) { out_ += fmt::format("{{\"{}\":{{", kind); }
  Record(const Record&) = delete;
  Record& operator=(const Record&) = delete;
  ~Record() { out_ += "}}\n"; }

  std::string& raw(std::string_view name) {
    if (!first_) out_ += ',';
    first_ = false;
    append_json_string(out_, name, false);
    out_ += ':';
    return out_;
  }
  void text(std::string_view name, std::string_view value) {
    if (!value.empty()) append_json_string(raw(name), value, false);
  }
  void count(std::string_view name, uint64_t value) { raw(name) += std::to_string(value); }
  void flag(std::string_view name, bool value) {
    if (value) raw(name) += "true";
  }
  void value(std::string_view name, const Value& value) { append_value(raw(name), value); }
  void texts(std::string_view name, const std::vector<std::string>& list) {
    if (list.empty()) return;
    std::string& out = raw(name);
    out += '[';
    for (size_t i = 0; i < list.size(); ++i) {
      if (i > 0) out += ',';
      append_json_string(out, list[i], false);
    }
    out += ']';
  }

 private:
  std::string& out_;
  bool first_ = true;
};

std::string_view mode_text(PlanMode mode) {
  switch (mode) {
    case PlanMode::Normal:
      return "normal";
    case PlanMode::Destroy:
      return "destroy";
    case PlanMode::RefreshOnly:
      return "refresh-only";
  }
  PRAVOC_UNREACHABLE();
}

void append_change(std::string& out, std::string_view kind, const InstanceChange& change) {
  Record record(out, kind);
  record.text("address", change.address.to_string());
  record.text("deposed", change.deposed);
  record.text("provider", change.provider);
  record.text("action", action_text(change.action));
  record.text("reason", action_reason_text(change.reason));
  record.value("before", change.before);
  // What stays as it is need not be said twice.
  if (change.action != Action::NoOp) record.value("after", change.after);
  if (!change.replace_paths.empty()) {
    std::string& text = record.raw("replace");
    text += '[';
    for (size_t i = 0; i < change.replace_paths.size(); ++i) {
      if (i > 0) text += ',';
      append_path(text, change.replace_paths[i]);
    }
    text += ']';
  }
  if (!change.planned_private.empty()) record.text("private", encode_base64(change.planned_private));
  record.count("schema", change.schema_version);
}

std::vector<std::string> texts(const std::vector<TargetAddress>& targets) {
  std::vector<std::string> out;
  for (const TargetAddress& target : targets) out.push_back(target.to_string());
  return out;
}

}  // namespace

std::string format_plan(const Plan& plan, StateSchemas& schemas) {
  PRAVOC_CHECK(!plan.errored);
  std::string out = fmt::format("{}{}}}\n", kMagic, kPlanVersion);
  {
    Record record(out, "plan");
    record.text("mode", mode_text(plan.mode));
    record.text("created", plan.created);
    record.text("workspace", plan.workspace);
    record.text("sources", plan.source_digest);
    record.texts("targets", texts(plan.targets));
    record.texts("excludes", texts(plan.excludes));
    record.texts("ephemeral_given", plan.ephemeral_given);
    record.texts("ephemeral_null", plan.ephemeral_null);
  }
  for (const PlanVariable& variable : plan.variables) {
    Record record(out, "variable");
    record.text("name", variable.name);
    record.value("value", variable.value);
    if (!variable.shown.equals_raw(variable.value)) record.value("shown", variable.shown);
  }
  for (const InstanceChange& change : plan.changes) append_change(out, "change", change);
  for (const InstanceChange& change : plan.drift) append_change(out, "drift", change);
  for (const OutputChange& change : plan.outputs) {
    Record record(out, "output");
    record.text("name", change.name);
    record.text("action", action_text(change.action));
    record.value("before", change.before);
    record.value("after", change.after);
    record.flag("sensitive", change.sensitive);
  }
  for (const CheckRecord& check : plan.checks) {
    Record record(out, "check");
    record.count("kind", static_cast<uint64_t>(check.kind));
    record.text("address", check.address);
    record.text("status", check_status_text(check.status));
    std::string& text = record.raw("objects");
    text += '[';
    for (size_t i = 0; i < check.objects.size(); ++i) {
      if (i > 0) text += ',';
      text += "{\"address\":";
      append_json_string(text, check.objects[i].address, false);
      text += fmt::format(",\"status\":\"{}\",\"messages\":[", check_status_text(check.objects[i].status));
      for (size_t m = 0; m < check.objects[i].messages.size(); ++m) {
        if (m > 0) text += ',';
        append_json_string(text, check.objects[i].messages[m], false);
      }
      text += "]}";
    }
    text += ']';
  }
  for (const RelevantAttribute& relevant : plan.relevant) {
    Record record(out, "relevant");
    record.text("resource", relevant.resource);
    append_path(record.raw("attribute"), relevant.attribute);
  }
  out += "{\"state\":";
  out += format_state(plan.prior, schemas);
  out += "}\n";
  std::string digest = digest_sources({{"", out}});
  out += fmt::format("{}\"{}\"}}\n", kEnd, digest);
  return out;
}

bool looks_like_plan(std::string_view text) { return text.starts_with(kMagic); }

namespace {

class PlanParser {
 public:
  PlanParser(std::string_view text, std::string_view name, Diagnostics& diags)
      : text_(text), reader_(text), name_(name), diags_(diags) {}

  std::optional<Plan> run() {
    bool first = true;
    while (reader_.peek() != JsonReader::Token::End && !reader_.failed()) {
      read_members(reader_, [&](std::string_view kind) {
        if (first) {
          uint64_t version = read_count(reader_);
          if (kind != "pravo_plan") reader_.fail("it does not start like one");
          if (!reader_.failed() && version != kPlanVersion) {
            diags_.emit({}, diag::PlanVersion, name_, version, kPlanVersion);
            other_version_ = true;
            reader_.fail("version");
          }
        } else if (kind == "plan") {
          read_plan();
        } else if (kind == "variable") {
          read_variable();
        } else if (kind == "change") {
          read_change(plan_.changes);
        } else if (kind == "drift") {
          read_change(plan_.drift);
        } else if (kind == "output") {
          read_output();
        } else if (kind == "check") {
          read_check();
        } else if (kind == "relevant") {
          read_relevant();
        } else if (kind == "state") {
          read_state();
        } else if (kind == "end") {
          read_text(reader_);  // checked before
          ended_ = true;
        } else {
          reader_.fail("it has a record of an unknown kind");
        }
      });
      first = false;
    }
    if (!reader_.failed() && (!ended_ || !has_state_)) reader_.fail("its end is missing");
    if (!reader_.failed()) return std::move(plan_);
    if (!other_version_) diags_.emit({}, diag::PlanDamaged, name_, reader_.error());
    return std::nullopt;
  }

 private:
  template <class T>
  T known(std::optional<T> value, std::string_view what) {
    if (value) return std::move(*value);
    reader_.fail(fmt::format("it has an unknown {}", what));
    return T{};
  }

  TargetAddress read_target() { return known(TargetAddress::parse(read_text(reader_)), "target"); }

  void read_plan() {
    read_members(reader_, [&](std::string_view key) {
      if (key == "mode") {
        std::string mode = read_text(reader_);
        plan_.mode = mode == "destroy"        ? PlanMode::Destroy
                     : mode == "refresh-only" ? PlanMode::RefreshOnly
                                              : PlanMode::Normal;
      } else if (key == "created") {
        plan_.created = read_text(reader_);
      } else if (key == "workspace") {
        plan_.workspace = read_text(reader_);
      } else if (key == "sources") {
        plan_.source_digest = read_text(reader_);
      } else if (key == "targets") {
        read_elements(reader_, [&] { plan_.targets.push_back(read_target()); });
      } else if (key == "excludes") {
        read_elements(reader_, [&] { plan_.excludes.push_back(read_target()); });
      } else if (key == "ephemeral_given") {
        read_elements(reader_, [&] { plan_.ephemeral_given.push_back(read_text(reader_)); });
      } else if (key == "ephemeral_null") {
        read_elements(reader_, [&] { plan_.ephemeral_null.push_back(read_text(reader_)); });
      } else {
        reader_.skip_value();
      }
    });
  }

  void read_variable() {
    PlanVariable variable;
    bool shown = false;
    read_members(reader_, [&](std::string_view key) {
      if (key == "name") {
        variable.name = read_text(reader_);
      } else if (key == "value") {
        variable.value = read_value(reader_, text_);
      } else if (key == "shown") {
        variable.shown = read_value(reader_, text_);
        shown = true;
      } else {
        reader_.skip_value();
      }
    });
    if (!shown) variable.shown = variable.value;
    plan_.variables.push_back(std::move(variable));
  }

  void read_change(std::vector<InstanceChange>& changes) {
    InstanceChange change;
    bool has_after = false;
    read_members(reader_, [&](std::string_view key) {
      if (key == "address") {
        change.address = known(InstanceAddress::parse(read_text(reader_)), "address");
      } else if (key == "deposed") {
        change.deposed = read_text(reader_);
      } else if (key == "provider") {
        change.provider = read_text(reader_);
      } else if (key == "action") {
        change.action = known(find_action(read_text(reader_)), "action");
      } else if (key == "reason") {
        change.reason = known(find_action_reason(read_text(reader_)), "reason");
      } else if (key == "before") {
        change.before = read_value(reader_, text_);
      } else if (key == "after") {
        change.after = read_value(reader_, text_);
        has_after = true;
      } else if (key == "replace") {
        read_elements(reader_, [&] { change.replace_paths.push_back(read_path(reader_)); });
      } else if (key == "private") {
        change.planned_private = known(decode_base64(read_text(reader_)), "encoding");
      } else if (key == "schema") {
        change.schema_version = read_count(reader_);
      } else {
        reader_.skip_value();
      }
    });
    if (!has_after) change.after = change.before;
    share_module(change.address.resource);
    changes.push_back(std::move(change));
  }

  // Changes of one module share its path, which makes comparing them cheap.
  void share_module(ResourceAddress& address) {
    if (!plan_.changes.empty() && *plan_.changes.back().address.resource.module == *address.module)
      address.module = plan_.changes.back().address.resource.module;
  }

  void read_output() {
    OutputChange change;
    read_members(reader_, [&](std::string_view key) {
      if (key == "name")
        change.name = read_text(reader_);
      else if (key == "action")
        change.action = known(find_action(read_text(reader_)), "action");
      else if (key == "before")
        change.before = read_value(reader_, text_);
      else if (key == "after")
        change.after = read_value(reader_, text_);
      else if (key == "sensitive")
        change.sensitive = read_flag(reader_);
      else
        reader_.skip_value();
    });
    plan_.outputs.push_back(std::move(change));
  }

  CheckStatus read_status() {
    std::string text = read_text(reader_);
    for (CheckStatus status : {CheckStatus::Pass, CheckStatus::Fail, CheckStatus::Error})
      if (check_status_text(status) == text) return status;
    return CheckStatus::Unknown;
  }

  void read_check() {
    CheckRecord check;
    read_members(reader_, [&](std::string_view key) {
      if (key == "kind") {
        uint64_t kind = read_count(reader_);
        if (kind > static_cast<uint64_t>(CheckKind::Variable)) reader_.fail("it has an unknown kind of check");
        check.kind = static_cast<CheckKind>(kind);
      } else if (key == "address") {
        check.address = read_text(reader_);
      } else if (key == "status") {
        check.status = read_status();
      } else if (key == "objects") {
        read_elements(reader_, [&] {
          CheckObject object;
          read_members(reader_, [&](std::string_view field) {
            if (field == "address")
              object.address = read_text(reader_);
            else if (field == "status")
              object.status = read_status();
            else if (field == "messages")
              read_elements(reader_, [&] { object.messages.push_back(read_text(reader_)); });
            else
              reader_.skip_value();
          });
          check.objects.push_back(std::move(object));
        });
      } else {
        reader_.skip_value();
      }
    });
    plan_.checks.push_back(std::move(check));
  }

  void read_relevant() {
    RelevantAttribute relevant;
    read_members(reader_, [&](std::string_view key) {
      if (key == "resource")
        relevant.resource = read_text(reader_);
      else if (key == "attribute")
        relevant.attribute = read_path(reader_);
      else
        reader_.skip_value();
    });
    plan_.relevant.push_back(std::move(relevant));
  }

  void read_state() {
    std::string_view raw = read_raw(reader_, text_);
    if (reader_.failed()) return;
    std::optional<State> state = parse_state(raw, name_, diags_);
    if (!state) {
      other_version_ = true;  // said already
      reader_.fail("its state is damaged");
      return;
    }
    plan_.prior = std::move(*state);
    has_state_ = true;
  }

  std::string_view text_;
  JsonReader reader_;
  std::string_view name_;
  Diagnostics& diags_;
  Plan plan_;
  bool has_state_ = false;
  bool ended_ = false;
  bool other_version_ = false;
};

}  // namespace

std::optional<Plan> parse_plan(std::string_view text, std::string_view name, Diagnostics& diags) {
  if (!looks_like_plan(text)) {
    bool zip = text.starts_with("PK\x03\x04");
    diags.emit({}, diag::PlanDamaged, name, zip ? "it looks like a plan of Terraform" : "it does not start like one");
    return std::nullopt;
  }
  // A file of another version may look different from here on; its digest is none of our business.
  bool this_version = text.starts_with(fmt::format("{}{}}}", kMagic, kPlanVersion));
  if (this_version) {
    size_t end = text.rfind(kEnd);
    std::string digest = end == std::string_view::npos ? "" : digest_sources({{"", text.substr(0, end)}});
    if (end == std::string_view::npos || text.substr(end) != fmt::format("{}\"{}\"}}\n", kEnd, digest)) {
      diags.emit({}, diag::PlanDamaged, name, "its digest is not that of its contents");
      return std::nullopt;
    }
  }
  return PlanParser(text, name, diags).run();
}

bool write_plan(const Plan& plan, StateSchemas& schemas, const std::string& path, Diagnostics& diags) {
  FileError error;
  if (write_file_atomic(path, format_plan(plan, schemas), {}, error)) return true;
  diags.emit({}, diag::PlanWriteFailed, error.what);
  return false;
}

std::optional<Plan> read_plan(const std::string& path, Diagnostics& diags) {
  FileError error;
  std::optional<std::string> text = read_file(path, error);
  if (!text) {
    diags.emit({}, diag::PlanUnreadable,
               error.code == 0 ? fmt::format("there is no plan file `{}`", path) : error.what);
    return std::nullopt;
  }
  return parse_plan(*text, path, diags);
}

}  // namespace pravo::runtime
