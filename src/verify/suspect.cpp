#include "verify/suspect.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "verify/encoding/encoder.hpp"

namespace headway::verify {

namespace {

// Facts that a claim has nothing to do with are left out of a question: of threads that it does not
// speak of the model does not know that they are two. Any will do, then.
void tell_apart(Suspect& s, const Encoding& encoding, const smt::Model& model) {
  if (!std::ranges::equal(s.thread[0], s.thread[1]) || !std::ranges::equal(s.group[0], s.group[1]))
    return;
  const auto part = [&](auto& ids, const auto& terms, const auto& sizes) {
    for (std::size_t d = 0; d < 3; ++d) {
      for (const std::size_t t : {std::size_t{1}, std::size_t{0}}) {
        if (sizes[d] < 2 || model.values().contains(terms[t][d].id)) continue;
        ids[t][d] = ids[1 - t][d] == 0 ? 1 : 0;
        return true;
      }
    }
    return false;
  };
  if (part(s.thread, encoding.thread_id, s.block)) return;
  part(s.group, encoding.group_id, s.grid);
}

}  // namespace

Suspect suspect_of(const smt::Context& context, const Encoding& encoding, const Check& check,
                   const smt::Model& model, const Options& options) {
  Suspect s;
  s.property = check.property;
  s.line = check.place.line;
  s.other_line = check.other.line;
  for (std::size_t d = 0; d < 3; ++d) {
    for (std::size_t t = 0; t < 2; ++t) {
      s.thread[t][d] = static_cast<std::uint32_t>(model.value(context, encoding.thread_id[t][d]));
      s.group[t][d] = static_cast<std::uint32_t>(model.value(context, encoding.group_id[t][d]));
    }
  }
  // Sizes that are open are what the solver made of them.
  for (std::size_t d = 0; d < 3; ++d) {
    s.block[d] = options.launch.block[d].value_or(
        static_cast<std::uint32_t>(model.value(context, encoding.sizes[d])));
    s.grid[d] = options.launch.grid[d].value_or(
        static_cast<std::uint32_t>(model.value(context, encoding.groups[d])));
  }
  tell_apart(s, encoding, model);
  for (const auto& [name, term] : encoding.arguments) {
    s.arguments.emplace_back(name, model.value(context, term));
  }
  for (const auto& [id, value] : model.values()) {
    const smt::Node& n = context.node(Term{id});
    if (n.kind != smt::Kind::apply || n.args.size() != 1) continue;
    const std::string& name = context.name(n);
    const std::string prefix = "memory ";
    if (!name.starts_with(prefix) || n.width % 8 != 0) continue;
    s.memory.push_back({std::atoi(name.c_str() + prefix.size()), model.value(context, n.args[0]),
                        value, n.width / 8});
  }
  return s;
}

std::vector<Side> sides_of(const Suspect& s) {
  std::vector<Side> sides;
  for (std::size_t t = 0; t < 2; ++t) {
    const auto &mine = s.thread[t], &group = s.group[t];
    sides.push_back({fmt::format("thread ({},{},{}) of workgroup ({},{},{})", mine[0], mine[1],
                                 mine[2], group[0], group[1], group[2]),
                     t == 0 && s.other_line > 0 ? s.other_line : s.line, ""});
  }
  return sides;
}

std::string threads_text(const Suspect& s) {
  std::string text = fmt::format(
      "; threads ({},{},{}) of workgroup ({},{},{}) and ({},{},{}) of ({},{},{})", s.thread[0][0],
      s.thread[0][1], s.thread[0][2], s.group[0][0], s.group[0][1], s.group[0][2], s.thread[1][0],
      s.thread[1][1], s.thread[1][2], s.group[1][0], s.group[1][1], s.group[1][2]);
  return text;
}

}  // namespace headway::verify
