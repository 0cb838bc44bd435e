// Files that must not be lost: reading whole files, writing by way of a new file that replaces the old one.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <sys/types.h>

namespace pravo::runtime {

// Closes a file descriptor.
class FileHandle {
 public:
  FileHandle() = default;
  explicit FileHandle(int fd) : fd_(fd) {}
  FileHandle(FileHandle&& other) noexcept : fd_(other.release()) {}
  FileHandle& operator=(FileHandle&& other) noexcept;
  FileHandle(const FileHandle&) = delete;
  FileHandle& operator=(const FileHandle&) = delete;
  ~FileHandle() { reset(); }

  bool valid() const { return fd_ >= 0; }
  int get() const { return fd_; }
  int release();
  void reset();

 private:
  int fd_ = -1;
};

struct FileError {
  int code = 0;      // errno
  std::string what;  // "cannot rename `x`: permission denied"
};

// Words for an errno, lower case.
std::string error_text(int code);

// The contents, or nothing where there is no such file. On other failures `error.code` is set, also for what has no
// sensible size: more than 4 GiB, or more than 64 MiB from a pipe or a device, which may never end.
std::optional<std::string> read_file(const std::string& path, FileError& error);

struct WriteOptions {
  mode_t new_mode = 0600;  // of a file that is not there yet; an existing one keeps its mode (and owner, if it can)
  // Called with the new file's descriptor before it takes the place of the old one; false gives up.
  bool (*prepare)(int fd) = nullptr;
  // Gets the descriptor of the new file once it is in place.
  FileHandle* keep = nullptr;
};

// Replaces a file as a whole: writes a new one beside it, syncs, renames, syncs the directory. Symbolic links are
// followed. Where the directory cannot take a new file (a single mounted file, a read-only directory), writes in
// place. True: the file is on the disk.
bool write_file_atomic(const std::string& path, std::string_view contents, const WriteOptions& options,
                       FileError& error);

// For files that are written bit by bit: all of the text, and the directory's entries. False: see errno.
bool write_all(int fd, std::string_view contents);
bool sync_directory(const std::string& directory);

// Whether there is something under this name that is no regular file: a pipe, a device.
bool is_special_file(const std::string& path);

// The directory part, "." where there is none.
std::string directory_of(const std::string& path);
std::string base_name_of(const std::string& path);

}  // namespace pravo::runtime
