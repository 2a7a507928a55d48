#include "kernel/test/launch_spec.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "base/text/suggestion.hpp"
#include "kernel/ir/arithmetic.hpp"
#include "kernel/ir/premises.hpp"
#include "kernel/ir/source_type.hpp"
#include "kernel/machine/code.hpp"
#include "kernel/test/assumption.hpp"

namespace headway::kernel {
namespace {

// What a pointer parameter's memory is accessed as.
struct ElementUse {
  int bytes = 4;            // the most common width
  bool is_real = false;     // all accesses of that width are of reals
  bool is_integer = false;  // there are some, and none of reals
  bool is_shared = false;   // some are atomic or volatile
};

// Whether anything is done with an argument.
bool is_used(const Function& function, std::uint32_t parameter) {
  for (const Block& block : function.blocks) {
    for (const Instruction& i : block.code) {
      for (const ValueId operand : i.operands) {
        if (operand == function.arguments[parameter]) return true;
      }
    }
  }
  return false;
}

// Of each parameter, and behind them of what pointers out of memory go to.
std::vector<ElementUse> element_uses(const Module& module, const Function& function) {
  struct Count {
    int all = 0, reals = 0;
  };
  const auto parameters = static_cast<std::uint32_t>(function.parameters.size());
  std::vector<ElementUse> result(parameters + 1);
  std::vector<std::map<int, Count>> widths(parameters + 1);
  const Code code(module, function);
  for (const Block& block : function.blocks) {
    for (const Instruction& i : block.code) {
      if (!is_access(i.op)) continue;
      const Bases& bases = code.bases(i.operands[0]);
      std::vector<std::uint32_t> to = bases.parameters;
      if (bases.any) to.push_back(parameters);
      for (const std::uint32_t parameter : to) {
        Count& count = widths[parameter][i.type.bytes()];
        ++count.all;
        if (i.type.is_real()) ++count.reals;
        if (is_atomic(i.op) || i.is_volatile) result[parameter].is_shared = true;
      }
    }
  }
  for (std::size_t p = 0; p < result.size(); ++p) {
    // What the source says counts more than how it is accessed.
    const std::uint64_t declared = p < parameters ? function.parameters[p].element_bytes : 0;
    const bool is_scalar = declared == 1 || declared == 2 || declared == 4 || declared == 8;
    int most = 0;
    for (const auto& [width, count] : widths[p]) {
      if (count.all <= most) continue;
      most = count.all;
      result[p].bytes = width;
      result[p].is_real = count.reals == count.all;
      result[p].is_integer = count.reals == 0;
    }
    if (!is_scalar || result[p].bytes == static_cast<int>(declared)) continue;
    const Count& as_declared = widths[p][static_cast<int>(declared)];
    result[p].bytes = static_cast<int>(declared);
    result[p].is_real = as_declared.all > 0 && as_declared.reals == as_declared.all;
    result[p].is_integer = as_declared.all > 0 && as_declared.reals == 0;
  }
  return result;
}

std::uint64_t element_bytes(const Parameter& parameter, const ElementUse& use) {
  const std::uint64_t declared = parameter.element_bytes;
  return declared > 0 ? declared : static_cast<unsigned>(use.bytes);
}

std::uint64_t bytes_of(const BufferSpec& buffer, const Parameter& parameter,
                       const ElementUse& use) {
  return std::max(buffer.elements * element_bytes(parameter, use), parameter.bytes);
}

std::uint64_t encoded(const Number& number, const ElementUse& use) {
  if (use.is_real || (number.is_real && !use.is_integer)) {
    return from_double(number.real, use.bytes * 8);
  }
  return low_bits(static_cast<std::uint64_t>(number.integer), use.bytes * 8);
}

// Its texels and sizes come with the launch otherwise than those of a buffer.
bool is_image(const Module& module, const Parameter& parameter) {
  return parameter.element_type != kNone && module.types[parameter.element_type].dimensions > 0;
}

void require_no_texels(const Parameter& image, const BufferSpec& buffer) {
  if (!buffer.is_sized() && buffer.values.empty()) return;
  throw Error(buffer.where,
              fmt::format("'{}' is an image; expected '{}=:zero' or '{}=:unknown', and --arg for a "
                          "size that the shader asks for",
                          image.name, image.name, image.name));
}

// Throws headway::Error for values that elements cannot have.
void require_values(const Module& module, const Parameter& parameter, const BufferSpec& buffer,
                    const ElementUse& use) {
  if (is_image(module, parameter)) return require_no_texels(parameter, buffer);
  using Content = BufferSpec::Content;
  if (buffer.content != Content::values && buffer.content != Content::iota) return;
  if (buffer.where.file.empty()) return;  // nobody's
  const auto refuse = [&](const std::string& what) {
    throw Error(buffer.where, fmt::format("'{}' has {}", parameter.name, what));
  };
  // How halves are kept: numbers that are given would be their bits.
  if (parameter.element_type != kNone) {
    const SourceType& element = module.types[parameter.element_type];
    if (element.members.size() == 1 && element.bytes == 2) {
      refuse("structures of 2 bytes, as __half is; expected 'unknown' or 'zero'");
    }
  }
  if (use.is_real) return;
  for (const Number& number : buffer.values) {
    const int bits = use.bytes * 8;
    const auto whole = static_cast<std::uint64_t>(number.integer);
    const std::uint64_t word = low_bits(whole, bits);
    if (number.is_real && (use.is_integer || bits < 16)) {
      refuse(
          fmt::format("elements that the kernel takes for integers; expected no {}", number.real));
    }
    if (!number.is_real && word != whole && sign_extended(word, bits) != number.integer) {
      refuse(fmt::format("elements of {} bits, which {} does not fit in", bits, number.integer));
    }
  }
}

// The name of what a pointer in an argument goes to: "lock.mutex", or "lock.8", by its bytes, where
// no type is known; "lock->mutex" where the argument is a pointer itself.
std::string pointed_name(const Module& module, const Parameter& parameter, std::uint64_t at) {
  if (parameter.by_value == 0 && parameter.element_type != kNone) {
    const auto name = pointee_name(module.types, parameter.element_type, parameter.name, at, 8);
    if (name) return *name;
  }
  std::optional<std::string> part;
  if (parameter.element_type != kNone) {
    part = part_name(module.types, parameter.element_type, at, 8);
  }
  return parameter.name + part.value_or(fmt::format(".{}", at));
}

void require_parameters(const Module& module, const Function& function, const LaunchSpec& spec) {
  const auto check = [&](const std::string& name, bool pointer, const SourcePosition& where) {
    std::vector<std::string> names;
    for (const Parameter& parameter : function.parameters) {
      if (parameter.name == name) {
        if (parameter.type.is_pointer() != pointer && parameter.by_value == 0) {
          throw Error(where, fmt::format("the parameter '{}' of kernel '{}' is {}; expected --{}",
                                         name, function.name, pointer ? "no pointer" : "a pointer",
                                         pointer ? "arg" : "buffer"));
        }
        return;
      }
      names.push_back(parameter.name);
      for (const std::uint64_t at : parameter.pointers) {
        names.push_back(pointed_name(module, parameter, at));
        if (pointer && name == names.back()) return;
      }
    }
    std::string list;
    for (const std::string& known : names) list += (list.empty() ? "" : ", ") + known;
    throw Error(where, fmt::format("kernel '{}' has no parameter '{}'; it has {}", function.name,
                                   name, list.empty() ? "none" : list));
  };
  for (const auto& [name, buffer] : spec.buffers) check(name, true, buffer.where);
  for (const auto& [name, argument] : spec.arguments) {
    check(name, false, argument.where);
    const Parameter& parameter = *std::ranges::find(function.parameters, name, &Parameter::name);
    if (parameter.by_value > 0) {
      throw Error(argument.where,
                  fmt::format("the parameter '{}' of kernel '{}' is a structure; expected --buffer "
                              "with its first words, or no more than assumptions",
                              name, function.name));
    }
    if (argument.is_real && !parameter.type.is_real()) {
      throw Error(argument.where, fmt::format("the parameter '{}' of kernel '{}' is an integer, "
                                              "which {} is not",
                                              name, function.name, argument.value));
    }
  }
}

// How many elements a buffer has in a launch with given arguments.
std::uint64_t elements_in(const Launch& launch, const LaunchSpec& spec, const std::string& name,
                          const Formula& count) {
  smt::Context terms;
  Named named;
  named.function = launch.function;
  named.argument = [&](std::size_t p) {
    const Parameter& parameter = launch.function->parameters[p];
    const auto given = spec.arguments.find(parameter.name);
    if (given == spec.arguments.end() || given->second.unknown) {
      throw Error(count.where,
                  fmt::format("how large '{}' is follows from {}, which nobody gives; expected "
                              "--arg {}=NUMBER",
                              name, parameter.name, parameter.name),
                  count.text);
    }
    return terms.constant(
        low_bits(static_cast<std::uint64_t>(given->second.integer), parameter.type.bits),
        parameter.type.bits);
  };
  for (std::size_t d = 0; d < 3; ++d) {
    named.grid[d] = terms.constant(launch.grid[d], 64);
    named.block[d] = terms.constant(launch.block[d], 64);
  }
  const auto elements = static_cast<std::int64_t>(terms.value(number_on(named, count, terms)));
  if (elements < 0 || elements > kMostElements) {
    throw Error(count.where,
                fmt::format("'{}' has {} elements in this launch; expected 0 to {}", name, elements,
                            kMostElements),
                count.text);
  }
  return static_cast<std::uint64_t>(elements);
}

ObjectInfo variable_of(const Object& object) {
  ObjectInfo info;
  info.name = object.name;
  info.space = object.space;
  info.bytes = object.bytes;
  info.align = object.align;
  info.read_only = object.read_only;
  info.type = object.type;
  // Without an initializer it is the host that writes a variable of constant memory.
  const bool is_given =
      object.initial && std::ranges::any_of(*object.initial, [](auto byte) { return byte != 0; });
  const bool host_written = object.space == Space::constant && !object.read_only && !is_given;
  info.fill = host_written ? Fill::unknown : object.initial ? Fill::bytes : Fill::zero;
  if (object.initial && !host_written) {
    info.initial = std::make_shared<const std::vector<std::uint8_t>>(*object.initial);
  }
  return info;
}

// What is given of a buffer; where nobody gives anything, memory by which threads wait for each
// other begins somewhere known.
BufferSpec given_buffer(PreparedLaunch& prepared, const LaunchSpec& spec, const std::string& name,
                        const ElementUse& use) {
  const auto given = spec.buffers.find(name);
  BufferSpec buffer;
  if (given != spec.buffers.end()) {
    buffer = given->second;
    if (buffer.count) buffer.elements = elements_in(prepared.launch, spec, name, *buffer.count);
    return buffer;
  }
  buffer.content = use.is_shared ? BufferSpec::Content::zero : BufferSpec::Content::unknown;
  prepared.notes.push_back(fmt::format("{}: {}", name, use.is_shared ? "zeros" : "unknown data"));
  return buffer;
}

// Of buffers whose size nobody gives, but whose length the kernel asks for: they end there. Not
// where its compiler kept indices within them, whatever the length is.
void end_by_lengths(Launch& launch, smt::Context& terms) {
  if (launch.module->clamps_indices) return;
  for (std::uint32_t p = 0; p < launch.function->parameters.size(); ++p) {
    const Parameter& length = launch.function->parameters[p];
    if (length.length_of == kNone || !is_used(*launch.function, p)) continue;
    ObjectInfo& buffer = launch.objects[launch.arguments[length.length_of].object];
    if (!buffer.growing) continue;
    const Cell& given = launch.arguments[p];
    const smt::Term count =
        given.is_bits() ? terms.constant(given.bits, 64) : terms.zext(given.term(), 64);
    buffer.length =
        terms.add(terms.scale(count, length.length_stride), terms.constant(length.length_from, 64));
  }
}

// Whether the function may access an object of its module.
bool names(const Function& function, ObjectId object) {
  return std::ranges::any_of(function.values, [&](const Value& value) {
    return value.kind == Value::Kind::address && value.object == object;
  });
}

// What a buffer holds at first; the rest is 0.
std::vector<Number> values_of(const BufferSpec& buffer) {
  if (buffer.content != BufferSpec::Content::iota) return buffer.values;
  const std::uint64_t count = buffer.is_sized() ? std::min(buffer.elements, kIota) : kIota;
  std::vector<Number> values;
  values.reserve(count);
  for (std::uint64_t i = 0; i < count; ++i) {
    values.push_back(Number::of(static_cast<std::int64_t>(i)));
  }
  return values;
}

// The memory of a buffer with what it holds at first.
Instance add_filled(Launch& launch, ObjectInfo info, BufferSpec buffer, const ElementUse& use) {
  info.fill = buffer.content == BufferSpec::Content::unknown ? Fill::unknown : Fill::zero;
  if (buffer.range) {
    info.range = {low_bits(static_cast<std::uint64_t>(buffer.range->first), use.bytes * 8),
                  low_bits(static_cast<std::uint64_t>(buffer.range->second), use.bytes * 8)};
  }
  const Instance made = add_object(launch, std::move(info));
  buffer.values = values_of(buffer);
  // Of a size that follows from arguments, as many as fit.
  if (buffer.count && buffer.values.size() > buffer.elements) buffer.values.resize(buffer.elements);
  for (std::size_t i = 0; i < buffer.values.size(); ++i) {
    launch.memory.write(made, i * static_cast<unsigned>(use.bytes), use.bytes,
                        Cell::of(encoded(buffer.values[i], use)));
  }
  return made;
}

// So many elements are looked at whose pointers lead somewhere.
constexpr std::uint64_t kPointedElements = 16;

// What pointers go to that an argument, passed by value or by a pointer, holds: a buffer each.
void add_pointed_to(PreparedLaunch& prepared, const LaunchSpec& spec, const Parameter& parameter,
                    Instance argument, const ElementUse& use) {
  std::vector<std::uint64_t> all = parameter.pointers;
  for (std::uint64_t k = 1; parameter.elements_hold_pointers && k < kPointedElements; ++k) {
    for (const std::uint64_t at : parameter.pointers) {
      all.push_back(at + k * parameter.element_bytes);
    }
  }
  for (const std::uint64_t at : all) {
    ObjectInfo info;
    info.name = pointed_name(*prepared.launch.module, parameter, at);
    info.space = Space::global;
    info.unit = use.bytes;
    info.align = use.bytes;
    info.has_elements = true;
    const std::size_t said = prepared.notes.size();
    const BufferSpec buffer = given_buffer(prepared, spec, info.name, use);
    // Once is enough.
    if (parameter.elements_hold_pointers && at >= parameter.element_bytes) {
      prepared.notes.resize(said);
    }
    info.growing = !buffer.is_sized();
    info.bytes = buffer.elements * static_cast<unsigned>(use.bytes);
    const Instance to = add_filled(prepared.launch, std::move(info), buffer, use);
    prepared.launch.memory.write(argument, at, 8, Cell::pointer(to, 0));
  }
}

}  // namespace

void add_argument(LaunchSpec& spec, const Argument& argument) {
  ArgumentSpec made;
  made.unknown = !argument.value;
  made.where = argument.where;
  if (argument.value) {
    made.integer = argument.value->integer;
    made.value = argument.value->real;
    made.is_real = argument.value->is_real;
    if (made.is_real) made.integer = static_cast<std::int64_t>(argument.value->real);
  } else if (argument.unknown.low && argument.unknown.high) {
    made.range = {*argument.unknown.low, *argument.unknown.high};
  }
  spec.arguments[argument.name] = made;
}

void add_buffer(LaunchSpec& spec, const Buffer& buffer) {
  BufferSpec made;
  made.elements = buffer.elements;
  made.count = buffer.count;
  made.where = buffer.where;
  made.content = buffer.contents == Buffer::Contents::zero      ? BufferSpec::Content::zero
                 : buffer.contents == Buffer::Contents::unknown ? BufferSpec::Content::unknown
                 : buffer.contents == Buffer::Contents::iota    ? BufferSpec::Content::iota
                                                                : BufferSpec::Content::values;
  made.values = buffer.values;
  if (buffer.unknown.low && buffer.unknown.high) {
    made.range = {*buffer.unknown.low, *buffer.unknown.high};
  }
  spec.buffers[buffer.name] = std::move(made);
}

LaunchSpec with(const LaunchDirective& directive, const LaunchSpec& beside) {
  LaunchSpec result;
  result.grid = directive.grid;
  result.block = directive.block;
  if (directive.subgroup) result.subgroup = static_cast<int>(*directive.subgroup);
  result.workgroup_bytes = directive.shared.value_or(0);
  for (const Argument& argument : directive.arguments) add_argument(result, argument);
  for (const Buffer& buffer : directive.buffers) add_buffer(result, buffer);
  if (beside.grid) result.grid = beside.grid;
  if (beside.block) result.block = beside.block;
  if (beside.subgroup) result.subgroup = beside.subgroup;
  if (beside.workgroup_bytes > 0) result.workgroup_bytes = beside.workgroup_bytes;
  for (const auto& [name, argument] : beside.arguments) result.arguments[name] = argument;
  for (const auto& [name, buffer] : beside.buffers) result.buffers[name] = buffer;
  result.assumptions = directive.assumptions;
  result.assumptions.insert(result.assumptions.end(), beside.assumptions.begin(),
                            beside.assumptions.end());
  return result;
}

std::vector<std::optional<StatedSize>> stated_sizes(const Module& module, const Function& function,
                                                    const LaunchSpec& spec) {
  std::vector<std::optional<StatedSize>> result(function.parameters.size());
  const std::vector<ElementUse> uses = element_uses(module, function);
  for (std::size_t p = 0; p < result.size(); ++p) {
    const Parameter& parameter = function.parameters[p];
    const auto given = spec.buffers.find(parameter.name);
    if (!parameter.type.is_pointer() || parameter.by_value > 0) continue;
    if (is_image(module, parameter)) {
      if (given != spec.buffers.end()) require_no_texels(parameter, given->second);
      result[p] = StatedSize{module.types[parameter.element_type].bytes, 1, {}};
      continue;
    }
    if (given == spec.buffers.end() || !given->second.is_sized()) continue;
    result[p] = StatedSize{bytes_of(given->second, parameter, uses[p]),
                           element_bytes(parameter, uses[p]), given->second.count};
  }
  return result;
}

std::vector<std::optional<std::vector<std::uint8_t>>> stated_contents(const Module& module,
                                                                      const Function& function,
                                                                      const LaunchSpec& spec) {
  std::vector<std::optional<std::vector<std::uint8_t>>> result(function.parameters.size());
  const std::vector<ElementUse> uses = element_uses(module, function);
  for (std::size_t p = 0; p < result.size(); ++p) {
    const auto given = spec.buffers.find(function.parameters[p].name);
    if (given == spec.buffers.end() || given->second.content == BufferSpec::Content::unknown) {
      continue;
    }
    std::vector<std::uint8_t>& bytes = result[p].emplace();
    require_values(module, function.parameters[p], given->second, uses[p]);
    for (const Number& value : values_of(given->second)) {
      const std::uint64_t word = encoded(value, uses[p]);
      for (int k = 0; k < uses[p].bytes; ++k) {
        bytes.push_back(static_cast<std::uint8_t>(word >> (8 * k)));
      }
    }
  }
  return result;
}

PreparedLaunch prepare_launch(const Module& module, const Function& function,
                              const LaunchSpec& spec, smt::Context& terms) {
  require_parameters(module, function, spec);
  PreparedLaunch result;
  Launch& launch = result.launch;
  launch.module = &module;
  launch.function = &function;
  set_sizes(launch, spec, result.notes);
  launch.started = spec.started;
  const std::uint64_t groups = launch.started.empty() ? volume(launch.grid) : launch.started.size();
  if (groups > 65536 || groups * volume(launch.block) > 65536) {
    throw Error("a launch of more than 65536 threads is too large to be explored; reduce the grid");
  }
  for (const Object& object : module.objects) {
    if (object.space == Space::workgroup) {
      launch.variables.push_back(kNone);
      if (object.launch_sized && launch.workgroup_bytes == 0) {
        // As large as a block of words of 16 bytes needs.
        launch.workgroup_bytes = 16 * volume(launch.block);
        result.notes.push_back(fmt::format("shared {}", launch.workgroup_bytes));
      }
    } else {
      ObjectInfo variable = variable_of(object);
      const auto number = static_cast<ObjectId>(&object - module.objects.data());
      if (variable.fill == Fill::unknown && names(function, number)) {
        result.notes.push_back(object.name + ": unknown data");
      }
      launch.variables.push_back(add_object(launch, std::move(variable)));
    }
  }
  for (std::size_t m = 0; m < module.objects.size(); ++m) {
    const Instance at = launch.variables[m];
    if (at == kNone || launch.objects[at].fill != Fill::bytes) continue;
    for (const Object::Pointer& pointer : module.objects[m].pointers) {
      const Instance to = launch.variables[pointer.object];
      if (to != kNone) launch.memory.write(at, pointer.at, 8, Cell::pointer(to, pointer.offset));
    }
  }
  const std::vector<ElementUse> uses = element_uses(module, function);
  for (std::uint32_t p = 0; p < function.parameters.size(); ++p) {
    const Parameter& parameter = function.parameters[p];
    if (parameter.type.is_pointer()) {
      const ElementUse& use = uses[p];
      ObjectInfo info;
      info.name = parameter.name;
      info.space = parameter.space == Space::local ? Space::global : parameter.space;
      info.unit = use.bytes;
      info.align = parameter.align;
      info.type = parameter.element_type;
      info.has_elements = true;
      const bool is_given = spec.buffers.contains(parameter.name);
      BufferSpec buffer;
      if (is_given || parameter.by_value == 0) {
        buffer = given_buffer(result, spec, parameter.name, use);
      } else {
        result.notes.push_back(parameter.name + ": unknown");
      }
      if (parameter.by_value > 0) {
        info.bytes = parameter.by_value;
        info.unit = 4;
        info.has_elements = false;
      } else {
        info.growing = !buffer.is_sized() && parameter.bytes == 0;
        if (is_image(module, parameter)) info.room = module.types[parameter.element_type].bytes;
        info.bytes = bytes_of(buffer, parameter, use);
      }
      require_values(module, parameter, buffer, use);
      const Instance made = add_filled(launch, std::move(info), std::move(buffer), use);
      if (!is_given) add_pointed_to(result, spec, parameter, made, uses.back());
      launch.arguments.push_back(Cell::pointer(made, 0));
      continue;
    }
    const auto given = spec.arguments.find(parameter.name);
    if (parameter.length_of != kNone) {
      const ObjectInfo& of = launch.objects[launch.arguments[parameter.length_of].object];
      const std::uint64_t from = parameter.length_from;
      // A buffer that is as large as needed may have any length.
      constexpr std::uint64_t most = std::uint64_t{1} << 31;
      if (!of.growing) {
        const std::uint64_t count =
            of.bytes > from ? (of.bytes - from) / parameter.length_stride : 0;
        launch.arguments.push_back(Cell::of(count));
        continue;
      }
      if (given == spec.arguments.end()) {
        if (is_used(function, p)) result.notes.push_back(parameter.name + ": unknown");
        launch.arguments.push_back(Cell::of(terms.variable(
            parameter.name, parameter.type.bits, 0, (most - from) / parameter.length_stride)));
        continue;
      }
    }
    if (given != spec.arguments.end() && !given->second.unknown) {
      const std::uint64_t bits =
          parameter.type.is_real()
              ? from_double(given->second.value, parameter.type.bits)
              : low_bits(static_cast<std::uint64_t>(given->second.integer), parameter.type.bits);
      launch.arguments.push_back(Cell::of(bits));
      continue;
    }
    if (given == spec.arguments.end()) result.notes.push_back(parameter.name + ": unknown");
    const auto range = given == spec.arguments.end() ? std::nullopt : given->second.range;
    if (range && range->first >= 0) {
      launch.arguments.push_back(Cell::of(terms.variable(
          parameter.name, parameter.type.bits, static_cast<std::uint64_t>(range->first),
          static_cast<std::uint64_t>(range->second))));
    } else {
      launch.arguments.push_back(Cell::of(terms.variable(parameter.name, parameter.type.bits)));
    }
  }
  end_by_lengths(launch, terms);
  for (const Assumption& assumption : spec.assumptions) {
    const smt::Term holds = condition_on(launch, assumption, terms);
    if (terms.is_false(holds)) {
      throw Error(assumption.where, "what is assumed holds for none of the arguments",
                  assumption.text);
    }
    if (!terms.is_true(holds)) result.path.push_back(holds);
  }
  std::sort(result.path.begin(), result.path.end());
  launch.expand();
  return result;
}

}  // namespace headway::kernel
