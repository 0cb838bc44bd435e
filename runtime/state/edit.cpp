#include "runtime/state/edit.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include <fmt/format.h>

#include "ir/diagnostics/runtime.h"

namespace pravo::runtime {

namespace {

void add_instances(const StateResource& resource, std::vector<InstanceAddress>& out) {
  for (const StateInstance& instance : resource.instances)
    if (!instance.empty()) out.push_back({resource.address, instance.key});
}

}  // namespace

std::vector<InstanceAddress> instances_of(const State& state) {
  std::vector<InstanceAddress> out;
  for (const StateResource* resource : state.address_order()) add_instances(*resource, out);
  return out;
}

std::vector<InstanceAddress> instances_of(const State& state, const StateAddress& target) {
  std::vector<InstanceAddress> out;
  switch (target.kind) {
    case StateAddress::Kind::Instance:
      if (const StateInstance* instance = state.find(InstanceAddress{target.resource, target.key});
          instance != nullptr && !instance->empty())
        out.push_back({target.resource, target.key});
      break;
    case StateAddress::Kind::Resource:
      if (const StateResource* resource = state.find(target.resource)) add_instances(*resource, out);
      break;
    case StateAddress::Kind::Module: {
      // Without a key on its last step a module is all its instances.
      const std::vector<ModulePath::Step>& steps = target.module->steps();
      const bool all = steps.back().key.is_none();
      for (const StateResource* resource : state.address_order()) {
        const std::vector<ModulePath::Step>& its = resource->address.module->steps();
        if (its.size() < steps.size()) continue;
        bool inside = target.module->contains(*resource->address.module);
        if (!inside && all && its[steps.size() - 1].name == steps.back().name) {
          std::vector<ModulePath::Step> head(its.begin(), its.begin() + static_cast<ptrdiff_t>(steps.size() - 1));
          inside = ModulePath(std::vector<ModulePath::Step>(steps.begin(), steps.end() - 1)) == ModulePath(head);
        }
        if (inside) add_instances(*resource, out);
      }
      break;
    }
  }
  return out;
}

void report_missing(const State& state, std::string_view address, Diagnostics& diags) {
  auto report = diags.emit({}, diag::NotInState, address);
  std::set<std::string> names;
  for (const InstanceAddress& instance : instances_of(state)) {
    names.insert(instance.to_string());
    names.insert(instance.resource.to_string());
    for (ModulePath path = *instance.resource.module; !path.is_root(); path = path.parent()) names.insert(path.text());
  }
  // A resource that is there, by another instance or as a whole.
  std::string_view name = address;
  if (size_t bracket = address.rfind('['); address.ends_with(']') && bracket != std::string_view::npos)
    name = address.substr(0, bracket);
  if (auto target = StateAddress::parse(name); target && target->kind == StateAddress::Kind::Resource) {
    std::vector<InstanceAddress> instances = instances_of(state, *target);
    if (!instances.empty()) {
      report.help(fmt::format("it has {} of `{}`: write `{}`{}", instances.size() == 1 ? "one instance" : "instances",
                              name, instances.front().to_string(), instances.size() == 1 ? "" : ", for example"));
      return;
    }
  }
  std::vector<std::string_view> views(names.begin(), names.end());
  if (std::string_view near = closest_name(address, views); !near.empty())
    report.help(fmt::format("did you mean `{}`?", near));
}

void forget(State& state, std::span<const InstanceAddress> instances) {
  for (const InstanceAddress& address : instances) {
    StateResource* resource = state.find(address.resource);
    StateInstance* instance = resource == nullptr ? nullptr : resource->find(address.key);
    if (instance == nullptr) continue;
    instance->current.reset();
    instance->deposed.clear();
  }
  state.compact();
}

namespace {

// What moved, as dependencies name it.
struct Touched {
  std::unordered_set<std::string> resources;
  std::vector<std::string> modules;  // with the dot behind them

