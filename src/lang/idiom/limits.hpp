// Limits on programs of the idiom language that the parser and the compiler keep.
#pragma once

#include <cstdint>

namespace headway::lang::idiom {

inline constexpr int kMaxDepth = 64;      // of expressions and statements in each other
inline constexpr int kMaxRegisters = 32;  // of a thread, with the compiler's own
inline constexpr int kMaxVariables = 64;
inline constexpr int kMaxCells = 250;  // of all variables together
inline constexpr int kMaxConstants = 64;
inline constexpr int kMaxLabels = 64;                    // of a thread
inline constexpr int kMaxBarriers = 64;                  // of a file
inline constexpr int kMaxFunctions = 64;                 // of a file
inline constexpr int kMaxInstructions = 20'000;          // of a thread that calls functions
inline constexpr int kMaxStatements = 1000;              // of a thread
inline constexpr int kMaxLockstepChoices = 4096;         // of the lanes of a subgroup together
inline constexpr int kMaxBallot = 15;                    // threads of a subgroup, a bit each
inline constexpr int kMaxOperations = 64;                // of subgroups, in a file
inline constexpr std::int64_t kMaxNumber = 999'999'999;  // that can be written
inline constexpr std::int64_t kMaxValue = 1'000'000;     // that a range can hold, and its negative
inline constexpr std::int64_t kMaxRange = 60'000;        // between its ends

}  // namespace headway::lang::idiom
