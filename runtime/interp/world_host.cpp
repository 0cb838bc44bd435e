#include "runtime/interp/world_host.h"

#include <chrono>
#include <cstdlib>
#include <filesystem>

#include <fcntl.h>
#include <fmt/format.h>
#include <pwd.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ir/limits.h"
#include "runtime/interp/interpreter.h"
#include "runtime/run.h"
#include "runtime/state/file_io.h"

namespace pravo::runtime {

namespace {

constexpr size_t kMaxTemplates = 1000;
constexpr size_t kMaxKeptTemplate = size_t{64} << 10;
constexpr uint64_t kStepsPerTemplate = 200;  // what rendering costs beside its text

// A template knows no resources.
class NoEffects : public EffectSource {
 public:
  EffectResult instance(ModuleInstance&, uint32_t, uint32_t) override { return {}; }
  EffectResult all_instances(ModuleInstance&, uint32_t) override { return {}; }
  Result<Value> call_provider_function(std::string_view, std::span<const Value>) override {
    return fail(EvalErrorKind::Refused, "functions of providers are not available in a template");
  }
};

}  // namespace

std::string WorldHost::resolve(std::string_view path) const {
  if (path.starts_with('/') || options_.directory.empty() || options_.directory == ".") return std::string(path);
  return fmt::format("{}/{}", options_.directory, path);
}

Result<bool> WorldHost::read_file(std::string_view path, TakePart take) {
  auto failed = [] { return fail(EvalErrorKind::Host, errno == ENOENT ? "no such file" : error_text(errno)); };
  FileHandle fd(::open(resolve(path).c_str(), O_RDONLY | O_CLOEXEC));
  struct stat info {};
  if (!fd.valid() || ::fstat(fd.get(), &info) != 0) return failed();
  if (S_ISDIR(info.st_mode)) return fail(EvalErrorKind::Host, "it is a directory");
  std::vector<char> buffer(size_t{1} << 16);
  uint64_t total = 0;
  while (true) {
    ssize_t n = ::read(fd.get(), buffer.data(), buffer.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return failed();
    if (n == 0) return true;
    total += static_cast<uint64_t>(n);
    if (!take({buffer.data(), static_cast<size_t>(n)})) return true;
    if (!S_ISREG(info.st_mode) && total > kMaxStream)
      return fail(EvalErrorKind::Host,
                  fmt::format("it is no regular file, and has more than {} MiB", kMaxStream >> 20));
  }
}

Result<EvalHost::FileKind> WorldHost::file_kind(std::string_view path) {
  struct stat info {};
  if (::stat(resolve(path).c_str(), &info) != 0) {
    if (errno == ENOENT || errno == ENOTDIR) return FileKind::None;
    return fail(EvalErrorKind::Host, error_text(errno));
  }
  if (S_ISREG(info.st_mode)) return FileKind::Regular;
  return S_ISDIR(info.st_mode) ? FileKind::Directory : FileKind::Other;
}

Result<std::vector<std::string>> WorldHost::list_files(std::string_view directory, int pattern_depth) {
  namespace fs = std::filesystem;
  fs::path root = resolve(directory);
  std::error_code error;
  std::vector<std::string> out;
  // What is no directory has no files.
  if (!fs::is_directory(root, error)) return out;
  fs::recursive_directory_iterator at(root, fs::directory_options::none, error);
  if (error) return fail(EvalErrorKind::Host, error_text(error.value()));
  for (; at != fs::recursive_directory_iterator(); at.increment(error)) {
    if (error) return fail(EvalErrorKind::Host, error_text(error.value()));
    if (pattern_depth >= 0 && at.depth() >= pattern_depth) at.disable_recursion_pending();
    std::error_code ignored;
    if (at->is_regular_file(ignored)) out.push_back(at->path().lexically_relative(root).generic_string());
  }
  return out;
}

Result<std::string> WorldHost::working_directory() {
  std::error_code error;
  std::filesystem::path path = std::filesystem::absolute(options_.directory, error).lexically_normal();
  if (error) return fail(EvalErrorKind::Host, error_text(error.value()));
  std::string text = path.string();
  while (text.size() > 1 && text.ends_with('/')) text.pop_back();
  return text;
}

Result<std::string> WorldHost::home_directory() {
  if (const char* home = std::getenv("HOME"); home != nullptr && *home != '\0') return std::string(home);
  const passwd* user = ::getpwuid(::geteuid());
  if (user == nullptr || user->pw_dir == nullptr) return fail(EvalErrorKind::Host, "there is no home directory");
  return std::string(user->pw_dir);
}

Result<Moment> WorldHost::now() {
  auto since = std::chrono::system_clock::now().time_since_epoch();
  auto nanoseconds = std::chrono::duration_cast<std::chrono::nanoseconds>(since).count();
  return Moment{nanoseconds / 1'000'000'000, static_cast<uint32_t>(nanoseconds % 1'000'000'000)};
}

Result<bool> WorldHost::random(std::span<uint8_t> bytes) {
  while (!bytes.empty()) {
    ssize_t n = ::getrandom(bytes.data(), bytes.size(), 0);
    if (n < 0 && errno != EINTR) return fail(EvalErrorKind::Host, error_text(errno));
    if (n > 0) bytes = bytes.subspan(static_cast<size_t>(n));
  }
  return true;
}

Result<Value> WorldHost::render_template(std::string_view text, std::string_view name, const Value& variables) {
  if (options_.compiler == nullptr) return fail(EvalErrorKind::Refused, "templates cannot be read here");
  if (variables.kind() != ValueKind::Object && variables.kind() != ValueKind::Map)
    return fail(EvalErrorKind::Type, "the variables of a template must be an object or a map", 1);
  if (!spend(kStepsPerTemplate + text.size())) return too_many_steps();
  std::vector<std::string> names;
  for (const Str& key : variables.keys().all()) names.emplace_back(key.view());
  std::string key;
  for (const std::string& variable : names) key += fmt::format("{}:{}", variable.size(), variable);
  key += '\n';
  key += text;
  std::shared_ptr<const Program> program;
  if (auto found = templates_.find(key); found != templates_.end()) {
    program = found->second;
  } else {
    PRAVO_TRY(compiled, options_.compiler->compile_template(text, name, names));
    program = std::move(compiled);
    if (templates_.size() >= kMaxTemplates) templates_.clear();
    if (text.size() <= kMaxKeptTemplate) templates_.emplace(std::move(key), program);
  }

  InterpreterOptions options;
  options.inputs_as_given = true;
  for (const VariableInfo& variable : program->bodies[0]->variables)
    if (const Value* value = variables.find(program->text(variable.name)))
      options.inputs.push_back({variable.name, *value});
  NoEffects effects;
  Interpreter interpreter(*program, effects, *this, std::move(options));
  const ModuleBody& body = *program->bodies[0];
  PRAVOC_CHECK(body.outputs.size() == 1);
  Evaluated result = interpreter.evaluate(interpreter.root(), body.operand(body.outputs[0].inst, 0));
  if (result.ready()) return std::move(result.value);
  Diagnostics diags;
  if (result.failed()) interpreter.report(result.fault, diags);
  return fail(EvalErrorKind::Value,
              fmt::format("in the template {}: {}", name,
                          diags.empty() ? std::string("it cannot be evaluated") : diags.all().front().message));
}

}  // namespace pravo::runtime
