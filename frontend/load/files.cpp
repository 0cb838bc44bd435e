#include "frontend/load/files.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <filesystem>
#include <memory>
#include <system_error>
#include <thread>

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <llvm/ADT/SmallVector.h>

namespace pravo::load {

namespace {

// Places are 32-bit offsets, and a configuration file beyond this is a mistake.
constexpr off_t kMaxFileBytes = off_t{1} << 30;
// A pipe or a device may never end.
constexpr size_t kMaxStreamBytes = size_t{64} << 20;

struct CloseDirectory {
  void operator()(DIR* directory) const { closedir(directory); }
};

// Why a file cannot be opened. That one is missing says nothing to who sees its name in the directory.
std::string open_error(const std::string& path, int error) {
  std::error_code ignored;
  if (error == ENOENT && std::filesystem::is_symlink(path, ignored)) {
    std::string target = std::filesystem::read_symlink(path, ignored).string();
    if (!target.empty()) return "it is a symbolic link to `" + target + "`, which does not exist";
  }
  return system_error(error);
}

class FileDescriptor {
 public:
  explicit FileDescriptor(int fd) : fd_(fd) {}
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;
  ~FileDescriptor() {
    if (fd_ >= 0) close(fd_);
  }
  int get() const { return fd_; }

 private:
  int fd_;
};

// Hidden files, and what editors leave behind.
bool is_ignored(std::string_view name) {
  return name.starts_with('.') || name.ends_with('~') || (name.starts_with('#') && name.ends_with('#'));
}

// `name` without `suffix` if it ends so and is longer.
bool strip(std::string_view& name, std::string_view suffix) {
  if (name.size() <= suffix.size() || !name.ends_with(suffix)) return false;
  name.remove_suffix(suffix.size());
  return true;
}

// Whether it is one that is listed.
bool sort_into(DirectoryFiles& files, std::string_view name) {
  if (is_ignored(name)) return false;
  std::string_view stem = name;
  if (strip(stem, ".tf") || strip(stem, ".tf.json")) {
    bool override_file = stem == "override" || stem.ends_with("_override");
    (override_file ? files.overrides : files.primary).emplace_back(name);
  } else if (strip(stem, ".tofu") || strip(stem, ".tofu.json")) {
    files.tofu.emplace_back(name);
  } else if (strip(stem, ".tftest.hcl") || strip(stem, ".tftest.json")) {
    files.tests.emplace_back(name);
  } else if (strip(stem, ".tfmock.hcl") || strip(stem, ".tfmock.json")) {
    files.mocks.emplace_back(name);
  } else if (stem.ends_with(".auto.tfvars") || stem.ends_with(".auto.tfvars.json")) {
    files.tfvars.emplace_back(name);
  } else {
    return false;
  }
  return true;
}

}  // namespace

std::string system_error(int error) {
  std::string text = std::generic_category().message(error);
  if (text.size() > 1 && text[0] >= 'A' && text[0] <= 'Z' && !(text[1] >= 'A' && text[1] <= 'Z'))
    text[0] = static_cast<char>(text[0] - 'A' + 'a');
  return text;
}

DirectoryFiles list_directory(const std::string& path) {
  DirectoryFiles files;
  std::unique_ptr<DIR, CloseDirectory> directory(opendir(path.c_str()));
  if (!directory) {
    files.error = system_error(errno);
    return files;
  }
  while (true) {
    errno = 0;
    const dirent* entry = readdir(directory.get());
    if (entry == nullptr) {
      if (errno != 0) files.error = system_error(errno);
      break;
    }
    if (entry->d_type == DT_DIR) continue;
    if (sort_into(files, entry->d_name) && entry->d_type != DT_REG) files.all_regular = false;
  }
  for (auto* list : {&files.primary, &files.overrides, &files.tofu, &files.tests, &files.mocks, &files.tfvars})
    std::sort(list->begin(), list->end());
  return files;
}

FileText read_file(const std::string& path) {
  FileText result;
  // Opening a named pipe must not wait for its other end.
  FileDescriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file.get() < 0) {
    result.error = open_error(path, errno);
    return result;
  }
  struct stat info {};
  if (fstat(file.get(), &info) != 0) {
    result.error = system_error(errno);
    return result;
  }
  if (S_ISDIR(info.st_mode)) {
    result.error = system_error(EISDIR);
    return result;
  }
  // A pipe is how a shell hands over the output of a command: <(command).
  bool stream = S_ISFIFO(info.st_mode) || S_ISCHR(info.st_mode);
  if (!stream && !S_ISREG(info.st_mode)) {
    result.error = "it is no regular file";
    return result;
  }
  if (info.st_size > kMaxFileBytes) {
    result.error = "it is larger than 1 GiB";
    return result;
  }
  if (stream) fcntl(file.get(), F_SETFL, 0);
  constexpr size_t kChunk = 64 * 1024;
  size_t expected = static_cast<size_t>(info.st_size);
  result.text.resize(expected > 0 ? expected + 1 : kChunk);
  size_t size = 0;
  while (true) {
    ssize_t got = read(file.get(), result.text.data() + size, result.text.size() - size);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) {
      result.error = system_error(errno);
      result.text.clear();
      return result;
    }
    if (got == 0) break;
    size += static_cast<size_t>(got);
    if (size > (stream ? kMaxStreamBytes : static_cast<size_t>(kMaxFileBytes))) {
      result.error = stream ? "it is no regular file, and has more than 64 MiB" : "it is larger than 1 GiB";
      result.text.clear();
      return result;
    }
    // Less than asked for is the end of a regular file.
    if (!stream && size < result.text.size()) break;
    if (size == result.text.size()) result.text.resize(size * 2);
  }
  result.text.resize(size);
  return result;
}

