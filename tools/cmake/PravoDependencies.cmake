# Third-party libraries, each behind a pravo:: target, all as SYSTEM includes. An archive is preferred to a shared
# object, because every shared object costs at each start of a program whose whole run takes milliseconds.

find_package(Threads REQUIRED)

# pravo_dependency(NAME HEADER path-of-a-header [PACKAGE debian-package] [LIBS names...] [LINK targets...]
#                  [HINTS dirs...] [SHARED])
function(pravo_dependency name)
  cmake_parse_arguments(ARG "SHARED" "HEADER;PACKAGE" "LIBS;LINK;HINTS" ${ARGN})
  find_path(PRAVO_${name}_INCLUDE "${ARG_HEADER}" HINTS ${ARG_HINTS} PATH_SUFFIXES include)
  if(NOT PRAVO_${name}_INCLUDE)
    message(FATAL_ERROR "${ARG_HEADER} is missing: install ${ARG_PACKAGE} (tools/dev build does it)")
  endif()
  add_library(pravo_dep_${name} INTERFACE)
  add_library(pravo::${name} ALIAS pravo_dep_${name})
  # CMake drops this when it is a directory that the compiler searches anyway.
  target_include_directories(pravo_dep_${name} SYSTEM INTERFACE "${PRAVO_${name}_INCLUDE}")
  foreach(lib IN LISTS ARG_LIBS)
    if(ARG_SHARED)
      find_library(PRAVO_${name}_${lib}_LIB NAMES ${lib} HINTS ${ARG_HINTS} PATH_SUFFIXES lib)
    else()
      find_library(PRAVO_${name}_${lib}_LIB NAMES lib${lib}.a ${lib} HINTS ${ARG_HINTS} PATH_SUFFIXES lib)
    endif()
    if(NOT PRAVO_${name}_${lib}_LIB)
      message(FATAL_ERROR "lib${lib} is missing: install ${ARG_PACKAGE} (tools/dev build does it)")
    endif()
    target_link_libraries(pravo_dep_${name} INTERFACE "${PRAVO_${name}_${lib}_LIB}")
  endforeach()
  target_link_libraries(pravo_dep_${name} INTERFACE ${ARG_LINK})
endfunction()

pravo_dependency(zlib HEADER zlib.h PACKAGE zlib1g-dev LIBS z)
pravo_dependency(tinfo HEADER term.h PACKAGE libncurses-dev LIBS tinfo)

# Only the two archives of LLVM that hold ADT and Support. libLLVM.so would add 100 ms and 52 MB to every start, and
# LLVM's own CMake package searches libraries that Support does not need, so it is not asked.
set(PRAVO_LLVM_ROOT /usr/lib/llvm-14 CACHE PATH "where llvm-14-dev lies")
pravo_dependency(llvm HEADER llvm/ADT/SmallVector.h PACKAGE llvm-14-dev LIBS LLVMSupport LLVMDemangle
  HINTS "${PRAVO_LLVM_ROOT}"
  LINK pravo::zlib pravo::tinfo Threads::Threads ${CMAKE_DL_LIBS})

pravo_dependency(fmt HEADER fmt/format.h PACKAGE libfmt-dev LIBS fmt)
pravo_dependency(boost HEADER boost/multiprecision/cpp_bin_float.hpp PACKAGE libboost-dev)
pravo_dependency(json HEADER nlohmann/json.hpp PACKAGE nlohmann-json3-dev)
pravo_dependency(re2 HEADER re2/re2.h PACKAGE libre2-dev LIBS re2 LINK Threads::Threads)
pravo_dependency(utf8proc HEADER utf8proc.h PACKAGE libutf8proc-dev LIBS utf8proc)
pravo_dependency(yaml HEADER yaml.h PACKAGE libyaml-dev LIBS yaml)
pravo_dependency(crypt HEADER crypt.h PACKAGE libcrypt-dev LIBS crypt)
pravo_dependency(crypto HEADER openssl/evp.h PACKAGE libssl-dev LIBS ssl crypto
  LINK Threads::Threads ${CMAKE_DL_LIBS})
pravo_dependency(uuid HEADER uuid/uuid.h PACKAGE uuid-dev LIBS uuid)

# The runtime's Vocabulary has const members that only GCC default-initialises. Clang, which tidy and the fuzzers need,
# gets a copy of the headers with these members initialised; the layout is the same.
set(PRAVO_ANTLR_INCLUDE_DIR /usr/include/antlr4-runtime CACHE PATH "headers of the ANTLR runtime")
set(antlr_include "${PRAVO_ANTLR_INCLUDE_DIR}")
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang" AND EXISTS "${antlr_include}/Vocabulary.h")
  set(antlr_include "${PROJECT_BINARY_DIR}/generated/antlr-runtime")
  file(COPY "${PRAVO_ANTLR_INCLUDE_DIR}/" DESTINATION "${antlr_include}" PATTERN Vocabulary.h EXCLUDE)
  file(READ "${PRAVO_ANTLR_INCLUDE_DIR}/Vocabulary.h" vocabulary)
  string(REGEX REPLACE "( const _[a-z]+Names);" "\\1{};" vocabulary "${vocabulary}")
  file(CONFIGURE OUTPUT "${antlr_include}/Vocabulary.h" CONTENT "${vocabulary}" @ONLY)
endif()
pravo_dependency(antlr HEADER antlr4-runtime.h PACKAGE libantlr4-runtime-dev LIBS antlr4-runtime
  HINTS "${antlr_include}" LINK pravo::uuid Threads::Threads)

pravo_dependency(readline HEADER readline/readline.h PACKAGE libreadline-dev LIBS readline LINK pravo::tinfo)
pravo_dependency(cli11 HEADER CLI/CLI.hpp PACKAGE libcli11-dev)
pravo_dependency(doctest HEADER doctest/doctest.h PACKAGE doctest-dev)
# Shared, since its archive would need ten more; --as-needed leaves it out of a program that never calls it.
pravo_dependency(archive HEADER archive.h PACKAGE libarchive-dev LIBS archive SHARED)

# mimalloc replaces malloc by being loaded, so no symbol of ours refers to it and --as-needed would drop it.
add_library(pravo_dep_mimalloc INTERFACE)
add_library(pravo::mimalloc ALIAS pravo_dep_mimalloc)
if(NOT PRAVO_SANITIZE)
  find_library(PRAVO_MIMALLOC_LIB mimalloc)
  if(PRAVO_MIMALLOC_LIB)
    target_link_libraries(pravo_dep_mimalloc INTERFACE
      "-Wl,--push-state,--no-as-needed" "${PRAVO_MIMALLOC_LIB}" "-Wl,--pop-state")
  else()
    message(STATUS "mimalloc not found: pravoc uses the C library's allocator")
  endif()
endif()

find_package(benchmark QUIET)
