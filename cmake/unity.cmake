# Which sources CMAKE_UNITY_BUILD has compiled together.
#
# headway_unity(TARGET [BY_FOLDER] [ALONE FILES...]): those of one folder, so that only they have to agree on
# names, and no more than 12, so that all cores have something to do. The FILES, named relative to
# the root of the sources, are compiled alone.
#
# With HEADWAY_UNITY_FLOORS those of the whole target, 48 at a time, whatever their folder: for what is
# compiled once and never again, and for clang-tidy. Each unit costs all headers once more, and what
# it makes of their templates: the commands take two thirds of the time so. Tests agree on no names
# beyond their folder, and are compiled BY_FOLDER, 24 at a time.
option(HEADWAY_UNITY_FLOORS "Compile the sources of a floor together" OFF)

function(headway_unity target)
  cmake_parse_arguments(unity "BY_FOLDER" "" "ALONE" ${ARGN})
  set_target_properties(${target} PROPERTIES UNITY_BUILD_MODE GROUP)
  get_target_property(sources ${target} SOURCES)
  foreach(source IN LISTS sources)
    cmake_path(ABSOLUTE_PATH source OUTPUT_VARIABLE path)
    cmake_path(RELATIVE_PATH path BASE_DIRECTORY ${PROJECT_SOURCE_DIR})
    if(path IN_LIST unity_ALONE)
      continue()
    endif()
    cmake_path(GET path PARENT_PATH folder)
    set(most 12)
    if(HEADWAY_UNITY_FLOORS AND unity_BY_FOLDER)
      set(most 24)
    elseif(HEADWAY_UNITY_FLOORS)
      set(folder ${target})
      set(most 48)
    endif()
    string(MAKE_C_IDENTIFIER "${folder}" group)
    list(APPEND folder_${group} ${path})
    list(LENGTH folder_${group} files)
    math(EXPR batch "(${files} - 1) / ${most}")
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${group}_${batch})
  endforeach()
endfunction()
