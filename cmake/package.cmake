# Packages, of the build as it is installed (cmake/install.cmake): Debian packages, one a component,
# by `cpack -G DEB`. scripts/release makes them all, with the tarball. SOURCE_DATE_EPOCH dates them.
set(CPACK_PACKAGE_NAME headway)
set(CPACK_PACKAGE_VENDOR "The headway authors")
set(CPACK_PACKAGE_CONTACT "The headway authors <maintainers@headway.example>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
    OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_GENERATOR DEB)
set(CPACK_COMPONENTS_ALL headway library development)
if(TARGET headway_cvc5)
  list(APPEND CPACK_COMPONENTS_ALL cvc5)
endif()
if(TARGET headway_python)
  list(APPEND CPACK_COMPONENTS_ALL python)
endif()
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_ENABLE_COMPONENT_DEPENDS OFF)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${PROJECT_BINARY_DIR})
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)

set(long "headway decides whether small concurrent programs, as GPUs run them, are\n\
guaranteed to terminate under the progress models of GPUs, and shows why\n\
not. It reads litmus tests, CUDA and OpenCL kernels, and compute shaders.")
set(CPACK_DEBIAN_HEADWAY_PACKAGE_NAME headway)
set(CPACK_DEBIAN_HEADWAY_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_HEADWAY_PACKAGE_SUGGESTS
    "clang-19, libllvm19, libz3-4, libisl23, glslang-tools, nodejs, ocl-icd-libopencl1, libvulkan1")
set(CPACK_DEBIAN_HEADWAY_PACKAGE_RECOMMENDS headway-cvc5)
set(CPACK_COMPONENT_HEADWAY_DESCRIPTION "${long}")
set(CPACK_DEBIAN_CVC5_PACKAGE_NAME headway-cvc5)
set(CPACK_DEBIAN_CVC5_PACKAGE_SECTION devel)
# Later versions of cvc5 have the same name, but other functions.
set(CPACK_DEBIAN_CVC5_PACKAGE_DEPENDS "headway (= ${PROJECT_VERSION}-1), libcvc5-1 (<< 1.1~)")
set(CPACK_COMPONENT_CVC5_DESCRIPTION "${long}\n\n\
This package has what asks the solver cvc5, which proofs of kernels use.")
set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME libheadway${HEADWAY_SOVERSION})
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libs)
set(CPACK_COMPONENT_LIBRARY_DESCRIPTION "${long}\n\n\
This package has the library that programs run with.")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libheadway-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS
    "libheadway${HEADWAY_SOVERSION} (= ${PROJECT_VERSION}-1)")
# headway_add_check runs the program.
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SUGGESTS headway)
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION "${long}\n\n\
This package has the header, what CMake and pkg-config need, and examples.")
set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-headway)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS
    "libheadway${HEADWAY_SOVERSION} (= ${PROJECT_VERSION}-1), python3 (>= 3.11), python3 (<< 3.12)")
set(CPACK_DEBIAN_PYTHON_PACKAGE_CONTROL_EXTRA ${PROJECT_SOURCE_DIR}/cmake/debian/python/prerm)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SUGGESTS "python3-pandas, python3-networkx, graphviz")
set(CPACK_COMPONENT_PYTHON_DESCRIPTION "${long}\n\n\
This package has the module for Python 3.")

# What Debian wants in every package: its licences and its changes.
set(debian ${PROJECT_BINARY_DIR}/debian)
file(MAKE_DIRECTORY ${debian})
configure_file(${PROJECT_SOURCE_DIR}/cmake/debian/copyright ${debian}/copyright COPYONLY)
add_custom_command(
  OUTPUT ${debian}/changelog.Debian.gz
  COMMAND sh -c "sed 's/@VERSION@/${PROJECT_VERSION}/' ${PROJECT_SOURCE_DIR}/cmake/debian/changelog.in | ${GZIP_PROGRAM} -9n >${debian}/changelog.Debian.gz"
  DEPENDS ${PROJECT_SOURCE_DIR}/cmake/debian/changelog.in
  VERBATIM)
add_custom_target(headway_debian ALL DEPENDS ${debian}/changelog.Debian.gz)
add_dependencies(headway_installed headway_debian)
foreach(package IN ITEMS headway:headway cvc5:headway-cvc5 library:libheadway${HEADWAY_SOVERSION}
                         development:libheadway-dev python:python3-headway)
  string(REPLACE ":" ";" pair ${package})
  list(GET pair 0 component)
  list(GET pair 1 name)
  if(component IN_LIST CPACK_COMPONENTS_ALL)
    install(FILES ${debian}/copyright ${debian}/changelog.Debian.gz COMPONENT ${component}
            DESTINATION share/doc/${name})
  endif()
endforeach()
# What CPack does not do as Debian has it.
set(CPACK_HEADWAY_BUNDLE ${HEADWAY_BUNDLE})
set(CPACK_POST_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/cmake/debian/mend.cmake)
include(CPack)
