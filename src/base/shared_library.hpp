// A library that is loaded when it is first needed and stays loaded, so that headway starts without
// it and says which one is missing.
#pragma once

#include <initializer_list>
#include <string>

namespace headway {

class SharedLibrary {
 public:
  // The first of `names` that is there. Throws headway::Error with `missing` when none is.
  SharedLibrary(std::initializer_list<const char*> names, const std::string& missing);

  // Null when the library has no such function.
  void* find(const char* function) const;

 private:
  void* handle_ = nullptr;
};

}  // namespace headway
