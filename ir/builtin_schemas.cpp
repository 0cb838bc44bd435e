#include "ir/builtin_schemas.h"

#include <memory>
#include <utility>

namespace pravo {

namespace {

enum Usage : uint8_t { kRequired = 1, kOptional = 2, kComputed = 4, kSensitive = 8, kWriteOnly = 16 };

SchemaAttribute attribute(std::string_view name, Type type, unsigned usage) {
  SchemaAttribute a;
  a.name = name;
  a.type = std::move(type);
  a.required = (usage & kRequired) != 0;
  a.optional = (usage & kOptional) != 0;
  a.computed = (usage & kComputed) != 0;
  a.sensitive = (usage & kSensitive) != 0;
  a.write_only = (usage & kWriteOnly) != 0;
  return a;
}

// Computed, and the same as `of` or, unless that is known, of its marks.
SchemaAttribute echo(std::string_view name, Type type, std::string_view of) {
  SchemaAttribute a = attribute(name, std::move(type), kComputed);
  a.echo_of = of;
  return a;
}

SchemaAttribute nested(std::string_view name, NestingMode nesting, unsigned usage,
                       std::vector<SchemaAttribute> attributes) {
  SchemaObject object;
  object.nesting = nesting;
  object.block.attributes = std::move(attributes);
  object.block.finish();
  SchemaAttribute a = attribute(name, Type(), usage);
  set_nested(a, std::move(object));
  return a;
}

SchemaBlock block(std::vector<SchemaAttribute> attributes, std::vector<SchemaNestedBlock> blocks = {}) {
  SchemaBlock b;
  b.attributes = std::move(attributes);
  b.blocks = std::move(blocks);
  b.finish();
  return b;
}

// An SSH connection for as long as a phase runs, with a local TCP port for each remote one.
SchemaBlock ssh_tunnels() {
  SchemaNestedBlock forward;
  forward.name = "tcp_local_to_remote";
  forward.nesting = NestingMode::Map;
  forward.block.attributes = {
      attribute("local", Type::string(), kOptional),   // where to listen; a free port of 127.0.0.1
      attribute("remote", Type::string(), kRequired),  // what the server connects to
  };
  return block(
      {
          attribute("server", Type::string(), kRequired),
          attribute("username", Type::string(), kRequired),
          nested("auth_methods", NestingMode::List, kRequired,
                 {
                     attribute("password", Type::string(), kOptional | kSensitive),
                     attribute("private_key", Type::string(), kOptional | kSensitive),
                 }),
          attribute("tcp_to_remote", Type::map(Type::object({{"local", Type::string()}})), kComputed),
      },
      {std::move(forward)});
}

ProviderSchema terraform_provider() {
  const Type any = Type::dynamic();
  const Type string = Type::string();
  ProviderSchema p;
  p.provider.finish();
  p.resources["terraform_data"].block = block({
      attribute("id", string, kComputed),
      attribute("input", any, kOptional),
      echo("output", any, "input"),
      attribute("triggers_replace", any, kOptional),
  });
  p.data_sources["terraform_remote_state"].block = block({
      attribute("backend", string, kRequired),
      attribute("config", any, kOptional),
      attribute("defaults", any, kOptional),
      echo("outputs", any, "defaults"),
      attribute("workspace", string, kOptional),
  });
  p.ephemeral_resources["terraform_ssh_tunnels"].block = ssh_tunnels();
  p.functions["encode_tfvars"] = {{{"value", any, false}}, std::nullopt, string};
  p.functions["decode_tfvars"] = {{{"src", string, false}}, std::nullopt, any};
  p.functions["encode_expr"] = {{{"value", any, false}}, std::nullopt, string};
  return p;
}

struct Provisioners {
  SchemaBlock file = block({
      attribute("source", Type::string(), kOptional),
      attribute("content", Type::string(), kOptional),
      attribute("destination", Type::string(), kRequired),
  });
  SchemaBlock local_exec = block({
      attribute("command", Type::string(), kRequired),
      attribute("interpreter", Type::list(Type::string()), kOptional),
      attribute("working_dir", Type::string(), kOptional),
      attribute("environment", Type::map(Type::string()), kOptional),
      attribute("quiet", Type::boolean(), kOptional),
  });
  SchemaBlock remote_exec = block({
      attribute("inline", Type::list(Type::string()), kOptional),
      attribute("script", Type::string(), kOptional),
      attribute("scripts", Type::list(Type::string()), kOptional),
  });
};

SchemaBlock connection() {
  std::vector<SchemaAttribute> attributes = {attribute("host", Type::string(), kRequired)};
  for (std::string_view text : {"type",
                                "user",
                                "password",
                                "timeout",
                                "script_path",
                                "target_platform",
                                "private_key",
                                "certificate",
                                "host_key",
                                "agent_identity",
                                "proxy_scheme",
                                "proxy_host",
                                "proxy_user_name",
                                "proxy_user_password",
                                "bastion_host",
                                "bastion_host_key",
                                "bastion_user",
                                "bastion_password",
                                "bastion_private_key",
                                "bastion_certificate",
                                "cacert"})
    attributes.push_back(attribute(text, Type::string(), kOptional));
  for (std::string_view number : {"port", "proxy_port", "bastion_port"})
    attributes.push_back(attribute(number, Type::number(), kOptional));
  for (std::string_view flag : {"agent", "https", "insecure", "use_ntlm"})
    attributes.push_back(attribute(flag, Type::boolean(), kOptional));
  return block(std::move(attributes));
}

}  // namespace

const ProviderSchema* find_builtin_provider(std::string_view address) {
  if (address != kBuiltinProvider) return nullptr;
  static const ProviderSchema schema = terraform_provider();
  return &schema;
}

const SchemaBlock* find_provisioner_schema(std::string_view type) {
  static const Provisioners schemas;
  if (type == "file") return &schemas.file;
  if (type == "local-exec") return &schemas.local_exec;
  if (type == "remote-exec") return &schemas.remote_exec;
  return nullptr;
}

std::vector<std::string_view> provisioner_names() { return {"file", "local-exec", "remote-exec"}; }

const SchemaBlock& connection_schema() {
  static const SchemaBlock schema = connection();
  return schema;
}

}  // namespace pravo
