#include "verify/trials.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include "base/bits/hash.hpp"
#include "kernel/ir/arithmetic.hpp"
#include "kernel/test/assumption.hpp"
#include "verify/encoding/regions.hpp"
#include "verify/walks.hpp"

namespace headway::verify {

using Clock = std::chrono::steady_clock;
using kernel::Type;

namespace {

constexpr std::uint64_t kMostThreads = 2048;
constexpr std::uint64_t kMostWalking = 512;

// What elements of memory are taken for, as the kernel reads them.
std::map<int, Type> element_types(const kernel::Function& function, const Regions& regions) {
  std::map<int, Type> types;
  for (const kernel::Block& block : function.blocks) {
    for (const kernel::Instruction& i : block.code) {
      const Touch touch = touch_of(i);
      if ((!touch.reads && !touch.writes) || i.type.bits < 8 || i.type.is_pointer()) continue;
      for (const int region : regions.of_value[i.operands[0]]) types.emplace(region, i.type);
    }
  }
  return types;
}

// Some contents; all are possible.
enum class Data { small, ramp, wide, mixed, zero };
constexpr Data kData[] = {Data::small, Data::ramp, Data::wide, Data::mixed, Data::zero};
constexpr std::chrono::milliseconds kNeededTime{600};  // to find which of them matter
constexpr std::size_t kMixedSets = 8;                  // of arguments that differ
constexpr std::size_t kMostBehindOne = 6;              // runs behind one that goes wrong
constexpr std::uint64_t kElements = 1024;  // of a buffer that walks are given; the rest is zero

std::uint64_t element(Data data, std::uint64_t index) {
  switch (data) {
    case Data::small:
      return index % 3;
    case Data::ramp:
      return index;
    case Data::wide:
      return index * 37 % 101;
    case Data::mixed: {
      // Of both signs; first a 0, as of all: flags and locks begin with it.
      const std::uint64_t value = index * 37 % 101;
      return index % 2 == 0 ? value : 0 - value;
    }
    case Data::zero:
      break;
  }
  return 0;
}

// A number that a file says to be between two ends.
using Ends = std::optional<std::pair<std::int64_t, std::int64_t>>;
std::int64_t in_range(const Ends& ends, std::uint64_t number) {
  const auto value = static_cast<std::int64_t>(number);
  if (!ends || (ends->first <= value && value <= ends->second)) return value;
  const auto span =
      static_cast<std::uint64_t>(ends->second) - static_cast<std::uint64_t>(ends->first);
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(ends->first) +
                                   (span + 1 == 0 ? number : number % (span + 1)));
}

class Search {
 public:
  Search(const kernel::Module& module, const kernel::Function& function, const Options& options,
         const Suspect* suspect, const std::map<std::string, std::uint64_t>& known)
      : module_(module),
        f_(function),
        options_(options),
        suspect_(suspect),
        known_(known),
        types_(element_types(function, regions_of(module, function))),
        contents_(kernel::stated_contents(module, function, options.stated)),
        walks_(wants_walks(function)) {
    if (suspect == nullptr) return;
    for (const Suspect::Content& c : suspect->memory) {
      for (int k = 0; k < c.bytes; ++k) {
        memory_.try_emplace({c.region, c.at + static_cast<std::uint64_t>(k)},
                            static_cast<std::uint8_t>(c.value >> (8 * k)));
      }
    }
  }

  // With somebody who watches nothing walks.
  void watch(Watcher& watcher) {
    watcher_ = &watcher;
    walks_ = false;
  }

  Trials run(std::optional<Property> wanted, std::chrono::milliseconds limit) {
    const auto until = Clock::now() + (walks_ ? 2 * limit : limit);
    if (!wanted) walks_left_ = 4;  // where nothing speaks for an error
    TrialLaunch launch;
    set_sizes(launch);
    const std::uint64_t threads =
        std::uint64_t{launch.block[0]} * launch.block[1] * launch.block[2];
    if (threads == 0 || threads > kMostThreads) return std::move(result_);
    launch.subgroup = options_.launch.subgroup;
    launch.count_benign = options_.benign_count;
    launch.causality = module_.causality;
    launch.same_scopes = module_.atomics_by_space;
    launch.groups = groups(launch, threads);
    launch.watcher = watcher_;
    const auto arguments = argument_sets(launch);

    // Data and arguments change together: what some arguments hide all data may.
    std::size_t after = 0;
    for (std::size_t sum = 0; sum < std::size(kData) + arguments.size(); ++sum) {
      for (std::size_t d = 0; d < std::size(kData) && d <= sum; ++d) {
        if (sum - d >= arguments.size()) continue;
        const auto now = Clock::now();
        if (now >= until || (options_.stop != nullptr && options_.stop->load())) {
          return std::move(result_);
        }
        launch.arguments = arguments[sum - d];
        if (!admitted(launch)) continue;
        // The first runs are the likely ones: half of what is left for each.
        try_one(launch, kData[d],
                std::max<Clock::duration>((until - now) / 2, std::chrono::milliseconds(5)));
        if (wanted && result_.faults.contains(*wanted)) return std::move(result_);
        // What goes wrong in another way, too, does so soon.
        if (!wanted && !result_.faults.empty() && ++after > kMostBehindOne) {
          return std::move(result_);
        }
      }
    }
    return std::move(result_);
  }

