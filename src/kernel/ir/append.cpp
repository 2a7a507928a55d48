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
  const auto types = static_cast<std::uint32_t>(into.types.size());
  for (SourceType& type : more.types) {
    for (SourceType::Member& member : type.members) member.type += types;
    if (type.element) *type.element += types;
  }
  for (Object& object : more.objects) {
    if (object.type != kNone) object.type += types;
    for (Object::Pointer& pointer : object.pointers) pointer.object += objects;
  }
  for (Function& function : more.functions) {
    place(function.place);
    for (Parameter& parameter : function.parameters) {
      if (parameter.element_type != kNone) parameter.element_type += types;
    }
    for (Value& value : function.values) {
      if (value.kind == Value::Kind::address && value.object < kFirstLocal) value.object += objects;
    }
    for (Block& block : function.blocks) {
      for (Instruction& i : block.code) place(i.place);
    }
  }
  std::move(more.types.begin(), more.types.end(), std::back_inserter(into.types));
  std::move(more.objects.begin(), more.objects.end(), std::back_inserter(into.objects));
  std::move(more.functions.begin(), more.functions.end(), std::back_inserter(into.functions));
}

}  // namespace headway::kernel
