# What `cmake --install` puts where, in the components that are Debian packages of their own
# (cmake/package.cmake): headway, the program with its pages; cvc5; library; development; python.
include(CMakePackageConfigHelpers)
set(CMAKE_INSTALL_LIBDIR lib CACHE STRING "Where libraries go, below the prefix")
set(CMAKE_INSTALL_INCLUDEDIR include)

install(TARGETS headway COMPONENT headway DESTINATION bin)
if(TARGET headway_cvc5)
  install(TARGETS headway_cvc5 COMPONENT cvc5 DESTINATION lib/headway)
endif()

# Pages of the manual, from the program's own help.
set(manual ${PROJECT_BINARY_DIR}/manual)
find_program(GZIP_PROGRAM gzip REQUIRED)
mark_as_advanced(GZIP_PROGRAM)
add_custom_command(
  OUTPUT ${manual}/headway.1.gz
  COMMAND ${CMAKE_COMMAND} -E rm -rf ${manual}
  COMMAND headway manual ${manual}
  COMMAND sh -c "${GZIP_PROGRAM} -9n ${manual}/*.1"
  DEPENDS headway
  VERBATIM)
add_custom_target(headway_manual ALL DEPENDS ${manual}/headway.1.gz)
install(DIRECTORY ${manual}/ COMPONENT headway DESTINATION share/man/man1
        FILES_MATCHING PATTERN "*.1.gz")

set(completions ${PROJECT_SOURCE_DIR}/scripts/completions)
install(FILES ${completions}/headway.bash COMPONENT headway
        DESTINATION share/bash-completion/completions RENAME headway)
install(FILES ${completions}/_headway COMPONENT headway
        DESTINATION share/zsh/vendor-completions)
install(FILES ${completions}/headway.fish COMPONENT headway
        DESTINATION share/fish/vendor_completions.d)

# Files as README.md names them: its commands are for this folder, too.
set(data share/headway)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/models ${PROJECT_SOURCE_DIR}/litmus COMPONENT headway
        DESTINATION ${data})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/examples/memory COMPONENT headway
        DESTINATION ${data}/examples)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/tests/data/published ${PROJECT_SOURCE_DIR}/tests/data/device
                  ${PROJECT_SOURCE_DIR}/tests/data/targets ${PROJECT_SOURCE_DIR}/tests/data/placed
        COMPONENT headway DESTINATION ${data}/tests/data)
# The engine for browsers, where scripts/site or the preset wasm has built it: reports carry it.
install(FILES ${PROJECT_SOURCE_DIR}/build/wasm/headway_engine.wasm.gz COMPONENT headway
        DESTINATION ${data} OPTIONAL)
install(FILES ${PROJECT_SOURCE_DIR}/README.md ${PROJECT_SOURCE_DIR}/CITATION.cff COMPONENT headway
        DESTINATION share/doc/headway)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs COMPONENT headway DESTINATION share/doc/headway)

install(TARGETS headway_library
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library NAMELINK_COMPONENT development)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/headway COMPONENT development DESTINATION include)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/examples/cpp COMPONENT development
        DESTINATION share/doc/libheadway-dev/examples)
set(library ${CMAKE_INSTALL_LIBDIR}/libheadway.so.${PROJECT_VERSION})
configure_package_config_file(
  ${PROJECT_SOURCE_DIR}/cmake/headway-config.cmake.in ${PROJECT_BINARY_DIR}/headway-config.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/headway PATH_VARS library CMAKE_INSTALL_INCLUDEDIR)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/headway-config-version.cmake
                                 COMPATIBILITY SameMinorVersion)
file(RELATIVE_PATH back /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
string(REGEX REPLACE "/$" "" back ${back})
configure_file(${PROJECT_SOURCE_DIR}/cmake/headway.pc.in ${PROJECT_BINARY_DIR}/headway.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/headway-config.cmake
              ${PROJECT_BINARY_DIR}/headway-config-version.cmake
              ${PROJECT_SOURCE_DIR}/integrations/cmake/headway-add-check.cmake
        COMPONENT development DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/headway)
install(FILES ${PROJECT_BINARY_DIR}/headway.pc COMPONENT development
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

# Two releases of Debian do not have these under one name. Packages that are for both bring them, in
# folders of their own, where only what is here looks.
option(HEADWAY_BUNDLE "Install the libraries that differ between releases, and load these" OFF)
if(HEADWAY_BUNDLE)
  set(own libheadway${HEADWAY_SOVERSION})
  install(IMPORTED_RUNTIME_ARTIFACTS fmt::fmt yaml-cpp
          LIBRARY DESTINATION lib/headway COMPONENT headway)
  install(IMPORTED_RUNTIME_ARTIFACTS fmt::fmt yaml-cpp
          LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/${own} COMPONENT library)
  # From the start, as what is changed at installation depends on the folder of the build.
  set_target_properties(headway headway_library PROPERTIES BUILD_WITH_INSTALL_RPATH ON)
  set_target_properties(headway PROPERTIES INSTALL_RPATH "$ORIGIN/../lib/headway")
  set_target_properties(headway_library PROPERTIES INSTALL_RPATH "$ORIGIN/${own}")
  if(TARGET headway_python)
    set_target_properties(headway_python PROPERTIES BUILD_WITH_INSTALL_RPATH ON)
  endif()
  if(TARGET headway_cvc5)
    set_target_properties(headway_cvc5 PROPERTIES BUILD_WITH_INSTALL_RPATH ON INSTALL_RPATH "$ORIGIN")
  endif()
endif()

if(TARGET headway_python)
  set(HEADWAY_PYTHON_DIR lib/python3/dist-packages CACHE STRING
      "Where the Python module goes, below the prefix")
  install(TARGETS headway_python COMPONENT python DESTINATION ${HEADWAY_PYTHON_DIR}/headway)
  install(FILES ${PROJECT_SOURCE_DIR}/python/headway/__init__.py
                ${PROJECT_SOURCE_DIR}/python/headway/_headway.pyi
                ${PROJECT_SOURCE_DIR}/python/headway/py.typed
          COMPONENT python DESTINATION ${HEADWAY_PYTHON_DIR}/headway)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/examples/python COMPONENT python
          DESTINATION share/doc/python3-headway/examples)
endif()

# All that is built to be installed; what tests need is not.
add_custom_target(headway_installed)
foreach(target headway headway_manual headway_library headway_cvc5 headway_python)
  if(TARGET ${target})
    add_dependencies(headway_installed ${target})
  endif()
endforeach()
