// Litmus tests of Vulkan: a column a thread, as Dat3M writes them after those of Khronos' Alloy
// model (Vulkan specification, appendix "Memory Model").
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/text/suggestion.hpp"
#include "consistency/litmus/columns.hpp"

namespace headway::consistency::litmus {
namespace {

using Kind = Instruction::Kind;

// The parts of a mnemonic behind its head, "atom.acq.wg.sc0.semsc0".
struct Parts {
  bool atomic = false, acquires = false, releases = false, non_private = false;
  bool available = false, visible = false, makes_available = false, makes_visible = false;
  std::string scope, storage;
  Tags semantics;  // "SEMSC0"
  std::string operation;
};

constexpr std::array<std::string_view, 4> kScopes = {"sg", "wg", "qf", "dv"};
constexpr std::string_view kLastStorageClass = "3";

// "sc0" to "sc3".
bool is_storage(std::string_view part, std::string_view prefix) {
  return part.size() == prefix.size() + 1 && part.substr(0, prefix.size()) == prefix &&
         part.substr(prefix.size()) >= "0" && part.substr(prefix.size()) <= kLastStorageClass;
}

// What an instruction may order, each in two steps: acquire, and make visible; release, and make
// available.
struct Orders {
  int acquires = 0, releases = 0;

  friend bool operator==(const Orders&, const Orders&) = default;

  std::string name() const {
    return acquires > 0 ? (releases > 0 ? "acq_rel" : "acq") : (releases > 0 ? "rel" : "");
  }
  // With what it makes visible and available: "acq+vis".
  std::string full_name() const {
    return name() + (acquires > 1 ? "+vis" : "") + (releases > 1 ? "+av" : "");
  }
};

// All that have at most so much.
std::vector<Orders> orders_up_to(int acquires, int releases) {
  std::vector<Orders> result;
  for (int a = 0; a <= acquires; ++a) {
    for (int r = 0; r <= releases; ++r) result.push_back({a, r});
  }
  return result;
}

class VulkanThread : public ColumnThread {
 public:
  VulkanThread(Builder& builder, int thread)
      : ColumnThread(builder, thread, "ld, st, rmw, membar, cbar, avdevice, visdevice") {}

 private:
  bool access(Cursor& cursor, const Mnemonic& mnemonic, Instruction& result) override {
    const std::string& head = mnemonic.parts.front();
    if (head == "ld") {
      load(cursor, mnemonic, result);
    } else if (head == "st") {
      store(cursor, mnemonic, result);
    } else if (head == "rmw") {
      update(cursor, mnemonic, result);
    } else if (head == "membar") {
      result.kind = Kind::fence;
      const Parts parts = parts_of(cursor, mnemonic);
      result.tags = fence_tags(cursor, mnemonic, parts);
      if (result.tags.front() != "F") cursor.fail_at(mnemonic.begin, needs_order(mnemonic));
      fence_choice(mnemonic, parts);
    } else if (head == "cbar") {
      result.kind = Kind::barrier;
      const Parts parts = parts_of(cursor, mnemonic);
      result.tags = fence_tags(cursor, mnemonic, parts);
      choices(cursor, mnemonic, parts, orders_up_to(2, 2));
      result.tags.insert(result.tags.end(), {"BAR", "CBAR"});
      result.barrier_id = value(cursor);
      if (cursor.is(",")) {
        cursor.fail(
            "a barrier of some threads of a workgroup is not read here; expected one number");
      }
    } else if (mnemonic.text == "avdevice" || mnemonic.text == "visdevice") {
      result.kind = Kind::fence;
      result.tags = {upper(mnemonic.text)};
      Choice choice;
      choice.what = "fence";
      choice.edits.push_back({mnemonic.begin, mnemonic.whole().end, {"", mnemonic.text}});
      choice.options = {{"", {0}}, {mnemonic.text, {1}}};
      choice.written = 1;
      ColumnThread::choice(std::move(choice));
    } else {
      return false;
    }
    return true;
  }

