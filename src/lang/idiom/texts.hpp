// What programs of the idiom language have in common in what people read of them.
#pragma once

#include <string>
#include <vector>

#include "lang/idiom/subgroup.hpp"
#include "lang/lane_texts.hpp"

namespace headway::lang::idiom {

// The registers that matter and have names, "my=0 i=2".
std::string registers_text(const ThreadCode& thread, const ThreadState& local);
// "x=1 flag={0,0}"
std::string memory_text(const Code& code, const Memory& memory);
// What a step without an access to a cell does.
std::string own_effect(Instruction::Kind kind);
std::string without_semicolon(std::string statement);

// What a step at `in` did for a lane, without what it computed.
std::string change_text(const Code& code, const Instruction& in, const LanesTaken& taken, int lane);
// Of a step of the statement `source`; local computation behind it may fail in another one.
std::string failure_text(const Code& code, const ThreadCode& thread, const Failure& failure,
                         int source);

}  // namespace headway::lang::idiom
