// What SPIRV-Tools' C interface gives, owned, and its messages.
#pragma once

#include <spirv-tools/libspirv.h>

#include <memory>
#include <string>

namespace headway::kernel::spirv {

struct ContextCloser {
  void operator()(spv_context_t* context) const { spvContextDestroy(context); }
};
using ContextPtr = std::unique_ptr<spv_context_t, ContextCloser>;

struct DiagnosticCloser {
  void operator()(spv_diagnostic_t* diagnostic) const { spvDiagnosticDestroy(diagnostic); }
};
using DiagnosticPtr = std::unique_ptr<spv_diagnostic_t, DiagnosticCloser>;

struct BinaryCloser {
  void operator()(spv_binary_t* binary) const { spvBinaryDestroy(binary); }
};
using BinaryPtr = std::unique_ptr<spv_binary_t, BinaryCloser>;

struct OptionsCloser {
  void operator()(spv_validator_options_t* options) const { spvValidatorOptionsDestroy(options); }
};
using OptionsPtr = std::unique_ptr<spv_validator_options_t, OptionsCloser>;

inline OptionsPtr validator_options() { return OptionsPtr(spvValidatorOptionsCreate()); }

// What is wrong comes as a diagnostic; nothing is printed.
inline ContextPtr tools_context(spv_target_env version = SPV_ENV_UNIVERSAL_1_6) {
  return ContextPtr(spvContextCreate(version));
}

// The first line of a message.
inline std::string first_line(const spv_diagnostic_t* diagnostic) {
  if (diagnostic == nullptr || diagnostic->error == nullptr) return "no message";
  const std::string text = diagnostic->error;
  return text.substr(0, text.find('\n'));
}

}  // namespace headway::kernel::spirv
