// What of a CUDA file only its host needs, so that its kernels can be read without it: most files
// that ship include libraries which are not here, and call them on the host.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace headway::kernel {

// "<thread>" or "\"nccl.h\"" of a line that includes it; empty where a line includes nothing, or
// something of one's own.
std::string_view included_library(std::string_view line);

// A declaration or definition outside of all others but namespaces, from its first byte on to the
// one behind its last.
struct TopLevelPart {
  std::size_t begin = 0, end = 0;
};
// In their order. What no parenthesis closes is one to the end of the text.
std::vector<TopLevelPart> top_level_parts(std::string_view text);

// A text from which parts are taken out: lines stay where they are.
class HostParts {
 public:
  explicit HostParts(std::string text) : text_(std::move(text)) {}

  // Takes out what keeps clang from reading on at a line, which counts from 1: the inclusion of a
  // header in <>, or of a library, unless conditions about code of the device may hang on it; or
  // the function, variable or class around it, if it is not of the device, and nothing that may be
  // of the device, or a macro, has its name. Whether there is such.
  bool take_out(int line);

  const std::string& text() const { return text_; }
  bool lacks_headers() const { return !headers_.empty(); }
  // "without <thread>, and without what the host has in lines 3 and 12-30"; not before something is
  // taken out.
  std::string what_is_missing() const;

 private:
  bool is_of_host(const TopLevelPart& part) const;
  bool headers_may_decide() const;

  std::string text_;
  std::vector<std::string> headers_;  // "<thread>"
  std::set<int> lines_;
};

}  // namespace headway::kernel