 private:
  void try_one(TrialLaunch& launch, Data data, Clock::duration limit) {
    launch.content = [&, data](int region, std::uint64_t at) { return byte(data, region, at); };
    launch.unknown = [data](std::uint32_t count) { return element(data, count); };
    const auto run = [&](bool walking, Clock::time_point end) {
      return walking ? walk_launch(module_, f_, spec_of(launch, data), options_, end)
                     : try_launch(module_, f_, launch, end);
    };
    const auto take = [&](TrialResult&& one, bool walking) {
      result_.complete = result_.complete || one.complete;
      for (TrialFault& fault : one.faults) {
        if (result_.faults.contains(fault.property)) continue;
        fault.detail += where(launch);
        if (watcher_ == nullptr && data != Data::zero) {
          fault.detail +=
              needed_text(data, fault, [&](Clock::time_point end) { return run(walking, end); });
        }
        result_.faults.try_emplace(fault.property, std::move(fault));
      }
    };
    const bool walks = walks_ && walks_left_-- > 0;
    TrialResult one = run(false, Clock::now() + (walks ? limit / 2 : limit));
    const bool found = !one.faults.empty();
    take(std::move(one), false);
    if (!walks || found) return;
    take(run(true, Clock::now() + limit / 2), true);
  }

  // Of what goes wrong with data: the elements that may not be 0 for it, as
  // ", flag[3] = 9 at first". A flag that is raised at first lets threads pass that wait for it.
  template <class Run>
  std::string needed_text(Data data, const TrialFault& fault, const Run& run) {
    constexpr std::size_t most = 4;
    const auto end = Clock::now() + kNeededTime;
    const auto fails = [&] {
      const TrialResult again = run(std::min(end, Clock::now() + kNeededTime / 4));
      return std::any_of(again.faults.begin(), again.faults.end(), [&](const TrialFault& f) {
        return f.property == fault.property && f.line == fault.line;
      });
    };
    for (const auto& [region, type] : types_) kept_[region].assign(kElements, false);
    std::vector<std::string> needed;
    if (!fails()) {
      for (auto& [region, kept] : kept_) kept.assign(kElements, true);
      if (fails()) {
        for (auto& [region, kept] : kept_) keep_needed(kept, 0, kElements, fails, end);
        for (const auto& [region, kept] : kept_) {
          for (std::size_t k = 0; k < kElements && needed.size() <= most; ++k) {
            if (kept[k] && element(data, k) != 0) needed.push_back(element_text(data, region, k));
          }
        }
      }
      if (needed.empty() || needed.size() > most) needed = {"with memory that is not 0"};
    }
    // Memory may hold anything, also where a variable has an initial value.
    if (const auto region = needed.empty() ? initialized_region() : std::nullopt) {
      as_initialized_ = true;
      if (!fails()) {
        const auto& object = module_.objects[static_cast<std::size_t>(*region - 2)];
        needed = {fmt::format("with '{}' not as initialized", object.name)};
      }
      as_initialized_ = false;
    }
    kept_.clear();
    return needed.empty() ? "" : fmt::format(", {} at first", fmt::join(needed, ", "));
  }

  // The first variable whose initial value is not 0, of those that are looked at.
  std::optional<int> initialized_region() const {
    for (const auto& [region, type] : types_) {
      if (region < 2 || region >= static_cast<int>(2 + module_.objects.size())) continue;
      const auto& initial = module_.objects[static_cast<std::size_t>(region - 2)].initial;
      if (initial && std::ranges::any_of(*initial, [](std::uint8_t b) { return b != 0; }))
        return region;
    }
    return {};
  }

