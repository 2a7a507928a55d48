#include "consistency/idiom/strengths.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace headway::consistency::idiom {
namespace {

using lang::idiom::AccessKind;
using lang::idiom::MemoryOrder;
using lang::idiom::MemoryScope;
using lang::idiom::Strength;
using lang::idiom::StrengthPlace;

constexpr MemoryScope kScopesByWidth[] = {MemoryScope::subgroup, MemoryScope::workgroup,
                                          MemoryScope::device, MemoryScope::system};

struct OrderWords {
  MemoryOrder order;
  const char* tag;
  bool acquires, releases;
  // What it orders: what comes behind, what comes before, all that is sequentially consistent.
  std::vector<int> strength;
};

const OrderWords& words_of(MemoryOrder order) {
  static const std::vector<OrderWords> known = {
      {MemoryOrder::plain, "NA", false, false, {}},
      {MemoryOrder::relaxed, "RLX", false, false, {0, 0, 0}},
      {MemoryOrder::acquire, "ACQ", true, false, {1, 0, 0}},
      {MemoryOrder::release, "REL", false, true, {0, 1, 0}},
      {MemoryOrder::acq_rel, "ACQ_REL", true, true, {1, 1, 0}},
      {MemoryOrder::seq_cst, "SC", true, true, {1, 1, 1}}};
  return known[static_cast<std::size_t>(order)];
}

// By scope, in the order of MemoryScope; empty: the language has none.
struct ScopeTags {
  std::string language;
  std::array<std::string, 4> tags;
};
const std::array<std::string, 4>& scope_tags(const std::string& language) {
  static const std::vector<ScopeTags> known = {{"C", {}},
                                               {"OPENCL", {"", "WG", "DV", "ALL"}},
                                               {"PTX", {"", "CTA", "GPU", "SYS"}},
                                               {"VULKAN", {"SG", "WG", "QF", "DV"}}};
  return std::find_if(known.begin(), known.end(),
                      [&](const ScopeTags& one) { return one.language == language; })
      ->tags;
}

// Of C, whose atomics are there for all threads of a program, none is narrower than another.
std::string scope_tag(const std::string& language, MemoryScope scope) {
  const std::string& tag = scope_tags(language)[static_cast<std::size_t>(scope)];
  if (tag.empty() && (language != "C" || scope < MemoryScope::device)) {
    throw Error(fmt::format("memory models of {} know no scope '{}'", language, to_string(scope)));
  }
  return tag;
}

void add(Tags& to, const Tags& tags) { to.insert(to.end(), tags.begin(), tags.end()); }

// PTX has no accesses that are sequentially consistent: compilers put a fence in front.
void refuse_seq_cst(MemoryOrder order, const std::string& language) {
  if (order != MemoryOrder::seq_cst) return;
  throw Error(
      fmt::format("accesses of {} have no order 'seq_cst'; expected another one, or a fence "
                  "beside the access",
                  language));
}

Tags c_tags(MemoryOrder order, const Tags& region, const std::string& scope) {
  Tags tags;
  if (order == MemoryOrder::plain) {
    tags = {"NA", "NAL"};
  } else {
    tags = {"A", words_of(order).tag};
  }
  add(tags, region);
  if (order != MemoryOrder::plain && !scope.empty()) tags.push_back(scope);
  return tags;
}

// What is left of an order where a comparison fails, and only reads.
MemoryOrder order_of_failure(MemoryOrder order) {
  switch (order) {
    case MemoryOrder::release:
      return MemoryOrder::relaxed;
    case MemoryOrder::acq_rel:
      return MemoryOrder::acquire;
    case MemoryOrder::plain:
    case MemoryOrder::relaxed:
    case MemoryOrder::acquire:
    case MemoryOrder::seq_cst:
      return order;
  }
  return order;
}

Tags ptx_tags(MemoryOrder order, const std::string& scope, bool acquires, bool releases) {
  if (order == MemoryOrder::plain) return {"WEAK", "GEN"};
  const OrderWords& words = words_of(order);
  const char* tag = words.acquires && acquires ? "ACQ" : words.releases && releases ? "REL" : "RLX";
  return {tag, scope, "GEN"};
}

// What is ordered in Vulkan is made available or visible, too, in both classes of storage.
Tags vulkan_tags(MemoryOrder order, const std::string& scope, bool reads, bool writes, bool local) {
  Tags tags = {local ? "SC1" : "SC0"};
  if (order == MemoryOrder::plain) {
    tags.emplace_back("NONPRIV");
    return tags;
  }
  add(tags, {"ATOM", "A", "NONPRIV", scope});
  const OrderWords& words = words_of(order);
  if (reads) tags.emplace_back("VIS");
  if (writes) tags.emplace_back("AV");
  if (reads && words.acquires) add(tags, {"ACQ", "SEMVIS", "SEMSC0", "SEMSC1"});
  if (writes && words.releases) add(tags, {"REL", "SEMAV", "SEMSC0", "SEMSC1"});
  return tags;
}

void tag_fence(Instruction& fence, const std::string& language, const Strength& strength) {
  const OrderWords& words = words_of(strength.order);
  const std::string scope = scope_tag(language, strength.scope);
  fence.tags = {"F"};
  if (language == "VULKAN") {
    refuse_seq_cst(strength.order, "Vulkan");
    add(fence.tags, {"SEMSC0", "SEMSC1"});
    if (words.acquires) add(fence.tags, {"ACQ", "SEMVIS"});
    if (words.releases) add(fence.tags, {"REL", "SEMAV"});
    if (words.acquires && words.releases) fence.tags.emplace_back("ACQ_REL");
  } else {
    fence.tags.emplace_back(words.tag);
    // A fence of PTX that is sequentially consistent is one of acquire and release, too.
    if (language == "PTX") fence.tags.emplace_back("GEN");
    if (language == "PTX" && strength.order == MemoryOrder::seq_cst) {
      fence.tags.emplace_back("ACQ_REL");
    }
    if (language == "OPENCL") add(fence.tags, {"GLOBAL", "LOCAL"});
  }
  if (!scope.empty()) fence.tags.push_back(scope);
}

const std::vector<MemoryOrder>& orders_of(const StrengthPlace& place, const std::string& language) {
  using Order = MemoryOrder;
  static const std::vector<Order> loads = {Order::relaxed, Order::acquire, Order::seq_cst};
  static const std::vector<Order> stores = {Order::relaxed, Order::release, Order::seq_cst};
  static const std::vector<Order> updates = {Order::relaxed, Order::acquire, Order::release,
                                             Order::acq_rel, Order::seq_cst};
  static const std::vector<Order> weak_loads = {Order::relaxed, Order::acquire};
  static const std::vector<Order> weak_stores = {Order::relaxed, Order::release};
  static const std::vector<Order> weak_updates = {Order::relaxed, Order::acquire, Order::release,
                                                  Order::acq_rel};
  const bool consistent = language == "C" || language == "OPENCL";
  if (place.access == AccessKind::load) return consistent ? loads : weak_loads;
  if (place.access == AccessKind::store) return consistent ? stores : weak_stores;
  return consistent ? updates : weak_updates;
}

// Which word stands in text[begin, end) of a file; where none does, one is meant.
template <class Word>
litmus::Choice choice_of(std::string what, std::size_t begin, std::size_t end, Word written,
                         Word meant, const std::vector<std::pair<Word, std::vector<int>>>& words) {
  litmus::Choice choice;
  choice.what = std::move(what);
  litmus::Choice::Edit edit = {begin, end};
  for (const auto& [word, strength] : words) {
    if (word == written) choice.written = choice.options.size();
    choice.options.push_back({std::string(to_string(word)), strength});
    const bool as_before = begin == end && word == meant;
    edit.texts.push_back(as_before ? "" : fmt::format(", {}", to_string(word)));
  }
  choice.edits.push_back(std::move(edit));
  return choice;
}

litmus::Choice order_choice(const StrengthPlace& place, const std::string& language) {
  std::vector<std::pair<MemoryOrder, std::vector<int>>> orders;
  for (const MemoryOrder order : orders_of(place, language)) {
    orders.emplace_back(order, words_of(order).strength);
  }
  return choice_of("order", place.order_begin, place.order_end, place.written.order,
                   Strength{}.order, orders);
}

litmus::Choice scope_choice(const StrengthPlace& place, const std::string& language) {
  std::vector<std::pair<MemoryScope, std::vector<int>>> scopes;
  for (const MemoryScope scope : kScopesByWidth) {
    if (scope_tags(language)[static_cast<std::size_t>(scope)].empty()) continue;
    scopes.emplace_back(scope, std::vector<int>{static_cast<int>(scope)});
  }
  return choice_of("scope", place.scope_begin, place.scope_end, place.written.scope,
                   Strength{}.scope, scopes);
}

// A fence may be none at all.
litmus::Choice fence_choice(const StrengthPlace& place, const std::string& language) {
  litmus::Choice choice;
  choice.what = "fence";
  litmus::Choice::Edit edit = {place.begin, place.end};
  choice.options.push_back({"", {0, 0, 0, 0}});
  edit.texts.emplace_back();
  for (const MemoryOrder order :
       {MemoryOrder::acquire, MemoryOrder::release, MemoryOrder::acq_rel, MemoryOrder::seq_cst}) {
    const bool one_way = order == MemoryOrder::acquire || order == MemoryOrder::release;
    if (language == "VULKAN" && order == MemoryOrder::seq_cst) continue;
    // PTX has fences of one way since 8.6; where none is written none is put.
    if (language == "PTX" && one_way && place.written.order != order) continue;
    for (const MemoryScope scope : kScopesByWidth) {
      const bool has_scopes = language != "C";
      if (has_scopes ? scope_tags(language)[static_cast<std::size_t>(scope)].empty()
                     : scope != place.written.scope) {
        continue;
      }
      if (Strength{order, scope} == place.written) choice.written = choice.options.size();
      std::vector<int> strength = words_of(order).strength;
      strength.push_back(1 + static_cast<int>(scope));
      const bool says_scope = scope != MemoryScope::device || place.scope_begin != place.scope_end;
      std::string name(to_string(order));
      if (says_scope) name += fmt::format(", {}", to_string(scope));
      edit.texts.push_back(fmt::format("fence({});", name));
      choice.options.push_back({std::move(name), std::move(strength)});
    }
  }
  choice.edits.push_back(std::move(edit));
  return choice;
}

// How many numbers of two places agree where each is in the scope of a tag of the other.
std::map<std::string, std::size_t> scopes_of(const std::string& language) {
  if (language == "OPENCL") return {{"WI", 3}, {"WG", 2}, {"DV", 1}, {"ALL", 0}};
  if (language == "PTX") return {{"CTA", 2}, {"GPU", 1}, {"SYS", 0}};
  if (language == "VULKAN") return {{"SG", 3}, {"WG", 2}, {"QF", 1}, {"DV", 0}};
  return {};
}

}  // namespace

