// What must not outlive this process, however it ends: temporary folders and the process groups of
// children. Their owners put them in and take them out; a signal's end removes what is still in.
#pragma once

#include <sys/types.h>

#include <filesystem>

namespace headway::leftovers {

void add_folder(const std::filesystem::path& folder);
void drop_folder(const std::filesystem::path& folder);

// `leader` leads its group.
void add_group(pid_t leader);
void drop_group(pid_t leader);

// Kills the groups and removes the folders. Nothing can be added or dropped from then on: a thread
// that tries waits for the end of the process, which has to follow.
void remove_all();

}  // namespace headway::leftovers