  // Leaves out what `fails` does not need of the elements from `low` to `high`, while there is
  // time.
  template <class Fails>
  static void keep_needed(std::vector<bool>& kept, std::size_t low, std::size_t high,
                          const Fails& fails, Clock::time_point end) {
    if (Clock::now() >= end) return;
    const auto set = [&](bool value) {
      std::fill(kept.begin() + static_cast<std::ptrdiff_t>(low),
                kept.begin() + static_cast<std::ptrdiff_t>(high), value);
    };
    set(false);
    if (fails()) return;
    set(true);
    if (high - low < 2) return;
    const std::size_t middle = low + (high - low) / 2;
    keep_needed(kept, low, middle, fails, end);
    keep_needed(kept, middle, high, fails, end);
  }

  std::string element_text(Data data, int region, std::size_t index) const {
    const int parameter = parameter_of(region);
    const auto object = static_cast<std::size_t>(region - 2);
    std::string name = "memory";
    if (parameter >= 0) {
      name = f_.parameters[static_cast<std::size_t>(parameter)].name;
    } else if (region >= 2 && object < module_.objects.size()) {
      name = module_.objects[object].name;
    }
    return fmt::format("{}[{}] = {}", name, index, static_cast<std::int64_t>(element(data, index)));
  }

  // -1 of memory that no parameter leads to.
  int parameter_of(int region) const {
    const int parameter = region - static_cast<int>(2 + module_.objects.size() + f_.locals.size());
    return parameter < static_cast<int>(f_.parameters.size()) ? parameter : -1;
  }
  bool is_left_out(int region, std::uint64_t index) const {
    const auto kept = kept_.find(region);
    return kept != kept_.end() && (index >= kElements || !kept->second[index]);
  }

  // The launch as the engine of `check` takes it, of fewer workgroups where they are large.
  kernel::LaunchSpec spec_of(const TrialLaunch& launch, Data data) const {
    kernel::LaunchSpec spec;
    spec.grid = launch.grid;
    spec.block = launch.block;
    spec.subgroup = static_cast<int>(launch.subgroup);
    spec.workgroup_bytes = options_.stated.workgroup_bytes;
    const std::uint64_t threads = kernel::volume(launch.block);
    for (const std::uint32_t group : launch.groups) {
      if (spec.started.empty() || (spec.started.size() + 1) * threads <= kMostWalking) {
        spec.started.push_back(group);
      }
    }
    if (spec.started.size() == kernel::volume(launch.grid)) spec.started.clear();
    for (std::size_t p = 0; p < f_.parameters.size(); ++p) {
      const kernel::Parameter& one = f_.parameters[p];
      if (one.by_value > 0) continue;
      if (!one.type.is_pointer()) {
        const std::uint64_t bits = launch.arguments[p];
        kernel::ArgumentSpec argument;
        if (one.type.is_real()) {
          argument.value = kernel::to_double(bits, one.type.bits);
        } else {
          argument.integer = kernel::sign_extended(bits, one.type.bits);
        }
        spec.arguments[one.name] = argument;
        continue;
      }
      if (one.space == kernel::Space::workgroup) continue;
      kernel::BufferSpec& buffer = spec.buffers[one.name];
      if (const auto stated = options_.stated.buffers.find(one.name);
          stated != options_.stated.buffers.end()) {
        buffer = stated->second;
        if (buffer.content != kernel::BufferSpec::Content::unknown) continue;
      }
      buffer.content = kernel::BufferSpec::Content::values;
      const auto range = std::exchange(buffer.range, std::nullopt);
      const std::uint64_t most = buffer.elements > 0 ? buffer.elements : kElements;
      const int region = static_cast<int>(2 + module_.objects.size() + f_.locals.size() + p);
      for (std::uint64_t k = 0; k < std::min(most, kElements); ++k) {
        const std::uint64_t number = is_left_out(region, k) ? 0 : element(data, k);
        buffer.values.push_back(kernel::Number::of(in_range(range, number)));
      }
    }
    return spec;
  }

  void set_sizes(TrialLaunch& launch) const {
    const std::uint32_t width = f_.most_threads > 0 ? std::min(32U, f_.most_threads) : 32;
    for (std::size_t d = 0; d < 3; ++d) {
      const auto open = [&](const char* kind, std::uint32_t otherwise) {
        const auto at = known_.find(fmt::format("{}.{}", kind, "xyz"[d]));
        return at == known_.end() ? otherwise : static_cast<std::uint32_t>(at->second);
      };
      launch.block[d] = suspect_ != nullptr
                            ? suspect_->block[d]
                            : options_.launch.block[d].value_or(open("size", d == 0 ? width : 1));
      launch.grid[d] = suspect_ != nullptr
                           ? suspect_->grid[d]
                           : options_.launch.grid[d].value_or(open("groups", d == 0 ? 4 : 1));
    }
  }

