// How strong accesses and fences of the idiom language are in the words of memory models: the tags
// of a language of litmus tests, and what else could stand in the text.
#pragma once

#include <optional>
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

// In PTX an atomic access that is sequentially consistent is what compilers make of it: a fence,
// which is returned, and an access of the strength that is left (Lustig et al., ASPLOS 2019, table
// 2). Nothing: it is none, or the language has such accesses.
std::optional<Instruction> split_seq_cst(const std::string& language,
                                         lang::idiom::AccessKind access,
                                         lang::idiom::Strength& strength);

// The tags of the initial write of a location.
Tags initial_tags(const std::string& language, bool local);
// A program in the words of a language, without threads, which is asked about nothing yet but what
// goes wrong and whether it ends.
Program program_in(const std::string& language, const std::string& name);

// What could stand where the text says how strong something is, or may say so: of plain accesses
// nothing.
std::vector<litmus::Choice> choices_of(const lang::idiom::Syntax& syntax,
                                       const std::string& language);

}  // namespace headway::consistency::idiom
