#include "kernel/clang/without_host.hpp"

#include <cctype>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/text/several_errors.hpp"
#include "kernel/clang/host_parts.hpp"
#include "lang/test.hpp"

namespace headway::kernel {
namespace {

bool has_kernels(const std::string& text) { return text.find("__global__") != std::string::npos; }

// Whether a message names what a library of CUDA has, and headway's headers have not: "unknown type
// name 'cudaGraph_t'".
bool names_library(std::string_view message) {
  const std::size_t at = message.find("'cu");
  return at != std::string_view::npos &&
         (message.substr(at).starts_with("'cuda") ||
          (at + 3 < message.size() &&
           std::isupper(static_cast<unsigned char>(message[at + 3])) != 0));
}

}  // namespace

DeviceCode compile_device(Compiler& compiler, const std::filesystem::path& file,
                          const CompileOptions& options) {
  std::vector<Error> errors;
  try {
    return {compiler.compile(file, Side::device, options), options, {}};
  } catch (const lang::Undecided&) {
    throw;
  } catch (const Error& error) {
    errors = each_of(error);
  }
  const SeveralErrors of_all(errors);
  HostParts parts(options.text ? *options.text : read_file(file));
  if (!has_kernels(parts.text())) throw of_all;
  // Each round takes something out.
  while (true) {
    bool any = false;
    for (const Error& error : errors) {
      const SourcePosition& where = error.where();
      if (where.file != file.string() || where.line == 0) continue;
      const bool is_include =
          std::string_view(error.what()).find("file not found") != std::string_view::npos;
      // What is wrong otherwise is a mistake.
      if (!is_include && !parts.lacks_headers() && !names_library(error.what())) continue;
      any = parts.take_out(where.line) || any;
    }
    if (!any) throw of_all;
    DeviceCode result{{}, options, parts.what_is_missing()};
    result.options.text = parts.text();
    try {
      result.module = compiler.compile(file, Side::device, result.options);
      return result;
    } catch (const lang::Undecided&) {
      throw;
    } catch (const Error& error) {
      errors = each_of(error);
    }
  }
}

std::optional<Error> why_kernels_alone(Compiler& compiler, const std::filesystem::path& file,
                                       const CompileOptions& options) {
  const std::string text = read_file(file);
  if (!has_kernels(text) || !compiler.may_lack_headers(text)) return {};
  try {
    compiler.compile(file, Side::host, options);
  } catch (const lang::Undecided&) {  // whoever compiles it then says so
    return {};
  } catch (const Error& error) {
    return error;
  }
  return {};
}

}  // namespace headway::kernel
