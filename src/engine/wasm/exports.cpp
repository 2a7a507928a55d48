// What the module of the browser exports: memory to write a request to, and the answer to it.
#include <cstdlib>
#include <new>
#include <string>

#include "engine/engine.hpp"

namespace {

std::string answer_text;

}  // namespace

extern "C" {

__attribute__((export_name("reserve"))) char* headway_reserve(std::size_t bytes) {
  return static_cast<char*>(std::malloc(bytes));
}

// Takes the request, and gives the length of the answer.
__attribute__((export_name("answer"))) std::size_t headway_answer(char* request,
                                                                  std::size_t bytes) {
  answer_text.clear();
  answer_text.shrink_to_fit();
  answer_text = headway::engine::answer({request, bytes});
  std::free(request);
  return answer_text.size();
}

// Where it is, until the next request.
__attribute__((export_name("answer_begin"))) const char* headway_answer_begin() {
  return answer_text.data();
}
}
