#include "emit/placed_axb.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "base/bits/group_set.hpp"
#include "base/text/scanner.hpp"
#include "lang/idiom/expression_parser.hpp"
#include "lang/idiom/source.hpp"

namespace headway::emit {
namespace {

namespace axb = lang::axb;
using Barrier = axb::Instruction::Barrier;

// Whether a location cannot be called so in the idiom language: by a word that it has, or by one
// that the program below defines.
bool is_taken(const std::string& name) {
  constexpr std::array<std::string_view, 13> words = {
      "gid",      "lid",       "sid", "lane",  "barrier",      "workgroup",  "workgroups",
      "subgroup", "subgroups", "or",  "ended", "of_workgroup", "of_subgroup"};
  const bool is_label = name.size() > 1 && name[0] == 'T' && name[1] >= '0' && name[1] <= '9';
  return is_label || std::find(words.begin(), words.end(), name) != words.end() ||
         lang::idiom::is_reserved(Scanner(name, "").next());
}

class PlacedWriter {
 public:
  PlacedWriter(const axb::Code& code, const std::string& name)
      : code_(code),
        launch_(code.topology()),
        name_(name),
        is_structured_(is_structured(code)),
        keeps_names_(std::none_of(code.locations.begin(), code.locations.end(),
                                  [](const auto& each) { return is_taken(each.name); })) {}

  std::string text() {
    line(fmt::format("idiom \"{}\"", name_));
    line(fmt::format("{} workgroup{} of {} thread{}{};", launch_.workgroups(),
                     launch_.workgroups() == 1 ? "" : "s", launch_.group_threads(Level::workgroup),
                     launch_.group_threads(Level::workgroup) == 1 ? "" : "s",
                     launch_.subgroups() > 1
                         ? fmt::format(", subgroups of {}", launch_.subgroup_threads())
                         : ""));
    for (std::size_t l = 0; l < code_.locations.size(); ++l) {
      line(fmt::format("shared int(0..{}) {} = {};", code_.values - 1, location(l),
                       code_.locations[l].initial));
    }
    line("threads {");
    for (int g = 0; g < launch_.workgroups(); ++g) {
      // So that no end of a thread stands in front of barriers of other workgroups.
      open(fmt::format("{}if (gid == {})", g > 0 ? "else " : "", g));
      if (is_structured_) {
        workgroup(g);
      } else {
        alone(g);
      }
      close();
    }
    line("}");
    return text_;
  }

 private:
  void line(const std::string& text) { text_ += std::string(2 * depth_, ' ') + text + "\n"; }
  void open(const std::string& head) {
    line(head + " {");
    ++depth_;
  }
  void close() {
    --depth_;
    line("}");
  }

  std::string location(std::size_t index) const {
    return keeps_names_ ? code_.locations[index].name : fmt::format("x{}", index);
  }
  std::string target(int thread, int index) const { return fmt::format("T{}_{}", thread, index); }
  // "T0_2: " where something goes there, else nothing.
  std::string label(int thread, int index) const {
    return is_target(thread, index) ? target(thread, index) + ": " : "";
  }
  bool is_target(int thread, int index) const {
    if (is_structured_ && nests(thread)) return false;
    const auto& all = code_.threads[thread].instructions;
    for (int from = 0; from < static_cast<int>(all.size()); ++from) {
      const bool next = all[from].jump == from + 1;  // a store, a barrier
      if (all[from].jump == index && from != index && !next) return true;
    }
    return false;
  }

  // Where the instructions from `begin` on come to a barrier, or end.
  int segment_end(int thread, int begin) const {
    const auto& all = code_.threads[thread].instructions;
    const auto end = std::find_if(all.begin() + begin, all.end(),
                                  [](const axb::Instruction& i) { return i.is_barrier(); });
    return static_cast<int>(end - all.begin());
  }

  // A workgroup whose threads come to its barriers together.
  void workgroup(int group) {
    const ThreadSet threads = threads_of(launch_, Level::workgroup, group);
    std::vector<int> at(static_cast<std::size_t>(launch_.threads()), 0);
    for (;;) {
      bool more = false;
      for (int s = 0; s < launch_.subgroups(); ++s) {
        const int subgroup = group * launch_.subgroups() + s;
        if (launch_.subgroups() > 1) open(fmt::format("if (sid == {})", s));
        for (const int t : subgroup_segments(subgroup, at)) more = more || !ended(t, at[t]);
        if (launch_.subgroups() > 1) close();
      }
      if (!more) return;
      for (const int t : threads) line_up(t, at);
      line(statement(Barrier::workgroup));
    }
  }

