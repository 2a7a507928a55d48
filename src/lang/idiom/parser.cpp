#include "lang/idiom/parser.hpp"

#include <fmt/format.h>

#include <map>
#include <utility>

#include "base/text/several_errors.hpp"
#include "lang/expectation.hpp"
#include "lang/idiom/statement_parser.hpp"

namespace headway::lang::idiom {
namespace {

class Parser : private StatementParser {
 public:
  Parser(Scanner& scanner, std::string_view text, const std::string& file)
      : StatementParser(scanner) {
    syntax_.text = text;
    syntax_.file = file;
  }

  Syntax run() {
    try {
      return read();
    } catch (const Error& error) {
      if (errors_.empty()) throw;
      // Labels may stand in front of what was wrong.
      const bool of_label = std::string_view(error.what()).find("label") != std::string::npos;
      if (errors_.size() < kMaxErrors && !of_label) errors_.push_back(error);
      throw SeveralErrors(std::move(errors_));
    }
  }

 private:
  Syntax read() {
    syntax_.comment = scanner_.leading_comment();
    if (scanner_.accept("idiom")) {
      syntax_.name = scanner_.name("a name for the program", kNameCharacters).text;
    }
    if (scanner_.peek().is("N")) family();
    for (;;) {
      if (scanner_.peek().is("const")) {
        constant();
      } else if (scanner_.peek().is("shared") || scanner_.peek().is("workgroup")) {
        variables();
      } else if (begins_function()) {
        function();
      } else if (begins("execution", {":"})) {
        execution();
      } else if (begins_launch()) {
        launch();
      } else {
        break;
      }
    }
    while (scanner_.peek().is("thread") || scanner_.peek().is("threads")) block();
    if (syntax_.blocks.empty()) {
      refuse("'N = 2..4;', 'const K = 3;', 'shared int(0..N) x;' or 'threads {'");
    }
    if (scanner_.accept("final")) {
      syntax_.final.emplace();
      assertions_of(*syntax_.final);
    }
    while (scanner_.peek().is("expect")) expectations();
    if (scanner_.peek().kind != Token::Kind::end) {
      refuse("'threads 0..N-1 {', 'expect {' or the end of the file");
    }
    if (!errors_.empty()) throw SeveralErrors(std::exchange(errors_, {}));
    warn_of_unused();
    return std::move(syntax_);
  }

  // A name that stands nowhere but where it is declared.
  void warn_of_unused() {
    std::map<std::string_view, int> times;
    Scanner all(syntax_.text, syntax_.file);
    while (all.peek().kind != Token::Kind::end) ++times[all.next().text];
    const auto warn = [&](const auto& declared, const char* what) {
      if (times[declared.name] != 1) return;
      syntax_.warnings.push_back(
          error_at(syntax_.file, syntax_.text, declared.offset,
                   fmt::format("{} '{}' is never used", what, declared.name)));
    };
    for (const Variable& variable : syntax_.variables) warn(variable, "variable");
    for (const Block& block : syntax_.blocks) {
      for (const Register& own : block.registers) warn(own, "variable");
    }
  }

  // Declarations ------------------------------------------------------------------------------

  // "N = 2..4, 8;"
  void family() {
    scanner_.next();
    scanner_.expect("=", "'N = 2..4;' says how many threads there are");
    syntax_.sizes_begin = scanner_.peek().offset;
    int fewest = 1;
    do {
      int n = scanner_.integer("number of threads", fewest, kMaxThreads);
      const int most =
          scanner_.accept("..") ? scanner_.integer("number of threads", n, kMaxThreads) : n;
      for (; n <= most; ++n) syntax_.sizes.push_back(n);
      fewest = n;
    } while (scanner_.accept(","));
    syntax_.sizes_end = scanner_.last_end();
    scanner_.expect(";");
  }

  bool begins_function() const {
    return scanner_.peek().is("int") || scanner_.peek().is("bool") || scanner_.peek().is("void") ||
           begins("wrap", {"int", "bool"});
  }

  // Whether the line "N workgroups of 4 threads;" begins here.
  bool begins_launch() const {
    const Token& first = scanner_.peek();
    return first.is_number() || first.is("N") || first.is("(") || first.is("-") ||
           find(syntax_.constants, first) >= 0;
  }

