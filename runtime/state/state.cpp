#include "runtime/state/state.h"

#include <algorithm>

#include <fmt/format.h>
#include <sys/random.h>

#include "ir/json_codec.h"

namespace pravo::runtime {

namespace {

template <class Instances>
auto lower_bound_key(Instances& instances, const InstanceKey& key) {
  return std::lower_bound(instances.begin(), instances.end(), key,
                          [](const StateInstance& i, const InstanceKey& k) { return i.key < k; });
}

}  // namespace

StateInstance* StateResource::find(const InstanceKey& key) {
  auto at = lower_bound_key(instances, key);
  return at != instances.end() && at->key == key ? &*at : nullptr;
}

const StateInstance* StateResource::find(const InstanceKey& key) const {
  auto at = lower_bound_key(instances, key);
  return at != instances.end() && at->key == key ? &*at : nullptr;
}

StateInstance& StateResource::get(const InstanceKey& key) {
  // Instances mostly come in order, at the end.
  auto at = instances.empty() || instances.back().key < key ? instances.end() : lower_bound_key(instances, key);
  if (at != instances.end() && at->key == key) return *at;
  StateInstance instance;
  instance.key = key;
  return *instances.insert(at, std::move(instance));
}

std::string_view check_status_text(CheckStatus status) {
  switch (status) {
    case CheckStatus::Unknown:
      return "unknown";
    case CheckStatus::Pass:
      return "pass";
    case CheckStatus::Fail:
      return "fail";
    case CheckStatus::Error:
      return "error";
  }
  PRAVOC_UNREACHABLE();
}

State State::clone() const {
  State out;
  out.lineage = lineage;
  out.serial = serial;
  out.terraform_version = terraform_version;
  out.outputs = outputs;
  out.checks = checks;
  for (const auto& [text, resource] : resources_)
    out.resources_.emplace(text, std::make_unique<StateResource>(*resource));
  return out;
}

StateResource* State::find(const ResourceAddress& address) {
  auto found = resources_.find(address.to_string());
  return found == resources_.end() ? nullptr : found->second.get();
}

const StateResource* State::find(const ResourceAddress& address) const {
  auto found = resources_.find(address.to_string());
  return found == resources_.end() ? nullptr : found->second.get();
}

StateResource& State::get(const ResourceAddress& address, std::string_view provider) {
  std::unique_ptr<StateResource>& slot = resources_[address.to_string()];
  if (!slot) {
    slot = std::make_unique<StateResource>();
    slot->address = address;
    slot->provider = provider;
  }
  return *slot;
}

const StateInstance* State::find(const InstanceAddress& address) const {
  const StateResource* resource = find(address.resource);
  return resource == nullptr ? nullptr : resource->find(address.key);
}

void State::remove(const ResourceAddress& address) { resources_.erase(address.to_string()); }

std::unique_ptr<StateResource> State::take(const ResourceAddress& address) {
  auto found = resources_.find(address.to_string());
  if (found == resources_.end()) return nullptr;
  std::unique_ptr<StateResource> out = std::move(found->second);
  resources_.erase(found);
  return out;
}

void State::put(std::unique_ptr<StateResource> resource) {
  std::string text = resource->address.to_string();
  bool added = resources_.emplace(std::move(text), std::move(resource)).second;
  PRAVOC_CHECK(added);
}

namespace {

void remove_empty(StateResource& resource) {
  std::erase_if(resource.instances, [](const StateInstance& i) { return i.empty(); });
  resource.emptied = 0;
}

}  // namespace

void State::prune(const InstanceAddress& address) {
  StateResource* resource = find(address.resource);
  if (resource == nullptr) return;
  StateInstance* instance = resource->find(address.key);
  if (instance == nullptr || !instance->empty()) return;
  // Half of them: moving the others costs no more than emptying these did.
  if (++resource->emptied * 2 < resource->instances.size()) return;
  remove_empty(*resource);
  if (resource->instances.empty()) remove(address.resource);
}

void State::compact() {
  for (auto at = resources_.begin(); at != resources_.end();) {
    remove_empty(*at->second);
    at = at->second->instances.empty() ? resources_.erase(at) : std::next(at);
  }
}

std::vector<const StateResource*> State::file_order() const {
  std::vector<const StateResource*> out;
  out.reserve(resources_.size());
  for (const auto& [text, resource] : resources_) out.push_back(resource.get());
  std::sort(out.begin(), out.end(), [](const StateResource* a, const StateResource* b) {
    const ResourceAddress& x = a->address;
    const ResourceAddress& y = b->address;
    if (int c = x.module->text().compare(y.module->text()); c != 0) return c < 0;
    if (x.mode != y.mode) return x.mode == ResourceMode::Data;
    if (int c = x.type.compare(y.type); c != 0) return c < 0;
    return x.name < y.name;
  });
  return out;
}

std::vector<const StateResource*> State::address_order() const {
  std::vector<const StateResource*> out;
  out.reserve(resources_.size());
  for (const auto& [text, resource] : resources_) out.push_back(resource.get());
  std::sort(out.begin(), out.end(),
            [](const StateResource* a, const StateResource* b) { return a->address < b->address; });
  return out;
}

Result<Value> decode_object(const InstanceObject& object, const SchemaBlock& schema) {
  Value value;
  if (object.value) {
    value = *object.value;
  } else {
    PRAVO_TRY(decoded, decode_typed_json(object.attributes_json, schema.type));
    value = object.sensitive.empty() ? std::move(decoded) : decoded.mark_with_paths(object.sensitive);
  }
  return with_schema_marks(schema, std::move(value));
}

std::string new_uuid() {
  unsigned char bytes[16];
  size_t got = 0;
  while (got < sizeof bytes) {
    ssize_t n = getrandom(bytes + got, sizeof bytes - got, 0);
    PRAVOC_CHECK(n > 0 || errno == EINTR);
    if (n > 0) got += static_cast<size_t>(n);
  }
  bytes[6] = static_cast<unsigned char>((bytes[6] & 0x0f) | 0x40);
  bytes[8] = static_cast<unsigned char>((bytes[8] & 0x3f) | 0x80);
  std::string out;
  for (size_t i = 0; i < sizeof bytes; ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) out += '-';
    out += fmt::format("{:02x}", bytes[i]);
  }
  return out;
}

}  // namespace pravo::runtime
