#include "cli/outcome.hpp"

#include <exception>
#include <iostream>
#include <new>

#include "base/error.hpp"
#include "lang/test.hpp"

namespace headway::cli {

void Outcome::guard(const std::function<void()>& action) {
  try {
    action();
  } catch (const lang::Undecided& why) {
    complain(why);
    limit();
  } catch (const Error& error) {
    complain(error);
    bad_input();
  } catch (const std::bad_alloc&) {
    std::cerr << "headway: unknown: out of memory; more of it may decide this, and a lower "
                 "--max-states ends sooner\n";
    limit();
  } catch (const std::exception& error) {
    std::cerr << "headway: " << error.what() << "\n";
    bad_input();
  }
}

}  // namespace headway::cli