  static std::string needs_order(const Mnemonic& mnemonic) {
    return fmt::format("expected an order, acq, rel or acq_rel, found '{}'", mnemonic.text);
  }

  // Takes one part; false: it is none.
  static bool take(const std::string& part, Parts& parts) {
    if (part == "atom") {
      parts.atomic = true;
    } else if (part == "acq" || part == "rel" || part == "acq_rel") {
      parts.acquires = parts.acquires || part != "rel";
      parts.releases = parts.releases || part != "acq";
    } else if (part == "nonpriv") {
      parts.non_private = true;
    } else if (part == "av") {
      parts.available = true;
    } else if (part == "vis") {
      parts.visible = true;
    } else if (part == "semav") {
      parts.makes_available = true;
    } else if (part == "semvis") {
      parts.makes_visible = true;
    } else if (std::find(kScopes.begin(), kScopes.end(), part) != kScopes.end()) {
      if (!parts.scope.empty()) return false;
      parts.scope = upper(part);
    } else if (is_storage(part, "sc")) {
      if (!parts.storage.empty()) return false;
      parts.storage = upper(part);
    } else if (is_storage(part, "semsc")) {
      parts.semantics.push_back(upper(part));
    } else {
      return false;
    }
    return true;
  }

  // The storage classes that an order is about where none is written: all that the file has.
  static Tags semantics_of(const Cursor& cursor, const Parts& parts) {
    if (!parts.semantics.empty()) return {};
    Tags classes;
    for (const char* name : {"sc0", "sc1", "sc2", "sc3"}) {
      const bool occurs = cursor.text().find(fmt::format(".{}", name)) != std::string_view::npos;
      if (occurs) classes.push_back(fmt::format(".sem{}", name));
    }
    return classes;
  }
  static Orders orders_of(const Parts& parts) {
    return {(parts.acquires ? 1 : 0) + (parts.makes_visible ? 1 : 0),
            (parts.releases ? 1 : 0) + (parts.makes_available ? 1 : 0)};
  }

