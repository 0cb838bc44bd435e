# pravo_antlr(TARGET GRAMMAR) generates the parser of a grammar into the build folder and puts that folder on the
# include path of TARGET.
#
# The generated .cpp is not compiled by itself: a source of ours includes it, as often as it needs another base class
# behind the same grammar. Dependency files of the compiler see that include; the target makes the first build wait.

set(PRAVO_GENERATED_DIR "${PROJECT_BINARY_DIR}/generated")
file(MAKE_DIRECTORY "${PRAVO_GENERATED_DIR}")

function(pravo_antlr target grammar)
  find_program(PRAVO_ANTLR antlr4)
  if(NOT PRAVO_ANTLR)
    message(FATAL_ERROR "antlr4 is missing: install antlr4 (tools/dev build does it)")
  endif()
  get_filename_component(name "${grammar}" NAME_WE)
  set(dir "${PRAVO_GENERATED_DIR}/antlr")
  file(MAKE_DIRECTORY "${dir}")
  # ANTLR 4.7.2 writes u8"" literals and lambdas that capture by [=]: C++20 changed the type of the first and
  # deprecates the implicit `this` of the second.
  add_custom_command(
    OUTPUT "${dir}/${name}.h" "${dir}/${name}.cpp"
    COMMAND "${PRAVO_ANTLR}" -Dlanguage=Cpp -Werror -no-listener -no-visitor -Xexact-output-dir -o "${dir}" "${grammar}"
    COMMAND sed -i -e "s/u8\"/\"/g" -e "s/finally(\\[=\\]/finally([=, this]/"
            "${dir}/${name}.h" "${dir}/${name}.cpp"
    DEPENDS "${grammar}"
    COMMENT "Generating the parser of ${name}.g4"
    VERBATIM)
  add_custom_target(pravo_grammar_${name} DEPENDS "${dir}/${name}.h" "${dir}/${name}.cpp")
  add_dependencies(${target} pravo_grammar_${name})
  target_include_directories(${target} SYSTEM PRIVATE "${dir}")
  set_property(GLOBAL APPEND PROPERTY PRAVO_GENERATED_PARSERS "${dir}/${name}.cpp")
endfunction()
