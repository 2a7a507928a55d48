// Kernel IR: what kernels are to headway, whatever they were written in. A function is basic blocks
// of instructions over scalars in static single assignment; all calls are inlined, aggregates and
// vectors are taken apart. Memory is objects, addressed by an object and an offset in bytes.
// Plain values; well_formed.hpp says whether one is.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "kernel/ir/instruction.hpp"
#include "kernel/ir/source_type.hpp"

namespace headway::kernel {

struct Value {
  enum class Kind : std::uint8_t {
    constant,     // `bits`; of a real its representation; of a pointer null plus so many bytes
    undefined,    // no particular value, another one at each use
    address,      // of an object of the module or of the function: `object`, plus `bits`
    argument,     // the parameter with the number `bits`
    instruction,  // what an instruction gives
  };
  Kind kind = Kind::constant;
  Type type;
  std::uint64_t bits = 0;  // integers: zero-extended from their width
  ObjectId object = kNone;
  std::string name;  // as in the source, or empty
};

struct Object {
  // Of an initializer: the address of another object, in eight bytes at `at`.
  struct Pointer {
    std::uint64_t at = 0;
    ObjectId object = kNone;
    std::uint64_t offset = 0;
  };
  std::string name;    // in the source
  std::string symbol;  // in the module; empty for locals
  Space space = Space::global;
  std::uint64_t bytes = 0;
  int align = 1;
  bool is_function = false;   // its address stands for a function, of a host program
  bool launch_sized = false;  // `extern __shared__`: as large as the launch says
  bool read_only = false;     // by its type; writing it is an error
  // What it holds at first; as long as `bytes`, or empty where there is none. Global variables
  // without one are zero; workgroup and local ones hold nothing that may be read.
  std::optional<std::vector<std::uint8_t>> initial;
  std::vector<Pointer> pointers;
  int line = 0;                // of its declaration; 0 when unknown
  std::uint32_t type = kNone;  // in the module, where the source says it
};

struct Block {
  std::string name;
  std::vector<Instruction> code;  // phis first; the last one ends it
  // Heads of loops that the source says it stands in (SPIR-V's loop constructs), although it may
  // leave them for good.
  std::vector<BlockId> loops = {};

  const Instruction& end() const { return code.back(); }
};

struct Parameter {
  std::string name;
  Type type;
  // A pointer to so many bytes that hold an argument passed by value; 0: none.
  std::uint64_t by_value = 0;
  // At which of these bytes, or of those behind a pointer, pointers are that are there at first.
  std::vector<std::uint64_t> pointers = {};
  bool elements_hold_pointers = false;  // there in each element of `element_bytes`, too
  Space space = Space::global;          // that a pointer goes to
  std::uint64_t element_bytes = 0;      // of what a pointer points to; 0: unknown
  std::uint32_t element_type = kNone;   // the same in the module, where the source says it
  std::uint64_t bytes = 0;              // of the whole of what a pointer goes to; 0: unknown
  int align = 1;                        // a pointer is a multiple of so many bytes, by its type
  // A number that the launch gives: how many elements of `length_stride` bytes what that parameter
  // points to has from `length_from` on. kNone: none such.
  std::uint32_t length_of = kNone;
  std::uint64_t length_from = 0, length_stride = 1;
};

// Of which number of bytes an address is a multiple that is `at` bytes behind a multiple of
// `align`.
constexpr std::uint32_t align_at(std::uint32_t align, std::uint64_t at) {
  while (align > 1 && at % align != 0) align /= 2;
  return align;
}

// How a kernel is launched where nobody says otherwise: as the same file launches it, or with what
// its code is compiled for. Code that is made for one size is often wrong in others.
struct UsualLaunch {
  std::optional<std::array<std::uint32_t, 3>> block;  // nothing: not known
  std::array<std::optional<std::uint32_t>, 3> grid;
  std::uint64_t workgroup_bytes = 0;  // of objects that the launch sizes; 0: not known
  int line = 0;                       // of the launch; 0: there is none
  // What holds in all launches of the file that may have these sizes: sizes of the grid that follow
  // from arguments, as in "(n + 255) / 256", or empty; and the least and the most of integers, as
  // signed numbers.
  std::array<std::string, 3> grid_of;
  std::map<std::string, std::pair<std::int64_t, std::int64_t>> arguments;
  bool has_others = false;  // launches of other sizes
};

// A kernel, or the main function of a host program.
struct Function {
  std::string name;    // in the source, without what a compiler adds
  std::string symbol;  // in the module
  Place place;
  std::vector<Parameter> parameters;
  std::vector<ValueId> arguments;  // the values of the parameters
  std::vector<Value> values;
  std::vector<Block> blocks;   // the first one is where it starts
  std::vector<Object> locals;  // of Space::local, and workgroup objects of its own
  std::optional<Type> returns;
  // What the source fixes of a launch, 0 where it does not: reqd_work_group_size, SPIR-V's
  // LocalSize.
  std::uint32_t group_size[3] = {0, 0, 0};
  // What its reader took for granted, a phrase each (premises.hpp).
  std::vector<std::string> premises;
  std::uint32_t most_threads = 0;  // of a workgroup: __launch_bounds__
  UsualLaunch usual;
  // Why it cannot be read, and where: then there are no blocks.
  std::string unsupported;
  // Loops that a compiler had bounded by 2^64 - 1 rounds (guards.hpp).
  int unbounded_loops = 0;

