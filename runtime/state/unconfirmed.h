// Objects that may exist although no state knows them: a run was killed between the request to create one and the
// answer. They are kept in a file beside the state, a line each, until a user has looked and takes the line away.
#pragma once

#include <string>
#include <vector>

#include <sys/types.h>

#include "runtime/state/file_io.h"

namespace pravo::runtime {

struct UnconfirmedObject {
  std::string address;
  std::string begun;    // RFC 3339: when the creation was
  std::string who;      // user@host of the run
  std::string lineage;  // of the state that it belongs to

  bool operator==(const UnconfirmedObject&) const = default;
};

// None where there is no such file. A line that is damaged is left out.
std::vector<UnconfirmedObject> read_unconfirmed(const std::string& path, FileError& error);

// Adds those that are not there yet. False, with the error, when they are not on the disk.
bool add_unconfirmed(const std::string& path, const std::vector<UnconfirmedObject>& objects, mode_t new_mode,
                     FileError& error);

}  // namespace pravo::runtime