void tag(Instruction& instruction, const std::string& language, std::optional<AccessKind> access,
         const Strength& strength, bool local) {
  if (!access) return tag_fence(instruction, language, strength);
  const MemoryOrder order = strength.order;
  const std::string scope = scope_tag(language, strength.scope);
  if (language == "PTX") {
    refuse_seq_cst(order, "PTX");
    instruction.tags =
        ptx_tags(order, scope, access != AccessKind::store, access == AccessKind::store);
    instruction.write_tags = ptx_tags(order, scope, false, true);
  } else if (language == "VULKAN") {
    refuse_seq_cst(order, "Vulkan");
    const bool stores = access == AccessKind::store;
    instruction.tags = vulkan_tags(order, scope, !stores, stores, local);
    instruction.write_tags = vulkan_tags(order, scope, false, true, local);
  } else {
    const Tags region = initial_tags(language, local);
    instruction.tags = c_tags(order, region, scope);
    instruction.failed_tags = c_tags(order_of_failure(order), region, scope);
  }
}

std::optional<Instruction> split_seq_cst(const std::string& language, AccessKind access,
                                         Strength& strength) {
  if (language != "PTX" || strength.order != MemoryOrder::seq_cst) return std::nullopt;
  Instruction fence{Instruction::Kind::fence};
  tag_fence(fence, language, strength);
  strength.order = access == AccessKind::load    ? MemoryOrder::acquire
                   : access == AccessKind::store ? MemoryOrder::release
                                                 : MemoryOrder::acq_rel;
  return fence;
}

