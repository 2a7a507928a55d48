# Writes models/*.yaml into a C++ source, in the order in which headway lists them.
set(model_files unfair hsa obe hsa_obe lobe fair hsa-k obe-k)
string(CONCAT embedded "// Generated from models/*.yaml by cmake/embed_models.cmake.\n"
             "#include \"models/embedded.hpp\"\n\nnamespace headway::models {\n\n"
             "const std::vector<EmbeddedFile>& embedded_models() {\n"
             "  static const std::vector<EmbeddedFile> files = {\n")
foreach(model IN LISTS model_files)
  set(path ${PROJECT_SOURCE_DIR}/models/${model}.yaml)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${path})
  file(READ ${path} content)
  string(APPEND embedded "      {\"models/${model}.yaml\", R\"yaml(${content})yaml\"},\n")
endforeach()
string(APPEND embedded "  };\n  return files;\n}\n\n}  // namespace headway::models\n")
file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/embedded_models.cpp CONTENT "${embedded}" @ONLY)
