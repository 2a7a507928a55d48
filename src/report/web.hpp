// A suite as a folder of files for a static file server: a page that runs it on the visitor's own
// GPU. The page is src/report/web_page, compiled into the program.
#pragma once

#include <string>
#include <vector>

#include "report/page.hpp"
#include "suite/matrix.hpp"
#include "suite/suite.hpp"
#include "suite/suite_order.hpp"

namespace headway::report {

struct WebSuite {
  std::string title;
  std::string version;  // of headway
  const suite::Suite& suite;
  const suite::VerdictMatrix& matrix;
  const suite::SuiteOrder& order;
};

struct WebFile {
  std::string name;
  std::string content;
};

// The files of the page, index.html among them, and suite.json with programs, shaders and verdicts:
// some 700 bytes a test.
std::vector<WebFile> web_files(const WebSuite& suite);

// The files of src/report/web_page, as they were when headway was built (cmake/embed.cmake).
const std::vector<EmbeddedFile>& embedded_web_page();

}  // namespace headway::report
