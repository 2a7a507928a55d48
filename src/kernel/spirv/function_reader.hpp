// An entry point of a module -> kernel IR, instruction by instruction, with the functions that it
// calls in place of calls. Composites are taken apart, so that a SPIR-V value is a list of values.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "kernel/ir/builder.hpp"
#include "kernel/spirv/context.hpp"
#include "kernel/spirv/reflection.hpp"
#include "kernel/spirv/values.hpp"

namespace headway::kernel::spirv {

// What a pointer goes to. Blocks of uniform data are not memory but arguments, where no array is in
// between; inputs are computed.
struct Pointer {
  // `handle`: an image or a sampler that a variable of a function stands for.
  enum class Root : std::uint8_t { memory, input, block, descriptors, handle };
  Root root = Root::memory;
  ValueId address = kNone;  // of memory
  // Of arrays within that memory: indices, each with the number of elements that it chooses among.
  std::vector<std::pair<ValueId, std::uint64_t>> within;
  bool is_whole = false;  // all of a variable, whose end is looked at anyway
  Id type = 0;            // of what it points to
  spv::StorageClass storage = spv::StorageClass::Function;
  Layout layout;
  bool is_coherent = false, is_volatile = false;  // as declared, of what is on the way there
  Id variable = 0;                                // of the others
  std::uint64_t offset = 0;                       // in a block; of a handle its number
  std::string name;                               // of what is there in a block
  ValueId index = kNone;  // of a component of an input or of a vector in a block
  Id whole = 0;           // the type of that vector
  // Of a component of a vector in memory: the vector and which one it is.
  ValueId vector = kNone, component = kNone;
  Layout vector_layout;
  ValueId inside = kNone;  // of a texel: whether it is in its image
};

class FunctionReader {
 public:
  FunctionReader(Context& context, Function& into)
      : context_(context),
        builder_(into),
        values_(builder_, context.language(), context.is_shader()) {}

  // Throws Unsupported; place() is where.
  void read(Id function, std::span<const std::uint32_t> interface, bool has_whole_interface);
  Place place() const { return builder_.place(); }
  const RawInstruction* instruction() const { return current_; }  // that is being read

 private:
  // A function that is being read in place of a call.
  struct Frame {
    Id function = 0;
    std::unordered_map<Id, Parts> values;
    std::unordered_map<Id, Pointer> pointers;
    std::unordered_map<Id, BlockId> blocks, ends;
    std::vector<std::pair<const RawInstruction*, BlockId>> phis;
    std::vector<std::pair<BlockId, Parts>> returns;
  };
  struct Ordering {
    Order order = Order::relaxed;
    std::uint8_t memory = 3;
  };

  // Control (function_reader.cpp).
  void read_parameters(std::uint32_t at);
  void read_body(Frame& frame, std::uint32_t at);
  void read_instruction(const RawInstruction& instruction);
  void read_place(const RawInstruction& instruction);
  bool read_end(const RawInstruction& instruction);
  void read_call(const RawInstruction& instruction);
  void finish_phis(Frame& frame);
  std::vector<Id> targets(const RawInstruction& end) const;
  void guard_size();

  // Values (function_values.cpp).
  bool read_value(const RawInstruction& instruction);
  Parts parts(Id id);
  ValueId single(Id id);
  ValueId element(const Parts& vector, ValueId index);
  Parts changed(const Parts& vector, ValueId index, ValueId value);
  void read_composite(const RawInstruction& instruction);
  bool read_extended(const RawInstruction& instruction);
  bool read_two_results(const RawInstruction& instruction);
  bool read_dot(const RawInstruction& instruction);
  Parts read_matrix(const RawInstruction& instruction);

  // Buffers (buffers.cpp).
  void make_buffers(std::span<const std::uint32_t> interface, bool has_whole_interface);
  // Where a resource is: equal for variables that are one (Reflection::place).
  std::uint64_t place_of(Id variable) const;
  bool is_written(Id variable) const;
  ValueId buffer(Id variable, std::uint64_t index);
  void read_array_length(const RawInstruction& instruction);
  std::string free_name(std::string wanted, const std::string& block);

  // Memory (memory.cpp).
  bool read_memory(const RawInstruction& instruction);
  Pointer pointer(Id id);
  Pointer made_variable(Id id);
  void make_private(Id variable);
  ValueId local_variable(const RawInstruction& instruction, std::string name);
  Pointer chained(Pointer from, std::span<const std::uint32_t> indices);
  Pointer part_of(Pointer from, Id index);
  // How an access is made besides its place.
  struct Manner {
    bool is_volatile = false;
    Scope scope = Scope::system;  // as of Instruction::scope of plain accesses
  };
  void claim_within(const Pointer& at);
  Parts loaded(const Pointer& from, const Manner& manner);
  Pointer materialized(const Pointer& from);
  void require_own(const Pointer& at) const;
  void set_handle(const Pointer& of, const Parts& values);
  bool has_bytes_of_pointers(Id pointer_type);
  void stored(const Pointer& to, const Parts& values, const Manner& manner);
  void store_component(const Pointer& to, ValueId value, const Manner& manner);
  Parts input(const Pointer& from);
  void read_load(const RawInstruction& instruction);
  std::vector<bool> used_components(const RawInstruction& load) const;
  Parts loaded_components(const RawInstruction& instruction, const Pointer& from,
                          const Manner& manner);
  void read_store(const RawInstruction& instruction);
  // What an access says of itself.
  struct Declared {
    bool is_volatile = false, is_shared = false;
    Scope known_to = Scope::thread;  // to whom it is made available or visible
  };
  Manner manner(const Pointer& at, const Declared& how, bool stores);
  Manner manner_of(const Pointer& at, std::span<const std::uint32_t> operands, bool stores);
  Scope made_known_in(std::span<const std::uint32_t> operands, bool stores);
  void settle_availability();

