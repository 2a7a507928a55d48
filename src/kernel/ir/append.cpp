#include "kernel/ir/append.hpp"

#include <algorithm>
#include <iterator>

namespace headway::kernel {

void append(Module& into, Module more) {
  const auto objects = static_cast<ObjectId>(into.objects.size());
  std::vector<int> files;
  for (const std::string& name : more.files) {
    const auto known = std::find(into.files.begin(), into.files.end(), name);
    files.push_back(static_cast<int>(known - into.files.begin()));
    if (known == into.files.end()) into.files.push_back(name);
  }
  const auto place = [&](Place& of) {
    if (of.file >= 0) of.file = files[static_cast<std::size_t>(of.file)];
  };
  for (Object& object : more.objects) {
    for (Object::Pointer& pointer : object.pointers) pointer.object += objects;
  }
  for (Function& function : more.functions) {
    place(function.place);
    for (Value& value : function.values) {
      if (value.kind == Value::Kind::address && value.object < kFirstLocal) value.object += objects;
    }
    for (Block& block : function.blocks) {
      for (Instruction& i : block.code) place(i.place);
    }
  }
  std::move(more.objects.begin(), more.objects.end(), std::back_inserter(into.objects));
  std::move(more.functions.begin(), more.functions.end(), std::back_inserter(into.functions));
}

}  // namespace headway::kernel
