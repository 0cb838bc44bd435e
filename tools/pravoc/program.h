// The whole program, for main() and for programs of tests that bring more providers.
#pragma once

#include "tools/pravoc/session.h"

namespace pravo::cli {

// Runs what the command line says; the exit code.
int run_program(Session& session, int argc, char** argv);

}  // namespace pravo::cli
