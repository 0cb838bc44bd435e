# Language, warnings, sanitizers, and what makes builds and start-up fast.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_CXX_SCAN_FOR_MODULES OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin")

# -O2: -O3 makes the binary larger and slower to start, for no gain in the hot loops. Debug keeps -O1, because
# goldens under the sanitizers take minutes without it.
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG")
set(CMAKE_CXX_FLAGS_DEBUG "-O1 -g1 -fno-omit-frame-pointer")

add_compile_options(-Wall -Wextra -ffunction-sections -fdata-sections)
if(PRAVO_WERROR)
  add_compile_options(-Werror)
endif()
# Shared libraries cost at every start, so only those that are really used may stay.
add_link_options(-Wl,--gc-sections -Wl,--as-needed)

if(PRAVO_SANITIZE)
  add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=all)
  add_link_options(-fsanitize=address,undefined)
  # The assertions of libstdc++ find what AddressSanitizer cannot: an index past size() but within the capacity.
  add_compile_definitions(_GLIBCXX_ASSERTIONS)
  # GCC reports variables as maybe uninitialised and null as dereferenced on paths that only its own instrumentation adds.
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    add_compile_options(-Wno-maybe-uninitialized -Wno-null-dereference)
  endif()
endif()

if(PRAVO_FUZZ)
  if(NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "PRAVO_FUZZ needs clang: configure with -DCMAKE_CXX_COMPILER=clang++")
  endif()
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()

find_program(PRAVO_MOLD mold)
if(PRAVO_MOLD AND NOT CMAKE_CXX_FLAGS MATCHES "-fuse-ld")
  add_link_options(-fuse-ld=mold)
endif()

find_program(PRAVO_CCACHE ccache)
if(PRAVO_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # Without these two an object is only ever found again from the same build folder.
  set(CMAKE_CXX_COMPILER_LAUNCHER
    env "CCACHE_BASEDIR=${PROJECT_SOURCE_DIR}" CCACHE_NOHASHDIR=1 "${PRAVO_CCACHE}")
endif()

if(PRAVO_TIDY)
  find_program(PRAVO_CLANG_TIDY NAMES clang-tidy-14 clang-tidy REQUIRED)
  # Set per target in PravoTargets: generated and third-party sources are not linted.
  set(PRAVO_TIDY_COMMAND "${PRAVO_CLANG_TIDY};--quiet;--warnings-as-errors=*")
endif()
