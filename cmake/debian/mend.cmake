# Rebuilds the packages that CPack has made: libraries are announced to ldconfig by a trigger and not
# by scripts, and what dpkg-deb packs depends on content and SOURCE_DATE_EPOCH alone.
foreach(package IN LISTS CPACK_PACKAGE_FILES)
  if(NOT package MATCHES "\\.deb$")
    continue()
  endif()
  set(tree ${package}.tree)
  file(REMOVE_RECURSE ${tree})
  execute_process(COMMAND dpkg-deb -R ${package} ${tree} COMMAND_ERROR_IS_FATAL ANY)
  file(REMOVE ${tree}/DEBIAN/postinst ${tree}/DEBIAN/postrm ${tree}/DEBIAN/triggers)
  if(package MATCHES "/libheadway[0-9.]+_")
    file(WRITE ${tree}/DEBIAN/triggers "activate-noawait ldconfig\n")
    # Of a library, who is linked with it needs this version or a later one.
    file(READ ${tree}/DEBIAN/shlibs shlibs)
    string(REPLACE "(= " "(>= " shlibs "${shlibs}")
    file(WRITE ${tree}/DEBIAN/shlibs "${shlibs}")
  else()
    file(REMOVE ${tree}/DEBIAN/shlibs)
  endif()
  execute_process(COMMAND dpkg-deb --root-owner-group -Zxz -b ${tree} ${package} OUTPUT_QUIET
                  COMMAND_ERROR_IS_FATAL ANY)
  file(REMOVE_RECURSE ${tree})
endforeach()
