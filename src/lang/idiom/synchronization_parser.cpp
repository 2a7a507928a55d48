// The statements by which threads meet, wait and order memory.
#include <fmt/format.h>

#include "lang/idiom/statement_parser.hpp"

namespace headway::lang::idiom {

// All loads of the condition are one access.
void StatementParser::await(Statement& result) {
  const Token first = scanner_.next();
  result.kind = Statement::Kind::await;
  at_once_ = true;
  condition(result);
  at_once_ = false;
  end_of(result, first);
}

void StatementParser::barrier(Statement& result) {
  const Token first = scanner_.next();
  scanner_.expect("(");
  const Token scope = scanner_.next();
  Barrier barrier;
  if (scope.is("subgroup")) {
    barrier.scope = Scope::subgroup;
  } else if (scope.is("grid")) {
    barrier.scope = Scope::grid;
  } else if (!scope.is("workgroup")) {
    scanner_.fail(scope, fmt::format("expected 'workgroup', 'subgroup' or 'grid', whose threads "
                                     "meet here, found {}",
                                     shown(scope)));
  }
  if (scanner_.accept("or")) {
    scanner_.expect("ended", "'or ended' says that threads which have ended count as waiting");
    barrier.counts_ended = true;
  }
  Token name = first;
  if (scanner_.accept(",")) {
    name = scanner_.next();
    if (!name.is_identifier() || is_reserved(name)) {
      scanner_.fail(name, fmt::format("expected the name of a barrier, found {}", shown(name)));
    }
    barrier.name = name.text;
  }
  scanner_.expect(")");
  result.kind = Statement::Kind::barrier;
  result.index = barrier_index(barrier, name);
  end_of(result, first);
}

// "fence(acq_rel, workgroup);"
void StatementParser::fence(Statement& result) {
  const Token first = scanner_.next();
  result.kind = Statement::Kind::fence;
  scanner_.expect("(");
  result.strength = strength(std::nullopt, first);
  scanner_.expect(")");
  end_of(result, first);
  syntax_.strengths.back().end = scanner_.last_end();
}

int StatementParser::barrier_index(const Barrier& barrier, const Token& where) {
  for (std::size_t i = 0; i < syntax_.barriers.size() && !barrier.name.empty(); ++i) {
    const Barrier& known = syntax_.barriers[i];
    if (known.name != barrier.name) continue;
    if (known.scope != barrier.scope || known.counts_ended != barrier.counts_ended) {
      scanner_.fail(where,
                    fmt::format("barrier {} stands for two barriers; expected 'barrier({}{}, {})' "
                                "as in front of it",
                                shown(where), to_string(known.scope),
                                known.counts_ended ? " or ended" : "", barrier.name));
    }
    return static_cast<int>(i);
  }
  limit(syntax_.barriers.size(), kMaxBarriers, "barriers", where);
  syntax_.barriers.push_back(barrier);
  return static_cast<int>(syntax_.barriers.size()) - 1;
}

}  // namespace headway::lang::idiom
