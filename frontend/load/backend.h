// The `backend` block of the root module: constants all of them, since the state is found before anything is
// evaluated. The arguments of the local backend are known here, those of others are not.
#pragma once

#include <string>

#include "frontend/load/config.h"
#include "ir/diagnostics.h"
#include "ir/names.h"
#include "ir/source.h"

namespace pravo::load {

// Where the local backend keeps states; the defaults are those of no backend block at all.
struct LocalBackend {
  std::string path = "terraform.tfstate";             // of the default workspace
  std::string workspace_dir = "terraform.tfstate.d";  // of all others: DIR/WORKSPACE/terraform.tfstate
};

// Reports references, calls, and arguments that the local backend does not have. The result means something only
// where the backend is `local` or there is none.
LocalBackend read_backend(const Configuration& configuration, const SourceManager& sources, const Names& names,
                          Diagnostics& diags);

}  // namespace pravo::load
