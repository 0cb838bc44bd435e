# Libraries, programs and unit tests, each from what lies in a folder.

# A library needs at least one source, and a layer may have only headers yet.
file(CONFIGURE OUTPUT "${PRAVO_GENERATED_DIR}/empty.cpp"
  CONTENT "// Keeps a library linkable whose folder holds no source yet.\n")

# Sources of a folder, split by what their names say. Hidden files are an editor's.
macro(pravo_sources folder sources tests fuzzers benches)
  file(GLOB_RECURSE _all CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/${folder}/*.cpp")
  list(FILTER _all EXCLUDE REGEX "/\\.[^/]*$")
  set(${tests} ${_all})
  set(${fuzzers} ${_all})
  set(${benches} ${_all})
  set(${sources} ${_all})
  list(FILTER ${tests} INCLUDE REGEX "_test\\.cpp$")
  list(FILTER ${fuzzers} INCLUDE REGEX "_fuzz\\.cpp$")
  list(FILTER ${benches} INCLUDE REGEX "_bench\\.cpp$")
  list(FILTER ${sources} EXCLUDE REGEX "_(test|fuzz|bench)\\.cpp$")
endmacro()

function(pravo_own_target target)
  target_include_directories(${target} PRIVATE "${PROJECT_SOURCE_DIR}")
  # Generated tables of ours (#include "diagnostic_pages.inc").
  target_include_directories(${target} PRIVATE "${PRAVO_GENERATED_DIR}")
  if(PRAVO_TIDY)
    set_target_properties(${target} PROPERTIES CXX_CLANG_TIDY "${PRAVO_TIDY_COMMAND}")
  endif()
endfunction()

add_custom_target(pravo_benches)

# What *_test.cpp, *_fuzz.cpp and *_bench.cpp of a layer become is the same for libraries and tools.
function(pravo_satellites name library tests fuzzers benches)
  if(PRAVO_TESTS AND tests)
    set_property(GLOBAL APPEND PROPERTY PRAVO_UNIT_TESTS ${name})
    set_property(GLOBAL PROPERTY PRAVO_UNIT_TESTS_${name} ${tests})
    set_property(GLOBAL PROPERTY PRAVO_UNIT_LIBRARY_${name} ${library})
  endif()
  if(PRAVO_FUZZ)
    foreach(source IN LISTS fuzzers)
      get_filename_component(fuzzer "${source}" NAME_WE)
      add_executable(${fuzzer} "${source}")
      pravo_own_target(${fuzzer})
      target_link_libraries(${fuzzer} PRIVATE ${library})
      target_link_options(${fuzzer} PRIVATE -fsanitize=fuzzer)
    endforeach()
  endif()
  if(benches AND benchmark_FOUND)
    add_executable(pravo_${name}_bench EXCLUDE_FROM_ALL ${benches})
    pravo_own_target(pravo_${name}_bench)
    target_link_libraries(pravo_${name}_bench PRIVATE ${library} pravo::mimalloc benchmark::benchmark_main)
    add_dependencies(pravo_benches pravo_${name}_bench)
  endif()
endfunction()

# pravo_layer(NAME PUBLIC libraries... PRIVATE libraries...): library pravo_NAME from NAME/**/*.cpp
function(pravo_layer name)
  cmake_parse_arguments(ARG "" "" "PUBLIC;PRIVATE" ${ARGN})
  pravo_sources(${name} sources tests fuzzers benches)
  add_library(pravo_${name} STATIC ${sources} "${PRAVO_GENERATED_DIR}/empty.cpp")
  pravo_own_target(pravo_${name})
  target_include_directories(pravo_${name} PUBLIC "${PROJECT_SOURCE_DIR}")
  target_link_libraries(pravo_${name} PUBLIC ${ARG_PUBLIC} PRIVATE ${ARG_PRIVATE})
  pravo_satellites(${name} pravo_${name} "${tests}" "${fuzzers}" "${benches}")
endfunction()

# pravo_tool(NAME LIBRARIES ...): program NAME from tools/NAME/**/*.cpp. All but main.cpp is a library, so that unit
# tests can link it.
function(pravo_tool name)
  cmake_parse_arguments(ARG "" "" "LIBRARIES" ${ARGN})
  pravo_sources(tools/${name} sources tests fuzzers benches)
  set(main "${PROJECT_SOURCE_DIR}/tools/${name}/main.cpp")
  list(REMOVE_ITEM sources "${main}")
  add_library(${name}_lib STATIC ${sources} "${PRAVO_GENERATED_DIR}/empty.cpp")
  pravo_own_target(${name}_lib)
  target_compile_definitions(${name}_lib PUBLIC PRAVO_VERSION="${PROJECT_VERSION}")
  target_link_libraries(${name}_lib PUBLIC ${ARG_LIBRARIES})
  pravo_satellites(${name} ${name}_lib "${tests}" "${fuzzers}" "${benches}")
  # GLOB, not EXISTS: the build must notice when the file appears.
  file(GLOB found CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tools/${name}/main.cpp")
  if(found)
    add_executable(${name} "${main}")
    pravo_own_target(${name})
    target_link_libraries(${name} PRIVATE ${name}_lib pravo::mimalloc)
  endif()
endfunction()

# `pravoc explain ID` prints the page of a diagnostic, so the pages are compiled in: diagnostic_pages.inc holds a row
# PRAVO_DIAGNOSTIC_PAGE("id", R"...(text)...") for each, sorted by id.
file(GLOB pages CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/docs/diagnostics/*.md")
set(pages_inc "")
foreach(page IN LISTS pages)
  get_filename_component(id "${page}" NAME_WE)
  file(READ "${page}" text)
  string(APPEND pages_inc "PRAVO_DIAGNOSTIC_PAGE(\"${id}\", R\"pravo(${text})pravo\")\n")
endforeach()
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${pages})
file(CONFIGURE OUTPUT "${PRAVO_GENERATED_DIR}/diagnostic_pages.inc" CONTENT "@pages_inc@" @ONLY)
