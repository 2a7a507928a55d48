#include "kernel/ir/symbol_name.hpp"

#include <cxxabi.h>

#include <cstdlib>

namespace headway::kernel {

std::string demangled(const std::string& symbol) {
  if (!symbol.starts_with("_Z")) return symbol;  // "f" would be the type float
  int status = 0;
  char* text = abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status);
  if (status != 0 || text == nullptr) return symbol;
  std::string result = text;
  std::free(text);
  // The variable of a function: what stands behind its parameters.
  int depth = 0;
  std::size_t parameters = std::string::npos;
  std::size_t variable = std::string::npos;
  for (std::size_t i = 0; i < result.size(); ++i) {
    const char c = result[i];
    if (depth == 0 && c == '(' && parameters == std::string::npos) parameters = i;
    if (c == '(' || c == '<') ++depth;
    if (c == ')' || c == '>') --depth;
    if (depth == 0 && c == ':' && parameters != std::string::npos) variable = i + 1;
  }
  if (variable != std::string::npos) return result.substr(variable);
  if (parameters != std::string::npos) result.resize(parameters);
  // "void f<int>" of a template: without what it gives.
  depth = 0;
  for (std::size_t i = 0; i < result.size(); ++i) {
    if (result[i] == '<') ++depth;
    if (result[i] == '>') --depth;
    if (result[i] == ' ' && depth == 0) return result.substr(i + 1);
  }
  return result;
}

bool is_called(const std::string& said, const std::string& name, const std::string& symbol) {
  return said == name || said == symbol ||
         (!said.empty() && name.find('<') == said.size() && name.starts_with(said));
}

}  // namespace headway::kernel
