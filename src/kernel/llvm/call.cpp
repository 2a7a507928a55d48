#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include "kernel/ir/premises.hpp"
#include "kernel/ir/symbol_name.hpp"
#include "kernel/llvm/function_reader.hpp"
#include "kernel/llvm/scopes.hpp"
#include "kernel/llvm/unset.hpp"

namespace headway::kernel::llvm {
namespace {

// Functions of reals by the name of the C library without a suffix, with how many operands.
const std::map<std::string_view, std::pair<Math, unsigned>>& real_functions() {
  static const std::map<std::string_view, std::pair<Math, unsigned>> table = {
      {"sqrt", {Math::sqrt, 1}},         {"cbrt", {Math::cbrt, 1}},
      {"exp", {Math::exp, 1}},           {"exp2", {Math::exp2, 1}},
      {"exp10", {Math::exp10, 1}},       {"expm1", {Math::expm1, 1}},
      {"log", {Math::log, 1}},           {"log2", {Math::log2, 1}},
      {"log10", {Math::log10, 1}},       {"log1p", {Math::log1p, 1}},
      {"sin", {Math::sin, 1}},           {"cos", {Math::cos, 1}},
      {"tan", {Math::tan, 1}},           {"asin", {Math::asin, 1}},
      {"acos", {Math::acos, 1}},         {"atan", {Math::atan, 1}},
      {"sinh", {Math::sinh, 1}},         {"cosh", {Math::cosh, 1}},
      {"tanh", {Math::tanh, 1}},         {"asinh", {Math::asinh, 1}},
      {"acosh", {Math::acosh, 1}},       {"atanh", {Math::atanh, 1}},
      {"erf", {Math::erf, 1}},           {"erfc", {Math::erfc, 1}},
      {"tgamma", {Math::tgamma, 1}},     {"lgamma", {Math::lgamma, 1}},
      {"fabs", {Math::fabs, 1}},         {"floor", {Math::floor, 1}},
      {"ceil", {Math::ceil, 1}},         {"trunc", {Math::trunc, 1}},
      {"round", {Math::round, 1}},       {"rint", {Math::rint, 1}},
      {"nearbyint", {Math::rint, 1}},    {"roundeven", {Math::rint, 1}},
      {"pow", {Math::pow, 2}},           {"atan2", {Math::atan2, 2}},
      {"fmod", {Math::fmod, 2}},         {"remainder", {Math::remainder, 2}},
      {"hypot", {Math::hypot, 2}},       {"fmin", {Math::fmin, 2}},
      {"fmax", {Math::fmax, 2}},         {"minnum", {Math::fmin, 2}},
      {"maxnum", {Math::fmax, 2}},       {"fdim", {Math::fdim, 2}},
      {"copysign", {Math::copysign, 2}}, {"ldexp", {Math::ldexp, 2}},
      {"scalbn", {Math::ldexp, 2}},      {"fma", {Math::fma, 3}},
      {"fmuladd", {Math::fma, 3}}};
  return table;
}

// llvm.NAME of integers.
const std::map<std::string_view, std::pair<Math, unsigned>>& integer_functions() {
  static const std::map<std::string_view, std::pair<Math, unsigned>> table = {
      {"ctpop", {Math::popcount, 1}},      {"ctlz", {Math::leading_zeros, 1}},
      {"cttz", {Math::trailing_zeros, 1}}, {"bitreverse", {Math::reverse_bits, 1}},
      {"bswap", {Math::swap_bytes, 1}},    {"smin", {Math::smin, 2}},
      {"smax", {Math::smax, 2}},           {"umin", {Math::umin, 2}},
      {"umax", {Math::umax, 2}},           {"abs", {Math::abs, 1}},
      {"fshl", {Math::funnel_left, 3}},    {"fshr", {Math::funnel_right, 3}},
      {"sadd.sat", {Math::sadd_sat, 2}},   {"uadd.sat", {Math::uadd_sat, 2}},
      {"ssub.sat", {Math::ssub_sat, 2}},   {"usub.sat", {Math::usub_sat, 2}}};
  return table;
}

}  // namespace

Parts Call::read() {
  LLVMValueRef callee = api().GetCalledValue(call_);
  if (api().GetValueKind(callee) == LLVMInlineAsmValueKind) return read_assembly(callee);
  if (api().IsAFunction(callee) == nullptr) {
    throw Unsupported("a call by a pointer that may go to any function");
  }
  const std::string name = name_of(callee);
  if (!api().IsDeclaration(callee)) {
    if (reader_.context_.target() == Target::host) return read_external(name);
    throw Unsupported(fmt::format("recursion: the function '{}' calls itself", demangled(name)));
  }
  if ((name == "printf" || name == "vprintf") && reader_.context_.target() != Target::host) {
    return read_print(name);
  }
  if (const bool begins = begins_scope(call_); begins || ends_scope(call_)) {
    const ValueId address =
        argument(arguments() - 1);  // LLVM's own marks say how large it is first
    builder().operation(begins ? Op::begin_lifetime : Op::end_lifetime, {}, {address});
    return {};
  }
  if (name.starts_with("__headway_nvvm.")) {  // whose name was kernel/clang/foreign's doing
    throw Unsupported("the intrinsic llvm." + name.substr(10));
  }
  if (name.starts_with("__headway_")) return read_headway(std::string_view(name).substr(10));
  if (name.starts_with("llvm.")) return read_intrinsic(std::string_view(name).substr(5));
  Parts result;
  if (read_math(name, result)) return result;
  return read_external(name);
}

// Files of LLVM may call a function in another way than it is declared.
ValueId Call::argument(unsigned index) {
  if (index >= arguments()) throw Unsupported("a call with too few arguments");
  return reader_.single(api().GetOperand(call_, index));
}

std::uint64_t Call::constant(unsigned index, std::string_view what, std::uint64_t below) {
  const std::optional<std::uint64_t> known = builder().known(argument(index));
  if (!known) throw Unsupported(fmt::format("{} that is not a constant", what));
  if (*known >= below) throw Unsupported(fmt::format("{} that is not known: {}", what, *known));
  return *known;
}

ValueId Call::truth(ValueId value) {
  const Type type = builder().type(value);
  if (type.bits == 1) return value;
  return builder().binary(Op::ne, value, builder().constant(type, 0));
}

Type Call::result_type() {
  const std::vector<Leaf> leaves = reader_.context_.leaves(api().TypeOf(call_));
  return leaves.size() == 1 ? leaves.front().type : Type();
}

Parts Call::emit(Instruction made, bool gives) {
  if (!gives) {
    builder().emit(std::move(made));
    return {};
  }
  made.result = builder().forward(made.type);
  return {builder().emit(std::move(made))};
}

ValueId Call::boolean(ValueId bit) {
  const Type type = result_type();
  return type.bits == 1 ? bit : builder().convert(Op::zext, bit, type);
}

Parts Call::emit_math(Math math, unsigned operands) {
  Instruction made;
  made.op = Op::math;
  made.math = math;
  made.type = result_type();
  for (unsigned i = 0; i < operands; ++i) made.operands.push_back(argument(i));
  return emit(std::move(made));
}

bool Call::read_math(std::string_view name, Parts& result) {
  const auto& table = real_functions();
  auto found = table.find(name);
  if (found == table.end() && name.ends_with('f'))
    found = table.find(name.substr(0, name.size() - 1));
  if (found == table.end()) return false;
  if (arguments() != found->second.second || !result_type().is_real()) return false;
  result = emit_math(found->second.first, found->second.second);
  return true;
}

void Call::read_name() {
  LLVMMetadataRef location = api().InstructionGetDebugLoc(call_);
  if (location == nullptr || api().DILocationGetInlinedAt(location) != nullptr) return;
  LLVMValueRef value = nullptr;
  LLVMValueRef wrapped = api().GetOperand(call_, 0);
  if (api().GetMDNodeNumOperands(wrapped) == 1) api().GetMDNodeOperands(wrapped, &value);
  const auto found = reader_.values_.find(value);
  if (found == reader_.values_.end() || found->second.size() != 1) return;
  LLVMValueRef variable = api().GetOperand(call_, 1);
  constexpr std::size_t name_of_variable = 1;  // among its operands (DebugInfoMetadata.h)
  std::vector<LLVMValueRef> parts(api().GetMDNodeNumOperands(variable));
  if (parts.size() <= name_of_variable) return;
  api().GetMDNodeOperands(variable, parts.data());
  if (parts[name_of_variable] == nullptr) return;
  unsigned length = 0;
  const char* text = api().GetMDString(parts[name_of_variable], &length);
  Value& of = builder().function().values[found->second.front()];
  if (text == nullptr || !of.name.empty()) return;
  if (of.kind == Value::Kind::instruction) of.name = std::string(text, length);
  if (of.kind == Value::Kind::argument) {
    of.name = std::string(text, length);
    builder().function().parameters[of.bits].name = of.name;
  }
}

Parts Call::read_intrinsic(std::string_view name) {
  std::string_view rest;
  if (behind(name, "dbg.value", rest)) read_name();
  if (behind(name, "dbg.", rest) || behind(name, "invariant.", rest) ||
      behind(name, "experimental.noalias", rest) || name == "donothing" || name == "stackrestore" ||
      name.starts_with("stackrestore.") || behind(name, "var.annotation", rest) ||
      behind(name, "prefetch", rest)) {
    return {};
  }
  if (name == "stacksave" || name.starts_with("stacksave.")) return {builder().null()};
  if (behind(name, "fptosi.sat", rest)) return reader_.read_conversion(Op::real_to_sint, call_);
  if (behind(name, "fptoui.sat", rest)) return reader_.read_conversion(Op::real_to_uint, call_);
  const bool copies = behind(name, "memcpy", rest) || behind(name, "memmove", rest);
  if ((copies || behind(name, "memset", rest)) && is_of_compiler(call_)) {
    builder().operation(Op::begin_lifetime, {}, {argument(0)});
    return {};
  }
  if (copies) return read_copy();
  if (behind(name, "memset", rest)) return read_fill();
  if (behind(name, "expect", rest) || behind(name, "annotation.", rest) ||
      behind(name, "ptr.annotation", rest) || behind(name, "launder.invariant", rest) ||
      behind(name, "strip.invariant", rest)) {
    return {argument(0)};
  }
  if (name == "assume") {  // __builtin_assume()
    const ValueId holds = argument(0);
    if (builder().known(holds) == 1) return {};  // its bundles say what a compiler found
    add_premise(builder().function(), "what __builtin_assume says holds");
    Instruction made;
    made.op = Op::claim;
    made.claim = Claim::assumption;
    made.operands = {holds};
    return emit(std::move(made), false);
  }
  if (name == "trap" || name == "debugtrap" || name == "ubsantrap") {
    Instruction made;
    made.op = Op::claim;
    made.claim = Claim::assertion;
    made.operands = {builder().integer(1, 0)};
    made.name = "trap";
    return emit(std::move(made), false);
  }
  // "ctlz.i32": the name up to the types.
  const auto types = name.find(".i");
  const auto vectors = name.find(".v");
  const auto reals = name.find(".f");
  const auto end = std::min({types, vectors, reals, name.size()});
  const std::string_view base = name.substr(0, end);
  unsigned count = 0;
  Math math = Math::opaque;
  if (const auto found = integer_functions().find(base); found != integer_functions().end()) {
    std::tie(math, count) = found->second;
  } else if (const auto real = real_functions().find(base); real != real_functions().end()) {
    std::tie(math, count) = real->second;
  }
  if (count > 0) {
    std::vector<Parts> operands;
    for (unsigned i = 0; i < count; ++i) operands.push_back(reader_.operand(call_, i));
    Parts all;
    const std::vector<Leaf> leaves = reader_.context_.leaves(api().TypeOf(call_));
    for (std::size_t i = 0; i < leaves.size(); ++i) {
      Instruction made;
      made.op = Op::math;
      made.math = math;
      made.type = leaves[i].type;
      for (const Parts& operand : operands)
        made.operands.push_back(operand[operand.size() == 1 ? 0 : i]);
      all.push_back(emit(std::move(made)).front());
    }
    return all;
  }
  const auto overflow = name.find(".with.overflow");
  if (overflow != std::string_view::npos) {
    // {the low bits, whether they are not all}
    const ValueId a = argument(0);
    const ValueId b = argument(1);
    const int bits = builder().type(a).bits;
    const bool is_signed = name.starts_with("s");
    const Op op = name.substr(1).starts_with("add")   ? Op::add
                  : name.substr(1).starts_with("sub") ? Op::sub
                                                      : Op::mul;
    if (bits * 2 > 64) return overflow_of_words(op, is_signed, a, b);
    const ValueId exact = builder().binary(op, builder().resize(a, 2 * bits, is_signed),
                                           builder().resize(b, 2 * bits, is_signed));
    const ValueId low = builder().resize(exact, bits, false);
    return {low, builder().binary(Op::ne, builder().resize(low, 2 * bits, is_signed), exact)};
  }
  if (behind(name, "is.fpclass", rest)) {
    const std::uint64_t classes = constant(1, "a class of numbers");
    const Math test = classes == 3     ? Math::is_nan
                      : classes == 516 ? Math::is_inf
                      : classes == 504 ? Math::is_finite
                                       : Math::opaque;
    if (test == Math::opaque) throw Unsupported("the intrinsic llvm." + std::string(name));
    return emit_math(test, 1);
  }
  throw Unsupported("the intrinsic llvm." + std::string(name));
}

// Where there is nothing wider to compute in: {the low bits, whether they are not all}, as sizes of
// arrays ask for it.
Parts Call::overflow_of_words(Op op, bool is_signed, ValueId a, ValueId b) {
  const Type type = builder().type(a);
  if (op == Op::mul && builder().known(a)) std::swap(a, b);
  const std::optional<std::uint64_t> factor = builder().known(b);
  if (is_signed || type.bits != 64 || (op == Op::mul && (!factor || *factor == 0))) {
    throw Unsupported("an overflow test of more than 32 bits");
  }
  const ValueId low = builder().binary(op, a, b);
  const ValueId over =
      op == Op::add ? builder().binary(Op::ult, low, a)
      : op == Op::sub
          ? builder().binary(Op::ult, a, b)
          : builder().binary(Op::ult, builder().constant(type, ~std::uint64_t{0} / *factor), a);
  return {low, over};
}

Parts Call::read_external(const std::string& name) {
  Instruction made;
  made.op = Op::external;
  made.name = name;
  for (unsigned i = 0; i < arguments(); ++i) {
    for (const ValueId part : reader_.operand(call_, i)) made.operands.push_back(part);
  }
  const std::vector<Leaf> leaves = reader_.context_.leaves(api().TypeOf(call_));
  if (leaves.size() > 1) throw Unsupported("a call of '" + name + "', which gives several values");
  if (leaves.empty()) return emit(std::move(made), false);
  made.type = leaves.front().type;
  return emit(std::move(made));
}

Parts Call::read_headway(std::string_view name) {
  std::string_view rest;
  Instruction made;
  made.type = result_type();
  const auto builtin = [&](Builtin which) {
    made.op = Op::builtin;
    made.builtin = which;
    if (arguments() > 0) {
      const std::uint64_t dimension = constant(0, "the dimension of an id");
      if (dimension > 2) {  // as OpenCL says: sizes are 1, ids 0
        const bool size = which == Builtin::group_size || which == Builtin::groups;
        return Parts{builder().constant(made.type, size ? 1 : 0)};
      }
      made.dimension = static_cast<std::uint8_t>(dimension);
    }
    return emit(std::move(made));
  };
  static const std::map<std::string_view, Builtin> builtins = {
      {"thread_id", Builtin::thread_id},     {"group_id", Builtin::group_id},
      {"group_size", Builtin::group_size},   {"groups", Builtin::groups},
      {"cooperative", Builtin::cooperative}, {"lane", Builtin::lane},
      {"subgroup_id", Builtin::subgroup_id}, {"subgroup_size", Builtin::subgroup_size},
      {"subgroups", Builtin::subgroups},     {"active_mask", Builtin::active_mask}};
  if (const auto found = builtins.find(name); found != builtins.end())
    return builtin(found->second);

  const auto claim = [&](Claim which) {
    made.op = Op::claim;
    made.claim = which;
    LLVMMetadataRef location = api().InstructionGetDebugLoc(call_);
    made.inlined = location != nullptr && api().DILocationGetInlinedAt(location) != nullptr;
    made.operands = {truth(argument(0))};
    if (which == Claim::barrier_invariant) {
      const std::uint64_t threads = constant(1, "the number of threads");
      for (unsigned k = 0; k < threads; ++k) made.operands.push_back(argument(2 + k));
    }
    if (name == "ensured") made.name = "what __ensures says";
    return emit(std::move(made), false);
  };
  static const std::map<std::string_view, Claim> claims = {
      {"assert", Claim::assertion},
      {"assume", Claim::assumption},
      {"requires", Claim::precondition},
      {"ensures", Claim::postcondition},
      {"ensured", Claim::assertion},
      {"invariant", Claim::invariant},
      {"global_invariant", Claim::global_invariant},
      {"function_invariant", Claim::function_invariant},
      {"barrier_invariant", Claim::barrier_invariant}};
  if (const auto found = claims.find(name); found != claims.end()) return claim(found->second);

  if (name == "premise") {
    constexpr const char* phrases[] = {kNoOffset, kDimensions,  kImages,
                                       kSurfaces, kCooperative, kTextures};
    const std::uint64_t which = constant(0, "a premise", std::size(phrases));
    add_premise(builder().function(), phrases[which]);
    return {};
  }
  if (name == "read_only") {
    reader_.read_only_.push_back({argument(0), builder().place()});
    return {};
  }
  if (Parts synchronized; read_synchronization(name, synchronized)) return synchronized;
  if (name == "trap") {
    made.op = Op::claim;
    made.claim = Claim::assertion;
    made.operands = {builder().integer(1, 0)};
    made.name = "trap";
    return emit(std::move(made), false);
  }

  const auto annotation = [&](Annotation which, unsigned first) {
    made.op = Op::annotation;
    made.annotation = which;
    for (unsigned i = first; i < arguments(); ++i) made.operands.push_back(argument(i));
    return emit(std::move(made));
  };
  if (behind(name, "other_u", rest)) return annotation(Annotation::other, 0);
  if (behind(name, "old_u", rest)) return annotation(Annotation::old, 0);
  if (behind(name, "returned_u", rest)) return annotation(Annotation::returned, 0);
  if (name == "enabled" || name == "same_group") {
    made.type = Type::integer(1);
    return {boolean(
        annotation(name == "enabled" ? Annotation::enabled : Annotation::same_group, 0).front())};
  }
  if (name == "accessed" || name == "access_offset") {
    const bool offset = name != "accessed";
    constexpr Annotation kinds[2][3] = {
        {Annotation::read, Annotation::write, Annotation::atomic},
        {Annotation::read_offset, Annotation::write_offset, Annotation::atomic_offset}};
    const Annotation which = kinds[offset ? 1 : 0][constant(0, "the kind of an access", 3)];
    if (offset) return annotation(which, 1);
    made.type = Type::integer(1);
    return {boolean(annotation(which, 1).front())};
  }
  if (name == "pointer_offset") return annotation(Annotation::pointer_offset, 0);
  if (name == "pointer_base") return annotation(Annotation::pointer_base, 0);
  if (behind(name, "unknown_", rest)) {
    made.op = Op::unknown;
    return emit(std::move(made));
  }
  if (behind(name, "opaque_u", rest)) return emit_math(Math::opaque, arguments());
  if (behind(name, "math_f", rest)) {
    constexpr std::pair<Math, unsigned> functions[] = {
        {Math::rsqrt, 1},   {Math::exp10, 1},   {Math::opaque, 3}, {Math::add_rz, 2},
        {Math::add_ru, 2},  {Math::add_rd, 2},  {Math::sub_rz, 2}, {Math::sub_ru, 2},
        {Math::sub_rd, 2},  {Math::mul_rz, 2},  {Math::mul_ru, 2}, {Math::mul_rd, 2},
        {Math::div_rz, 2},  {Math::div_ru, 2},  {Math::div_rd, 2}, {Math::sqrt_rz, 1},
        {Math::sqrt_ru, 1}, {Math::sqrt_rd, 1}, {Math::fma_rz, 3}, {Math::fma_ru, 3},
        {Math::fma_rd, 3}};
    made.op = Op::math;
    const std::uint64_t which = constant(0, "a function", std::size(functions));
    made.math = functions[which].first;
    for (unsigned i = 1; i <= functions[which].second; ++i) made.operands.push_back(argument(i));
    return emit(std::move(made));
  }
  if (name == "async_copy") {
    made.op = Op::async_copy;
    made.operands = {argument(0), argument(1), argument(2), argument(4), argument(6)};
    made.bytes = constant(3, "the size of an element");
    made.kind = static_cast<std::uint8_t>(constant(5, "the kind of a copy", 3));
    return emit(std::move(made));
  }
  if (name == "thread_copy") {
    made.op = Op::thread_copy;
    made.operands = {argument(0), argument(1), argument(2)};
    if (argument(3) != argument(2)) made.operands.push_back(argument(3));
    const std::uint64_t bytes = constant(2, "the size of a copy");
    if (bytes != 4 && bytes != 8 && bytes != 16) {
      throw Unsupported(
          fmt::format("a copy of {} bytes beside the thread; expected 4, 8 or 16", bytes));
    }
    made.align = made.align_from = static_cast<std::uint32_t>(bytes);
    return emit(std::move(made), false);
  }
  if (name == "commit_copies") {
    made.op = Op::commit_copies;
    return emit(std::move(made), false);
  }
  if (name == "wait_copies") {
    made.op = Op::wait_copies;
    made.operands = {argument(0)};
    return emit(std::move(made), false);
  }
  if (name == "wait_events") {
    made.op = Op::wait_events;
    made.operands = {argument(0), argument(1)};
    return emit(std::move(made), false);
  }
  throw Unsupported(fmt::format("a call of '__headway_{}'", name));
}

}  // namespace headway::kernel::llvm
