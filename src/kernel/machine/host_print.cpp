// What host programs print: nothing comes of it, but what is printed is read.
#include <string>

#include "kernel/machine/host.hpp"
#include "kernel/machine/runner.hpp"

namespace headway::kernel {

// The string that a pointer goes to, up to its end. Bytes that are unknown stand as question marks.
std::string Machine::Runner::text_at(const Cell& pointer) {
  std::string result;
  for (std::uint64_t k = 0;; ++k) {
    const Address at = address(moved(pointer, Cell::of(k)));
    if (at.moving) fail(FaultKind::unsupported, "a string at an address out of unknown data");
    check(at, 1, false);
    const Cell byte = read(at.object, at.at, 1);
    if (byte.is_bits()) {
      if (byte.bits == 0) return result;
      result += static_cast<char>(byte.bits);
      continue;
    }
    if (byte.kind != Cell::Kind::term) {
      fail(FaultKind::uninitialized, "a string is printed that was never written to its end");
    }
    require_value(byte.term(), "where a string ends that is printed");
    if (decide(terms_.equal(byte.term(), terms_.constant(0, 8)))) return result;
    result += '?';
  }
}

void Machine::Runner::print(const Instruction& i) {
  if (i.name == "puts" || i.name == "fputs" || i.name == "perror") {
    if (!i.operands.empty()) text_at(reg(i.operands[0]));
    return;
  }
  if (i.name != "printf" && i.name != "fprintf") return;
  std::size_t next = i.name == "printf" ? 0 : 1;
  if (i.operands.size() <= next) return;
  const std::string format = text_at(reg(i.operands[next++]));
  const auto take = [&](bool is_string) {
    if (next >= i.operands.size()) {
      fail(FaultKind::bounds, "more is printed than was given");
    }
    const Cell value = reg(i.operands[next++]);
    if (is_string) {
      text_at(value);
    } else if (value.kind == Cell::Kind::undefined) {
      fail(FaultKind::uninitialized, "a value is printed that was never set");
    } else if (value.kind == Cell::Kind::term) {
      require_value(value.term(), "what is printed");
    }
  };
  for (std::size_t k = 0; k < format.size(); ++k) {
    if (format[k] != '%') continue;
    constexpr const char* modifiers = "-+ #0123456789.*hlLqjzt";
    bool any_precision = false;
    for (++k; k < format.size() && std::string_view(modifiers).find(format[k]) != std::string::npos;
         ++k) {
      if (format[k] == '*') take(false);
      any_precision = any_precision || format[k] == '.';
    }
    if (k == format.size() || format[k] == '%') continue;
    if (format[k] == 'n') fail(FaultKind::unsupported, "a '%n' in what is printed");
    if (format[k] == 's' && any_precision) {
      fail(FaultKind::unsupported, "a '%s' with a precision in what is printed");
    }
    take(format[k] == 's');
  }
}

}  // namespace headway::kernel
