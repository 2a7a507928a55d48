#include "kernel/ptx/instructions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

namespace headway::kernel::ptx {
namespace {

struct Group {
  std::string_view name, words;
};

constexpr std::string_view kIntegers = "u16/u32/u64/s16/s32/s64";
constexpr std::string_view kData = "b8/b16/b32/b64/u8/u16/u32/u64/s8/s16/s32/s64/f32/f64";

// Cache operators and priorities are hints (PTX ISA, "Cache Operators"): they change nothing of
// what memory holds, nor of who sees it.
constexpr std::array<Group, 18> kGroups = {
    {{"scope", "cta/gpu/sys"},
     {"space", "global/shared/shared::cta/local/const"},
     {"spaces", "global/shared/shared::cta/local/const/param"},
     {"vector", "v2/v4"},
     {"cached", "ca/cg/cs/lu/cv"},
     {"written", "wb/cg/cs/wt"},
     {"evicted",
      "L1::evict_normal/L1::evict_unchanged/L1::evict_first/L1::evict_last/L1::no_allocate"},
     {"kept", "L2::evict_normal/L2::evict_first/L2::evict_last"},
     {"fetched", "L2::64B/L2::128B/L2::256B"},
     {"data", kData},
     {"integer", kIntegers},
     {"number", "u16/u32/u64/s16/s32/s64/f32/f64"},
     {"real", "f32/f64"},
     {"lanes", "u16/u32/u64/s16/s32/s64/f32/f64/f16/f16x2"},
     {"rounding", "rn/rz/rm/rp"},
     {"bits", "b16/b32/b64"},
     {"logical", "pred/b16/b32/b64"},
     {"any", "pred/b16/b32/b64/u16/u32/u64/s16/s32/s64/f32/f64"}}};

constexpr std::string_view kLoads =
    "mmio? weak/volatile/relaxed/acquire? scope? space? nc? cached? evicted? kept? L2::cache_hint? "
    "fetched? vector? data";
constexpr std::string_view kStores =
    "mmio? weak/volatile/relaxed/release? scope? space? written? evicted? kept? L2::cache_hint? "
    "vector? data";
constexpr std::string_view kUpdates =
    "relaxed/acquire/release/acq_rel? scope? space? "
    "add/min/max/and/or/xor/inc/dec/exch/cas L2::cache_hint? "
    "b16/b32/b64/u32/u64/s32/s64/f32/f64";
constexpr std::string_view kReductions =
    "relaxed/release? scope? space? add/min/max/and/or/xor/inc/dec L2::cache_hint? "
    "b32/b64/u32/u64/s32/s64/f32/f64";

// clang-format off
constexpr std::array kRows = {
    // Memory.
    Row{"ld", kLoads, 2, 3, Action::load},
    Row{"st", kStores, 2, 3, Action::store},
    Row{"ld.param", "vector? data", 2, 2, Action::load_parameter},
    Row{"st.param", "vector? data", 2, 2, Action::store_parameter},
    Row{"atom", kUpdates, 3, 5, Action::update},
    Row{"red", kReductions, 2, 3, Action::update},
    Row{"fence", "sc/acq_rel/acquire/release? scope", 0, 0, Action::fence},
    Row{"membar", "cta/gl/sys", 0, 0, Action::fence},
    // Accesses by other ways than those of threads ("asynchronous proxy") are not modelled, and no
    // barrier is shared by blocks, so that these order nothing that is.
    Row{"fence.proxy.async", "global/shared::cta/shared::cluster?", 0, 0, Action::nothing},
    Row{"fence.mbarrier_init", "release cluster", 0, 0, Action::nothing},
    Row{"prefetch", "global? L1/L2/L2::evict_last/L2::evict_normal", 1, 1, Action::nothing},
    Row{"prefetchu", "L1", 1, 1, Action::nothing},
    Row{"cp.async", "ca/cg shared/shared::cta global L2::cache_hint? fetched?", 3, 5, Action::copy},
    Row{"cp.async.commit_group", "", 0, 0, Action::commit},
    Row{"cp.async.wait_group", "", 1, 1, Action::wait},
    Row{"cp.async.wait_all", "", 0, 0, Action::wait},
    // Threads together.
    Row{"bar.sync", "", 1, 2, Action::barrier},
    Row{"bar.cta.sync", "", 1, 2, Action::barrier},
    Row{"barrier.sync", "aligned?", 1, 2, Action::barrier},
    Row{"barrier.cta.sync", "aligned?", 1, 2, Action::barrier},
    Row{"bar.arrive", "", 2, 2, Action::barrier},
    Row{"bar.cta.arrive", "", 2, 2, Action::barrier},
    Row{"barrier.arrive", "aligned?", 2, 2, Action::barrier},
    Row{"barrier.cta.arrive", "aligned?", 2, 2, Action::barrier},
    Row{"bar.red", "popc/and/or pred/u32", 3, 4, Action::barrier_reduce},
    Row{"barrier.red", "popc/and/or aligned? pred/u32", 3, 4, Action::barrier_reduce},
    Row{"barrier.cta.red", "popc/and/or aligned? pred/u32", 3, 4, Action::barrier_reduce},
    Row{"mbarrier.init", "shared/shared::cta? b64", 2, 2, Action::begin_barrier},
    Row{"mbarrier.inval", "shared/shared::cta? b64", 1, 1, Action::end_barrier},
    Row{"mbarrier.arrive", "release/relaxed? cta? shared/shared::cta? b64", 2, 3, Action::arrive},
    Row{"mbarrier.test_wait", "parity? acquire/relaxed? cta? shared/shared::cta? b64", 3, 3,
        Action::test_phase},
    Row{"mbarrier.try_wait", "parity? acquire/relaxed? cta? shared/shared::cta? b64", 3, 4,
        Action::test_phase},
    Row{"bar.warp.sync", "", 1, 1, Action::warp_barrier},
    Row{"shfl.sync", "idx/up/down/bfly b32", 5, 5, Action::shuffle},
    Row{"vote.sync", "all/any/uni/ballot pred/b32", 3, 3, Action::vote},
    Row{"vote.ballot.sync", "b32", 3, 3, Action::vote},
    Row{"match.any.sync", "b32/b64", 3, 3, Action::match},
    Row{"match.all.sync", "b32/b64", 3, 3, Action::match},
    Row{"redux.sync", "add/min/max/and/or/xor b32/u32/s32", 3, 3, Action::reduce},
    Row{"elect.sync", "", 2, 2, Action::elect},
    Row{"activemask", "b32", 1, 1, Action::active_mask},
    // Control. How long something takes is no part of what it means, and launches that begin before
    // others have ended are not modelled: there is nothing that they would wait for.
    Row{"bra", "uni?", 1, 1, Action::branch},
    Row{"call", "uni?", 1, 4, Action::call},
    Row{"ret", "uni?", 0, 0, Action::ret},
    Row{"exit", "", 0, 0, Action::exit},
    Row{"trap", "", 0, 0, Action::trap},
    Row{"nanosleep", "u32", 1, 1, Action::nothing},
    Row{"griddepcontrol", "wait/launch_dependents", 0, 0, Action::nothing},
    Row{"setmaxnreg", "inc/dec sync aligned u32", 1, 1, Action::nothing},
    // Values.
    Row{"mov", "any", 2, 2, Action::move},
    Row{"add", "rounding? ftz? sat? lanes", 3, 3, Action::binary, Op::add},
    Row{"sub", "rounding? ftz? sat? lanes", 3, 3, Action::binary, Op::sub},
    Row{"add.cc", "u32/s32/u64/s64", 3, 3, Action::carry, Op::add},
    Row{"addc", "cc? u32/s32/u64/s64", 3, 3, Action::carry, Op::add},
    Row{"sub.cc", "u32/s32/u64/s64", 3, 3, Action::carry, Op::sub},
    Row{"subc", "cc? u32/s32/u64/s64", 3, 3, Action::carry, Op::sub},
    Row{"mad.lo.cc", "u32/s32/u64/s64", 4, 4, Action::carry_product},
    Row{"mad.hi.cc", "u32/s32/u64/s64", 4, 4, Action::carry_product},
    Row{"madc", "lo/hi cc? u32/s32/u64/s64", 4, 4, Action::carry_product},
    Row{"and", "logical", 3, 3, Action::binary, Op::bit_and},
    Row{"or", "logical", 3, 3, Action::binary, Op::bit_or},
    Row{"xor", "logical", 3, 3, Action::binary, Op::bit_xor},
    Row{"div", "rounding? ftz? number", 3, 3, Action::divide},
    Row{"rem", "integer", 3, 3, Action::divide},
    Row{"min", "ftz? lanes", 3, 3, Action::minimum},
    Row{"max", "ftz? lanes", 3, 3, Action::minimum},
    Row{"mul", "lo/hi/wide? rounding? ftz? sat? lanes", 3, 3, Action::multiply},
    Row{"mad", "lo/hi/wide integer", 4, 4, Action::multiply_add},
    Row{"fma", "rounding ftz? sat? f32/f64/f16/f16x2", 4, 4, Action::fuse},
    Row{"sqrt", "rounding ftz? real", 2, 2, Action::function},
    Row{"rcp", "rounding ftz? real", 2, 2, Action::reciprocal},
    // How near they come to what they are named for is the device's affair.
    Row{"sqrt.approx", "ftz? f32", 2, 2, Action::approximate},
    Row{"rsqrt.approx", "ftz? real", 2, 2, Action::approximate},
    Row{"rcp.approx", "ftz? real", 2, 2, Action::approximate},
    Row{"sin.approx", "ftz? f32", 2, 2, Action::approximate},
    Row{"cos.approx", "ftz? f32", 2, 2, Action::approximate},
    Row{"lg2.approx", "ftz? f32", 2, 2, Action::approximate},
    Row{"ex2.approx", "ftz? f32", 2, 2, Action::approximate},
    Row{"tanh.approx", "f32", 2, 2, Action::approximate},
    Row{"div.approx", "ftz? f32", 3, 3, Action::approximate},
    Row{"div.full", "ftz? f32", 3, 3, Action::approximate},
    Row{"shl", "bits", 3, 3, Action::shift},
    Row{"shr", "b16/b32/b64/u16/u32/u64/s16/s32/s64", 3, 3, Action::shift},
    Row{"not", "logical", 2, 2, Action::unary},
    Row{"neg", "ftz? s16/s32/s64/f32/f64/f16/f16x2", 2, 2, Action::unary},
    Row{"abs", "ftz? s16/s32/s64/f32/f64/f16/f16x2", 2, 2, Action::unary},
    Row{"popc", "b32/b64", 2, 2, Action::count_bits},
    Row{"clz", "b32/b64", 2, 2, Action::count_bits},
    Row{"brev", "b32/b64", 2, 2, Action::count_bits},
    Row{"bfind", "shiftamt? u32/u64/s32/s64", 2, 2, Action::find_bit},
    Row{"bmsk", "clamp/wrap b32", 3, 3, Action::mask_bits},
    Row{"setp", "eq/ne/lt/le/gt/ge/lo/ls/hi/hs/equ/neu/ltu/leu/gtu/geu/num/nan and/or/xor? "
        "ftz? b16/b32/b64/u16/u32/u64/s16/s32/s64/f16/f32/f64", 3, 4, Action::compare},
    Row{"mul24", "lo/hi u32/s32", 3, 3, Action::product_of_24},
    Row{"mad24", "lo/hi u32/s32", 4, 4, Action::product_of_24},
    Row{"cnot", "bits", 2, 2, Action::is_zero},
    Row{"slct", "ftz? b16/b32/b64/u16/u32/u64/s16/s32/s64/f32/f64 s32/f32", 4, 4,
        Action::choose_by_sign},
    Row{"copysign", "real", 3, 3, Action::copy_sign},
    Row{"sad", "u32/s32/u64/s64/u16/s16", 4, 4, Action::difference},
    Row{"lop3", "b32", 5, 5, Action::lookup},
    Row{"prmt", "b32", 4, 4, Action::permute},
    Row{"shf.l", "clamp/wrap b32", 4, 4, Action::funnel},
    Row{"shf.r", "clamp/wrap b32", 4, 4, Action::funnel},
    Row{"dp4a", "u32/s32 u32/s32", 4, 4, Action::dot},
    Row{"selp", "b16/b32/b64/u16/u32/u64/s16/s32/s64/f32/f64", 4, 4, Action::choose},
    Row{"cvt", "rn/rz/rm/rp/rni/rzi/rmi/rpi? ftz? sat? "
        "u8/u16/u32/u64/s8/s16/s32/s64/f16/f32/f64/bf16/f16x2/bf16x2 "
        "u8/u16/u32/u64/s8/s16/s32/s64/f16/f32/f64/bf16", 2, 3, Action::convert},
    Row{"cvta", "to? spaces u32/u64", 2, 2, Action::convert_address},
    Row{"bfe", "u32/u64/s32/s64", 4, 4, Action::extract_field},
    Row{"bfi", "b32/b64", 5, 5, Action::insert_field}};
// clang-format on

std::vector<std::string_view> split(std::string_view text, char at) {
  std::vector<std::string_view> all;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(at), text.size());
    all.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return all;
}

std::vector<std::string_view> words_of(std::string_view group) {
  if (group.ends_with('?')) group.remove_suffix(1);
  for (const Group& one : kGroups) {
    if (one.name == group) group = one.words;
  }
  return split(group, '/');
}

bool is_in(std::string_view group, std::string_view word) {
  const auto words = words_of(group);
  return std::find(words.begin(), words.end(), word) != words.end();
}

// The longest opcode that the words begin with.
const Row* find_row(const Statement& statement) {
  const Row* best = nullptr;
  for (const Row& row : kRows) {
    const auto opcode = split(row.opcode, '.');
    const bool begins = opcode.size() <= statement.words.size() &&
                        std::equal(opcode.begin(), opcode.end(), statement.words.begin());
    if (begins && (best == nullptr || row.opcode.size() > best->opcode.size())) best = &row;
  }
  return best;
}

}  // namespace

