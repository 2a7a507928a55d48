// Litmus tests of PTX: a column a thread, as Dat3M and NVIDIA's tests write them
// (PTX ISA, "Memory Consistency Model").
#include <fmt/format.h>

#include <algorithm>

#include "base/text/suggestion.hpp"
#include "consistency/litmus/columns.hpp"

namespace headway::consistency::litmus {
namespace {

using Kind = Instruction::Kind;

// By which way memory is come to: the first letters of an instruction, and the tag of the proxy.
struct Proxy {
  std::string_view name, tag, load, store, update, reduction;
};
constexpr Proxy kProxies[] = {{"generic", "GEN", "ld", "st", "atom", "red"},
                              {"surface", "SUR", "suld", "sust", "suatom", "sured"},
                              {"texture", "TEX", "tld", "", "", ""},
                              {"constant", "CON", "cold", "", "", ""}};

constexpr std::string_view kPtxScopes[] = {"cta", "gpu", "sys"};

struct PtxOrder {
  std::string_view name;
  std::vector<int> strength;  // what it orders: what comes behind, what comes before, all
};
const std::vector<PtxOrder>& ptx_orders() {
  static const std::vector<PtxOrder> known = {{"relaxed", {0, 0, 0}},
                                              {"acquire", {1, 0, 0}},
                                              {"release", {0, 1, 0}},
                                              {"acq_rel", {1, 1, 0}},
                                              {"sc", {1, 1, 1}}};
  return known;
}

class PtxThread : public ColumnThread {
 public:
  PtxThread(Builder& builder, int thread)
      : ColumnThread(builder, thread, "ld, st, atom, red, fence, bar.cta.sync") {}

 private:
  bool access(Cursor& cursor, const Mnemonic& mnemonic, Instruction& result) override {
    const std::string& head = mnemonic.parts.front();
    for (const Proxy& proxy : kProxies) {
      if (head.empty()) break;
      if (head == proxy.load) {
        load(cursor, mnemonic, proxy, result);
      } else if (head == proxy.store) {
        store(cursor, mnemonic, proxy, result);
      } else if (head == proxy.update || head == proxy.reduction) {
        update(cursor, mnemonic, proxy, result);
      } else {
        continue;
      }
      return true;
    }
    if (head == "fence") {
      fence(cursor, mnemonic, result);
    } else if (head == "bar" || head == "barrier") {
      barrier(cursor, mnemonic, result);
    } else {
      return false;
    }
    return true;
  }

  // The order and the scope of a mnemonic, as tags; throws for parts that are neither.
  static Tags tags_of(const Cursor& cursor, std::size_t begin,
                      const std::vector<std::string>& parts,
                      std::initializer_list<std::string_view> orders) {
    Tags tags;
    bool has_order = false, has_scope = false;
    for (std::size_t p = 1; p < parts.size(); ++p) {
      const std::string part = upper(parts[p]);
      if (part == "CTA" || part == "GPU" || part == "SYS") {
        tags.push_back(part);
        has_scope = true;
      } else if (std::find(orders.begin(), orders.end(), parts[p]) != orders.end()) {
        tags.push_back(part == "RELAXED"   ? "RLX"
                       : part == "ACQUIRE" ? "ACQ"
                       : part == "RELEASE" ? "REL"
                                           : part);
        has_order = true;
      } else {
        cursor.fail_at(begin, fmt::format("'.{}' is not read here; expected {} and a scope, cta, "
                                          "gpu or sys",
                                          parts[p], fmt::join(orders, ", ")));
      }
    }
    const bool weak = std::find(tags.begin(), tags.end(), "WEAK") != tags.end();
    if (!has_order && !has_scope) {
      tags.push_back("WEAK");
    } else if (!weak && !(has_order && has_scope)) {
      cursor.fail_at(begin, "expected an order and a scope, as in 'relaxed.gpu'");
    }
    return tags;
  }

  using Names = std::initializer_list<std::string_view>;

