// The working folder, remembered: asking the kernel costs more than all else that an open by a relative path
// needs.
#pragma once

#include "libinterpose/system/text.h"

namespace fathom {

// Its path. False if the kernel cannot say.
bool working_folder(PathText& to);

// Whether this, with a slash behind it, is the folder as remembered. False where nothing is.
bool is_working_folder(std::string_view with_slash);

// The process has moved to another folder, or may have.
void working_folder_changed();

// From the first to the second, libc moves about without our hearing of it (nftw).
void working_folder_moves();
void working_folder_rests();

// Threads no longer have one working folder in common (unshare): nothing is remembered any more.
void working_folder_is_each_threads_own();

}  // namespace fathom