  bool holds(std::string_view dependency) const {
    if (resources.contains(std::string(dependency))) return true;
    return std::any_of(modules.begin(), modules.end(), [&](const std::string& m) { return dependency.starts_with(m); });
  }
};

void drop_dependencies(State& state, const Touched& touched) {
  // Instances of a resource share their lists; each is held until all are judged, so that its address stays its own.
  std::unordered_map<DependencyList, bool> verdicts;
  state.for_each([&](StateResource& resource) {
    for (StateInstance& instance : resource.instances) {
      if (!instance.current || !instance.current->dependencies) continue;
      DependencyList& list = instance.current->dependencies;
      auto [at, fresh] = verdicts.try_emplace(list, false);
      if (fresh)
        at->second = std::any_of(list->begin(), list->end(), [&](const Str& d) { return touched.holds(d.view()); });
      if (at->second) list.reset();
    }
  });
}

class Move {
 public:
  Move(State& from, State& to, const StateAddress& source, const StateAddress& destination, Diagnostics& diags)
      : from_(from), to_(to), source_(source), destination_(destination), diags_(diags) {}

  std::optional<std::vector<MovedObject>> run() {
    size_t errors = diags_.error_count();
    Touched touched;
    switch (source_.kind) {
      case StateAddress::Kind::Module:
        modules(touched);
        break;
      case StateAddress::Kind::Resource: {
        const StateResource* resource = from_.find(source_.resource);
        if (resource == nullptr || instances_of(from_, source_).empty()) {
          report_missing(from_, source_.to_string(), diags_);
        } else if (resource->find(InstanceKey::none()) != nullptr) {
          instance(InstanceKey::none(), touched);
        } else {
          whole_resource(touched);
        }
        break;
      }
      case StateAddress::Kind::Instance:
        instance(source_.key, touched);
        break;
    }
    if (diags_.error_count() > errors) return std::nullopt;
    drop_dependencies(to_, touched);
    return std::move(moved_);
  }

 private:
  void refuse(std::string_view why) {
    diags_.emit({}, diag::MoveRefused, source_.to_string(), destination_.to_string(), why);
  }

  void modules(Touched& touched) {
    std::map<std::string, ModulePathRef> paths;
    std::vector<ResourceAddress> resources;
    for (const StateResource* resource : from_.address_order()) {
      if (!source_.module->contains(*resource->address.module)) continue;
      paths.emplace(resource->address.module->text(), resource->address.module);
      resources.push_back(resource->address);
    }
    if (paths.empty()) return report_missing(from_, source_.to_string(), diags_);
    if (destination_.kind != StateAddress::Kind::Module) return refuse("a module can only become a module");
    // A module path that lay in the source, as it is at the destination.
    std::map<std::string, ModulePathRef> renamed;
    for (const auto& [text, path] : paths) {
      std::vector<ModulePath::Step> steps = destination_.module->steps();
      const std::vector<ModulePath::Step>& its = path->steps();
      steps.insert(steps.end(), its.begin() + static_cast<ptrdiff_t>(source_.module->steps().size()), its.end());
      renamed[text] = std::make_shared<const ModulePath>(ModulePath(std::move(steps)));
    }
    std::set<std::string> wanted;
    for (const auto& [text, path] : renamed) wanted.insert(path->text());
    for (const StateResource* resource : to_.address_order())
      if (wanted.contains(resource->address.module->text()))
        return refuse(fmt::format("the state has a module `{}` already", resource->address.module->text()));
    std::vector<std::unique_ptr<StateResource>> taken;
    for (const ResourceAddress& address : resources) {
      taken.push_back(from_.take(address));
      taken.back()->address.module = renamed[address.module->text()];
    }
    for (std::unique_ptr<StateResource>& resource : taken) to_.put(std::move(resource));
    std::vector<const ModulePath*> sorted;
    for (const auto& [text, path] : paths) sorted.push_back(path.get());
    std::sort(sorted.begin(), sorted.end(), [](const ModulePath* a, const ModulePath* b) { return *a < *b; });
    for (const ModulePath* path : sorted) {
      moved_.push_back({path->text(), renamed[path->text()]->text()});
      // Dependencies name no instances, so one instance of a module is not what they mean.
      if (path->static_text() == path->text()) touched.modules.push_back(path->text() + ".");
    }
  }

