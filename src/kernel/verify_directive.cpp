#include "kernel/verify_directive.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text/names.hpp"
#include "base/text/suggestion.hpp"

namespace headway::kernel {

void read_verify_directive(DirectiveText& text, VerifyDirective& verify) {
  static const std::vector<std::string> options = {
      "--bounds", "--count-benign", "--lockstep", "--reads", "-m", "--model"};
  if (text.at_end()) {
    text.fail(fmt::format("expected options, of {}", fmt::join(options, ", ")));
  }
  while (!text.at_end()) {
    const std::size_t begin = text.at();
    const std::string option = text.word("-");
    // What stands behind "=", or behind a blank.
    const auto value = [&](const char* what) {
      text.accept('=');
      if (text.at_end() || text.starts_with("-")) text.fail(fmt::format("expected {}", what));
      return text.until_blank();
    };
    if (option == "--bounds") {
      verify.bounds = true;
    } else if (option == "--lockstep") {
      verify.lockstep = true;
    } else if (option == "--count-benign") {
      verify.count_benign = true;
    } else if (option == "--reads") {
      const std::size_t at = text.at();
      const std::string how = value("any or equal");
      if (how != "any" && how != "equal") text.fail_at(at, "expected any or equal");
      verify.equal_reads = how == "equal";
    } else if (option == "-m" || option == "--model") {
      const SourcePosition where = text.place(text.at());
      verify.models.push_back({value("the name of a model"), where, std::string(text.line())});
    } else {
      text.refuse_at(begin, fmt::format("expected one of {}, which say what verify is asked; found "
                                        "'{}'{}",
                                        fmt::join(options, ", "), shortened(option),
                                        did_you_mean(option, options)));
    }
  }
}

}  // namespace headway::kernel