  // Those of the counterexample, or the first two, one that is behind them in each direction, and
  // the last one: strides that are too short lead from the first to the last.
  std::vector<std::uint32_t> groups(const TrialLaunch& launch, std::uint64_t threads) const {
    const Size& grid = launch.grid;
    const std::uint64_t all = std::uint64_t{grid[0]} * grid[1] * grid[2];
    const auto linear = [&](std::uint64_t x, std::uint64_t y, std::uint64_t z) {
      return x + grid[0] * (y + grid[1] * z);
    };
    std::vector<std::uint64_t> some;
    if (suspect_ != nullptr) {
      for (const auto& g : suspect_->group) some.push_back(linear(g[0], g[1], g[2]));
    }
    for (const std::uint64_t g :
         {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{grid[0]},
          std::uint64_t{grid[0]} * grid[1], all - 1, std::uint64_t{2}, std::uint64_t{3}}) {
      some.push_back(g);
    }
    // All of a small grid: then its threads can meet.
    for (std::uint64_t g = 0; g < all && all * threads <= kMostThreads / 2; ++g) some.push_back(g);
    std::vector<std::uint32_t> chosen;
    for (const std::uint64_t g : some) {
      const bool fits = g < all && (chosen.size() + 1) * threads <= kMostThreads / 2;
      const bool first = chosen.size() < 2;
      if (g >= all || (!fits && !(first && (chosen.size() + 1) * threads <= kMostThreads)))
        continue;
      if (std::find(chosen.begin(), chosen.end(), g) != chosen.end()) continue;
      if (chosen.size() >= 5 && all * threads > kMostThreads / 2) break;
      chosen.push_back(static_cast<std::uint32_t>(g));
    }
    return chosen;
  }

  std::vector<std::vector<std::uint64_t>> argument_sets(const TrialLaunch& launch) const {
    const std::uint64_t threads = std::uint64_t{launch.block[0]} * launch.block[1] *
                                  launch.block[2] * launch.grid[0] * launch.grid[1] *
                                  launch.grid[2];
    std::vector<std::vector<std::uint64_t>> sets;
    const auto add = [&](const auto& otherwise) {
      std::vector<std::uint64_t> values;
      for (const kernel::Parameter& p : f_.parameters) {
        values.push_back(value_of(p, otherwise(values.size())));
      }
      if (std::find(sets.begin(), sets.end(), values) == sets.end()) sets.push_back(values);
    };
    using Value = std::optional<std::uint64_t>;
    // All the same; 7 is one of which strides and powers of two are no part.
    for (const Value all : {Value(), Value(threads), Value(launch.block[0]), Value(3 * threads),
                            Value(1), Value(7)}) {
      add([all](std::size_t) { return all; });
    }
    // A stride that is shorter than what lies along it, and the like.
    const std::uint64_t some[] = {16, 3, 1, 7, 2, launch.block[0], 33, 5};
    for (std::size_t k = 1; k <= kMixedSets; ++k) {
      add([&, k](std::size_t p) { return Value(some[mix(100 * k + p) % std::size(some)]); });
    }
    return sets;
  }

  // Whether what is assumed of arguments and sizes holds.
  bool admitted(const TrialLaunch& launch) const {
    smt::Context terms;
    kernel::Named named;
    named.function = &f_;
    named.argument = [&](std::size_t p) {
      return terms.constant(launch.arguments[p], f_.parameters[p].type.bits);
    };
    for (std::size_t d = 0; d < 3; ++d) {
      named.grid[d] = terms.constant(launch.grid[d], 64);
      named.block[d] = terms.constant(launch.block[d], 64);
    }
    const auto& all = options_.stated.assumptions;
    return std::all_of(all.begin(), all.end(), [&](const kernel::Assumption& one) {
      return terms.is_true(kernel::condition_on(named, one, terms));
    });
  }

  // A size is said of a launch with the arguments that are said beside it.
  bool is_as_stated() const {
    return suspect_ == nullptr || suspect_->property == Property::bounds;
  }

