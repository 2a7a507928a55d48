// headway check-certificate: checks what answers for every N rest on.
#include "every/check_certificate.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/file.hpp"
#include "cli/app.hpp"
#include "cli/console.hpp"
#include "every/certificate.hpp"

namespace headway::cli {
namespace {

// The certificates that `paths` name: files, and those in folders.
std::vector<std::filesystem::path> certificates_of(const std::vector<std::string>& paths) {
  std::vector<std::filesystem::path> files;
  for (const std::string& path : paths) {
    if (!std::filesystem::is_directory(path)) {
      files.emplace_back(path);
      continue;
    }
    const std::size_t first = files.size();
    for (const auto& entry : std::filesystem::directory_iterator(path)) {
      if (entry.path().extension() == ".json") files.push_back(entry.path());
    }
    std::sort(files.begin() + static_cast<std::ptrdiff_t>(first), files.end());
  }
  return files;
}

Outcome check_certificates(const std::vector<std::string>& paths) {
  Outcome outcome;
  const Interrupt interrupt;
  for (const std::filesystem::path& file : certificates_of(paths)) {
    if (interrupt.flag()) return outcome.interrupted();
    try {
      const std::string certificate = read_file(file);
      const std::string title = every::title_of(certificate);
      const auto objection = every::objection_to(certificate);
      print(fmt::format("{} {}, {}\n", objection ? "rejected" : "accepted",
                        file.filename().string(), title));
      if (!objection) continue;
      complain(fmt::format("{}: {}", file.string(), *objection));
      outcome.unmet();
    } catch (const Error& error) {
      complain(Error({file.string(), 0, 0}, error.what()));
      outcome.bad_input();
    }
  }
  return outcome;
}

}  // namespace

void add_check_certificate(CLI::App& app, Context& context) {
  auto paths = std::make_shared<std::vector<std::string>>();
  CLI::App* command = app.add_subcommand("check-certificate",
                                         "Check what answers for every number of threads rest on");
  command
      ->add_option("PATH", *paths,
                   "Certificates that 'headway check --threads any --certificate DIR' wrote, or "
                   "the folder")
      ->required()
      ->check(CLI::ExistingPath);
  command->footer(
      "Exit status 1 when a certificate is rejected.\n"
      "Example:\n"
      "  headway check --threads any --certificate certificates/ litmus/idioms/ttas-lock.litmus\n"
      "  headway check-certificate certificates/");
  command->callback([paths, &context] { context.outcome = check_certificates(*paths); });
}

}  // namespace headway::cli