  // The scope could be another one, and the order another one of these.
  void choices(const Cursor& cursor, const Mnemonic& mnemonic, const Parts& parts,
               const std::vector<Orders>& may_be) {
    scope_choice(mnemonic);
    // A part with the dot in front of it; where there is none, a place for it.
    const auto place = [&](const auto& is_it, std::size_t otherwise) {
      for (std::size_t p = 1; p < mnemonic.parts.size(); ++p) {
        if (!is_it(mnemonic.parts[p])) continue;
        Choice::Edit edit = mnemonic.at(p);
        --edit.begin;
        return edit;
      }
      return Choice::Edit{otherwise, otherwise};
    };
    const auto is_order = [](const std::string& part) {
      return part == "acq" || part == "rel" || part == "acq_rel";
    };
    const std::size_t front = mnemonic.at(parts.atomic && mnemonic.parts[1] == "atom" ? 1 : 0).end;
    const std::size_t end = mnemonic.whole().end;
    Choice choice;
    choice.what = "order";
    choice.edits = {place(is_order, front), Choice::Edit{end, end},
                    place([](const std::string& part) { return part == "semvis"; }, end),
                    place([](const std::string& part) { return part == "semav"; }, end)};
    const std::string classes =
        fmt::format("{}", fmt::join(semantics_of(cursor, parts), std::string_view()));
    const Orders written = orders_of(parts);
    for (const Orders& orders : may_be) {
      if (orders == written) choice.written = choice.options.size();
      const std::string name = orders.name();
      choice.options.push_back(
          {name.empty() ? "relaxed" : orders.full_name(), {orders.acquires, orders.releases}});
      choice.edits[0].texts.push_back(name.empty() ? "" : "." + name);
      choice.edits[1].texts.push_back(name.empty() ? "" : classes);
      choice.edits[2].texts.emplace_back(orders.acquires > 1 ? ".semvis" : "");
      choice.edits[3].texts.emplace_back(orders.releases > 1 ? ".semav" : "");
    }
    ColumnThread::choice(std::move(choice));
  }
  void scope_choice(const Mnemonic& mnemonic) {
    for (std::size_t p = 1; p < mnemonic.parts.size(); ++p) {
      const auto* const written = std::find(kScopes.begin(), kScopes.end(), mnemonic.parts[p]);
      if (written == kScopes.end()) continue;
      Choice choice;
      choice.what = "scope";
      choice.written = static_cast<std::size_t>(written - kScopes.begin());
      choice.edits.push_back(mnemonic.at(p));
      for (std::size_t s = 0; s < kScopes.size(); ++s) {
        choice.options.push_back({std::string(kScopes[s]), {static_cast<int>(s)}});
        choice.edits.front().texts.emplace_back(kScopes[s]);
      }
      ColumnThread::choice(std::move(choice));
    }
  }
  // A fence may be none at all.
  void fence_choice(const Mnemonic& mnemonic, const Parts& parts) {
    Choice choice;
    choice.what = "fence";
    choice.edits.push_back(mnemonic.whole());
    choice.options.push_back({"", {0, 0, 0}});
    choice.edits.front().texts.emplace_back();
    const Orders written = orders_of(parts);
    for (const Orders& orders : orders_up_to(2, 2)) {
      if (orders.name().empty()) continue;
      int width = 0;
      for (const std::string_view scope : kScopes) {
        if (orders == written && upper(scope) == parts.scope) {
          choice.written = choice.options.size();
        }
        choice.options.push_back({fmt::format("{}.{}", orders.full_name(), scope),
                                  {orders.acquires, orders.releases, ++width}});
        std::string text = fmt::format("membar.{}.{}", orders.name(), scope);
        for (const std::string& part : mnemonic.parts) {
          if (is_storage(part, "semsc")) text += "." + part;
        }
        if (orders.acquires > 1) text += ".semvis";
        if (orders.releases > 1) text += ".semav";
        choice.edits.front().texts.push_back(std::move(text));
      }
    }
    ColumnThread::choice(std::move(choice));
  }

  static Parts parts_of(const Cursor& cursor, const Mnemonic& mnemonic) {
    Parts parts;
    const bool updates = mnemonic.parts.front() == "rmw";
    for (std::size_t p = 1; p < mnemonic.parts.size(); ++p) {
      const std::string& part = mnemonic.parts[p];
      if (updates && arithmetic(part)) {
        parts.operation = part;
      } else if (!take(part, parts)) {
        const std::vector<std::string> known = {"atom", "acq", "rel",    "acq_rel", "nonpriv",
                                                "av",   "vis", "sg",     "wg",      "qf",
                                                "dv",   "sc0", "semsc0", "semvis",  "semav"};
        cursor.fail_at(mnemonic.begin,
                       fmt::format("expected one order, scope (sg, wg, qf, dv), storage class (sc0 "
                                   "to sc3) and their semantics, found '.{}'{}",
                                   part, did_you_mean(part, known)));
      }
    }
    const auto require = [&](bool holds, std::string_view what) {
      if (!holds) cursor.fail_at(mnemonic.begin, fmt::format("expected {}", what));
    };
    const bool scoped =
        parts.atomic || parts.available || parts.visible || parts.acquires || parts.releases;
    require(!scoped || !parts.scope.empty(), "a scope, as in '.dv'");
    require(!(parts.acquires || parts.releases) || !parts.semantics.empty(),
            "the storage classes that the order is about, as in '.semsc0'");
    require(!parts.makes_available || parts.releases, "a release where '.semav' stands");
    require(!parts.makes_visible || parts.acquires, "an acquire where '.semvis' stands");
    return parts;
  }