  // The order of an instruction could be another of these, and its scope any. What is weak stays.
  void choices(const Mnemonic& mnemonic, Names may_be) {
    const auto& parts = mnemonic.parts;
    if (std::find(parts.begin(), parts.end(), "weak") != parts.end()) return;
    for (std::size_t p = 1; p < parts.size(); ++p) {
      const std::string part = upper(parts[p]);
      Choice choice;
      choice.edits.push_back(mnemonic.at(p));
      const auto option = [&](std::string_view name, const std::vector<int>& strength) {
        if (upper(name) == part) choice.written = choice.options.size();
        choice.options.push_back({std::string(name), strength});
        choice.edits.front().texts.emplace_back(name);
      };
      if (part == "CTA" || part == "GPU" || part == "SYS") {
        choice.what = "scope";
        int width = 0;
        for (const std::string_view scope : kPtxScopes) option(scope, {width++});
      } else if (std::find(may_be.begin(), may_be.end(), parts[p]) != may_be.end()) {
        choice.what = "order";
        for (const PtxOrder& order : ptx_orders()) {
          const bool is_one = std::find(may_be.begin(), may_be.end(), order.name) != may_be.end();
          if (is_one) option(order.name, order.strength);
        }
      } else {
        continue;
      }
      ColumnThread::choice(std::move(choice));
    }
  }

  // A fence may be none at all, and of acquire or release alone (PTX 8.6) where the file has such.
  void fence_choice(const Mnemonic& mnemonic) {
    const auto written = [&](std::string_view part) {
      return std::any_of(mnemonic.parts.begin(), mnemonic.parts.end(),
                         [&](const auto& of) { return upper(of) == upper(part); });
    };
    const bool one_way = written("acquire") || written("release");
    Choice choice;
    choice.what = "fence";
    choice.edits.push_back(mnemonic.whole());
    choice.options.push_back({"", {0, 0, 0, 0}});
    choice.edits.front().texts.emplace_back();
    for (const PtxOrder& order : ptx_orders()) {
      if (order.name == "relaxed") continue;
      if ((order.name == "acquire" || order.name == "release") && !one_way) continue;
      int width = 0;
      for (const std::string_view scope : kPtxScopes) {
        std::vector<int> strength = order.strength;
        strength.push_back(++width);
        if (written(order.name) && written(scope)) choice.written = choice.options.size();
        choice.options.push_back({fmt::format("{}.{}", order.name, scope), std::move(strength)});
        choice.edits.front().texts.push_back("fence." + choice.options.back().name);
      }
    }
    if (choice.written) ColumnThread::choice(std::move(choice));
  }

  // An address that was declared for a proxy is come to by that one.
  void location(Cursor& cursor, const Proxy& proxy, Instruction& result) {
    const std::size_t offset = cursor.offset();
    const Address found = address(cursor);
    if (!found.proxy.empty() && found.proxy != proxy.name) {
      cursor.fail_at(offset, fmt::format("this address is one of the {} proxy; expected an "
                                         "instruction of it",
                                         found.proxy));
    }
    go_to(found, result);
  }

  void load(Cursor& cursor, const Mnemonic& mnemonic, const Proxy& proxy, Instruction& result) {
    result.tags = tags_of(cursor, mnemonic.begin, mnemonic.parts, {"weak", "relaxed", "acquire"});
    result.tags.emplace_back(proxy.tag);
    result.target = register_number(cursor);
    cursor.require(",");
    if (const auto number = cursor.take_number()) {
      result.kind = Kind::assign;
      result.value = Term::constant(*number);
      return;
    }
    choices(mnemonic, {"relaxed", "acquire"});
    result.kind = Kind::load;
    location(cursor, proxy, result);
  }

  void store(Cursor& cursor, const Mnemonic& mnemonic, const Proxy& proxy, Instruction& result) {
    result.kind = Kind::store;
    result.tags = tags_of(cursor, mnemonic.begin, mnemonic.parts, {"weak", "relaxed", "release"});
    choices(mnemonic, {"relaxed", "release"});
    result.tags.emplace_back(proxy.tag);
    location(cursor, proxy, result);
    cursor.require(",");
    result.value = value(cursor);
  }

