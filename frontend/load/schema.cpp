#include "frontend/load/schema.h"

namespace pravo::load::schema {

namespace {

using enum Presence;

constexpr std::string_view kName[] = {"name"};
constexpr std::string_view kType[] = {"type"};
constexpr std::string_view kTypeAndName[] = {"type", "name"};
constexpr std::string_view kProviderLabel[] = {"provider"};

constexpr BlockRow kFileBlocks[] = {
    {"terraform"},
    {"provider", kName},
    {"variable", kName},
    {"locals"},
    {"output", kName},
    {"module", kName},
    {"resource", kTypeAndName},
    {"data", kTypeAndName},
    {"ephemeral", kTypeAndName},
    {"moved"},
    {"import"},
    {"check", kName},
    {"removed"},
    {"action", kTypeAndName, Newer},
    {"list", kTypeAndName, Newer},
    {"language", {}, NewerRead},
};

constexpr ArgumentRow kTerraformArguments[] = {{"required_version"}, {"experiments"}, {"language"}};
constexpr BlockRow kTerraformBlocks[] = {
    {"backend", kType},
    {"cloud"},
    {"required_providers"},
    {"provider_meta", kProviderLabel},
};

constexpr ArgumentRow kVariableArguments[] = {
    {"description"}, {"default"},           {"type"},         {"sensitive"}, {"nullable"},
    {"ephemeral"},   {"deprecated", Newer}, {"const", Newer},
};
constexpr BlockRow kVariableBlocks[] = {{"validation"}};

constexpr ArgumentRow kOutputArguments[] = {
    {"value", Required}, {"description"}, {"sensitive"},         {"depends_on"},
    {"ephemeral"},       {"type", Newer}, {"deprecated", Newer},
};
constexpr BlockRow kOutputBlocks[] = {{"precondition"}};

constexpr ArgumentRow kProviderArguments[] = {
    {"version"}, {"alias"}, {"count", Reserved}, {"depends_on", Reserved}, {"for_each", Reserved}, {"source", Reserved},
};
constexpr BlockRow kProviderBlocks[] = {{"_"}, {"lifecycle", {}, Reserved}, {"locals", {}, Reserved}};

constexpr ArgumentRow kResourceArguments[] = {{"count"}, {"for_each"}, {"provider"}, {"depends_on"}};
constexpr BlockRow kResourceBlocks[] = {
    {"locals", {}, Reserved}, {"lifecycle"}, {"connection"}, {"provisioner", kType}, {"_"},
};
constexpr BlockRow kDataBlocks[] = {{"locals", {}, Reserved}, {"lifecycle"}, {"_"}};

constexpr ArgumentRow kLifecycleArguments[] = {
    {"create_before_destroy"}, {"prevent_destroy"}, {"ignore_changes"},
    {"replace_triggered_by"},  {"destroy", Newer},  {"enabled", Newer},
};
constexpr BlockRow kLifecycleBlocks[] = {{"precondition"}, {"postcondition"}, {"action_trigger", {}, Newer}};

constexpr ArgumentRow kProvisionerArguments[] = {{"when"}, {"on_failure"}};
constexpr BlockRow kProvisionerBlocks[] = {{"connection"}, {"lifecycle", {}, Reserved}, {"_"}};

constexpr ArgumentRow kModuleArguments[] = {
    {"source", Required}, {"version"}, {"count"}, {"for_each"}, {"depends_on"}, {"providers"},
};
constexpr BlockRow kModuleBlocks[] = {
    {"_"},
    {"lifecycle", {}, Reserved},
    {"locals", {}, Reserved},
    {"provider", kType, Reserved},
};

constexpr BlockRow kCheckBlocks[] = {{"data", kTypeAndName}, {"assert"}};
constexpr ArgumentRow kCheckRuleArguments[] = {{"condition", Required}, {"error_message", Required}};

constexpr ArgumentRow kImportArguments[] = {
    {"to", Required}, {"id"}, {"identity", Newer}, {"for_each"}, {"provider"},
};
constexpr ArgumentRow kMovedArguments[] = {{"from", Required}, {"to", Required}};

constexpr ArgumentRow kRemovedArguments[] = {{"from", Required}};
constexpr BlockRow kRemovedBlocks[] = {{"lifecycle"}, {"connection"}, {"provisioner", kType}};
constexpr ArgumentRow kRemovedLifecycleArguments[] = {{"destroy"}};

constexpr ArgumentRow kLanguageArguments[] = {{"edition"}, {"experiments"}};
constexpr BlockRow kLanguageBlocks[] = {{"compatible_with"}};

constexpr BlockRow kTestFileBlocks[] = {
    {"run", kName},        {"variables"},     {"provider", kName}, {"mock_provider", kName},
    {"override_resource"}, {"override_data"}, {"override_module"}, {"test", {}, Newer},
};
constexpr ArgumentRow kTestRunArguments[] = {
    {"command"}, {"providers"}, {"expect_failures"}, {"state_key"}, {"parallel", Newer},
};
constexpr BlockRow kTestRunBlocks[] = {
    {"plan_options"},      {"variables"},     {"module"},          {"assert"},
    {"override_resource"}, {"override_data"}, {"override_module"},
};
constexpr ArgumentRow kTestPlanOptionsArguments[] = {{"mode"}, {"refresh"}, {"replace"}, {"target"}};
constexpr ArgumentRow kTestModuleArguments[] = {{"source"}, {"version"}};
constexpr ArgumentRow kMockProviderArguments[] = {{"alias"}, {"source"}, {"override_during"}};
constexpr BlockRow kMockDataBlocks[] = {
    {"mock_resource", kType},
    {"mock_data", kType},
    {"override_resource"},
    {"override_data"},
};
constexpr ArgumentRow kMockArguments[] = {{"defaults"}, {"override_during"}};
constexpr ArgumentRow kOverrideArguments[] = {{"target"}, {"values"}, {"override_during"}};
constexpr ArgumentRow kOverrideModuleArguments[] = {{"target"}, {"outputs"}, {"override_during"}};

constexpr ArgumentRow kDynamicArguments[] = {{"for_each", Required}, {"iterator"}, {"labels"}};
constexpr BlockRow kDynamicBlocks[] = {{"content"}};

}  // namespace

const BodySchema kFile{"a configuration file", {}, kFileBlocks};
const BodySchema kTerraform{"a `terraform` block", kTerraformArguments, kTerraformBlocks};
const BodySchema kVariable{"a `variable` block", kVariableArguments, kVariableBlocks};
const BodySchema kOutput{"an `output` block", kOutputArguments, kOutputBlocks};
const BodySchema kProvider{"a `provider` block", kProviderArguments, kProviderBlocks, true};
const BodySchema kResource{"a `resource` block", kResourceArguments, kResourceBlocks, true};
const BodySchema kData{"a `data` block", kResourceArguments, kDataBlocks, true};
const BodySchema kEphemeral{"an `ephemeral` block", kResourceArguments, kDataBlocks, true};
const BodySchema kLifecycle{"a `lifecycle` block", kLifecycleArguments, kLifecycleBlocks};
const BodySchema kProvisioner{"a `provisioner` block", kProvisionerArguments, kProvisionerBlocks, true};
const BodySchema kModule{"a `module` block", kModuleArguments, kModuleBlocks, true};
const BodySchema kCheck{"a `check` block", {}, kCheckBlocks};
const BodySchema kCheckRule{"a condition", kCheckRuleArguments, {}};
const BodySchema kImport{"an `import` block", kImportArguments, {}};
const BodySchema kMoved{"a `moved` block", kMovedArguments, {}};
const BodySchema kRemoved{"a `removed` block", kRemovedArguments, kRemovedBlocks};
const BodySchema kRemovedLifecycle{"a `lifecycle` block", kRemovedLifecycleArguments, {}};
const BodySchema kDynamic{"a `dynamic` block", kDynamicArguments, kDynamicBlocks};

const BodySchema kLanguage{"a `language` block", kLanguageArguments, kLanguageBlocks};
const BodySchema kTestFile{"a test file", {}, kTestFileBlocks};
const BodySchema kTestRun{"a `run` block", kTestRunArguments, kTestRunBlocks};
const BodySchema kTestPlanOptions{"a `plan_options` block", kTestPlanOptionsArguments, {}};
const BodySchema kTestModule{"a `module` block of a run", kTestModuleArguments, {}};
const BodySchema kMockProvider{"a `mock_provider` block", kMockProviderArguments, kMockDataBlocks};
const BodySchema kMockData{"a file of mock data", {}, kMockDataBlocks};
const BodySchema kMock{"a mock", kMockArguments, {}};
const BodySchema kOverride{"an override", kOverrideArguments, {}};
const BodySchema kOverrideModule{"an override of a module", kOverrideModuleArguments, {}};

}  // namespace pravo::load::schema
