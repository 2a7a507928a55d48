#include "report/answer.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace headway::report {
namespace {

using checker::Verdict;
using checker::Waiting;

const std::vector<Promise>& promises() {
  static const std::vector<std::string> levels = {"OBE", "LOBE", "fair"};
  static const std::vector<Promise> all = {
      {"CUDA",
       "CUDA promises",
       "block",
       {"CUDA", "CUDA-cooperative"},
       {"LOBE", "CUDA-cooperative"}},
      {"CUDA-cooperative",
       "CUDA promises of a cooperative launch",
       "block",
       {"CUDA-cooperative"},
       {}},
      {"OpenCL", "OpenCL promises", "workgroup", {"OpenCL"}, levels},
      {"Vulkan", "Vulkan promises", "workgroup", {"Vulkan"}, levels},
      {"WebGPU", "WebGPU promises", "workgroup", {"WebGPU"}, levels}};
  return all;
}

std::string thread_name(const Promise& promise, const Topology& launch, int thread) {
  const int workgroup = launch.group_of(Level::workgroup, thread);
  if (launch.workgroups() == 1) return fmt::format("thread {}", thread);
  return fmt::format("thread {} of {} {}",
                     thread - launch.first_thread(Level::workgroup, workgroup), promise.group,
                     workgroup);
}

// Drawn by its first step, an id is one of the lowest: who has started is all below who has.
constexpr const char* kDrawn = R"(ids are drawn (docs/reference/kernels.md, "Drawn ids"))";

std::string help_text(const Asked& asked) {
  const auto enough = [&](const char* model) {
    return std::find(asked.enough.begin(), asked.enough.end(), model) != asked.enough.end();
  };
  if (asked.promise.model == "CUDA") {
    const bool cooperative = enough("CUDA-cooperative"), drawn = enough("LOBE");
    if (!cooperative && !drawn) return {};
    return fmt::format("; ends {}{}{}{}", cooperative ? "in a cooperative launch" : "",
                       cooperative && drawn ? ", or " : "", drawn ? "if " : "",
                       drawn ? kDrawn : "");
  }
  std::string going_on =
      fmt::format("; ends where {}s that have started go on (OBE)", asked.promise.group);
  if (enough("OBE")) return going_on;
  if (enough("LOBE")) return fmt::format("{} and {}", going_on, kDrawn);
  if (enough("fair")) return fmt::format("; ends where all {}s go on (fair)", asked.promise.group);
  return {};
}

}  // namespace

const Promise* promise_named(const std::string& model) {
  const auto found = std::find_if(promises().begin(), promises().end(),
                                  [&](const Promise& promise) { return promise.model == model; });
  return found == promises().end() ? nullptr : &*found;
}

std::string wait_text(const Promise& promise, const Topology& launch, const Waiting& waiting) {
  const bool of_groups = launch.workgroups() > 1 && waiting.level == Level::workgroup;
  std::string text = of_groups ? fmt::format("{} {}", promise.group,
                                             launch.group_of(Level::workgroup, waiting.thread))
                               : thread_name(promise, launch, waiting.thread);
  const std::string at = waiting.line > 0 ? fmt::format(" at line {}", waiting.line) : "";
  if (!waiting.starved) return text + " loops" + at + ", and others do not help";
  text += " waits" + at + " for ";
  if (waiting.groups.empty()) {
    text += "others";
  } else if (of_groups) {
    text += fmt::format("{} {}", promise.group, waiting.groups.front());
  } else {
    text += thread_name(promise, launch, waiting.groups.front());
  }
  return text + (waiting.started ? ", which need not go on" : ", which need not have started");
}

std::string answer_text(const Asked& asked) {
  const std::string& words = asked.promise.words;
  const bool some = asked.verdict == Verdict::fail;
  const std::string within =
      asked.within.empty() ? "" : fmt::format(", for {}{}", some ? "some " : "", asked.within);
  switch (asked.verdict) {
    case Verdict::pass:
      return fmt::format("{} ends as {}{}", asked.test, words, within);
    case Verdict::fail:
      return fmt::format(
          "{} may hang as {}{}{}{}", asked.test, words,
          asked.waiting ? ": " + wait_text(asked.promise, asked.launch, *asked.waiting) : "",
          help_text(asked), within);
    case Verdict::unknown:
      return fmt::format("whether {} ends as {} is unknown", asked.test, words);
    case Verdict::error:
      break;
  }
  return {};
}

}  // namespace headway::report
