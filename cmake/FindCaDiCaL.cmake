# Finds the CaDiCaL SAT solver, which comes with neither a CMake package nor a pkg-config file:
# CaDiCaL_FOUND and the target CaDiCaL::CaDiCaL.
find_path(CaDiCaL_INCLUDE_DIR cadical.hpp PATH_SUFFIXES cadical)
find_library(CaDiCaL_LIBRARY NAMES cadical)
mark_as_advanced(CaDiCaL_INCLUDE_DIR CaDiCaL_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(CaDiCaL REQUIRED_VARS CaDiCaL_LIBRARY CaDiCaL_INCLUDE_DIR)

if(CaDiCaL_FOUND AND NOT TARGET CaDiCaL::CaDiCaL)
  add_library(CaDiCaL::CaDiCaL UNKNOWN IMPORTED)
  set_target_properties(CaDiCaL::CaDiCaL PROPERTIES
    IMPORTED_LOCATION ${CaDiCaL_LIBRARY}
    INTERFACE_INCLUDE_DIRECTORIES ${CaDiCaL_INCLUDE_DIR})
endif()
