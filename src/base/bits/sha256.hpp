// SHA-256 (FIPS 180-4): for what is compared by a hash alone because the whole is not kept. Nobody
// knows two texts that have the same one.
#pragma once

#include <string>
#include <string_view>

namespace headway {

// 64 hexadecimal digits.
std::string sha256(std::string_view bytes);

}  // namespace headway