  // Of a load, a store or an update: its storage class, and whether it is private.
  static Tags access_tags(const Cursor& cursor, const Mnemonic& mnemonic, const Parts& parts) {
    if (parts.storage.empty()) {
      cursor.fail_at(mnemonic.begin, "expected a storage class, as in '.sc0'");
    }
    if (!parts.atomic && (parts.acquires || parts.releases)) {
      cursor.fail_at(mnemonic.begin, "expected '.atom', as only atomic accesses have an order");
    }
    Tags tags = {parts.storage};
    if (parts.atomic) tags.insert(tags.end(), {"ATOM", "A"});
    if (parts.atomic || parts.available || parts.visible || parts.non_private) {
      tags.emplace_back("NONPRIV");
    }
    if (parts.atomic || parts.available || parts.visible) tags.push_back(parts.scope);
    return tags;
  }
  // A plain access has no semantics, whatever is written there.
  static void add_semantics(const Parts& parts, Tags& tags) {
    if (parts.atomic) tags.insert(tags.end(), parts.semantics.begin(), parts.semantics.end());
  }
  // The read part acquires and makes visible, the write part releases and makes available.
  static Tags read_tags(const Cursor& cursor, const Mnemonic& mnemonic, const Parts& parts) {
    Tags tags = access_tags(cursor, mnemonic, parts);
    if (parts.atomic || parts.visible) tags.emplace_back("VIS");
    if (parts.acquires) tags.emplace_back("ACQ");
    if (parts.makes_visible) tags.emplace_back("SEMVIS");
    if (parts.acquires || !parts.releases) add_semantics(parts, tags);
    return tags;
  }
  static Tags write_tags(const Cursor& cursor, const Mnemonic& mnemonic, const Parts& parts) {
    Tags tags = access_tags(cursor, mnemonic, parts);
    if (parts.atomic || parts.available) tags.emplace_back("AV");
    if (parts.releases) tags.emplace_back("REL");
    if (parts.makes_available) tags.emplace_back("SEMAV");
    if (parts.releases || !parts.acquires) add_semantics(parts, tags);
    return tags;
  }

  // "F" first where it is one of memory: a control barrier without an order is none.
  static Tags fence_tags(const Cursor& cursor, const Mnemonic& mnemonic, const Parts& parts) {
    if (parts.atomic || parts.available || parts.visible || parts.non_private ||
        !parts.storage.empty()) {
      cursor.fail_at(
          mnemonic.begin,
          fmt::format("expected an order, a scope and semantics alone, found '{}'", mnemonic.text));
    }
    if (parts.scope.empty()) cursor.fail_at(mnemonic.begin, "expected a scope, as in '.wg'");
    Tags tags;
    if (parts.acquires || parts.releases) {
      tags.emplace_back("F");
      tags.insert(tags.end(), parts.semantics.begin(), parts.semantics.end());
    }
    if (parts.acquires) tags.emplace_back("ACQ");
    if (parts.releases) tags.emplace_back("REL");
    if (parts.acquires && parts.releases) tags.emplace_back("ACQ_REL");
    if (parts.makes_available) tags.emplace_back("SEMAV");
    if (parts.makes_visible) tags.emplace_back("SEMVIS");
    tags.push_back(parts.scope);
    return tags;
  }

  void load(Cursor& cursor, const Mnemonic& mnemonic, Instruction& result) {
    const Parts parts = parts_of(cursor, mnemonic);
    if (parts.releases || parts.available) {
      cursor.fail_at(mnemonic.begin,
                     "a load neither releases nor makes available; expected '.acq' "
                     "or '.vis'");
    }
    result.kind = Kind::load;
    result.tags = read_tags(cursor, mnemonic, parts);
    result.target = register_number(cursor);
    cursor.require(",");
    if (const auto number = cursor.take_number()) {
      result.kind = Kind::assign;
      result.value = Term::constant(*number);
    } else {
      if (parts.atomic) choices(cursor, mnemonic, parts, orders_up_to(2, 0));
      go_to(address(cursor), result);
    }
  }

