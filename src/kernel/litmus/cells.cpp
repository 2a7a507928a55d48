#include "kernel/litmus/cells.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "consistency/idiom/strengths.hpp"
#include "kernel/machine/place_name.hpp"

namespace headway::kernel::litmus {
namespace {

// Cells of an object among which threads choose.
constexpr std::uint64_t kMostCells = 256;

Error refusal(int line, const std::string& why) { return Error({"", line, 0}, why); }

}  // namespace

Content content_of(const Launch& launch, Instance object, std::uint64_t at, int bytes) {
  const ObjectInfo& info = launch.objects[object];
  if (const Cell* cell = launch.memory.exact(object, at, bytes)) {
    switch (cell->kind) {
      case Cell::Kind::bits:
        return {Content::Kind::number, number_of(cell->bits, 8 * bytes)};
      case Cell::Kind::pointer:
        return {Content::Kind::pointer, static_cast<Number>(cell->bits), cell->object};
      case Cell::Kind::undefined:
        return {Content::Kind::nothing};
      case Cell::Kind::term:
      case Cell::Kind::moving:
        break;
    }
    throw Error(fmt::format("{} holds a number that is not known; give it one", info.name));
  }
  if (!launch.memory.pieces(object, at, static_cast<unsigned>(bytes)).empty()) {
    throw Error(fmt::format("{} holds other parts than those that are accessed", info.name));
  }
  switch (info.fill) {
    case Fill::nothing:
      return {Content::Kind::nothing};
    case Fill::zero:
      return {Content::Kind::number, 0};
    case Fill::unknown: {
      const bool has_zero = !info.range || info.range->first == 0;
      const Number least = has_zero ? 0 : number_of(info.range->first, 8 * bytes);
      return {Content::Kind::number, least, kNone, true};
    }
    case Fill::bytes:
      break;
  }
  std::uint64_t word = 0;
  for (int b = 0; b < bytes; ++b) {
    const std::uint64_t byte = at + static_cast<unsigned>(b);
    if (byte < info.initial->size()) word |= std::uint64_t{(*info.initial)[byte]} << (8 * b);
  }
  return {Content::Kind::number, number_of(word, 8 * bytes)};
}

// The places of an object: those that are known, or all of it where one is chosen.
Cells::Layout Cells::laid(Instance object) const {
  const ObjectInfo& info = launch_.objects[object];
  Layout layout;
  std::set<int> widths;
  bool chosen = false;
  int line = 0;
  for (const Use& use : uses_) {
    if (use.object != object) continue;
    line = use.line;
    widths.insert(use.bytes);
    if (!use.at) {
      chosen = true;
    } else {
      const auto [place, is_new] = layout.places.emplace(*use.at, use.bytes);
      if (is_new || place->second == use.bytes) continue;
      throw refusal(line, fmt::format("accesses of '{}' in different widths", info.name));
    }
  }
  std::uint64_t end = 0;
  for (const auto& [at, bytes] : layout.places) {
    if (at < end) throw refusal(line, fmt::format("accesses of '{}' that overlap", info.name));
    end = at + static_cast<unsigned>(bytes);
  }
  if (!chosen) return layout;
  const auto width = static_cast<std::uint64_t>(*widths.begin());
  if (widths.size() > 1 || info.bytes % width != 0 ||
      std::any_of(layout.places.begin(), layout.places.end(),
                  [&](const auto& place) { return place.first % width != 0; })) {
    throw refusal(line, fmt::format("accesses of '{}' in different widths", info.name));
  }
  if (info.bytes / width > kMostCells) {
    throw refusal(line, fmt::format("'{}' has {} cells, of which a thread chooses one; expected at "
                                    "most {}",
                                    info.name, info.bytes / width, kMostCells));
  }
  for (std::uint64_t at = 0; at < info.bytes; at += width) {
    layout.places.emplace(at, static_cast<int>(width));
  }
  return layout;
}

void Cells::lay_out(consistency::Program& program, std::vector<std::string>& notes) const {
  std::map<Instance, Layout> layouts;
  std::vector<std::string> taken;
  for (const Use& use : uses_) {
    if (layouts.contains(use.object)) continue;
    Layout layout = laid(use.object);
    const ObjectInfo& info = launch_.objects[use.object];
    const bool local = info.space == Space::workgroup;
    for (const auto& [at, bytes] : layout.places) {
      const Content content = content_of(launch_, use.object, at, bytes);
      if (content.kind == Content::Kind::pointer) {
        throw refusal(use.line, fmt::format("'{}' holds an address", info.name));
      }
      const bool nothing = content.kind == Content::Kind::nothing;
      if (nothing && bytes == 8) {
        throw refusal(use.line,
                      fmt::format("'{}' holds nothing at first, and has 64 bits", info.name));
      }
      if (content.is_taken) taken.push_back(fmt::format("{} = {}", info.name, content.number));
      layout.numbers.emplace(at, static_cast<int>(program.locations.size()));
      program.locations.push_back({place_name(launch_, use.object, at, bytes),
                                   nothing ? kNothing : content.number,
                                   consistency::idiom::initial_tags(program.language, local)});
    }
    layouts.emplace(use.object, std::move(layout));
  }
  for (const Use& use : uses_) {
    const Layout& layout = layouts.at(use.object);
    consistency::Instruction& of = program.threads[use.thread].code[use.instruction];
    of.location = layout.numbers.at(use.at.value_or(0));
    if (!use.at) of.elements = static_cast<int>(layout.numbers.size());
  }
  std::sort(taken.begin(), taken.end());
  taken.erase(std::unique(taken.begin(), taken.end()), taken.end());
  if (taken.empty()) return;
  notes.push_back(fmt::format("kernel {}: of data that nobody gives one is looked at: {}",
                              program.name, fmt::join(taken, ", ")));
}

}  // namespace headway::kernel::litmus
