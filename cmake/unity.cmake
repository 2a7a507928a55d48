# Which sources CMAKE_UNITY_BUILD has compiled together.
#
# headway_unity(TARGET [ALONE FILES...]): those of one folder, so that only they have to agree on
# names, and no more than 12, so that all cores have something to do. The FILES, named relative to
# the root of the sources, are compiled alone.
function(headway_unity target)
  cmake_parse_arguments(unity "" "" "ALONE" ${ARGN})
  set_target_properties(${target} PROPERTIES UNITY_BUILD_MODE GROUP)
  get_target_property(sources ${target} SOURCES)
  foreach(source IN LISTS sources)
    cmake_path(ABSOLUTE_PATH source OUTPUT_VARIABLE path)
    cmake_path(RELATIVE_PATH path BASE_DIRECTORY ${PROJECT_SOURCE_DIR})
    if(path IN_LIST unity_ALONE)
      continue()
    endif()
    cmake_path(GET path PARENT_PATH folder)
    string(MAKE_C_IDENTIFIER "${folder}" group)
    list(APPEND folder_${group} ${path})
    list(LENGTH folder_${group} files)
    math(EXPR batch "(${files} - 1) / 12")
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${group}_${batch})
  endforeach()
endfunction()
