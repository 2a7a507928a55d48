// How strong accesses and fences of the idiom language are in the words of memory models: the tags
// of a language of litmus tests, and what else could stand in the text.
#pragma once

#include <string>
#include <vector>

#include "consistency/litmus/choice.hpp"
#include "consistency/program.hpp"
#include "lang/idiom/syntax.hpp"

namespace headway::consistency::idiom {

// Gives an instruction the tags that its strength has in a language: "C", "OPENCL", "PTX" or
// "VULKAN". An access is one to memory of the workgroup if `local`; none: a fence. Throws
// headway::Error, without a place, for what the language has no word for.
void tag(Instruction& instruction, const std::string& language,
         std::optional<lang::idiom::AccessKind> access, const lang::idiom::Strength& strength,
         bool local);

// The tags of the initial write of a location.
Tags initial_tags(const std::string& language, bool local);
// How many numbers of two places agree where each is in the scope of a tag of the other.
std::map<std::string, std::size_t> scopes_of(const std::string& language);

// What could stand where the text says how strong something is, or may say so: of plain accesses
// nothing.
std::vector<litmus::Choice> choices_of(const lang::idiom::Syntax& syntax,
                                       const std::string& language);

}  // namespace headway::consistency::idiom