  void store(Cursor& cursor, const Mnemonic& mnemonic, Instruction& result) {
    const Parts parts = parts_of(cursor, mnemonic);
    if (parts.acquires || parts.visible) {
      cursor.fail_at(mnemonic.begin,
                     "a store neither acquires nor makes visible; expected '.rel' "
                     "or '.av'");
    }
    if (parts.atomic) choices(cursor, mnemonic, parts, orders_up_to(0, 2));
    result.kind = Kind::store;
    result.tags = write_tags(cursor, mnemonic, parts);
    go_to(address(cursor), result);
    cursor.require(",");
    result.value = value(cursor);
  }

  // rmw.atom.wg.sc0.add target, location, value; without an operation it exchanges.
  void update(Cursor& cursor, const Mnemonic& mnemonic, Instruction& result) {
    Parts parts = parts_of(cursor, mnemonic);
    parts.atomic = true;
    if (parts.scope.empty()) cursor.fail_at(mnemonic.begin, "expected a scope, as in '.dv'");
    choices(cursor, mnemonic, parts, orders_up_to(2, 2));
    result.kind = parts.operation.empty() ? Kind::exchange : Kind::update;
    if (!parts.operation.empty()) result.update = *arithmetic(parts.operation);
    result.tags = read_tags(cursor, mnemonic, parts);
    result.write_tags = write_tags(cursor, mnemonic, parts);
    result.target = register_number(cursor);
    cursor.require(",");
    go_to(address(cursor), result);
    cursor.require(",");
    result.value = value(cursor);
  }
};

// "{ ssw 0 1; }": what the host orders.
void system_synchronization(Cursor& cursor, Program& program) {
  if (!cursor.take("{")) return;
  while (!cursor.take("}")) {
    if (cursor.take(";")) continue;
    if (!cursor.take_word("ssw")) cursor.expected("'ssw' and two threads");
    std::array<int, 2> pair{};
    for (int& thread : pair) {
      if (const auto number = cursor.take_number()) {
        thread = static_cast<int>(*number);
      } else {
        const std::size_t offset = cursor.offset();
        const std::string name = cursor.word("a thread");
        thread = Builder::thread_number(name);
        if (thread < 0) cursor.fail_at(offset, fmt::format("expected a thread, found '{}'", name));
      }
    }
    program.system_synchronizes.emplace_back(pair[0], pair[1]);
  }
}

}  // namespace

void parse_vulkan(Cursor& cursor, Builder& builder) {
  Program& program = builder.program();
  program.partial_coherence = true;
  program.scopes = {{"SG", 3}, {"WG", 2}, {"QF", 1}, {"DV", 0}};
  const std::size_t begin = cursor.offset();
  system_synchronization(cursor, program);
  parse_columns(
      cursor, builder, "a thread, 'P0@sg 0,wg 0,qf 0'",
      [](Cursor& at) {
        const auto number = [&](const char* level, const char* what) {
          at.require(level);
          return static_cast<int>(at.number(what));
        };
        const int subgroup = number("sg", "the number of its subgroup");
        at.require(",");
        const int workgroup = number("wg", "the number of its workgroup");
        at.require(",");
        return std::vector<int>{number("qf", "the number of its queue family"), workgroup,
                                subgroup};
      },
      [](Builder& of, int thread) -> std::unique_ptr<ColumnThread> {
        return std::make_unique<VulkanThread>(of, thread);
      });
  const auto threads = static_cast<int>(program.threads.size());
  for (const auto& [before, behind] : program.system_synchronizes) {
    for (const int thread : {before, behind}) {
      if (thread < 0 || thread >= threads) {
        cursor.fail_at(begin, fmt::format("there is no thread {}", thread));
      }
    }
  }
}

}  // namespace headway::consistency::litmus
