// Test files (`*.tftest.hcl`, `*.tftest.json`): what their blocks say. Expressions stay syntax, as everywhere in a
// configuration that was loaded.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "frontend/load/declarations.h"

namespace pravo::load {

// `override_resource`, `override_data` and `override_module`: what stands in for a resource or a module.
struct TestOverride {
  enum class Kind : uint8_t { Resource, Data, Module } kind = Kind::Resource;
  SourceRange header;
  Expr target;
  std::string address;       // the target, in its canonical form
  SourceRange target_range;  // the whole argument
  Expr values;               // of a module: `outputs`
  std::optional<bool> during_plan;
};

// `mock_resource` and `mock_data`.
struct TestMock {
  ResourceMode mode = ResourceMode::Managed;
  Name type;
  SourceRange header;
  Expr defaults;
  std::optional<bool> during_plan;
};

struct TestMockData {
  std::vector<TestMock> mocks;
  std::vector<TestOverride> overrides;
};

// A `provider` or `mock_provider` block of a test file.
struct TestProvider {
  ProviderConfig config;  // of a mock only names and places
  bool mocked = false;
  std::optional<bool> during_plan;
  TestMockData data;    // of the block itself
  TestMockData shared;  // of the files in `source`, behind those of the block
  std::string source;   // a directory, relative to the root module's; empty: none
};

struct TestRun {
  Name name;
  SourceRange header;
  bool plan_only = false;
  bool refresh_only = false;
  bool refresh = true;
  std::vector<Expr> targets;
  std::vector<Expr> replaced;
  std::vector<Attribute> variables;
  std::vector<std::pair<ProviderRef, ProviderRef>> providers;  // inner = outer
  std::vector<CheckRule> asserts;
  std::vector<Expr> expect_failures;
  std::vector<TestOverride> overrides;
  std::optional<std::string> state_key;

  // Of a `module` block: the run is one of that module instead.
  SourceRange module_range;  // valid when there is such a block
  std::string source;        // empty where it is missing or wrong
  SourceRange source_range;
  std::string version;
  // The module, as an index in Configuration::test_modules; UINT32_MAX where the run is of the main configuration, or
  // where its module could not be loaded.
  uint32_t module = UINT32_MAX;
};

struct TestFile {
  std::string name;  // relative to the root module's directory
  std::vector<Attribute> variables;
  std::vector<TestProvider> providers;
  std::vector<TestRun> runs;
  std::vector<TestOverride> overrides;
};

}  // namespace pravo::load