  // A type stays a type, a data source a data source.
  bool same_kind() {
    const ResourceAddress& a = source_.resource;
    const ResourceAddress& b = destination_.resource;
    if (b.mode == ResourceMode::Ephemeral || a.mode == ResourceMode::Ephemeral) {
      refuse("a state records no ephemeral resources");
      return false;
    }
    if (a.mode != b.mode)
      refuse(a.mode == ResourceMode::Data ? "a data source can only become a data source"
                                          : "a managed resource can only become a managed resource");
    else if (a.type != b.type)
      refuse(fmt::format("`{}` cannot become `{}`", a.type, b.type));
    return a.mode == b.mode && a.type == b.type;
  }

  void whole_resource(Touched& touched) {
    if (destination_.kind != StateAddress::Kind::Resource)
      return refuse(destination_.kind == StateAddress::Kind::Module
                        ? "a resource cannot become a module"
                        : "the source is a resource with instances, so that the destination must be a resource, too; "
                          "move one instance at a time to give it another key");
    if (!same_kind()) return;
    if (to_.find(destination_.resource) != nullptr) return refuse("the state has a resource there already");
    std::unique_ptr<StateResource> resource = from_.take(source_.resource);
    resource->address = destination_.resource;
    to_.put(std::move(resource));
    moved_.push_back({source_.to_string(), destination_.to_string()});
    touched.resources.insert(source_.resource.static_text());
  }

  void instance(const InstanceKey& key, Touched& touched) {
    if (destination_.kind == StateAddress::Kind::Module) return refuse("a resource instance cannot become a module");
    InstanceAddress source{source_.resource, key};
    InstanceAddress destination{destination_.resource, destination_.key};
    if (!same_kind()) return;
    if (const StateInstance* there = to_.find(destination); there != nullptr && !there->empty())
      return refuse("the state has an instance there already");
    StateResource* resource = from_.find(source.resource);
    StateInstance* instance = resource == nullptr ? nullptr : resource->find(key);
    if (instance == nullptr || instance->empty()) return report_missing(from_, source_.to_string(), diags_);
    StateInstance taken = std::move(*instance);
    instance->current.reset();
    instance->deposed.clear();
    // A resource that is made by this takes the provider along.
    StateInstance& slot = to_.get(destination.resource, resource->provider).get(destination.key);
    taken.key = destination.key;
    slot = std::move(taken);
    from_.compact();
    moved_.push_back({source.to_string(), destination_.to_string()});
    touched.resources.insert(source.resource.static_text());
  }

  State& from_;
  State& to_;
  const StateAddress& source_;
  const StateAddress& destination_;
  Diagnostics& diags_;
  std::vector<MovedObject> moved_;
};

}  // namespace

std::optional<std::vector<MovedObject>> move_objects(State& from, State& to, const StateAddress& source,
                                                     const StateAddress& destination, Diagnostics& diags) {
  return Move(from, to, source, destination, diags).run();
}

std::vector<std::string> replace_provider(State& state, std::string_view from, std::string_view to) {
  std::vector<ResourceAddress> changed;
  state.for_each([&](StateResource& resource) {
    std::optional<ProviderConfigAddress> config = ProviderConfigAddress::parse(resource.provider);
    if (!config || config->provider != from) return;
    config->provider = to;
    resource.provider = config->to_string();
    changed.push_back(resource.address);
  });
  std::sort(changed.begin(), changed.end());
  std::vector<std::string> out;
  for (const ResourceAddress& address : changed) out.push_back(address.to_string());
  return out;
}

bool check_push(const State& current, const State& pushed, bool same_content, std::string_view name,
                Diagnostics& diags) {
  if (current.empty() || current.lineage.empty() || pushed.lineage.empty()) return true;
  std::string why;
  if (current.lineage != pushed.lineage)
    why = fmt::format("its lineage is `{}`, and that of the state here `{}`: they are not of one history",
                      pushed.lineage, current.lineage);
  else if (pushed.serial < current.serial)
    why = fmt::format("its serial is {}, and the state here is newer: {}", pushed.serial, current.serial);
  else if (pushed.serial == current.serial && !same_content)
    why = fmt::format("both have the serial {}, and they differ", pushed.serial);
  if (why.empty()) return true;
  diags.emit({}, diag::PushRefused, name, why);
  return false;
}

}  // namespace pravo::runtime
