#include <fmt/format.h>

#include <algorithm>

#include "lang/axb/canonical.hpp"
#include "lang/axb/formats.hpp"
#include "lang/axb/source.hpp"

namespace headway::lang::axb {
namespace {

// A jump can lead past what has been read so far, so it is checked when its thread has ended.
struct Jump {
  Token token;
  int instruction;
};

class PublishedParser {
 public:
  explicit PublishedParser(Scanner& scanner) : scanner_(scanner) {}

  Test run() {
    while (scanner_.peek().kind != Token::Kind::end) thread();
    for (int l = 0; l <= highest_location_; ++l) {
      code_.locations.push_back({canonical_location_name(l), 0});
    }
    derive_values(code_);
    return make_test(std::move(code_));
  }

 private:
  void thread() {
    const int id = code_.thread_count();
    const Token heading = scanner_.peek();
    if (id == kMaxThreads) {
      scanner_.fail(heading, fmt::format("more than {} threads", kMaxThreads));
    }
    scanner_.expect(fmt::format("THREAD{}", id));
    Thread thread;
    std::vector<Jump> jumps;
    while (scanner_.peek().kind != Token::Kind::end &&
           !scanner_.peek().text.starts_with("THREAD")) {
      if (thread.length() == kMaxInstructions) {
        scanner_.fail(scanner_.peek(),
                      fmt::format("more than {} instructions in a thread", kMaxInstructions));
      }
      instruction(thread, jumps);
    }
    if (thread.instructions.empty()) {
      scanner_.fail(heading, fmt::format("thread {} is empty; expected an instruction", id));
    }
    for (const Jump& jump : jumps) {
      thread.instructions[jump.instruction].jump =
          static_cast<std::uint8_t>(target(jump.token, thread.length()));
    }
    code_.threads.push_back(std::move(thread));
  }

  void instruction(Thread& thread, std::vector<Jump>& jumps) {
    const int index = thread.length();
    const Token name = scanner_.next();
    Instruction i;
    const bool store = name.is("atomic_store");
    i.exchanges = store || name.is("atomic_exch_branch");
    if (!i.exchanges && !name.is("atomic_chk_branch")) {
      scanner_.fail(name, fmt::format("unknown statement {}; expected atomic_exch_branch, "
                                      "atomic_chk_branch, atomic_store or THREAD{}",
                                      shown(name), code_.thread_count() + 1));
    }
    scanner_.expect("(");
    i.location = byte("location", kMaxLocations - 1);
    highest_location_ = std::max(highest_location_, +i.location);
    if (!store) {
      scanner_.expect(",");
      i.check_value = byte("value", kMaxValues - 1);
    }
    if (i.exchanges) {
      scanner_.expect(",");
      i.exchange_value = byte("value", kMaxValues - 1);
    }
    if (store) {
      i.jump = static_cast<std::uint8_t>(index + 1);
    } else {
      scanner_.expect(",");
      const Token target = scanner_.next();
      if (target.kind != Token::Kind::word) {
        scanner_.fail(target,
                      fmt::format("expected an instruction index or END, found {}", shown(target)));
      }
      jumps.push_back({target, index});
    }
    scanner_.expect(")");
    thread.sources.push_back({name.line, scanner_.excerpt(name.offset, scanner_.last_end())});
    thread.instructions.push_back(i);
  }

  std::uint8_t byte(const std::string& role, int high) {
    return static_cast<std::uint8_t>(scanner_.integer(role, 0, high));
  }

  int target(const Token& token, int length) const {
    if (token.is("END")) return length;
    const bool readable = token.is_number() && token.text.size() <= 9;
    const int index = readable ? std::stoi(std::string(token.text)) : -1;
    if (index < 0 || index > length) {
      scanner_.fail(token, fmt::format("target {} is out of range; the thread has {} instructions: "
                                       "expected 0 to {} or END",
                                       shown(token), length, length));
    }
    return index;
  }

  Scanner& scanner_;
  Code code_;
  int highest_location_ = -1;
};

}  // namespace

bool begins_published(const Token& first) {
  constexpr std::string_view heading = "THREAD";
  return first.kind == Token::Kind::word && first.text.starts_with(heading) &&
         Token{Token::Kind::word, first.text.substr(heading.size())}.is_number();
}

Test parse_published(Scanner& scanner) { return PublishedParser(scanner).run(); }

}  // namespace headway::lang::axb
