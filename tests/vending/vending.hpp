// A third language, for tests: vending machines. Threads add to counters, take from them, wait
// until there is something to take, and make choices:
//
//   machine "coffee"
//   counters coins = 0, cups = 0;
//   thread { coins += 1; await cups; cups -= 1; }
//   thread { await coins; coins -= 1; choose { cups += 1; } or { again; } }
//
// Every statement is a step. A counter holds 0 to 7; a thread that goes beyond has failed. `again;`
// goes back to the start of the thread. Everything about the language is in this folder, and
// main.cpp is the one place where it is registered.
#pragma once

#include "lang/language.hpp"

namespace headway::vending {

const lang::Language& language();

}  // namespace headway::vending
