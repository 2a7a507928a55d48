#include "base/shared_library.hpp"

#include <dlfcn.h>

#include "base/error.hpp"

namespace headway {

SharedLibrary::SharedLibrary(std::initializer_list<const char*> names, const std::string& missing) {
  for (const char* name : names) {
    handle_ = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (handle_ != nullptr) return;
  }
  throw Error(missing);
}

void* SharedLibrary::find(const char* function) const { return dlsym(handle_, function); }

}  // namespace headway
