// pravoc: the command line.
#include "tools/pravoc/program.h"

int main(int argc, char** argv) {
  pravo::cli::Session session;
  return pravo::cli::run_program(session, argc, argv);
}
