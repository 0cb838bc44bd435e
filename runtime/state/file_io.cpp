#include "runtime/state/file_io.h"

#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

namespace pravo::runtime {

FileHandle& FileHandle::operator=(FileHandle&& other) noexcept {
  if (this != &other) {
    reset();
    fd_ = other.release();
  }
  return *this;
}

int FileHandle::release() { return std::exchange(fd_, -1); }

void FileHandle::reset() {
  if (fd_ >= 0) ::close(fd_);
  fd_ = -1;
}

std::string error_text(int code) {
  char buffer[256];
  std::string text = strerror_r(code, buffer, sizeof buffer);
  if (text.size() > 1 && std::islower(static_cast<unsigned char>(text[1])))
    text[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(text[0])));
  return text;
}

namespace {

bool fail(FileError& error, std::string_view verb, const std::string& path) {
  int code = errno;
  error = {code, fmt::format("cannot {} `{}`: {}", verb, path, error_text(code))};
  return false;
}

std::string follow_links(const std::string& path) {
  char* real = ::realpath(path.c_str(), nullptr);
  if (real == nullptr) return path;
  std::string out(real);
  std::free(real);
  return out;
}

// Nobody has a state or a plan of this size; a file that claims it is a mistake, and would only fill the memory.
constexpr uint64_t kMaxFile = uint64_t{1} << 32;
// A device or a pipe may never end.
constexpr uint64_t kMaxStream = uint64_t{64} << 20;

bool write_in_place(const std::string& path, std::string_view contents, mode_t mode, FileError& error) {
  FileHandle fd(::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, mode));
  if (!fd.valid() || !write_all(fd.get(), contents)) return fail(error, "write", path);
  // A pipe or a device has neither an end to cut nor a disk to reach.
  struct stat info {};
  if (::fstat(fd.get(), &info) == 0 && !S_ISREG(info.st_mode)) return true;
  if (::ftruncate(fd.get(), static_cast<off_t>(contents.size())) != 0 || ::fsync(fd.get()) != 0)
    return fail(error, "write", path);
  return true;
}

}  // namespace

bool write_all(int fd, std::string_view contents) {
  while (!contents.empty()) {
    ssize_t n = ::write(fd, contents.data(), contents.size());
    if (n < 0) {
      if (errno == EINTR) continue;
      return false;
    }
    contents.remove_prefix(static_cast<size_t>(n));
  }
  return true;
}

bool sync_directory(const std::string& directory) {
  FileHandle fd(::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  return fd.valid() && ::fsync(fd.get()) == 0;
}

std::optional<std::string> read_file(const std::string& path, FileError& error) {
  error = {};
  FileHandle fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd.valid()) {
    if (errno != ENOENT) fail(error, "read", path);
    return std::nullopt;
  }
  struct stat info {};
  if (::fstat(fd.get(), &info) != 0) {
    fail(error, "read", path);
    return std::nullopt;
  }
  const bool regular = S_ISREG(info.st_mode);
  const uint64_t limit = regular ? kMaxFile : kMaxStream;
  auto too_large = [&] {
    error = {EFBIG, fmt::format("cannot read `{}`: it {} more than {} MiB", path,
                                regular ? "has" : "is no regular file, and has", limit >> 20)};
    return std::nullopt;
  };
  if (regular && static_cast<uint64_t>(info.st_size) > limit) return too_large();
  std::string out;
  if (regular) out.reserve(static_cast<size_t>(info.st_size) + 1);
  char buffer[1 << 16];
  while (true) {
    ssize_t n = ::read(fd.get(), buffer, sizeof buffer);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) {
      fail(error, "read", path);
      return std::nullopt;
    }
    if (n == 0) return out;
    if (out.size() + static_cast<size_t>(n) > limit) return too_large();
    out.append(buffer, static_cast<size_t>(n));
  }
}

bool write_file_atomic(const std::string& path, std::string_view contents, const WriteOptions& options,
                       FileError& error) {
  error = {};
  std::string target = follow_links(path);
  struct stat old {};
  bool exists = ::stat(target.c_str(), &old) == 0;
  mode_t mode = exists ? old.st_mode & 07777 : options.new_mode;
  // Whoever names a pipe or a device wants it written to, not replaced.
  if (exists && !S_ISREG(old.st_mode)) return write_in_place(target, contents, mode, error);

  std::string name = fmt::format("{}/.{}.new-XXXXXX", directory_of(target), base_name_of(target));
  FileHandle fd(::mkostemp(name.data(), O_CLOEXEC));
  if (!fd.valid()) {
    // A file in a directory that takes no other can only be written over.
    if (exists && (errno == EACCES || errno == EPERM || errno == EROFS))
      return write_in_place(target, contents, mode, error);
    return fail(error, "write beside", target);
  }
  auto discard = [&](std::string_view verb) {
    fail(error, verb, target);
    ::unlink(name.c_str());
    return false;
  };
  // Another user's file stays theirs where we may give it away; it is no fault where we may not.
  if (exists && (old.st_uid != ::geteuid() || old.st_gid != ::getegid()) &&
      ::fchown(fd.get(), old.st_uid, old.st_gid) != 0)
    errno = 0;
  if (::fchmod(fd.get(), mode) != 0) return discard("set the mode of");
  if (!write_all(fd.get(), contents)) return discard("write");
  if (::fsync(fd.get()) != 0) return discard("write");
  if (options.prepare != nullptr && !options.prepare(fd.get())) return discard("lock");
  if (::rename(name.c_str(), target.c_str()) != 0) {
    if (errno != EBUSY) return discard("replace");
    // The copy beside it is whole, should this be cut off half way.
    bool written = write_in_place(target, contents, mode, error);
    ::unlink(name.c_str());
    return written;
  }
  if (options.keep != nullptr) *options.keep = std::move(fd);
  sync_directory(directory_of(target));
  return true;
}

bool is_special_file(const std::string& path) {
  struct stat info {};
  return ::stat(path.c_str(), &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode);
}

std::string directory_of(const std::string& path) {
  size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

std::string base_name_of(const std::string& path) {
  size_t slash = path.rfind('/');
  return slash == std::string::npos ? path : path.substr(slash + 1);
}

}  // namespace pravo::runtime
