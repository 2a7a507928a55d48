#include <fmt/format.h>

#include <set>
#include <sstream>

#include "smt/solver.hpp"

namespace headway::smt {

namespace {

std::string sort_text(int width) {
  return width == 0 ? "Bool" : fmt::format("(_ BitVec {})", width);
}

std::string quoted(const std::string& name) { return '|' + name + '|'; }

std::string function_text(const Context& c, const Node& n) {
  std::string name = c.name(n);
  for (const Term t : n.args) name += fmt::format(".{}", c.width(t));
  return quoted(name + fmt::format(":{}", n.width));
}

std::string number_text(std::uint64_t value, int width) {
  return width == 0 ? (value != 0 ? "true" : "false") : fmt::format("(_ bv{} {})", value, width);
}

std::string node_text(const Context& c, const Node& n, const std::vector<std::string>& a) {
  static constexpr const char* words[] = {
      "",       "",      "",      "not",    "and",    "or",     "ite",    "=",     "bvult",
      "bvslt",  "bvadd", "bvmul", "bvudiv", "bvurem", "bvsdiv", "bvsrem", "bvshl", "bvlshr",
      "bvashr", "bvand", "bvor",  "bvxor",  "",       "concat", "",       ""};
  std::string head = words[static_cast<int>(n.kind)];
  const int first = n.args.empty() ? 0 : c.width(n.args[0]);
  switch (n.kind) {
    case Kind::constant:
      return number_text(n.value, n.width);
    case Kind::variable:
      return quoted(c.name(n));
    case Kind::apply:
      head = function_text(c, n);
      if (a.empty()) return head;
      break;
    case Kind::linear: {
      std::string sum = number_text(n.value, n.width);
      for (std::size_t i = 0; i < a.size(); ++i) {
        sum =
            fmt::format("(bvadd {} (bvmul {} {}))", sum, number_text(n.factors[i], n.width), a[i]);
      }
      return sum;
    }
    case Kind::extract:
      head = fmt::format("(_ extract {} {})", n.value + static_cast<std::uint64_t>(n.width) - 1,
                         n.value);
      break;
    case Kind::zext:
      head = fmt::format("(_ zero_extend {})", n.width - first);
      break;
    case Kind::sext:
      head = fmt::format("(_ sign_extend {})", n.width - first);
      break;
    default:
      break;
  }
  std::string text = "(" + head;
  for (const std::string& arg : a) text += ' ' + arg;
  return text + ")";
}

}  // namespace

std::string smtlib(const Context& context, const std::vector<Term>& terms,
                   const std::string& comment) {
  std::ostringstream out;
  std::istringstream lines(comment);
  for (std::string line; std::getline(lines, line);) out << "; " << line << '\n';
  out << "(set-logic QF_UFBV)\n";
  std::set<std::uint32_t> order;
  std::vector<std::uint32_t> stack;
  stack.reserve(terms.size());
  for (const Term t : terms) stack.push_back(t.id);
  while (!stack.empty()) {
    const std::uint32_t at = stack.back();
    stack.pop_back();
    if (!order.insert(at).second) continue;
    for (const Term a : context.node(Term{at}).args) stack.push_back(a.id);
  }
  // Terms have higher numbers than what they are made of.
  std::set<std::string> declared;
  const auto text_of = [&context](std::uint32_t id) {
    const Node& n = context.node(Term{id});
    if (n.kind == Kind::constant || n.kind == Kind::variable) return node_text(context, n, {});
    return fmt::format("t{}", id);
  };
  for (const std::uint32_t id : order) {
    const Node& n = context.node(Term{id});
    if (n.kind == Kind::variable) {
      out << fmt::format("(declare-fun {} () {})\n", quoted(context.name(n)), sort_text(n.width));
      if (n.width > 0 && n.range.low > 0) {
        out << fmt::format("(assert (bvuge {} {}))\n", quoted(context.name(n)),
                           number_text(n.range.low, n.width));
      }
      if (n.width > 0 && n.range.high < mask_of(n.width)) {
        out << fmt::format("(assert (bvule {} {}))\n", quoted(context.name(n)),
                           number_text(n.range.high, n.width));
      }
      continue;
    }
    if (n.kind == Kind::constant) continue;
    if (n.kind == Kind::apply && declared.insert(function_text(context, n)).second) {
      std::string domain;
      for (const Term a : n.args) domain += ' ' + sort_text(context.width(a));
      out << fmt::format("(declare-fun {} ({}) {})\n", function_text(context, n),
                         domain.empty() ? "" : domain.substr(1), sort_text(n.width));
    }
    std::vector<std::string> args;
    for (const Term a : n.args) args.push_back(text_of(a.id));
    out << fmt::format("(define-fun t{} () {} {})\n", id, sort_text(n.width),
                       node_text(context, n, args));
  }
  for (const Term t : terms) out << fmt::format("(assert {})\n", text_of(t.id));
  out << "(check-sat)\n";
  return out.str();
}

}  // namespace headway::smt