Tags initial_tags(const std::string& language, bool local) {
  if (language == "OPENCL") return {local ? "LOCAL" : "GLOBAL"};
  return {};
}

Program program_in(const std::string& language, const std::string& name) {
  Program program;
  program.language = language;
  program.name = name;
  program.one_event_updates = language == "C" || language == "OPENCL";
  program.partial_coherence = language == "PTX" || language == "VULKAN";
  program.scopes = scopes_of(language);
  program.condition.kind = Proposition::Kind::truth;
  program.quantifier = Program::Quantifier::forall;
  return program;
}

std::vector<litmus::Choice> choices_of(const lang::idiom::Syntax& syntax,
                                       const std::string& language) {
  std::vector<litmus::Choice> choices;
  const auto put = [&](litmus::Choice choice, const StrengthPlace& place) {
    if (!choice.written) return;
    const std::string_view before = std::string_view(syntax.text).substr(0, place.begin);
    choice.thread = -1;
    choice.line = 1 + static_cast<int>(std::count(before.begin(), before.end(), '\n'));
    choice.instruction = syntax.text.substr(place.begin, place.end - place.begin);
    choices.push_back(std::move(choice));
  };
  for (const StrengthPlace& place : syntax.strengths) {
    if (!place.access) {
      put(fence_choice(place, language), place);
    } else if (place.written.order != MemoryOrder::plain) {
      put(order_choice(place, language), place);
      if (language != "C") put(scope_choice(place, language), place);
    }
  }
  // Scopes of OpenCL take in each other only if they are the same.
  if (language == "OPENCL") litmus::make_one(choices, "scope");
  return choices;
}

}  // namespace headway::consistency::idiom
