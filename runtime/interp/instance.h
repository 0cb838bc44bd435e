// Module instances and their values. A value is computed at most once per module instance and, where it is over a
// domain, per row (an instance of the expansion); its slot remembers it, or the fault that there is instead.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "runtime/address.h"
#include "runtime/interp/layout.h"

namespace pravo::runtime {

// A fault of an evaluation, by index in the interpreter's list.
using FaultIndex = uint32_t;

struct Slot {
  enum class State : uint8_t {
    Empty,    // not asked for yet
    Working,  // being computed: asking again is a cycle
    Pending,  // waits for an instance whose operation has not finished; `detail` says in which attempt that was found
    Fault,    // `detail` is a FaultIndex
    Ready,
  };
  Value value;
  State state = State::Empty;
  uint32_t detail = 0;
};

// The instances of an expansion: rows, each with its key, sorted as instance keys are. Without count or for_each it
// has one row with no key.
struct Domain {
  enum class Kind : uint8_t { Single, Count, ForEach } kind = Kind::Single;
  uint32_t rows = 1;
  KeySet keys;   // ForEach
  Value source;  // ForEach: the map, object or set; its elements are in the order of `keys`

  InstanceKey key(uint32_t row) const;
  // The row of a key, or kNoIndex.
  uint32_t find(const InstanceKey& key) const;
  // each.key or count.index
  Value key_value(uint32_t row) const;
  // each.value
  const Value& each_value(uint32_t row) const { return source.element(row); }
};

struct ModuleInstance;

struct DomainState {
  Slot::State state = Slot::State::Empty;
  uint32_t detail = 0;
  Domain domain;
  std::vector<std::unique_ptr<Slot[]>> rows;  // allocated when first used
  // Bases of `at` in regions whose rows are all computed: they need not be looked at again.
  std::vector<InstId> complete;
};

struct ModuleInstance {
  uint32_t index = 0;                // in the interpreter's list; the root is 0
  ModuleInstance* parent = nullptr;  // null for the root
  uint32_t call = kNoIndex;          // in the parent's body
  uint32_t row = 0;                  // of the call's domain
  const BodyLayout* layout = nullptr;
  ModulePathRef path;
  uint32_t static_module = 0;  // of the static module tree, see graph/static_modules.h

  std::vector<Slot> top;
  std::vector<DomainState> domains;                    // by DomainIndex
  std::vector<std::vector<ModuleInstance*>> children;  // by call, by row; a call's are made together

  const ModuleBody& body() const { return layout->body(); }
};

}  // namespace pravo::runtime
