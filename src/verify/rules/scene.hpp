// What rules for candidates look at, and how they say what they found. Rules see one loop at a
// time; candidates are terms over the variables of its head (encoder.hpp), from which what is
// claimed at base and step follows by putting in what the variables are there.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "verify/encoding/encoder.hpp"

namespace headway::verify::rules {

// How a variable of the head changes in a round.
struct Induction {
  std::size_t carried = 0;
  enum class Kind { other, strided, doubled, halved } kind = Kind::other;
  std::optional<std::int64_t> stride;  // a constant that all changes are multiples of
  Term step[2];                        // what is added, when that is one term
  bool one_step = false;
};

// A term as a sum, through extensions and cuts: what it would be without overflow.
struct View {
  std::map<Term, std::int64_t> parts;
  std::int64_t constant = 0;
};

class Scene {
 public:
  Scene(smt::Context& context, const Encoding& encoding, const LoopState& loop, const Flow& flow);

  smt::Context& c;
  const Encoding& encoding;
  const LoopState& loop;
  const Flow& flow;
  std::vector<Induction> inductions;

  // Whether a term may differ from round to round.
  bool varies(Term t) const;
  View view(Term t) const;
  // Where a value starts: variables of this loop and of those in it are what they are on entry.
  // Others that vary are 0.
  Term start(Term t) const;
  const Induction* induction_of(Term variable) const;
  // What a variable of this loop, or of one in it, moves by: a multiple of this in each round.
  std::int64_t stride_of(Term variable) const;
  std::map<Term, std::int64_t> strides() const;
  void know(const std::map<Term, std::int64_t>& strides) { strides_ = strides; }
  // In 64 bits, by the sign that the term may have.
  Term wide(Term t) const;

  // Of one thread, by itself: `made(t)` for both.
  void unary(const std::string& rule, const std::string& text, int weight,
             const std::function<Term(int)>& made);
  // Of both threads together.
  void relation(const std::string& rule, const std::string& text, int weight, Term claim);
  // Of all that was logged at a site: a term over site.offset, site.value and the head.
  void of_site(const std::string& rule, const std::string& text, int weight, const Site& site,
               Term claim);
  // Of the log: `made` of the log at head, base and step, with nothing else of the head in it but
  // what it is put under.
  void of_log(const std::string& rule, const std::string& text,
              const std::function<Term(const std::vector<Access>&)>& made);

  // The same, with a claim about the head beside: what is pending of the log that `is` names comes
  // with it.
  void of_pending(const std::string& rule, const std::string& text, int weight,
                  const std::function<bool(const Access&)>& is, Term claim);

  std::vector<Candidate> take() { return std::move(found_); }

 private:
  void find_inductions();
  void add(Candidate candidate);
  const LoopState& state_of(int which) const {
    return encoding.loops[static_cast<std::size_t>(which)];
  }

  std::vector<Candidate> found_;
  std::map<Term, bool> seen_;
  mutable std::map<Term, bool> varies_;
  smt::Substitution start_;
  std::map<Term, std::int64_t> strides_;
};

// A rule: its name in GPUVerify's list, what it is for, and what it does.
struct Rule {
  const char* name;
  const char* about;
  void (*apply)(Scene& scene);
};
// In the order of their worth.
const std::vector<Rule>& all_rules();

// Candidates of all rules that are not left out; those about logs only if asked for.
void suggest(smt::Context& context, Encoding& encoding, const Flow& flow, const Options& options,
             bool of_logs);

void access_break(Scene& scene);              // r0
void accessed_offsets(Scene& scene);          // r1
void bounds_of_block(Scene& scene);           // r2, r3
void access_under_guards(Scene& scene);       // r4
void conditions_imply_enabled(Scene& scene);  // r5
void disabled_keeps_log(Scene& scene);        // r6
void guard_minus_initial(Scene& scene);       // r7
void guard_not_negative(Scene& scene);        // r8
void loop_bound(Scene& scene);                // r9
void counter_is_strided(Scene& scene);        // r10
void loop_predicate_equality(Scene& scene);   // r11
void no_read(Scene& scene);                   // r12
void no_write(Scene& scene);                  // r13
void power_of_two(Scene& scene);              // r14
void power_not_zero(Scene& scene);            // r15
void predicated_equality(Scene& scene);       // r16
void relational_powers(Scene& scene);         // r17
void same_subgroup_no_access(Scene& scene);   // r18
void written_value(Scene& scene);             // value
void previous_round(Scene& scene);            // round
void exchanged_values(Scene& scene);          // kept
void first_round(Scene& scene);               // first
void held_locks(Scene& scene);                // lock
void search_ends(Scene& scene);               // ends
void counters_together(Scene& scene);         // together

}  // namespace headway::verify::rules