  // What the threads of a subgroup do up to the next barrier of the workgroup, or their ends.
  ThreadSet subgroup_segments(int subgroup, std::vector<int>& at) {
    const ThreadSet threads = threads_of(launch_, Level::subgroup, subgroup);
    for (;;) {
      bool meets = false;
      for (const int t : threads) {
        const int end = segment_end(t, at[t]);
        if (end > at[t]) {
          open(fmt::format("if (lane == {})", t - threads.min()));
          segment(t, at[t], end);
          close();
        }
        at[t] = end;
        meets = !ended(t, end) && code_.threads[t].instructions[end].barrier == Barrier::subgroup;
      }
      if (!meets) return threads;
      for (const int t : threads) line_up(t, at);
      line(statement(Barrier::subgroup));
    }
  }

  // A thread in front of a barrier that others come to, too.
  void line_up(int thread, std::vector<int>& at) {
    if (is_target(thread, at[thread])) line(label(thread, at[thread]) + ";");
    ++at[thread];
  }

  // Threads that come to their barriers each by itself.
  void alone(int group) {
    const ThreadSet threads = threads_of(launch_, Level::workgroup, group);
    for (const int t : threads) {
      open(fmt::format("if (lid == {})", t - threads.min()));
      for (int i = 0; i < code_.threads[t].length(); ++i) {
        const Barrier barrier = code_.threads[t].instructions[i].barrier;
        if (barrier == Barrier::none) {
          instruction(t, i);
        } else {
          line(label(t, i) + statement(barrier, true));
        }
      }
      close();
    }
  }

  // The instructions from `begin` to `end`, where those that are jumped over can stand in a block:
  // not every target has a goto.
  void segment(int thread, int begin, int end) {
    if (!nests(thread)) {
      for (int i = begin; i < end; ++i) instruction(thread, i);
      return;
    }
    for (int at = begin; at < end;) {
      const axb::Instruction& i = code_.threads[thread].instructions[at];
      if (i.jump <= at + 1) {
        instruction(thread, at++);
        continue;
      }
      open(fmt::format("if ({} != {})", access(i), i.check_value));
      segment(thread, at + 1, i.jump);
      close();
      at = i.jump;
    }
  }

  // Whether all branches of a thread go to themselves or forward, and none into or out of what
  // another one jumps over.
  bool nests(int thread) const {
    const auto& all = code_.threads[thread].instructions;
    const int length = static_cast<int>(all.size());
    for (int a = 0; a < length; ++a) {
      if (all[a].jump < a) return false;
      for (int b = a + 1; b < length; ++b) {
        if (b < all[a].jump && all[b].jump > all[a].jump) return false;
      }
    }
    return true;
  }

  std::string access(const axb::Instruction& i) const {
    const std::string where = location(i.location);
    return i.exchanges ? fmt::format("exch({}, {})", where, i.exchange_value)
                       : fmt::format("load({})", where);
  }

  bool ended(int thread, int at) const { return at == code_.threads[thread].length(); }

  std::string statement(Barrier barrier, bool named = false) const {
    const std::string_view level = to_string(level_of(barrier));
    return fmt::format("barrier({}{}{});", level, code_.ended_count ? " or ended" : "",
                       named ? fmt::format(", of_{}", level) : "");
  }

  void instruction(int thread, int index) {
    const axb::Instruction& i = code_.threads[thread].instructions[index];
    const std::string where = location(i.location);
    std::string text = fmt::format("if ({} == {}) ", access(i), i.check_value);
    if (is_store(i, index)) {
      text = fmt::format("store({}, {});", where, i.exchange_value);
    } else if (i.jump == index) {
      text = fmt::format("while ({} == {});", access(i), i.check_value);
    } else if (i.jump == code_.threads[thread].length()) {
      text += "return;";
    } else {
      text += fmt::format("goto {};", target(thread, i.jump));
    }
    line(label(thread, index) + text);
  }

  const axb::Code& code_;
  const Topology launch_;
  const std::string name_;
  const bool is_structured_;
  const bool keeps_names_;
  std::string text_;
  std::size_t depth_ = 0;
};

}  // namespace

lang::Test as_idiom(const axb::Code& code, const std::string& name) {
  if (code.in_lockstep()) {
    throw Error(fmt::format(
        "{} cannot be exported: its subgroups run in lockstep, which no target promises", name));
  }
  if (!code.topology().is_equal()) {
    throw Error(
        fmt::format("{} cannot be exported: its groups are not of one shape ({}), and "
                    "devices launch equal ones",
                    name, code.topology().placement()));
  }
  const std::string text = PlacedWriter(code, name).text();
  Scanner scanner(text, name);
  return std::move(lang::idiom::language().parse(scanner, text, name, std::nullopt).front());
}

}  // namespace headway::emit