const Row& row_of(const Statement& statement) {
  const std::string name = statement.instruction();
  const Row* row = find_row(statement);
  if (row == nullptr) throw Refused(fmt::format("'{}' is not modelled", name));
  const auto groups = split(row->modifiers, ' ');
  std::vector<bool> taken(groups.size());
  for (std::size_t i = split(row->opcode, '.').size(); i < statement.words.size(); ++i) {
    const std::string& word = statement.words[i];
    std::size_t g = 0;
    while (g < groups.size() && (taken[g] || !is_in(groups[g], word))) ++g;
    if (g == groups.size()) {
      throw Refused(fmt::format("'{}' is not modelled: the modifier '.{}'", name, word));
    }
    taken[g] = true;
  }
  for (std::size_t g = 0; g < groups.size(); ++g) {
    if (taken[g] || groups[g].ends_with('?')) continue;
    throw Refused(fmt::format("'{}' lacks a modifier; expected one of {}", name,
                              fmt::join(words_of(groups[g]), ", ")));
  }
  if (statement.operands.size() < row->least || statement.operands.size() > row->most) {
    throw Refused(fmt::format("'{}' with {} operands; expected {}", name, statement.operands.size(),
                              row->least));
  }
  return *row;
}

}  // namespace headway::kernel::ptx
