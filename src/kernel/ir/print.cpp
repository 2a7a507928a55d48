#include <fmt/format.h>

#include <array>

#include "kernel/ir/ir.hpp"

namespace headway::kernel {
namespace {

constexpr std::array kScopes = {"thread", "subgroup", "workgroup", "device", "system"};
constexpr std::array kOrders = {"relaxed", "acquire", "release", "acq_rel", "seq_cst"};
constexpr std::array kUpdateNames = {
    "exchange", "add",      "sub",      "and", "or",   "xor",  "nand", "smin", "smax", "umin",
    "umax",     "wrap_inc", "wrap_dec", "mul", "fadd", "fsub", "fmin", "fmax", "fmul"};
static_assert(kUpdateNames.size() == static_cast<std::size_t>(Update::fmul) + 1);
constexpr std::array kBuiltins = {"thread_id",   "group_id",   "group_size",  "groups",
                                  "cooperative", "lane",       "subgroup_id", "subgroup_size",
                                  "subgroups",   "active_mask"};
constexpr std::array kClaims = {"assert",
                                "assume",
                                "requires",
                                "ensures",
                                "invariant",
                                "global_invariant",
                                "function_invariant",
                                "barrier_invariant",
                                "within",
                                "shown"};

std::string type_name(Type type) {
  switch (type.kind) {
    case Type::Kind::integer:
      return fmt::format("i{}", type.bits);
    case Type::Kind::real:
      return fmt::format("f{}", type.bits);
    case Type::Kind::pointer:
      return "ptr";
    case Type::Kind::none:
      break;
  }
  return "void";
}

class Printer {
 public:
  Printer(const Module& module, const Function& function) : module_(module), function_(function) {}

  std::string text() {
    out_ = fmt::format("kernel {}(", function_.name);
    for (std::size_t i = 0; i < function_.parameters.size(); ++i) {
      const Parameter& parameter = function_.parameters[i];
      out_ += fmt::format("{}{} {}", i == 0 ? "" : ", ", type_name(parameter.type), parameter.name);
    }
    out_ += ")\n";
    if (!function_.unsupported.empty()) {
      return out_ + fmt::format("  unsupported at line {}: {}\n", function_.place.line,
                                function_.unsupported);
    }
    for (const Object& local : function_.locals) {
      out_ += fmt::format("  local {}[{}]\n", local.name, local.bytes);
    }
    for (std::size_t b = 0; b < function_.blocks.size(); ++b) {
      out_ += fmt::format("{}:\n", block(static_cast<BlockId>(b)));
      for (const Instruction& instruction : function_.blocks[b].code) print(instruction);
    }
    return std::move(out_);
  }

 private:
  static std::string block(BlockId id) { return fmt::format("b{}", id); }

  std::string value(ValueId id) const {
    const Value& of = function_.value(id);
    switch (of.kind) {
      case Value::Kind::constant:
        return of.type.is_pointer() && of.bits == 0
                   ? "null"
                   : fmt::format("{}:{}", of.bits, type_name(of.type));
      case Value::Kind::undefined:
        return "undefined";
      case Value::Kind::address: {
        const Object& object = module_.object(function_, of.object);
        return of.bits == 0
                   ? "&" + object.name
                   : fmt::format("&{}+{}", object.name, static_cast<std::int64_t>(of.bits));
      }
      case Value::Kind::argument:
        return "%" + function_.parameters[of.bits].name;
      case Value::Kind::instruction:
        break;
    }
    return fmt::format("%{}", id);
  }

  void print(const Instruction& of) {
    out_ += "  ";
    if (of.result != kNone) out_ += fmt::format("%{} = ", of.result);
    out_ += name_of(of.op);
    if (of.type.kind != Type::Kind::none) out_ += " " + type_name(of.type);
    if (of.op == Op::atomic_update) {
      out_ += fmt::format(" {}", kUpdateNames[static_cast<std::size_t>(of.update)]);
    }
    if (is_atomic(of.op) || of.op == Op::fence) {
      out_ += fmt::format(" {}", kOrders[static_cast<std::size_t>(of.order)]);
    }
    if (is_atomic(of.op) || of.op == Op::fence || is_barrier(of.op)) {
      out_ += fmt::format(" {}", kScopes[static_cast<std::size_t>(of.scope)]);
    }
    if (of.op == Op::builtin) {
      out_ += fmt::format(" {}.{}", kBuiltins[static_cast<std::size_t>(of.builtin)],
                          "xyz"[of.dimension % 3]);
    }
    if (of.op == Op::claim) {
      out_ += fmt::format(" {}", kClaims[static_cast<std::size_t>(of.claim)]);
    }
    if (of.op == Op::external) out_ += " " + of.name;
    if (of.memory != 3) out_ += fmt::format(" memory {}", of.memory);
    if (of.otherwise) {
      out_ += fmt::format(" otherwise {}", kOrders[static_cast<std::size_t>(*of.otherwise)]);
    }
    if (of.arrives) out_ += " arrives";
    if (of.aligned) out_ += " aligned";
    if (of.partial) out_ += of.late ? " partial late" : " partial";
    const bool plain = of.op == Op::load || of.op == Op::store;
    if (plain && of.scope == Scope::thread) out_ += " private";
    if (plain && of.scope == Scope::workgroup) out_ += " incoherent";
    if (of.is_volatile) out_ += " volatile";
    for (std::size_t i = 0; i < of.operands.size(); ++i) {
      out_ += i == 0 ? " " : ", ";
      out_ += value(of.operands[i]);
      if (of.op == Op::phi) out_ += " from " + block(of.targets[i]);
    }
    if (of.op != Op::phi) {
      for (std::size_t i = 0; i < of.targets.size(); ++i) {
        out_ += fmt::format("{}{}", i == 0 ? " -> " : ", ", block(of.targets[i]));
        if (i > 0 && of.op == Op::choose) out_ += fmt::format(" if {}", of.cases[i - 1]);
      }
    }
    if (of.place.line > 0) out_ += fmt::format("  ; {}", of.place.line);
    out_ += '\n';
  }

  const Module& module_;
  const Function& function_;
  std::string out_;
};

}  // namespace

std::string print(const Module& module, const Function& function) {
  return Printer(module, function).text();
}

}  // namespace headway::kernel
