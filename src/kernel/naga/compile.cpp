#include "kernel/naga/compile.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <sstream>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/process.hpp"
#include "kernel/compiler_process.hpp"
#include "kernel/naga/embedded.hpp"
#include "kernel/naga/text.hpp"

namespace headway::kernel::naga {
namespace {

namespace fs = std::filesystem;

std::string find_node() {
  if (std::string named = named_program("HEADWAY_NODE"); !named.empty()) return named;
  for (const char* name : {"node", "nodejs"}) {
    if (std::string found = find_program(name); !found.empty()) return found;
  }
  throw Error(
      "WGSL is read by naga, which runs in Node.js, which is not here (Debian: nodejs); "
      "HEADWAY_NODE can name it");
}

// A report of naga, as codespan writes it:
//   error: expected identifier, found "{"
//     ┌─ wgsl:1:10
//     │
//   1 │ fn main( {
//     │          ^ expected identifier
//     = why
struct Report {
  int line = 0, column = 0;
  std::string message;
};
Report report_of(const std::string& output) {
  Report result;
  std::istringstream lines(output);
  std::getline(lines, result.message);
  if (const auto behind = result.message.find("error: "); behind != std::string::npos) {
    result.message.erase(0, behind + std::string_view("error: ").size());
  }
  constexpr std::string_view place = "wgsl:", reason = "= ";
  for (std::string line; std::getline(lines, line);) {
    const auto at = line.find_first_not_of(' ');
    if (at == std::string::npos) continue;
    const auto found = line.find(place);
    if (result.line == 0 && found != std::string::npos) {
      char* end = nullptr;
      result.line = static_cast<int>(std::strtol(line.c_str() + found + place.size(), &end, 10));
      if (*end == ':') result.column = static_cast<int>(std::strtol(end + 1, nullptr, 10));
    } else if (line.substr(at).starts_with(reason)) {
      result.message += "; " + line.substr(at + reason.size());
    }
  }
  return result;
}

Error naga_error(const fs::path& file, const std::string& text, const Finished& finished) {
  if (finished.output.empty()) {
    const std::string& said = finished.complaint;
    const auto last = said.find_last_of('\n');
    return Error(fmt::format("{}: node failed with status {}: {}", file.string(), finished.status,
                             last == std::string::npos ? said : said.substr(last + 1)));
  }
  const auto first_line = finished.output.find('\n');
  // Of the second text the columns are not those of the file.
  const bool is_own = finished.output.starts_with("0");
  const Report report = report_of(finished.output.substr(first_line + 1));
  return Error({file.string(), report.line, is_own ? report.column : 0}, "naga: " + report.message,
               line_of(text, report.line));
}

}  // namespace

bool is_built_in() { return !embedded_files().empty(); }

Compiled compile_wgsl(const fs::path& file, const Options& options) {
  const std::string content = read_file(file);
  const std::vector<EmbeddedFile>& files = embedded_files();
  if (files.empty()) {
    throw Error(
        {file.string(), 0, 0},
        "this headway was built without naga, which reads WGSL (docs/start/install.md, \"From the "
        "sources\")");
  }
  const Text text(content, file.string());
  Text::Values values = options.values;
  if (options.group_size) text.size_groups(*options.group_size, values);
  // What is wrong with the file is wrong with its own text, too, where places are right.
  const MemoryFile script(files[1].content), module(files[2].content), output;
  const MemoryFile own(text.readable());
  const auto run = [&](const std::vector<std::string>& texts) {
    std::vector<std::string> command = {find_node(),   "-e",          files[0].content,
                                        script.name(), module.name(), output.name()};
    command.insert(command.end(), texts.begin(), texts.end());
    const Finished finished =
        run_compiler(command, "naga", file, options.limit, options.interrupted);
    if (finished.status != 0) throw naga_error(file, content, finished);
  };
  Compiled result;
  std::optional<Error> refused;
  std::string prepared;
  try {
    prepared = text.prepared(values);
  } catch (const Error& error) {
    refused = error;
  }
  if (refused) {
    run({own.name()});
    throw *refused;
  }
  const MemoryFile changed(prepared);
  run({own.name(), changed.name()});
  result.words = output.content();
  result.mark = text.mark();
  if (text.elects()) result.elect = Text::kElect;
  result.premises = text.defaults(values);
  return result;
}

}  // namespace headway::kernel::naga
