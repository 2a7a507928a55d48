#include "kernel/test/launch_key.hpp"

#include <bit>

#include "base/text/key.hpp"

namespace headway::kernel {
namespace {

class Writer {
 public:
  void put(const Object& o) {
    key_.numbers(o.space, o.bytes, o.align, o.is_function, o.launch_sized, o.read_only,
                 o.initial.has_value());
    if (o.initial) key_.texts(std::string(o.initial->begin(), o.initial->end()));
    key_.list(o.pointers,
              [&](const Object::Pointer& p) { key_.numbers(p.at, p.object, p.offset); });
  }

  void put(const Function& f) {
    key_.list(f.parameters, [&](const Parameter& p) {
      put(p.type);
      key_.texts(p.name).numbers(p.by_value, p.space, p.element_bytes, p.bytes, p.length_of,
                                 p.length_from, p.length_stride, p.align);
      key_.list(p.pointers, [&](std::uint64_t at) { key_.numbers(at); });
      key_.numbers(p.elements_hold_pointers);
    });
    key_.list(f.arguments, [&](ValueId value) { key_.numbers(value); });
    key_.list(f.values, [&](const Value& v) {
      put(v.type);
      key_.numbers(v.kind, v.bits, v.object);
    });
    key_.list(f.blocks, [&](const Block& block) {
      key_.list(block.loops, [&](BlockId head) { key_.numbers(head); });
      key_.list(block.code, [&](const Instruction& i) { put(i); });
    });
    key_.list(f.locals, [&](const Object& local) { put(local); });
    key_.numbers(f.returns.has_value());
    if (f.returns) put(*f.returns);
    for (const std::uint32_t size : f.group_size) key_.numbers(size);
    key_.texts(f.unsupported);
    put_size(f.usual.block);
    for (const auto& size : f.usual.grid) key_.numbers(size.has_value(), size ? *size : 0);
    key_.numbers(f.usual.workgroup_bytes, f.usual.line);
  }

  void put_size(const std::optional<Size3>& size) {
    key_.numbers(size.has_value());
    if (size) key_.numbers((*size)[0], (*size)[1], (*size)[2]);
  }

  void put(const LaunchSpec& spec) {
    for (const auto& size : {spec.grid, spec.block}) put_size(size);
    key_.numbers(spec.as_usual);
    key_.list(spec.started, [&](std::uint32_t group) { key_.numbers(group); });
    key_.numbers(spec.subgroup.has_value(), spec.subgroup.value_or(0), spec.workgroup_bytes);
    key_.list(spec.arguments, [&](const auto& argument) {
      const auto& [name, given] = argument;
      key_.texts(name).numbers(given.unknown, given.is_real,
                               std::bit_cast<std::int64_t>(given.value), given.integer);
      put(given.range);
    });
    key_.list(spec.buffers, [&](const auto& buffer) {
      const auto& [name, given] = buffer;
      key_.texts(name, given.count ? given.count->text : "");
      key_.numbers(given.elements, given.content);
      key_.list(given.values, [&](const Number& value) {
        key_.numbers(std::bit_cast<std::int64_t>(value.real), value.integer);
      });
      put(given.range);
    });
    key_.list(spec.assumptions, [&](const Assumption& one) { key_.texts(one.text); });
  }

  Key& key() { return key_; }

 private:
  void put(const Type& type) { key_.numbers(type.kind, type.bits); }

  void put(const std::optional<std::pair<std::int64_t, std::int64_t>>& range) {
    key_.numbers(range.has_value());
    if (range) key_.numbers(range->first, range->second);
  }

  void put(const Instruction& i) {
    put(i.type);
    key_.numbers(i.op, i.result, i.is_volatile, i.saturates, i.align, i.align_from, i.partial,
                 i.arrives, i.aligned, i.late, i.is_further_part, i.order, i.scope,
                 i.otherwise.has_value(), i.otherwise.value_or(Order::relaxed), i.kind, i.subgroup,
                 i.cluster, i.dimension, i.memory, i.bytes);
    key_.list(i.operands, [&](ValueId operand) { key_.numbers(operand); });
    key_.list(i.targets, [&](BlockId target) { key_.numbers(target); });
    key_.list(i.cases, [&](std::uint64_t value) { key_.numbers(value); });
    key_.texts(i.name);
  }

  Key key_;
};

}  // namespace

std::string launch_key(const Module& module, const Function& function, const LaunchSpec& spec) {
  Writer writer;
  writer.key().numbers(module.volatile_is_atomic, module.atomics_by_space, module.causality,
                       module.is_shader, module.is_wgsl);
  writer.key().list(module.objects, [&](const Object& object) { writer.put(object); });
  writer.put(function);
  writer.put(spec);
  return "kernel " + writer.key().text();
}

}  // namespace headway::kernel