  // Images of OpenCL, and its asynchronous copies (images.cpp).
  bool read_image(const RawInstruction& instruction);
  bool read_copies(const RawInstruction& instruction);
  ValueId texel(ValueId image, const Parts& coordinates);
  void access_texel(ValueId address, std::size_t part, Type type, std::optional<ValueId> value);

  // Images of shaders (shader_images.cpp).
  struct Places {
    std::set<std::uint64_t> some;
    bool all = false;
    bool contains(std::uint64_t place) const { return all || some.contains(place); }
  };
  struct ImageType {
    spv::Dim dim = spv::Dim::Dim2D;
    bool is_array = false, has_samples = false;
    spv::ImageFormat format = spv::ImageFormat::Unknown;
  };
  bool read_shader_image(const RawInstruction& instruction);
  ImageType image_type(Id type) const;
  std::uint64_t most_texels(Id type) const;
  Parts image_query(const RawInstruction& instruction);
  ValueId image_word(spv::Op op, const Parts& from, Type type, std::uint32_t part);
  ValueId image_size(spv::Op op, const Parts& from, Type type, std::uint32_t part,
                     std::uint64_t most);
  Id image_variable(Id image) const;
  void find_storage_images();
  std::uint32_t texel_names(const Type& component, std::size_t components, std::size_t coordinates);
  ValueId image_memory(std::uint64_t place, std::uint64_t index, Id type, std::size_t coordinates);
  Pointer texel(const Parts& image, Id type, const Parts& coordinates);
  Parts where_inside(const Pointer& at, const std::vector<Type>& types,
                     const std::function<Parts()>& access);
  Manner manner_of_texel(const Pointer& at, std::span<const std::uint32_t> operands, bool stores);
  Instruction access_of(const Pointer& texel, std::size_t component, Type type,
                        const Manner& manner);
  void read_texel(const RawInstruction& instruction);
  void write_texel(const RawInstruction& instruction);
  void point_to_texel(const RawInstruction& instruction);

  // Uniform blocks and push constants (blocks.cpp).
  Parts loaded_block(const Pointer& from);
  ValueId launch_word(const Reflection::Word& word);
  ValueId block_argument(const Pointer& from);

  // Built-in variables (builtins.cpp).
  Parts builtin(spv::BuiltIn which, const std::vector<Type>& types);
  ValueId given(Builtin which, int dimension);
  ValueId group_size(int dimension);
  ValueId lane();
  Parts mask_of(ValueId bits, std::size_t count);

  // Synchronization (synchronization.cpp).
  bool read_synchronization(const RawInstruction& instruction);
  void read_atomic(const RawInstruction& instruction);
  void read_barrier(const RawInstruction& instruction);
  void fence(Order order, Scope scope, std::uint8_t memory);
  Scope scope_of(Id id);
  Ordering ordering_of(Id id, bool is_atomic);

  // Groups (groups.cpp).
  bool read_group(const RawInstruction& instruction);
  bool read_workgroup(const RawInstruction& instruction);
  ValueId subgroup(Subgroup operation, Type type, std::initializer_list<ValueId> operands,
                   Update update = Update::exchange, int cluster = 0);
  ValueId shuffle(Subgroup operation, ValueId value, ValueId by);
  ValueId rotated(ValueId by, std::uint32_t section);
  ValueId section_start(std::uint32_t section);
  std::uint32_t section(Id id);
  ValueId reduction(spv::Op op, std::uint32_t kind, ValueId value, int cluster);
  ValueId ballot_bits(const Parts& ballot);
  ValueId valid_lanes();
  Parts ballot_count(std::uint32_t kind, const Parts& ballot, Type type);

  void give(const RawInstruction& instruction, Parts parts);
  [[noreturn]] void refuse(const RawInstruction& instruction) const;

  Context& context_;
  Reflection reflection_;
  Builder builder_;
  Values values_;
  Frame* frame_ = nullptr;
  const RawInstruction* current_ = nullptr;
  std::set<Id> active_;  // functions that are being read
  bool has_lines_ = false;
  std::unordered_map<Id, Pointer> variables_;
  std::map<std::pair<std::uint64_t, std::uint64_t>, ValueId> buffers_;  // by set, binding, index
  // By set and binding, all ones for push constants, and where in the block.
  std::map<std::pair<std::uint64_t, std::uint64_t>, ValueId> block_arguments_;
  std::map<std::pair<ValueId, std::uint64_t>, ValueId> lengths_;
  // Of shaders: images by place and index, and what is asked of them (image_word).
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::string> image_names_;
  std::map<std::pair<std::uint64_t, std::uint64_t>, ValueId> texels_;  // memory of storage images
  std::map<std::vector<std::uint64_t>, ValueId> image_words_;
  bool has_storage_images_ = false, has_written_buffers_ = false;
  Places sized_images_, written_images_;  // storage images: whose size is asked for, or that change
  std::vector<Parts> handles_;            // what variables stand for; empty: not set yet
  std::set<std::string> names_;
  // Of Vulkan's memory model: what is not made available or visible, or to some alone, where that
  // would matter, and whether there are releases and acquires that make all so.
  bool unavailable_store_ = false, invisible_load_ = false, narrow_ = false;
  bool makes_available_ = false, makes_visible_ = false;
  std::optional<Place> release_, acquire_;
};

}  // namespace headway::kernel::spirv
