// What accesses may do, one by one: where arrays end, whether a pointer is null, how it is aligned.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "kernel/ir/arithmetic.hpp"
#include "verify/encoding/encoder_state.hpp"

namespace headway::verify {

using kernel::OpClass;

std::string_view name_of(Property property) {
  static constexpr std::string_view names[] = {"race", "divergence", "assertion", "bounds",
                                               "null", "alignment",  "constant",  "termination"};
  return names[static_cast<std::size_t>(property)];
}

// How large regions are of which the source or the launch says it.
void Encoder::set_up_sizes() {
  // Regions of arguments stand in their order behind those of objects.
  const std::size_t arguments = 2 + module_.objects.size() + f_.locals.size();
  const auto sizes = kernel::stated_sizes(module_, f_, options_.stated);
  for (std::size_t p = 0; p < sizes.size(); ++p) {
    const std::uint64_t by_value = f_.parameters[p].by_value;
    regions_.all[arguments + p].size =
        by_value > 0 ? std::optional(kernel::StatedSize{by_value, 1, {}}) : sizes[p];
  }
  for (Region& region : regions_.all) {
    const bool of_launch = region.object != nullptr && region.object->launch_sized;
    if (of_launch && options_.stated.workgroup_bytes > 0) {
      region.size = kernel::StatedSize{options_.stated.workgroup_bytes, 1, {}};
    }
  }
}

// Where a region begins: nothing is known but how it is aligned. Only arguments may be null.
Term Encoder::begin_of(int region, int thread) {
  const Region& r = regions_.all[static_cast<std::size_t>(region)];
  const std::string name = fmt::format("base.{}.{}", region, r.shared() ? 0 : thread + 1);
  std::uint64_t align = 1;
  if (r.object != nullptr) align = static_cast<std::uint64_t>(std::max(1, r.object->align));
  const auto first = static_cast<int>(2 + module_.objects.size() + f_.locals.size());
  const auto parameter = static_cast<std::size_t>(region - first);
  if (region >= first && parameter < f_.parameters.size() && !r.by_value) {
    align = static_cast<std::uint64_t>(f_.parameters[parameter].align);
  }
  const Term units = r.object != nullptr ? c_.variable(name, 64, (4096 + align - 1) / align,
                                                       (std::uint64_t{1} << 47) / align)
                                         : c_.variable(name, 64, 0, ~std::uint64_t{0} / align);
  return c_.mul(units, c_.constant(align, 64));
}

// Whether arguments are as the file has them; those on the command line are so anyway.
Term Encoder::has_stated_arguments() {
  std::vector<Term> parts;
  for (std::size_t p = 0; p < f_.parameters.size(); ++p) {
    const kernel::Parameter& one = f_.parameters[p];
    const auto stated = options_.stated.arguments.find(one.name);
    if (one.type.is_pointer() || stated == options_.stated.arguments.end()) continue;
    if (options_.arguments.contains(one.name)) continue;
    const kernel::ArgumentSpec& given = stated->second;
    const Term argument = values_[0][f_.arguments[p]].bits;
    const int w = c_.width(argument);
    if (!given.unknown && w > 0) {
      parts.push_back(c_.equal(
          argument, c_.constant(one.type.is_real()
                                    ? kernel::from_double(given.value, one.type.bits)
                                    : smt::mask_of(w) & static_cast<std::uint64_t>(given.integer),
                                w)));
    } else if (given.range && given.range->first >= 0 && w > 0) {
      parts.push_back(
          c_.ule(c_.constant(static_cast<std::uint64_t>(given.range->first), w), argument));
      parts.push_back(
          c_.ule(argument, c_.constant(static_cast<std::uint64_t>(given.range->second), w)));
    }
  }
  return c_.conjunction(parts);
}

kernel::Named Encoder::named() {
  kernel::Named named;
  named.function = &f_;
  for (std::size_t d = 0; d < 3; ++d) {
    named.grid[d] = c_.zext(groups_[d], 64);
    named.block[d] = c_.zext(size_[d], 64);
  }
  named.argument = [this](std::size_t p) { return values_[0][f_.arguments[p]].bits; };
  return named;
}

Term Encoder::number_stated(const kernel::Formula& formula) {
  return kernel::number_on(named(), formula, c_);
}

namespace {

// Whether so many bytes from an offset on are among the first ones, as many as `size` says.
Term fits_in(smt::Context& c, Term bytes, Term offset, Term size) {
  return c.conjunction(c.ule(bytes, size), c.ule(offset, c.sub(size, bytes)));
}

}  // namespace

// No array is larger than half of the addresses, so that what is in front of its begin is outside.
void Encoder::note_extent(const Access& access, const Target& target, Term alive) {
  if (target.region == kNullRegion || target.region == kUnknownRegion) return;
  const Region& region = regions_.all[static_cast<std::size_t>(target.region)];
  const bool is_sized = region.object != nullptr && !region.object->launch_sized;
  const Term size = c_.constant(is_sized ? region.object->bytes : std::uint64_t{1} << 63, 64);
  const Term within = fits_in(c_, access.bytes, target.offset, size);
  const Term any = c_.differ(access.bytes, c_.constant(0, 64));
  const Term here = c_.conjunction(c_.conjunction(alive, target.condition), any);
  result_.extents.push_back({c_.implies(here, within), result_.conditions.items.size()});
}

// The first thread is any thread.
void Encoder::check_bounds(const Access& access, const Target& target, Term alive) {
  const Term here = c_.conjunction(alive, target.condition);
  if (target.region == kNullRegion) {
    check(Property::null, c_.negation(here), access.place,
          "an access by a pointer that may be null");
    return;
  }
  const Region& region = regions_.all[static_cast<std::size_t>(target.region)];
  if (region.may_be_null) {
    check(Property::null,
          c_.implies(here, c_.differ(begin_of(target.region, 0), c_.constant(0, 64))), access.place,
          fmt::format("an access by {}, which may be null", region.name));
  }
  const bool of_module = region.object != nullptr && !region.object->launch_sized;
  if (!of_module && !region.size) {
    result_.skipped[Property::bounds].insert(region.name);
    return;
  }
  const auto within = [&](Term size) { return fits_in(c_, access.bytes, target.offset, size); };
  const bool is_fixed = of_module || region.by_value;
  Term fits = within(c_.constant(of_module ? region.object->bytes : region.size->bytes, 64));
  // How large a buffer is, is said of a launch with the arguments that are said beside it.
  const Term when = is_fixed ? here : c_.conjunction(here, has_stated_arguments());
  if (!of_module && region.size->count) {
    const Term count = number_stated(*region.size->count);
    const Term most = c_.constant(static_cast<std::uint64_t>(kernel::kMostElements), 64);
    const Term counted =
        c_.conjunction(c_.ule(count, most), within(c_.scale(count, region.size->element_bytes)));
    fits = region.size->bytes > 0 ? c_.disjunction(fits, counted) : counted;
  }
  check(Property::bounds, c_.implies(when, fits), access.place,
        fmt::format("an access of {} may be behind its end", region.name));
}

// Whatever is allocated begins at a multiple of 16 bytes. What is assumed of the begin of an array
// beyond its type is said.
void Encoder::check_alignment(const Access& access, const Target& target, Term alive) {
  if (access.align <= 1 || target.region == kNullRegion) return;
  if (target.region == kUnknownRegion) {
    result_.skipped[Property::alignment].insert("unknown memory");
    return;
  }
  const Region& region = regions_.all[static_cast<std::size_t>(target.region)];
  const Term low = c_.urem(target.offset, c_.constant(access.align, 64));
  if (!c_.is_constant(low) || c_.value(low) != 0) {
    check(Property::alignment,
          c_.implies(c_.conjunction(alive, target.condition), c_.equal(low, c_.constant(0, 64))),
          access.place,
          fmt::format("an access of {} may be misaligned: its address has to be a multiple of {}",
                      region.name, access.align));
  }
  const auto first = 2 + module_.objects.size() + f_.locals.size();
  const auto parameter = static_cast<std::size_t>(target.region) - first;
  std::uint64_t known = 1;
  if (region.object != nullptr) {
    known = static_cast<std::uint64_t>(region.object->align);
  } else if (region.by_value || parameter >= f_.parameters.size()) {
    return;
  } else {
    // What points to a struct points to where one may be.
    const kernel::Parameter& p = f_.parameters[parameter];
    known = std::max<std::uint64_t>(static_cast<std::uint64_t>(p.align),
                                    p.element_bytes & (~p.element_bytes + 1));
  }
  if (access.align <= known) return;
  result_.assumed.push_back(
      fmt::format("{} begins at a multiple of {} bytes", region.name, access.align));
}

// Does what is no value and no access; whether that was all there is to it.
bool Encoder::act(const Instruction& i) {
  switch (kernel::class_of(i.op)) {
    case OpClass::end:
      if (i.op == Op::trap) {
        check(Property::assertion, c_.negation(live(0)), i.place, "the program traps");
      }
      return true;
    case OpClass::lifetime:
      return true;
    case OpClass::fence:
      fence(i);
      return true;
    case OpClass::meeting:
      if (i.op == Op::subgroup) {
        meet(i, "operation");
        return false;
      }
      if (i.op == Op::async_copy) {
        async_copy(i);
      } else if (i.op == Op::wait_events) {
        wait_events(i);
      } else {
        barrier(i);
      }
      return true;
    case OpClass::claim:
      claim(i);
      return true;
    case OpClass::asynchronous:
      if (i.op == Op::thread_copy) thread_copy(i);
      if (i.op == Op::commit_copies) commit_copies();
      if (i.op == Op::wait_copies) wait_copies(i);
      return true;
    case OpClass::call:
      throw Unsupported{fmt::format("a call of '{}'", i.name), i.place};
    case OpClass::value:
      return i.op == Op::phi;  // where the block is entered
    case OpClass::arithmetic:
    case OpClass::division:
    case OpClass::shift:
    case OpClass::equality:
    case OpClass::unsigned_order:
    case OpClass::signed_order:
    case OpClass::real:
    case OpClass::real_comparison:
    case OpClass::resizing:
    case OpClass::real_conversion:
    case OpClass::reinterpretation:
    case OpClass::plain:
    case OpClass::atomic:
    case OpClass::bulk:
    case OpClass::annotation:
      return false;
  }
  std::abort();  // there are no others
}

}  // namespace headway::verify
