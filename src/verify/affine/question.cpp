#include "verify/affine/question.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>

namespace headway::verify::affine {

namespace {

constexpr int kMostDimensions = 4;
// What is known of a choice is said in each of its ways, which may be choices again: without an end
// to that it is said exponentially often. What is left out makes sets larger, never empty.
constexpr std::size_t kMostSaid = 500;
// Numbers that are put in the place of symbols are below this, so that products stay within 2^127.
constexpr Wide kNear = Wide{1} << 16;

Wide divisor_of_all(const Form& form) {
  Wide result = form.constant < 0 ? -form.constant : form.constant;
  for (const auto& part : form.parts) {
    Wide a = part.second < 0 ? -part.second : part.second;
    while (result != 0) std::swap(a %= result, result);
    result = a;
  }
  return result;
}

}  // namespace

int Question::fresh(Range range) {
  ranges_.push_back(range);
  return static_cast<int>(ranges_.size()) - 1;
}

int Question::variable(int symbol, int side) {
  const std::pair<int, int> key(symbol, shared_(symbol) ? 2 : side);
  const auto at = variables_.find(key);
  if (at != variables_.end()) return at->second;
  return variables_[key] = fresh(values_.symbol(symbol).range);
}

Form Question::of(const Form& form, int side) {
  Form result(form.constant);
  for (const auto& [product, factor] : form.parts) {
    Form::Product mapped;
    Wide by = factor;
    for (const int s : product) {
      const Range& range = values_.symbol(s).range;
      if (range.low == range.high && range.low > -kNear && range.low < kNear) {
        by *= range.low;
      } else {
        mapped.push_back(variable(s, side));
      }
    }
    std::sort(mapped.begin(), mapped.end());
    if (by != 0) result.add(mapped, by);
  }
  return result;
}

// Products are variables of their own, of which their range is known.
int Question::variable_of(const Form::Product& product_of) {
  if (product_of.size() == 1) return product_of.front();
  const auto at = products_.find(product_of);
  if (at != products_.end()) return at->second;
  Form one;
  one.parts[product_of] = 1;
  return products_[product_of] = fresh(range_of(one));
}

Range Question::range_of(const Form& form) const {
  Range all{form.constant, form.constant};
  for (const auto& [product_of, factor] : form.parts) {
    Range part{factor, factor};
    for (const int v : product_of) part = product(part, ranges_[static_cast<std::size_t>(v)]);
    all = sum(all, part);
  }
  return all;
}

Question::Clause Question::clause(const Form& form, const char* relation) {
  Clause result;
  for (const auto& [product_of, factor] : form.parts) {
    const int v = variable_of(product_of);
    result.text += fmt::format("{} v{} + ", factor, v);
    result.variables.insert(v);
  }
  result.text += fmt::format("{} {} 0", form.constant, relation);
  return result;
}

Question::Clause Question::any(const std::vector<std::vector<Clause>>& ways) {
  Clause result;
  for (const std::vector<Clause>& way : ways) {
    std::string all;
    for (const Clause& one : way) {
      all += (all.empty() ? "" : " and ") + one.text;
      result.variables.insert(one.variables.begin(), one.variables.end());
    }
    result.text += fmt::format("{}({})", result.text.empty() ? "" : " or ", all);
  }
  result.text = ways.empty() ? "1 = 0" : fmt::format("({})", result.text);
  return result;
}

void Question::add_facts(Scope& scope, const Form& form, int side) {
  for (const auto& part : form.parts) {
    for (const int s : part.first) {
      const std::pair<int, int> key(s, side);
      if (scope.knows(key)) continue;
      scope.known.insert(key);
      add(scope, values_.symbol(s).fact, side);
    }
  }
}

void Question::add(Scope& scope, const Formula& formula, int side) {
  if (++said_ > kMostSaid) return;
  switch (formula.kind) {
    case Formula::Kind::zero:
      scope.clauses.push_back(clause(of(formula.form, side), "="));
      add_facts(scope, formula.form, side);
      return;
    case Formula::Kind::not_negative: {
      const Form form = of(formula.form, side);
      if (range_of(form).low < 0) {
        scope.clauses.push_back(clause(form, ">="));
        if (scope.around == nullptr) not_negative_.push_back(form);
      }
      add_facts(scope, formula.form, side);
      return;
    }
    case Formula::Kind::all:
      for (const Formula& one : formula.parts) add(scope, one, side);
      return;
    case Formula::Kind::any: {
      // What is known of a symbol is known where its value was computed, so within its way.
      std::vector<std::vector<Clause>> ways;
      for (const Formula& one : formula.parts) {
        Scope way;
        way.around = &scope;
        add(way, one, side);
        if (way.clauses.empty()) return;  // nothing is said
        ways.push_back(std::move(way.clauses));
      }
      scope.clauses.push_back(any(ways));
      return;
    }
  }
}

void Question::require(const Formula& formula, int side) { add(all_, formula, side); }

void Question::require_zero(const Form& form) { all_.clauses.push_back(clause(form, "=")); }

void Question::require_not_negative(const Form& form) {
  all_.clauses.push_back(clause(form, ">="));
}

void Question::require_other(const std::vector<Form>& differences) {
  std::vector<std::vector<Clause>> ways;
  for (const Form& one : differences) {
    ways.push_back({clause(one, "<")});
    ways.push_back({clause(one, ">")});
  }
  other_ = any(ways);
}

// Of what holds, only that counts which says something of variables that `more` is about, or of
// others by way of which it does.
bool Question::is_empty(const std::vector<Clause>& more, bool of_others) {
  std::vector<const Clause*> open, used;
  for (const Clause& one : all_.clauses) open.push_back(&one);
  std::set<int> variables;
  const auto use = [&](const Clause& one) {
    used.push_back(&one);
    variables.insert(one.variables.begin(), one.variables.end());
  };
  for (const Clause& one : more) use(one);
  if (of_others && other_) use(*other_);
  for (bool changed = true; changed;) {
    const std::size_t before = open.size();
    std::erase_if(open, [&](const Clause* one) {
      const bool touches =
          one->variables.empty() || std::any_of(one->variables.begin(), one->variables.end(),
                                                [&](int v) { return variables.contains(v); });
      if (touches) use(*one);
      return touches;
    });
    changed = open.size() != before;
  }
  std::vector<std::string> names, clauses;
  for (const Clause* one : used) clauses.push_back(one->text);
  for (const int v : variables) {
    names.push_back(fmt::format("v{}", v));
    const Range& range = ranges_[static_cast<std::size_t>(v)];
    if (range.low > range.high) continue;  // of code that is never reached
    if (range.low > -kFar) clauses.push_back(fmt::format("{} >= {}", names.back(), range.low));
    if (range.high < kFar) clauses.push_back(fmt::format("{} <= {}", names.back(), range.high));
  }
  return sets_.is_empty(fmt::format("{{ [{}] : {} }}", fmt::join(names, ", "),
                                    fmt::join(clauses, " and "))) == true;
}

// What is not negative is not so either times what is not negative: of products that there are.
void Question::multiply(const std::set<int>& factors) {
  for (const int n : factors) {
    if (ranges_[static_cast<std::size_t>(n)].low < 0) continue;
    for (const Form& one : not_negative_) {
      const std::optional<Form> all = product(one, Form::of(n));
      const bool known =
          all && std::all_of(all->parts.begin(), all->parts.end(), [&](const auto& p) {
            return p.first.size() == 1 || products_.contains(p.first);
          });
      if (known) all_.clauses.push_back(clause(*all, ">="));
    }
  }
}

bool Question::excludes(const Form& form, Wide low, Wide high) {
  std::set<int> factors;
  for (const auto& part : form.parts) {
    if (part.first.size() < 2) continue;
    variable_of(part.first);
    factors.insert(part.first.begin(), part.first.end());
  }
  multiply(factors);
  return excludes(form, low, high, {}, 0);
}

namespace {

bool has_products(const Form& form) {
  return std::any_of(form.parts.begin(), form.parts.end(),
                     [](const auto& part) { return part.first.size() > 1; });
}

// Of a sum n * f + g: what stands by n, and what does not. Nothing where n is there twice.
std::optional<std::pair<Form, Form>> parted(const Form& form, int n) {
  Form f, g(form.constant);
  for (const auto& [product, factor] : form.parts) {
    const auto at = std::find(product.begin(), product.end(), n);
    if (at == product.end()) {
      g.add(product, factor);
      continue;
    }
    Form::Product rest = product;
    rest.erase(rest.begin() + (at - product.begin()));
    if (std::find(rest.begin(), rest.end(), n) != rest.end()) return std::nullopt;
    f.add(rest, factor);
  }
  return std::pair(f, g);
}

}  // namespace

// Of a sum n * f + g with products, where g is so small that it cannot make up for n: f is 0 then,
// and g is between the ends. So subscripts of several dimensions are told apart one by one.
bool Question::excludes(const Form& form, Wide low, Wide high, std::vector<Clause> more,
                        int depth) {
  const auto above = [&](const Form& f, Wide end) { return clause(f - Form(end), ">"); };
  const auto below = [&](const Form& f, Wide end) { return clause(f - Form(end), "<"); };
  const auto never = [&](const Clause& claim) {
    std::vector<Clause> all = more;
    all.push_back(claim);
    return is_empty(all, false);
  };
  std::set<int> factors;
  for (const auto& part : form.parts) {
    if (part.first.size() > 1) factors.insert(part.first.begin(), part.first.end());
  }
  if (depth == kMostDimensions) factors.clear();
  for (const int n : factors) {
    auto parts = parted(form, n);
    if (!parts || parts->first.is_constant()) continue;
    auto& [f, g] = *parts;
    const Wide common = divisor_of_all(f);
    for (auto& part : f.parts) part.second /= common;
    f.constant /= common;
    const Form unit = common * Form::of(n);
    if (!never(below(Form::of(n), 0)) || !never(below(g + unit, high)) ||
        !never(above(g - unit, low))) {
      continue;
    }
    std::vector<Clause> of_g = more, of_f = more;
    of_g.push_back(above(g, low));
    of_g.push_back(below(g, high));
    of_f.push_back(clause(f, "="));
    if (excludes(f, -1, 1, of_g, depth + 1)) return true;
    if (has_products(g) && excludes(g, low, high, of_f, depth + 1)) return true;
  }
  more.push_back(above(form, low));
  more.push_back(below(form, high));
  return is_empty(more, true);
}

}  // namespace headway::verify::affine