  std::uint64_t value_of(const kernel::Parameter& p, std::optional<std::uint64_t> otherwise) const {
    if (const auto at = options_.arguments.find(p.name); at != options_.arguments.end()) {
      return at->second;
    }
    if (const auto at = known_.find("arg." + p.name); at != known_.end()) return at->second;
    if (const auto at = options_.stated.arguments.find(p.name);
        at != options_.stated.arguments.end() && !at->second.unknown && is_as_stated()) {
      return p.type.is_real() ? kernel::from_double(at->second.value, p.type.bits)
                              : static_cast<std::uint64_t>(at->second.integer);
    }
    if (!otherwise && suspect_ != nullptr) {
      for (const auto& [name, value] : suspect_->arguments) {
        if (name == p.name && p.type.is_integer()) return value;
      }
    }
    const auto ends = options_.stated.arguments.find(p.name);
    const auto number = static_cast<std::uint64_t>(
        in_range(ends == options_.stated.arguments.end() ? std::nullopt : ends->second.range,
                 otherwise.value_or(16)));
    if (p.type.is_real()) return kernel::from_double(static_cast<double>(number), p.type.bits);
    return kernel::low_bits(number, p.type.bits);
  }

  std::uint8_t byte(Data data, int region, std::uint64_t at) const {
    const int parameter = parameter_of(region);
    const kernel::BufferSpec* stated = nullptr;
    if (parameter >= 0) {
      const auto& content = contents_[static_cast<std::size_t>(parameter)];
      if (content) return at < content->size() ? (*content)[at] : std::uint8_t{0};
      const auto& name = f_.parameters[static_cast<std::size_t>(parameter)].name;
      if (const auto b = options_.stated.buffers.find(name); b != options_.stated.buffers.end()) {
        stated = &b->second;
      }
    } else if (region >= 2 && region < static_cast<int>(2 + module_.objects.size()) &&
               (!options_.stated.buffers.empty() || as_initialized_)) {
      // With buffers stated, variables are as a program finds them.
      const auto& initial = module_.objects[static_cast<std::size_t>(region - 2)].initial;
      return initial && at < initial->size() ? (*initial)[at] : std::uint8_t{0};
    }
    const auto type = types_.find(region);
    const Type t = type == types_.end() ? Type::integer(32) : type->second;
    const auto bytes = static_cast<std::uint64_t>(t.bytes());
    if (stated == nullptr && is_left_out(region, at / bytes)) return 0;
    // A counterexample knows of no range.
    if (const auto known = memory_.find({region, at});
        known != memory_.end() && (stated == nullptr || !stated->range)) {
      return known->second;
    }
    const auto number = static_cast<double>(
        in_range(stated == nullptr ? std::nullopt : stated->range, element(data, at / bytes)));
    const std::uint64_t value = t.is_real()
                                    ? kernel::from_double(number, t.bits)
                                    : static_cast<std::uint64_t>(static_cast<std::int64_t>(number));
    return static_cast<std::uint8_t>(value >> (8 * (at % bytes)));
  }

  std::string where(const TrialLaunch& launch) const {
    std::string text = launch_text(launch.grid, launch.block);
    for (std::size_t p = 0; p < f_.parameters.size(); ++p) {
      const kernel::Parameter& one = f_.parameters[p];
      if (!one.type.is_integer() || one.by_value > 0) continue;
      text += fmt::format(", {} = {}", one.name,
                          kernel::sign_extended(launch.arguments[p], one.type.bits));
    }
    return text;
  }

  const kernel::Module& module_;
  const kernel::Function& f_;
  const Options& options_;
  const Suspect* suspect_;
  const std::map<std::string, std::uint64_t>& known_;
  std::map<int, Type> types_;
  std::vector<std::optional<std::vector<std::uint8_t>>> contents_;  // by parameter, as stated
  bool walks_;
  Watcher* watcher_ = nullptr;
  std::size_t walks_left_ = std::numeric_limits<std::size_t>::max();
  std::map<std::pair<int, std::uint64_t>, std::uint8_t> memory_;
  bool as_initialized_ = false;            // variables
  std::map<int, std::vector<bool>> kept_;  // elements of regions that are not taken for 0; or all
  Trials result_;
};

}  // namespace

std::string launch_text(const kernel::Size3& grid, const kernel::Size3& block) {
  return fmt::format("; in a launch of {} workgroups of {} threads", fmt::join(grid, ","),
                     fmt::join(block, ","));
}

Trials try_launches(const kernel::Module& module, const kernel::Function& function,
                    const Options& options, const Suspect* suspect,
                    const std::map<std::string, std::uint64_t>& known,
                    std::optional<Property> wanted, std::chrono::milliseconds limit) {
  return Search(module, function, options, suspect, known).run(wanted, limit);
}

void watch_launches(const kernel::Module& module, const kernel::Function& function,
                    const Options& options, const std::map<std::string, std::uint64_t>& known,
                    Watcher& watcher, std::chrono::milliseconds limit) {
  Search search(module, function, options, nullptr, known);
  search.watch(watcher);
  search.run(std::nullopt, limit);
}

}  // namespace headway::verify
