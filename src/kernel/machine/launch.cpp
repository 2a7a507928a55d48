#include "kernel/machine/launch.hpp"

#include "kernel/ir/scopes.hpp"

namespace headway::kernel {

Instance add_object(Launch& launch, ObjectInfo info) {
  launch.memory.add(info.growing ? 0 : info.bytes);
  launch.objects.push_back(std::move(info));
  return static_cast<Instance>(launch.objects.size() - 1);
}

Topology Launch::topology() const {
  const int threads = group_threads();
  const int lanes = threads < subgroup || threads % subgroup != 0 ? threads : subgroup;
  return {groups(), threads / lanes, lanes};
}

void Launch::expand() {
  const auto info_of = [&](const Object& object) {
    ObjectInfo info;
    info.name = object.name;
    info.space = object.space;
    info.bytes = object.launch_sized ? workgroup_bytes : object.bytes;
    info.align = object.align;
    info.type = object.type;
    if (object.space == Space::workgroup && object.initial) {
      info.fill = Fill::bytes;
      info.initial = std::make_shared<const std::vector<std::uint8_t>>(*object.initial);
    }
    return info;
  };
  // Objects of workgroups: the module's, and those that a function declares itself.
  std::vector<const Object*> of_groups;
  for (const Object& object : module->objects) {
    const bool is_one = object.space == Space::workgroup;
    group_index_.push_back(is_one ? static_cast<std::uint32_t>(of_groups.size()) : kNone);
    if (is_one) of_groups.push_back(&object);
  }
  std::vector<const Object*> of_threads;
  for (const Object& object : function->locals) {
    const bool is_one = object.space == Space::workgroup;
    group_index_.push_back(is_one ? static_cast<std::uint32_t>(of_groups.size()) : kNone);
    local_index_.push_back(is_one ? kNone : static_cast<std::uint32_t>(of_threads.size()));
    (is_one ? of_groups : of_threads).push_back(&object);
  }
  per_group_ = static_cast<std::uint32_t>(of_groups.size());
  // Parameters that point into memory of the workgroup: each has an object of its own.
  for (const Parameter& parameter : function->parameters) {
    const bool is_one = parameter.type.is_pointer() && parameter.space == Space::workgroup;
    group_parameter_index_.push_back(is_one ? per_group_++ : kNone);
  }
  first_of_groups_ = static_cast<Instance>(objects.size());
  for (int g = 0; g < groups(); ++g) {
    for (const Object* object : of_groups) {
      ObjectInfo info = info_of(*object);
      info.workgroup = g;
      add_object(*this, std::move(info));
    }
    for (std::size_t p = 0; p < function->parameters.size(); ++p) {
      if (group_parameter_index_[p] == kNone) continue;
      ObjectInfo info;
      if (arguments[p].kind == Cell::Kind::pointer) info = objects[arguments[p].object];
      info.space = Space::workgroup;
      info.fill = Fill::nothing;
      info.workgroup = g;
      add_object(*this, std::move(info));
    }
  }
  first_of_threads_ = static_cast<Instance>(objects.size());
  per_thread_ = static_cast<std::uint32_t>(of_threads.size());
  for (const Parameter& parameter : function->parameters) {
    by_value_index_.push_back(parameter.by_value > 0 ? per_thread_++ : kNone);
  }
  const std::vector<bool> scoped = locals_with_scopes(*function);
  for (int t = 0; t < threads(); ++t) {
    for (const Object* object : of_threads) {
      ObjectInfo info = info_of(*object);
      info.thread = t;
      info.workgroup = t / group_threads();
      const Instance made = add_object(*this, std::move(info));
      if (scoped[static_cast<std::size_t>(object - function->locals.data())]) {
        memory.set_dead(made, true);
      }
    }
    for (std::size_t p = 0; p < function->parameters.size(); ++p) {
      const Parameter& parameter = function->parameters[p];
      if (parameter.by_value == 0) continue;
      ObjectInfo info;
      const Cell& from = arguments[p];
      if (from.kind == Cell::Kind::pointer) info = objects[from.object];
      info.name = parameter.name;
      info.space = Space::local;
      info.bytes = parameter.by_value;
      info.growing = false;
      info.read_only = false;
      info.thread = t;
      const Instance made = add_object(*this, std::move(info));
      if (from.kind != Cell::Kind::pointer) continue;
      for (const Memory::Piece& piece : memory.pieces(from.object, from.bits, parameter.by_value)) {
        if (piece.at >= from.bits &&
            piece.at + static_cast<unsigned>(piece.bytes) <= from.bits + parameter.by_value) {
          memory.write(made, piece.at - from.bits, piece.bytes, piece.cell);
        }
      }
    }
  }
}

Instance Launch::instance(ObjectId id, int thread) const {
  const auto group = static_cast<std::uint32_t>(thread / group_threads());
  if (id < kFirstLocal) {
    const std::uint32_t index = group_index_[id];
    return index == kNone ? variables[id] : first_of_groups_ + group * per_group_ + index;
  }
  const std::uint32_t local = id - kFirstLocal;
  const std::uint32_t index = local_index_[local];
  if (index == kNone) {
    return first_of_groups_ + group * per_group_ + group_index_[module->objects.size() + local];
  }
  return first_of_threads_ + static_cast<std::uint32_t>(thread) * per_thread_ + index;
}

std::optional<std::uint64_t> Launch::builtin(const Instruction& i, int thread) const {
  const int lane_of_group = thread % group_threads();
  const int group = thread / group_threads();
  const auto part = [&](int linear, const Size3& size) -> std::uint64_t {
    const auto n = static_cast<std::uint32_t>(linear);
    return i.dimension == 0   ? n % size[0]
           : i.dimension == 1 ? n / size[0] % size[1]
                              : n / size[0] / size[1];
  };
  const auto lanes = static_cast<unsigned>(subgroup);
  switch (i.builtin) {
    case Builtin::thread_id:
      return part(lane_of_group, block);
    case Builtin::group_id:
      return part(group_number(group), grid);
    case Builtin::group_size:
      return block[i.dimension];
    case Builtin::groups:
      return grid[i.dimension];
    case Builtin::cooperative:
      return cooperative ? 1U : 0U;
    case Builtin::lane:
      return static_cast<unsigned>(lane_of_group) % lanes;
    case Builtin::subgroup_id:
      return static_cast<unsigned>(lane_of_group) / lanes;
    case Builtin::subgroup_size:
      return lanes;
    case Builtin::subgroups:
      return (static_cast<unsigned>(group_threads()) + lanes - 1) / lanes;
    case Builtin::active_mask:
      break;
  }
  return std::nullopt;
}

Instance Launch::own_argument(std::uint32_t parameter, int thread) const {
  if (group_parameter_index_[parameter] != kNone) {
    return first_of_groups_ + static_cast<std::uint32_t>(thread / group_threads()) * per_group_ +
           group_parameter_index_[parameter];
  }
  return first_of_threads_ + static_cast<std::uint32_t>(thread) * per_thread_ +
         by_value_index_[parameter];
}

}  // namespace headway::kernel
