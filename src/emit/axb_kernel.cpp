#include "emit/axb_kernel.hpp"

#include <fmt/format.h>

#include "emit/text.hpp"
#include "lang/axb/printer.hpp"

namespace headway::emit {
namespace {

namespace axb = lang::axb;

struct Access {
  enum class Kind { load, store, exchange };
  Kind kind = Kind::load;
  int location = 0;
  std::uint32_t value = 0;  // what a store or an exchange writes
};

struct Step {
  std::string text;  // as a statement of the litmus format
  Access access;
  // Where the program counter goes: to `equal` when the access found the value `check`, otherwise
  // to `otherwise`. Steps count from 0; their number is the end. A store finds nothing, and goes to
  // `otherwise`.
  std::uint32_t check = 0;
  int equal = 0;
  int otherwise = 0;
};

Step lower(const axb::Code& code, const axb::Thread& thread, int index) {
  const axb::Instruction& i = thread.instructions[index];
  Step step;
  step.text = axb::print_statement(code, i, index, thread.length());
  step.access.location = i.location;
  step.access.value = i.exchange_value;
  step.check = i.check_value;
  step.equal = i.jump;
  step.otherwise = index + 1;
  step.access.kind = is_store(i, index) ? Access::Kind::store
                     : i.exchanges      ? Access::Kind::exchange
                                        : Access::Kind::load;
  return step;
}

std::string body(const Kernel& kernel, const Dialect& dialect, const Step& step) {
  const std::string location = write(dialect.cell, kernel.locations[step.access.location].name);
  const auto number = [&](auto value) { return write(dialect.number, value); };
  const std::string next = number(step.otherwise);
  if (step.access.kind == Access::Kind::store) {
    return indented(4, write(dialect.store, location, number(step.access.value))) +
           indented(4, fmt::format("pc = {};", next));
  }
  const std::string found = step.access.kind == Access::Kind::load
                                ? load(kernel, dialect, location)
                                : write(dialect.exchange, location, number(step.access.value));
  const std::string equal = fmt::format("{} == {}", found, number(step.check));
  return indented(4,
                  fmt::format("pc = {};", write(dialect.select, equal, number(step.equal), next)));
}

class AxbBody final : public Body {
 public:
  explicit AxbBody(const axb::Code& code) {
    for (const axb::Thread& thread : code.threads) {
      auto& steps = threads_.emplace_back();
      for (int i = 0; i < thread.length(); ++i) steps.push_back(lower(code, thread, i));
    }
  }

  std::string functions(const Kernel& kernel, const Dialect& dialect) const override {
    const auto number = [&](auto value) { return write(dialect.number, value); };
    std::string text;
    for (std::size_t t = 0; t < threads_.size(); ++t) {
      const std::vector<Step>& steps = threads_[t];
      if (t > 0) text += "\n";
      text += indented(0, write(dialect.function, t));
      text += indented(1, std::string(dialect.pc));
      text += indented(1, std::string(dialect.loop));
      text += indented(2, write(dialect.choice, "pc"));
      for (std::size_t s = 0; s < steps.size(); ++s) {
        text += indented(3, write(dialect.case_begin, number(s)) + "  // " + steps[s].text);
        text += body(kernel, dialect, steps[s]);
        text += indented(3, std::string(dialect.case_end));
      }
      text += indented(3, std::string(dialect.default_begin) + "  // END");
      if (!dialect.finish.empty()) text += indented(4, std::string(dialect.finish));
      text += indented(4, "return;");
      if (!dialect.default_end.empty()) text += indented(3, std::string(dialect.default_end));
      text += indented(2, "}");
      if (!dialect.fence.empty()) text += indented(2, std::string(dialect.fence));
      if (!dialect.watch.empty()) text += indented(2, std::string(dialect.watch));
      text += indented(1, "}") + indented(0, "}");
    }
    return text;
  }

 private:
  std::vector<std::vector<Step>> threads_;
};

}  // namespace

void lower(const axb::Code& code, Kernel& kernel) {
  kernel.body = std::make_shared<const AxbBody>(code);
  for (const axb::Location& location : code.locations) {
    const int first = static_cast<int>(kernel.initial.size());
    kernel.locations.push_back({identifier("LOC_", location.name, first), first});
    kernel.initial.push_back(location.initial);
  }
}

}  // namespace headway::emit
