#include "report/memory_witness.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>
#include <optional>

#include "report/table.hpp"
#include "report/words.hpp"

namespace headway::report {
namespace {

using consistency::Witness;
using End = Witness::End;
using Json = nlohmann::ordered_json;

std::string_view end_name(End end) {
  switch (end) {
    case End::ends:
      return "ends";
    case End::waits:
      return "waits for ever";
    case End::stops:
      return "stops here, as the progress model allows";
    case End::goes_wrong:
      return "goes wrong";
  }
  return {};
}

// The same in JSON.
std::string_view end_word(End end) {
  switch (end) {
    case End::ends:
      return "ends";
    case End::waits:
      return "waits";
    case End::stops:
      return "stops";
    case End::goes_wrong:
      return "goes wrong";
  }
  return {};
}

// "P0 line 6", or "at first".
std::string place(const Witness::Event& event) {
  return event.thread < 0 ? "at first" : fmt::format("P{} line {}", event.thread, event.line);
}

// "reads x = 1 from P0 line 6"; empty: it reads nothing.
std::string read_text(const Witness& witness, const Witness::Event& event) {
  if (!event.read) return {};
  std::string text = fmt::format("reads {} = {}", event.location, *event.read);
  if (event.from < 0) return text;
  const Witness::Event& from = witness.events[static_cast<std::size_t>(event.from)];
  return text + (from.thread < 0 ? ", as it was at first" : " from " + place(from));
}

// "reads x = 1 from P0 line 6, and writes x = 2", or why the program goes wrong; empty: a fence or
// a barrier.
std::string deed(const Witness& witness, const Witness::Event& event) {
  if (!event.fault.empty()) return event.fault;
  std::string text = read_text(witness, event);
  if (event.written) {
    text += fmt::format("{}writes {} = {}", text.empty() ? "" : ", and ", event.location,
                        *event.written);
  }
  return text;
}

std::string quoted(const std::string& text) { return '"' + escaped(text) + '"'; }

std::string edge(std::size_t from, std::size_t to, std::string_view relation,
                 std::string_view color) {
  return fmt::format("  e{} -> e{} [label=\"{}\" color={} fontcolor={} constraint=false];\n", from,
                     to, relation, color, color);
}

std::string witness_text(const Witness& witness) {
  TextTable table;
  for (std::size_t t = 0; t < witness.ends.size(); ++t) {
    for (const Witness::Event& event : witness.events) {
      if (event.thread != static_cast<int>(t)) continue;
      table.add_row({{fmt::format("  P{}", t)},
                     {fmt::format("line {}", event.line)},
                     {event.instruction},
                     {deed(witness, event)}});
    }
    table.add_row(
        {{fmt::format("  P{}", t)}, {""}, {""}, {std::string(end_name(witness.ends[t]))}});
  }
  std::string text = table.to_string({});
  for (const auto& [first, second] : witness.coherence) {
    const Witness::Event& before = witness.events[static_cast<std::size_t>(first)];
    const Witness::Event& behind = witness.events[static_cast<std::size_t>(second)];
    if (before.thread < 0) continue;  // that what was there at first comes first is no news
    text +=
        fmt::format("  of {}, {} comes before {}\n", before.location, place(before), place(behind));
  }
  return text;
}

std::string witness_dot(const Witness& witness, const std::string& title) {
  std::string text = fmt::format(
      "digraph execution {{\n  label={};\n  labelloc=t;\n  node [shape=box "
      "fontname=\"monospace\"];\n",
      quoted(title));
  for (std::size_t e = 0; e < witness.events.size(); ++e) {
    const Witness::Event& event = witness.events[e];
    if (event.thread >= 0) continue;
    text += fmt::format("  e{} [label={} style=dashed];\n", e,
                        quoted(fmt::format("{} = {}", event.location, *event.written)));
  }
  for (std::size_t t = 0; t < witness.ends.size(); ++t) {
    text += fmt::format("  subgraph cluster_{} {{\n    label={};\n", t,
                        quoted(fmt::format("P{} {}", t, end_name(witness.ends[t]))));
    std::optional<std::size_t> last;
    for (std::size_t e = 0; e < witness.events.size(); ++e) {
      const Witness::Event& event = witness.events[e];
      if (event.thread != static_cast<int>(t)) continue;
      const std::string done = deed(witness, event);
      const std::string& what = done.empty() ? event.instruction : done;
      text += fmt::format("    e{} [label={}];\n", e,
                          quoted(fmt::format("line {}: {}", event.line, what)));
      if (last) text += fmt::format("    e{} -> e{} [label=po];\n", *last, e);
      last = e;
    }
    text += "  }\n";
  }
  for (std::size_t e = 0; e < witness.events.size(); ++e) {
    const Witness::Event& event = witness.events[e];
    if (event.from < 0) continue;
    text += edge(static_cast<std::size_t>(event.from), e, "rf", "forestgreen");
    for (const auto& [before, behind] : witness.coherence) {
      const bool is_before = before == event.from && static_cast<std::size_t>(behind) != e;
      if (is_before) text += edge(e, static_cast<std::size_t>(behind), "fr", "firebrick");
    }
  }
  for (const auto& [before, behind] : witness.coherence) {
    text += edge(static_cast<std::size_t>(before), static_cast<std::size_t>(behind), "co", "peru");
  }
  return text + "}\n";
}

std::string title_of(const ShownExecutions& of) {
  return fmt::format("{} under {}{}{}", of.test, of.memory, of.progress.empty() ? "" : " and ",
                     of.progress);
}

}  // namespace

Json witness_json(const Witness& witness) {
  Json events = Json::array();
  for (const Witness::Event& event : witness.events) {
    Json json = {{"thread", event.thread < 0 ? Json() : Json(event.thread)},
                 {"line", event.line > 0 ? Json(event.line) : Json()},
                 {"instruction", event.instruction},
                 {"location", event.location.empty() ? Json() : Json(event.location)}};
    if (event.read) {
      json["reads"] = *event.read;
      json["from"] = event.from;
    }
    if (event.written) json["writes"] = *event.written;
    if (!event.fault.empty()) json["error"] = event.fault;
    events.push_back(std::move(json));
  }
  Json ends = Json::array();
  for (const End end : witness.ends) ends.push_back(end_word(end));
  return {{"threads", std::move(ends)},
          {"events", std::move(events)},
          {"coherence", witness.coherence}};
}

std::string reads_text(const Witness& witness) {
  std::vector<std::string> reads;
  for (const Witness::Event& event : witness.events) {
    if (event.thread < 0 || !event.read) continue;
    reads.push_back(place(event) + " " + read_text(witness, event));
  }
  return fmt::format("{}", fmt::join(reads, "; "));
}

std::string executions_text(const ShownExecutions& of) {
  std::string text;
  for (const ShownExecution& each : of.shown) {
    text += fmt::format("{}{}: {}\n", text.empty() ? "" : "\n", title_of(of), each.what);
    if (each.execution != nullptr) text += witness_text(*each.execution);
  }
  return text;
}

std::string executions_json(const ShownExecutions& of) {
  Json executions = Json::array();
  for (const ShownExecution& each : of.shown) {
    executions.push_back(
        {{"what", each.what},
         {"execution", each.execution == nullptr ? Json() : witness_json(*each.execution)}});
  }
  const Json json = {{"test", of.test},
                     {"file", of.file},
                     {"memory", of.memory},
                     {"model", of.progress.empty() ? Json() : Json(of.progress)},
                     {"executions", std::move(executions)}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string executions_dot(const ShownExecutions& of) {
  for (const ShownExecution& each : of.shown) {
    if (each.execution != nullptr) {
      return witness_dot(*each.execution, title_of(of) + ": " + each.what);
    }
  }
  return {};
}

}  // namespace headway::report
