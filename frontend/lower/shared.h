// What all bodies of one lowering share. A body's own state is in body.h.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "frontend/load/config.h"
#include "frontend/lower/lower.h"
#include "frontend/lower/types.h"
#include "ir/diagnostics.h"
#include "ir/program.h"
#include "ir/schema.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/StringMap.h>

namespace pravo::lower {

// Names that the language itself gives a meaning.
struct KnownNames {
  explicit KnownNames(Names& names);
  NameId content, dynamic, for_each, iterator, key, labels, value;
};

struct ProviderName {
  NameId local_name;
  NameId alias;  // invalid: the default configuration
  bool operator==(const ProviderName&) const = default;
};

// A provider configuration that a call hands to its module, explicitly or by inheritance.
struct PassedProvider {
  ProviderName inner;
  ProviderName outer;
  InstId config;  // invalid: the caller has it from its own caller
};

// What one output of a module needs from the caller.
struct Needs {
  std::vector<NameId> variables;
  std::vector<ProviderName> providers;
};

class NodeGraph;

// What is known of a body beside the program, for whoever calls the module.
struct BodyFacts {
  uint32_t nodes_end = 0;                           // nodes are the instructions before this one
  std::vector<ProviderName> inherited;              // from the caller
  std::vector<std::vector<PassedProvider>> passed;  // by call

  // Made by cycles.cpp when a caller may have a cycle through this module.
  std::shared_ptr<const NodeGraph> graph;
  llvm::DenseMap<uint32_t, std::shared_ptr<const Needs>> needs;  // by output name
};

struct Shared {
  Shared(const load::Configuration& configuration_, const SourceManager& sources_, Names& names_, Diagnostics& diags_,
         const LowerOptions& options);

  const load::Configuration& configuration;
  const SourceManager& sources;
  Names& names;
  Diagnostics& diags;
  SchemaSource* schemas;
  Program program;
  Types types;
  KnownNames known;
  std::vector<BodyFacts> bodies;  // by module

  // The schema of a provider, or null.
  const ProviderSchema* provider_schema(const std::string& address);

  // Looking for what was meant costs as much as there are candidates, so it is bounded over all faults: false when
  // no more may be looked at. Ask before collecting them.
  bool may_look(size_t candidates);
  // The name among `candidates` that was probably meant, or empty.
  std::string_view closest(std::string_view name, const std::vector<std::string_view>& candidates);

 private:
  llvm::StringMap<const ProviderSchema*> provider_schemas_;
  size_t looked_at_ = 0;
};

}  // namespace pravo::lower