  void launch() {
    const Token first = scanner_.peek();
    if (syntax_.launch) scanner_.fail(first, "a second launch; expected 'threads {'");
    Launch launch;
    launch.offset = first.offset;
    launch.constants = syntax_.constants.size();
    launch.workgroups = constant_expression();
    either("workgroups", "workgroup");
    scanner_.expect("of");
    launch.threads = constant_expression();
    either("threads", "thread");
    if (scanner_.accept(",")) {
      scanner_.expect("subgroups", "behind a workgroup comes 'subgroups of 32'");
      scanner_.expect("of");
      launch.subgroup = constant_expression();
    }
    scanner_.expect(";");
    if (size_named_) {
      scanner_.fail(first, fmt::format("{} is a size of this launch and stands in front of it",
                                       shown(*size_named_)));
    }
    syntax_.launch = std::move(launch);
    if (n_named_) check_n(*n_named_);
  }

  // "execution: lockstep;"
  void execution() {
    const Token keyword = scanner_.next();
    if (execution_said_) {
      scanner_.fail(keyword, "a second execution; expected 'threads {'");
    }
    execution_said_ = true;
    scanner_.expect(":");
    const Token how = scanner_.next();
    syntax_.lockstep = how.is("lockstep");
    if (!how.is("lockstep") && !how.is("independent")) {
      scanner_.fail(how, fmt::format("expected 'lockstep' or 'independent', as the threads of a "
                                     "subgroup run, found {}",
                                     shown(how)));
    }
    scanner_.expect(";");
  }

  void either(std::string_view one, std::string_view other) {
    if (!scanner_.accept(other)) scanner_.expect(one, "'N workgroups of 4 threads;'");
  }

  void constant() {
    scanner_.next();
    if (scanner_.peek().is("int")) scanner_.next();  // as in C
    do {
      const Token name = new_name("a constant");
      limit(syntax_.constants.size(), kMaxConstants, "constants", name);
      scanner_.expect("=");
      Expression value = constant_expression();
      syntax_.constants.push_back({std::string(name.text), std::move(value)});
    } while (scanner_.accept(","));
    scanner_.expect(";");
  }

  void variables() {
    const bool per_workgroup = scanner_.next().is("workgroup");
    const Range type = range();
    do {
      const Token name = new_name("a shared variable");
      limit(syntax_.variables.size(), kMaxVariables, "shared variables", name);
      Variable variable;
      variable.name = name.text;
      variable.range = type;
      variable.per_workgroup = per_workgroup;
      variable.offset = name.offset;
      const std::size_t dimensions = sizes(variable.size, variable.columns);
      if (scanner_.accept("=")) {
        if (dimensions == 0) {
          variable.initial.push_back(constant_expression());
        } else {
          variable.listed = array_values(dimensions, kMaxCells, true, variable.initial);
        }
      }
      syntax_.variables.push_back(std::move(variable));
    } while (scanner_.accept(","));
    scanner_.expect(";");
  }

  // Blocks ------------------------------------------------------------------------------------

  void block() {
    const Token keyword = scanner_.next();
    limit(syntax_.blocks.size(), kMaxThreads, "blocks", keyword);
    Block block;
    block.offset = keyword.offset;
    if (keyword.is("threads") && (scanner_.peek().is("{") || scanner_.peek().is(":"))) {
      block.all = true;
    } else {
      block.first = constant_expression();
      block.last = block.first;
      if (keyword.is("threads")) {
        scanner_.expect("..", "'threads 1..N-1' names a range, 'thread 1' one thread");
        block.last = constant_expression();
      }
    }
    scanner_.accept(":");
    statements_of(block);
    syntax_.blocks.push_back(std::move(block));
  }

  // Expectations ------------------------------------------------------------------------------

  void expectations() {
    const Token keyword = scanner_.next();
    ExpectationBlock result;
    result.offset = keyword.offset;
    if (scanner_.accept("(")) {
      result.condition = constant_expression();
      scanner_.expect(")");
    }
    parse_expectations(scanner_, result.expectations, &result.error);
    syntax_.expectations.push_back(std::move(result));
  }

  bool execution_said_ = false;
};

}  // namespace

bool begins_program(const Token& first) {
  return first.is("idiom") || first.is("N") || first.is("shared") || first.is("const") ||
         first.is("threads") || first.is("workgroup") || first.is("int") || first.is("bool") ||
         first.is("void") || first.is("execution");
}

Syntax parse(Scanner& scanner, std::string_view text, const std::string& file) {
  return Parser(scanner, text, file).run();
}

}  // namespace headway::lang::idiom
