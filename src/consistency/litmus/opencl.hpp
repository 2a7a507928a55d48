// What OpenCL C has beside C: address spaces, scopes, the flags of fences, and the places of
// work-items (OpenCL C 3.0 specification, 6.15.12 "Atomic functions").
#pragma once

#include <vector>

#include "consistency/litmus/frame.hpp"

namespace headway::consistency::litmus {

// "memory_scope_device" of a thread, as a tag and as a choice.
std::string opencl_scope(Cursor& cursor, Builder& builder, int thread);
// "CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE" or "0", as tags.
Tags opencl_regions(Cursor& cursor);
// "global" or "local" with or without "__", as a tag; empty: the word is no address space. Others
// are refused.
std::string opencl_address_space(const Cursor& cursor, std::size_t offset, const std::string& word);
// "@wg 0, dev 0".
std::vector<int> opencl_place(Cursor& cursor);

}  // namespace headway::consistency::litmus
