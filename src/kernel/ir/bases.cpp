#include "kernel/ir/bases.hpp"

#include <algorithm>
#include <iterator>

namespace headway::kernel {

namespace {

template <typename T>
bool add_all(std::vector<T>& to, const std::vector<T>& more) {
  const std::size_t before = to.size();
  std::vector<T> joined;
  std::set_union(to.begin(), to.end(), more.begin(), more.end(), std::back_inserter(joined));
  to = std::move(joined);
  return to.size() != before;
}

}  // namespace

bool Bases::add(const Bases& more) {
  bool changes = more.any && !any;
  any = any || more.any;
  if (add_all(parameters, more.parameters)) changes = true;
  if (add_all(objects, more.objects)) changes = true;
  return changes;
}

std::vector<Bases> find_bases(const Function& function) {
  std::vector<Bases> result(function.values.size());
  for (std::size_t v = 0; v < result.size(); ++v) {
    const Value& value = function.values[v];
    if (value.kind == Value::Kind::argument) {
      result[v].parameters = {static_cast<std::uint32_t>(value.bits)};
    } else if (value.kind == Value::Kind::address) {
      result[v].objects = {value.object};
    }
  }
  bool changes = true;
  while (changes) {
    changes = false;
    for (const Block& block : function.blocks) {
      for (const Instruction& i : block.code) {
        if (i.result == kNone) continue;
        Bases& of = result[i.result];
        const auto take = [&](ValueId from) {
          if (of.add(result[from])) changes = true;
        };
        if (i.op == Op::phi || i.op == Op::add || i.op == Op::sub) {
          for (const ValueId operand : i.operands) take(operand);
        } else if (i.op == Op::select) {
          take(i.operands[1]);
          take(i.operands[2]);
        } else if (i.op == Op::offset || class_of(i.op) == OpClass::reinterpretation) {
          take(i.operands[0]);
        } else if (i.type.is_pointer() || i.type.bits == 64) {
          // A pointer that comes out of memory may go anywhere.
          if (!of.any) changes = true;
          of.any = true;
        }
        if (i.op == Op::int_to_pointer && of.empty()) {
          of.any = true;
          changes = true;
        }
      }
    }
  }
  return result;
}

}  // namespace headway::kernel
