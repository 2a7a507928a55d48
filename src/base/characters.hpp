// Characters of UTF-8, which have one to four bytes.
#pragma once

namespace headway {

// Whether a character has this byte within it, not at its begin.
inline bool is_inside_character(char byte) {
  return (static_cast<unsigned char>(byte) & 0xc0U) == 0x80;
}

}  // namespace headway
