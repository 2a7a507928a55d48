// The memory of a trial (trial.hpp), and who touched each byte of it since when. Addresses are
// numbers in which the upper bits say the object. Of each byte the last accesses of each kind are
// kept, by two threads each, so that races may be missed and are never made up.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <unordered_map>
#include <vector>

#include "kernel/ir/ir.hpp"
#include "verify/trial_launch.hpp"

namespace headway::verify {

// The run has left what a trial understands.
struct LeftTrial {};

enum class Owner : std::uint8_t { all, group, thread, thread_copy };

struct TrialObject {
  int region = 0;
  std::size_t owner = 0;
  Owner kind = Owner::all;
  const std::vector<std::uint8_t>* initial = nullptr;
  friend auto operator<=>(const TrialObject&, const TrialObject&) = default;
};

// Whether it is a barrier of a subgroup.
bool is_subgroup_barrier(const kernel::Instruction& i);

// Whether its claims speak of accesses.
bool is_annotated(const kernel::Function& function);

class TrialMemory {
 public:
  static constexpr int kShift = 40;

  TrialMemory(const TrialLaunch& launch, std::size_t threads, std::size_t group_threads);

  std::uint64_t base(const TrialObject& object);
  const TrialObject& object(std::uint64_t address) const;
  // From the begin of its object.
  static std::uint64_t offset(std::uint64_t address) {
    return (address & kOffset) - (std::uint64_t{1} << (kShift - 1));
  }
  std::uint64_t peek(std::uint64_t address, unsigned bytes);
  std::uint64_t changes() const { return changes_; }  // of bytes that others may see
  std::uint64_t read(std::size_t thread, const kernel::Instruction& by, std::uint64_t address,
                     unsigned bytes, bool atomic);
  void write(std::size_t thread, const kernel::Instruction& by, std::uint64_t address,
             unsigned bytes, std::uint64_t value, bool atomic);
  // One byte, for the thread's workgroup; done when the workgroup has waited.
  void copy_async(std::size_t thread, const kernel::Instruction& by, std::uint64_t to,
                  std::uint64_t from);
  void wait(std::size_t thread) { threads_[thread].waited = ++now_; }
  // What an annotation says of where a thread read, or wrote, the object since the last barrier: of
  // the last such access, which is one of those that it speaks of. Kept where `keeps_last` says so.
  TrialValue said(std::size_t thread, kernel::Annotation annotation, std::uint64_t address) const;
  bool keeps_last = false;
  // What may order accesses of different threads.
  void synchronize(std::size_t thread, bool acquires, bool releases);
  void barrier(std::size_t group, unsigned memory);
  void subgroup_barrier(std::size_t group);
  void grid_barrier();

  // Threads and instructions of the earlier access and the later one, and whether they are of
  // memory of the workgroup.
  std::function<void(std::size_t, const kernel::Instruction*, std::size_t,
                     const kernel::Instruction*, bool)>
      on_race;

 private:
  struct Mark {
    const kernel::Instruction* by = nullptr;  // null: none
    std::uint32_t thread = 0, epoch = 0;
    std::uint64_t time = 0;
  };
  struct Byte {
    std::uint8_t value = 0, written = 0;
    bool set = false;
    Mark reads[2], writes[2], atomics[2];
  };
  struct Thread {
    std::uint64_t acquired = 0, released = 0, waited = 0;
  };
  static constexpr std::uint64_t kOffset = (std::uint64_t{1} << kShift) - 1;
  static constexpr std::uint32_t kAsync = 0x80000000;  // with a group's number: its copies

  Byte& byte(std::uint64_t address);
  void forget_last(std::size_t first, std::size_t end);
  bool ordered(const Mark& before, std::uint32_t thread, bool of_group) const;
  void note(Byte& at, std::uint32_t thread, const kernel::Instruction& by, bool of_group,
            bool writes, bool atomic, std::uint8_t value);
  bool observed(const Byte& at, const Mark& write, std::uint32_t thread, bool of_group) const;
  static void keep(Mark (&marks)[2], const Mark& mark);

  const TrialLaunch& launch_;
  std::size_t group_threads_;
  std::vector<TrialObject> objects_;
  std::map<TrialObject, std::uint64_t> bases_;
  std::unordered_map<std::uint64_t, std::vector<Byte>> pages_;
  std::uint64_t last_page_ = ~std::uint64_t{0};
  std::vector<Byte>* last_ = nullptr;
  // The last atomic read of a byte by each thread.
  std::unordered_map<const Byte*, std::unordered_map<std::uint32_t, Mark>> observers_;
  std::vector<Thread> threads_;
  std::map<std::pair<std::size_t, std::pair<std::uint64_t, bool>>, std::uint64_t> last_access_;
  std::vector<std::uint32_t> local_epoch_, global_epoch_;
  std::vector<std::uint64_t> group_acquired_, group_released_;
  std::uint64_t now_ = 1, changes_ = 0;
};

}  // namespace headway::verify
