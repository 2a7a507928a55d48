// The files of src/report/conform_page, as they were when headway was built (cmake/embed.cmake).
#pragma once

#include "report/page.hpp"

namespace headway::report {

const std::vector<EmbeddedFile>& embedded_conform_page();

}  // namespace headway::report
