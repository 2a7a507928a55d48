#include "kernel/slice/observed.hpp"

#include <algorithm>

#include "kernel/ir/arithmetic.hpp"

namespace headway::kernel::slice {

void Seen::add(std::int64_t value) {
  low = any ? std::min(low, value) : value;
  high = any ? std::max(high, value) : value;
  any = true;
}

void Seen::add(const Cell& cell, int bits) {
  if (!cell.is_bits()) {
    other = true;
  } else {
    add(bits == 1 ? static_cast<std::int64_t>(cell.bits & 1) : sign_extended(cell.bits, bits));
  }
}

void Seen::add(const Seen& more) {
  other = other || more.other;
  if (!more.any) return;
  add(more.low);
  add(more.high);
}

Observed::Observed(const Code& code, const Launch& launch) : code_(code), launch_(launch) {
  const Function& function = code.function();
  values_.resize(function.values.size());
  for (std::size_t v = 0; v < values_.size(); ++v) {
    const Value& value = function.values[v];
    if (value.kind == Value::Kind::constant && value.type.is_integer()) {
      values_[v].add(Cell::of(value.bits), value.type.bits);
    } else if (value.kind == Value::Kind::argument && value.type.is_integer()) {
      values_[v].add(launch.arguments[value.bits], value.type.bits);
    } else if (value.kind != Value::Kind::instruction) {
      values_[v].other = true;
    }
  }
  name_sections();
}

void Observed::add_section(std::string name, Section::Owner owner,
                           std::vector<Instance> instances) {
  for (const Instance of : instances) {
    section_of_.try_emplace(of, static_cast<std::uint32_t>(sections_.size()));
  }
  sections_.push_back({std::move(name), owner, std::move(instances)});
}

void Observed::name_sections() {
  const Function& function = code_.function();
  const Module& module = code_.module();
  const int threads = launch_.threads();
  for (std::uint32_t p = 0; p < function.parameters.size(); ++p) {
    const Parameter& parameter = function.parameters[p];
    if (!parameter.type.is_pointer()) continue;
    if (launch_.has_own(p)) {
      std::vector<Instance> all;
      all.reserve(static_cast<std::size_t>(threads));
      for (int t = 0; t < threads; ++t) all.push_back(launch_.own_argument(p, t));
      add_section(parameter.name,
                  parameter.by_value > 0 ? Section::Owner::thread : Section::Owner::workgroup,
                  std::move(all));
    } else if (launch_.arguments[p].kind == Cell::Kind::pointer) {
      add_section(parameter.name, Section::Owner::launch, {launch_.arguments[p].object});
    }
  }
  const auto of_all = [&](const Object& object, ObjectId id) {
    std::vector<Instance> all;
    all.reserve(static_cast<std::size_t>(threads));
    for (int t = 0; t < threads; ++t) all.push_back(launch_.instance(id, t));
    const auto owner = object.space == Space::workgroup ? Section::Owner::workgroup
                       : object.space == Space::local   ? Section::Owner::thread
                                                        : Section::Owner::launch;
    add_section(object.name, owner, std::move(all));
  };
  for (ObjectId m = 0; m < module.objects.size(); ++m) {
    if (module.objects[m].is_function) continue;
    of_all(module.objects[m], m);
  }
  for (std::size_t l = 0; l < function.locals.size(); ++l) {
    of_all(function.locals[l], static_cast<ObjectId>(kFirstLocal + l));
  }
}

const Touched* Observed::touched(std::uint32_t instruction) const {
  const auto found = touched_.find(instruction);
  return found == touched_.end() ? nullptr : &found->second;
}

std::optional<std::int64_t> Observed::initial(const CellName& name, int bytes) const {
  std::optional<std::int64_t> result;
  for (const Instance of : sections_[name.section].instances) {
    std::uint64_t bits = 0;
    const Cell* cell = launch_.memory.exact(of, name.at, bytes);
    const ObjectInfo& info = launch_.objects[of];
    if (cell != nullptr) {
      if (!cell->is_bits()) return std::nullopt;
      bits = cell->bits;
    } else if (info.fill == Fill::unknown) {
      return std::nullopt;
    } else if (info.fill == Fill::bytes && info.initial) {
      for (int b = bytes; b-- > 0;) {
        const std::uint64_t at = name.at + static_cast<unsigned>(b);
        bits = bits << 8 | (at < info.initial->size() ? (*info.initial)[at] : 0);
      }
    }
    const std::int64_t value = sign_extended(bits, bytes * 8);
    if (result && *result != value) return std::nullopt;
    result = value;
  }
  return result;
}

void Observed::done(int thread, std::uint32_t number, const std::vector<Cell>& registers) {
  const Instruction& i = code_.instruction(number);
  if (i.result != kNone) values_[i.result].add(registers[i.result], i.type.bits);
  if (is_memory(i.op)) access(i, number, registers);
  if (i.op == Op::subgroup || (i.op == Op::barrier && i.scope == Scope::subgroup)) {
    mask(i, number, thread, registers);
  }
}

void Observed::access(const Instruction& i, std::uint32_t number,
                      const std::vector<Cell>& registers) {
  Touched& touched = touched_[number];
  const Cell& pointer = registers[i.operands[0]];
  const auto section =
      pointer.kind == Cell::Kind::pointer ? section_of_.find(pointer.object) : section_of_.end();
  if (section == section_of_.end() || i.op == Op::copy || i.op == Op::fill) {
    touched.other = true;
    if (section == section_of_.end()) return;
  }
  const CellName name{section->second, pointer.bits};
  touched.cells.insert(name);
  if (i.op == Op::copy || i.op == Op::fill) return;
  touched.bytes = i.type.bytes();
  Seen& seen = cells_[name];
  const int bits = i.type.bytes() * 8;
  const auto add = [&](const Cell& cell) {
    i.type.is_integer() ? seen.add(cell, bits) : void(seen.other = true);
  };
  switch (as_access(i.op)) {
    case AccessOp::load:
    case AccessOp::atomic_load:
      add(registers[i.result]);
      break;
    case AccessOp::store:
    case AccessOp::atomic_store:
      add(registers[i.operands[1]]);
      break;
    case AccessOp::atomic_update: {
      const Cell& old = registers[i.result];
      const Cell& operand = registers[i.operands[1]];
      add(old);
      if (!old.is_bits() || !operand.is_bits()) {
        seen.other = true;
      } else {
        add(Cell::of(low_bits(updated(i.update, bits, old.bits, operand.bits), bits)));
      }
      break;
    }
    case AccessOp::atomic_compare: {
      const Cell& old = registers[i.result];
      add(old);
      if (old == registers[i.operands[1]]) add(registers[i.operands[2]]);
      break;
    }
  }
}

void Observed::mask(const Instruction& i, std::uint32_t number, int thread,
                    const std::vector<Cell>& registers) {
  const std::optional<std::size_t> place = mask_operand(i);
  if (!place) return;
  const Cell& mask = registers[i.operands[*place]];
  const int in_group = thread % launch_.group_threads();
  const int first = in_group / launch_.subgroup * launch_.subgroup;
  const int lanes = std::min(launch_.subgroup, launch_.group_threads() - first);
  if (!mask.is_bits() || low_bits(mask.bits, lanes) != low_bits(~std::uint64_t{0}, lanes)) {
    names_few_.insert(number);
  }
}

}  // namespace headway::kernel::slice
