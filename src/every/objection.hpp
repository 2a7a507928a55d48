// What the parts of the certificate checker share: what is wrong, thrown.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

#include "every/certificate.hpp"

namespace headway::every {

struct Objection {
  std::string text;
};

template <class... Parts>
void require(bool holds, std::string_view text, const Parts&... parts) {
  if (!holds) throw Objection{fmt::format(fmt::runtime(text), parts...)};
}

// Each throws an Objection, an Error or Unsupported where a certificate does not show what it
// claims: by counted threads (method C), by threads in a row (method B), and of a run of n threads
// that it is one of more.
void check_counted(const Certificate& certificate, const Family& family,
                   const std::vector<Reading>& readings);
void check_row(const Certificate& certificate, const Family& family,
               const std::vector<Reading>& readings);
void check_same_run_of_more(const Certificate& certificate, const Family& family);

}  // namespace headway::every
