#include "verify/affine/isl_sets.hpp"

#include <isl/ctx.h>
#include <isl/options.h>
#include <isl/set.h>

#include "base/error.hpp"
#include "base/shared_library.hpp"

namespace headway::verify::affine {

namespace {

// About a second of work of small numbers; most questions take a thousandth of it.
constexpr unsigned long kMostOperations = 5'000'000;

// clang-format off
#define HEADWAY_ISL_FUNCTIONS(F)                                                                   \
  F(ctx_abort) F(ctx_alloc) F(ctx_free) F(ctx_reset_error) F(ctx_reset_operations)                 \
  F(ctx_resume) F(ctx_set_max_operations) F(options_set_on_error) F(set_free) F(set_is_empty)      \
  F(set_read_from_str)
// clang-format on

// `isl()->set_free` is isl_set_free.
struct Isl {
// NOLINTNEXTLINE(bugprone-macro-parentheses): what it declares has this name
#define HEADWAY_ISL_MEMBER(name) decltype(&isl_##name) name = nullptr;
  HEADWAY_ISL_FUNCTIONS(HEADWAY_ISL_MEMBER)
#undef HEADWAY_ISL_MEMBER
};

std::optional<Isl> load_isl() {
  try {
    const SharedLibrary library({"libisl.so.23"}, "libisl.so.23 not found");
    Isl result;
    bool all = true;
#define HEADWAY_ISL_LOAD(name)                                                       \
  result.name = reinterpret_cast<decltype(result.name)>(library.find("isl_" #name)); \
  all = all && result.name != nullptr;
    HEADWAY_ISL_FUNCTIONS(HEADWAY_ISL_LOAD)
#undef HEADWAY_ISL_LOAD
    return all ? std::optional(result) : std::nullopt;
  } catch (const Error&) {
    return std::nullopt;
  }
}

const std::optional<Isl>& isl() {
  static const std::optional<Isl> loaded = load_isl();
  return loaded;
}

}  // namespace

bool has_isl() { return isl().has_value(); }

IslSets::IslSets(std::chrono::steady_clock::time_point until)
    : context_(isl()->ctx_alloc()), until_(until) {
  watchdog_.emplace([this] { isl()->ctx_abort(context_); });
  isl()->options_set_on_error(context_, ISL_ON_ERROR_CONTINUE);
  isl()->ctx_set_max_operations(context_, kMostOperations);
}

IslSets::~IslSets() {
  watchdog_.reset();
  isl()->ctx_free(context_);
}

std::optional<bool> IslSets::is_empty(const std::string& set) {
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
      until_ - std::chrono::steady_clock::now());
  if (left <= left.zero()) return std::nullopt;
  watchdog_->begin(left);
  const std::optional<bool> empty = decided(set);
  watchdog_->end();
  return empty;
}

std::optional<bool> IslSets::decided(const std::string& set) {
  isl()->ctx_resume(context_);
  isl()->ctx_reset_error(context_);
  isl()->ctx_reset_operations(context_);
  isl_set* const read = isl()->set_read_from_str(context_, set.c_str());
  if (read == nullptr) return std::nullopt;
  const isl_bool empty = isl()->set_is_empty(read);
  isl()->set_free(read);
  if (empty == isl_bool_error) return std::nullopt;
  return empty == isl_bool_true;
}

}  // namespace headway::verify::affine