  const Value& value(ValueId id) const { return values[id]; }
};

// The number of a local object of a function is kFirstLocal + its index in Function::locals.
inline constexpr ObjectId kFirstLocal = 0x80000000;

// Whose rules a module goes by. Host programs belong to CUDA.
enum class Language : std::uint8_t { cuda, opencl, shader };

struct Module {
  std::string path;                // of the file that it was made from
  std::string fingerprint;         // of the code that was read, its SHA-256; or empty
  std::vector<std::string> files;  // that places name
  std::vector<Object> objects;
  std::vector<Function> functions;
  // Whether volatile accesses go together with each other, as PTX has it ("strong"); in OpenCL C
  // they race as others do.
  bool volatile_is_atomic = true;
  // Whether an atomic access orders memory of the kind that it is in alone, as in OpenCL C: local
  // and global memory have a happens-before each.
  bool atomics_by_space = false;
  // Whether a fence that is sequentially consistent synchronizes with all such fences that come
  // behind it in one order of all of them, and an atomic write comes before what follows a read of
  // it, as PTX's causality order has it, and C++ has not.
  bool causality = false;
  // Of Vulkan: sizes of workgroups are part of the code.
  bool is_shader = false;
  bool is_wgsl = false;  // a shader of WebGPU, as it is written
  Language language() const {
    return is_shader ? Language::shader : volatile_is_atomic ? Language::cuda : Language::opencl;
  }
  // Whether its compiler kept indices within buffers (guards.hpp).
  bool clamps_indices = false;
  std::vector<SourceType> types;       // of objects and of what parameters point to
  std::vector<std::string> templates;  // of kernels, of which there is no instance
  // Of a binary that says nothing of lines: the text to which the lines of the first file belong.
  std::string listing;

  // Of a host program: the symbols by which it names kernels and variables of the device.
  struct Binding {
    std::string host, device;
    bool managed = false;  // a variable that both sides use
  };
  std::vector<Binding> kernels, variables;

  const Object& object(const Function& function, ObjectId id) const {
    return id < kFirstLocal ? objects[id] : function.locals[id - kFirstLocal];
  }
};

// Whether an instruction accesses memory atomically, as far as the module's language has it.
inline bool is_atomic(const Module& module, const Instruction& i) {
  return is_atomic(i.op) || (i.is_volatile && module.volatile_is_atomic);
}

// For people and tests: the text of a function.
std::string print(const Module& module, const Function& function);

}  // namespace headway::kernel
