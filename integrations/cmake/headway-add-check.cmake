# headway_add_check(TARGET [NAME name] [COMMAND check|verify] [OPTIONS option...] [SOURCES file...])
#
# Has headway look at the kernels, shaders and litmus tests among the sources of TARGET, or at the files
# behind SOURCES, with the include directories and definitions of TARGET. Adds the target `name`, which
# builds no matter how often it is asked, and a test of that name, which ctest has where testing is
# enabled. Without NAME it is TARGET_headway_check, or TARGET_headway_verify. OPTIONS go to the program
# as they are.
#
# The program is HEADWAY_PROGRAM: the one that is installed beside this package, or the first on PATH.

find_program(HEADWAY_PROGRAM headway HINTS "${HEADWAY_PACKAGE_PREFIX}/bin"
             DOC "The program headway, which headway_add_check runs")
mark_as_advanced(HEADWAY_PROGRAM)

function(headway_add_check target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "NAME;COMMAND" "OPTIONS;SOURCES")
  set(here "headway_add_check(${target})")
  if(DEFINED arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "${here}: expected NAME, COMMAND, OPTIONS or SOURCES, found "
                        "'${arg_UNPARSED_ARGUMENTS}'")
  endif()
  if(NOT TARGET ${target})
    message(FATAL_ERROR "${here}: there is no target of this name")
  endif()
  if(NOT HEADWAY_PROGRAM)
    message(FATAL_ERROR "${here}: the program headway was not found; install it, or set "
                        "HEADWAY_PROGRAM to where it is")
  endif()

  # What each command reads.
  set(kernels "cu|cl|ll|bc|ptx|spv|spvasm|comp|glsl|hlsl|wgsl")
  if(NOT DEFINED arg_COMMAND OR arg_COMMAND STREQUAL "check")
    set(arg_COMMAND check)
    set(readable "\\.(litmus|${kernels})$")
  elseif(arg_COMMAND STREQUAL "verify")
    set(readable "\\.(${kernels})$")
  else()
    message(FATAL_ERROR "${here}: expected COMMAND check or verify, found '${arg_COMMAND}'")
  endif()
  if(NOT DEFINED arg_NAME)
    set(arg_NAME ${target}_headway_${arg_COMMAND})
  endif()

  # The folder that relative sources are below.
  if(DEFINED arg_SOURCES)
    set(sources ${arg_SOURCES})
    set(folder ${CMAKE_CURRENT_SOURCE_DIR})
  else()
    # When the build is generated, so that sources count that the target gets later.
    set(sources "$<FILTER:$<TARGET_PROPERTY:${target},SOURCES>,INCLUDE,${readable}>")
    get_target_property(folder ${target} SOURCE_DIR)
  endif()
  set(definitions "$<TARGET_PROPERTY:${target},COMPILE_DEFINITIONS>")
  set(includes "$<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>")
  set(command
      ${HEADWAY_PROGRAM} ${arg_COMMAND} ${arg_OPTIONS}
      "$<$<BOOL:${definitions}>:-D$<JOIN:${definitions},$<SEMICOLON>-D>>"
      "$<$<BOOL:${includes}>:-I$<JOIN:${includes},$<SEMICOLON>-I>>"
      # Behind this nothing is taken for a value of an option.
      -- "${sources}")
  add_custom_target(${arg_NAME} COMMAND ${command} WORKING_DIRECTORY ${folder}
                    COMMENT "headway ${arg_COMMAND}: the sources of ${target}"
                    COMMAND_EXPAND_LISTS VERBATIM)
  add_test(NAME ${arg_NAME} COMMAND ${command} WORKING_DIRECTORY ${folder} COMMAND_EXPAND_LISTS)
endfunction()