  // atom.order.scope.operation target, location, value; red has no target.
  void update(Cursor& cursor, const Mnemonic& mnemonic, const Proxy& proxy, Instruction& result) {
    std::vector<std::string> parts = mnemonic.parts;
    std::string operation;
    std::erase_if(parts, [&](const std::string& part) {
      if (part != "exch" && part != "cas" && !arithmetic(part)) return false;
      operation = part;
      return true;
    });
    if (operation.empty()) {
      cursor.fail_at(mnemonic.begin, "expected what it does, as in 'atom.relaxed.gpu.add'");
    }
    const Tags tags = tags_of(cursor, mnemonic.begin, parts,
                              {"weak", "relaxed", "acquire", "release", "acq_rel"});
    // A reduction, which has no result, acquires nothing (PTX ISA, "red").
    const bool reduces = parts.front() == proxy.reduction;
    if (reduces) {
      choices(mnemonic, {"relaxed", "release"});
    } else {
      choices(mnemonic, {"relaxed", "acquire", "release", "acq_rel"});
    }
    for (const std::string& tag : tags) {
      result.tags.push_back(tag == "ACQ_REL" ? "ACQ" : tag == "REL" ? "RLX" : tag);
      result.write_tags.push_back(tag == "ACQ_REL" ? "REL" : tag == "ACQ" ? "RLX" : tag);
    }
    result.tags.emplace_back(proxy.tag);
    result.write_tags.emplace_back(proxy.tag);
    if (parts.front() == proxy.update) {
      result.target = register_number(cursor);
      cursor.require(",");
    }
    location(cursor, proxy, result);
    cursor.require(",");
    if (operation == "cas") {
      result.kind = Kind::compare_exchange;
      result.expected = value(cursor);
      cursor.require(",");
    } else if (operation == "exch") {
      result.kind = Kind::exchange;
    } else {
      result.kind = Kind::update;
      result.update = *arithmetic(operation);
    }
    result.value = value(cursor);
  }

  void fence(const Cursor& cursor, const Mnemonic& mnemonic, Instruction& result) {
    result.kind = Kind::fence;
    if (mnemonic.parts.size() > 1 && mnemonic.parts[1] == "proxy") {
      return proxy_fence(cursor, mnemonic, result);
    }
    result.tags =
        tags_of(cursor, mnemonic.begin, mnemonic.parts, {"sc", "acq_rel", "acquire", "release"});
    fence_choice(mnemonic);
    // A fence of sequential consistency is one of acquire and release, too.
    if (std::find(result.tags.begin(), result.tags.end(), "SC") != result.tags.end()) {
      result.tags.push_back("ACQ_REL");
    }
    result.tags.insert(result.tags.end(), {"F", "GEN"});
  }

  // fence.proxy.surface is between the generic proxy and that of surfaces, fence.proxy.alias
  // between the addresses of one place.
  static void proxy_fence(const Cursor& cursor, const Mnemonic& mnemonic, Instruction& result) {
    std::vector<std::string> names = {"alias"};
    const std::string kind = mnemonic.parts.size() == 3 ? mnemonic.parts[2] : "";
    if (kind == "alias") {
      result.tags = {"F", "ALIAS"};
      return;
    }
    for (const Proxy& proxy : kProxies) {
      if (proxy.tag == "GEN") continue;
      if (kind == proxy.name) {
        result.tags = {"F", std::string(proxy.tag)};
        return;
      }
      names.emplace_back(proxy.name);
    }
    cursor.fail_at(mnemonic.begin,
                   fmt::format("expected fence.proxy. and {}, found '{}'{}", fmt::join(names, ", "),
                               mnemonic.text, did_you_mean(kind, names)));
  }

  void barrier(Cursor& cursor, const Mnemonic& mnemonic, Instruction& result) {
    const std::vector<std::string>& parts = mnemonic.parts;
    const bool whole = (parts.size() == 3 && parts[1] == "cta" && parts[2] == "sync") ||
                       (parts.size() == 2 && parts[1] == "sync");
    if (!whole) {
      cursor.fail_at(mnemonic.begin, "expected 'bar.cta.sync'; other barriers are not read here");
    }
    result.kind = Kind::barrier;
    result.tags = {"BAR", "GEN", "CTA"};
    result.barrier_id = value(cursor);
    if (cursor.is(",")) {
      cursor.fail("a barrier of some threads of a block is not read here; expected one number");
    }
  }
};

}  // namespace

void parse_ptx(Cursor& cursor, Builder& builder) {
  builder.program().partial_coherence = true;
  builder.program().scopes = {{"CTA", 2}, {"GPU", 1}, {"SYS", 0}};
  parse_columns(
      cursor, builder, "a thread, 'P0@cta 0,gpu 0'",
      [](Cursor& at) {
        at.require("cta");
        const auto block = static_cast<int>(at.number("the number of its block"));
        at.require(",");
        at.require("gpu");
        const auto device = static_cast<int>(at.number("the number of its device"));
        return std::vector<int>{device, block};
      },
      [](Builder& of, int thread) -> std::unique_ptr<ColumnThread> {
        return std::make_unique<PtxThread>(of, thread);
      });
}

}  // namespace headway::consistency::litmus
