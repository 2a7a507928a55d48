#include "consistency/spinning.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

namespace headway::consistency {
namespace {

bool has_tag(const Instruction& of, const char* tag) {
  return std::find(of.tags.begin(), of.tags.end(), tag) != of.tags.end();
}

// Whether two accesses of a location are atomic, by one name, and in the scope of each other, so
// that all models order their writes and keep updates whole.
bool are_ordered(const Program& program, const Thread& a, const Instruction& one, const Thread& b,
                 const Instruction& other) {
  const auto takes_in = [&](const Instruction& of) {
    return std::all_of(of.tags.begin(), of.tags.end(), [&](const std::string& tag) {
      const auto scope = program.scopes.find(tag);
      return scope == program.scopes.end() ||
             (scope->second <= a.place.size() && same_place(a, b, scope->second));
    });
  };
  if (has_tag(one, "NA") || has_tag(other, "NA") || one.alias != other.alias) return false;
  if (program.language == "VULKAN" && !(has_tag(one, "ATOM") && has_tag(other, "ATOM"))) {
    return false;
  }
  return &a == &b || (takes_in(one) && takes_in(other));
}

}  // namespace

std::set<int> left_by_spinning(const Program& program) {
  std::set<int> result;
  if (program.language == "PTX") return result;
  struct Access {
    const Thread* thread;
    const Instruction* of;
  };
  std::map<int, std::vector<Access>> accesses;
  for (const Thread& thread : program.threads) {
    for (const Instruction& of : thread.code) {
      const bool is_access =
          of.kind == Instruction::Kind::load || of.kind == Instruction::Kind::store ||
          of.kind == Instruction::Kind::update || of.kind == Instruction::Kind::exchange ||
          of.kind == Instruction::Kind::compare_exchange;
      for (int element = 0; is_access && element < of.elements; ++element) {
        accesses[of.location + element].push_back({&thread, &of});
      }
    }
  }
  for (const auto& [location, of] : accesses) {
    bool ordered = true;
    for (const Access& a : of) {
      for (const Access& b : of) {
        ordered = ordered && are_ordered(program, *a.thread, *a.of, *b.thread, *b.of);
      }
    }
    if (ordered) result.insert(location);
  }
  return result;
}

}  // namespace headway::consistency