FileText read_regular_file(const std::string& path) {
  // One that fits is read at once, and less than was asked for is its end.
  constexpr size_t kSmall = 16 * 1024;
  char buffer[kSmall];
  FileText result;
  FileDescriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  ssize_t got = -1;
  if (file.get() >= 0) {
    do {
      got = read(file.get(), buffer, kSmall);
    } while (got < 0 && errno == EINTR);
  }
  if (got < 0)
    result.error = file.get() < 0 ? open_error(path, errno) : system_error(errno);
  else if (static_cast<size_t>(got) < kSmall)
    result.text.assign(buffer, static_cast<size_t>(got));
  else
    return read_file(path);
  return result;
}

void parallel_for(size_t count, unsigned threads, llvm::function_ref<void(size_t)> f) {
  if (threads == 0) threads = std::max(1u, std::thread::hardware_concurrency());
  // A thread costs more than a few small files.
  size_t workers = std::min<size_t>(threads, (count + 3) / 4);
  if (workers <= 1) {
    for (size_t i = 0; i < count; ++i) f(i);
    return;
  }
  std::atomic<size_t> next{0};
  auto work = [&] {
    for (size_t i = next.fetch_add(1); i < count; i = next.fetch_add(1)) f(i);
  };
  std::vector<std::thread> pool;
  pool.reserve(workers - 1);
  for (size_t i = 1; i < workers; ++i) pool.emplace_back(work);
  work();
  for (std::thread& thread : pool) thread.join();
}

std::string join_path(std::string_view directory, std::string_view path) {
  std::string joined(path);
  if (!path.starts_with('/')) joined = std::string(directory) + '/' + joined;
  bool absolute = joined.starts_with('/');
  llvm::SmallVector<std::string_view, 16> parts;
  for (size_t at = 0; at <= joined.size();) {
    size_t slash = std::min(joined.find('/', at), joined.size());
    std::string_view part = std::string_view(joined).substr(at, slash - at);
    at = slash + 1;
    if (part.empty() || part == ".") continue;
    if (part == ".." && !parts.empty() && parts.back() != "..") {
      parts.pop_back();
      continue;
    }
    if (part == ".." && absolute) continue;
    parts.push_back(part);
  }
  std::string out = absolute ? "/" : "";
  for (std::string_view part : parts) {
    if (!out.empty() && out.back() != '/') out += '/';
    out += part;
  }
  return out.empty() ? "." : out;
}

}  // namespace pravo::load
