// Whether a program can be recorded at all: the dynamic linker loads the preload library, and it does not run
// for every program, nor heed LD_PRELOAD for every one.
#pragma once

#include <string>

namespace fathom {

// What keeps the library out of the program that a command's first word starts. Both are false, and the
// sentence empty, where nothing does.
struct Hindrance {
    std::string sentence;        // "PROGRAM is linked statically"
    bool preload_harms = false;  // it would not even start with LD_PRELOAD set

    explicit operator bool() const { return !sentence.empty(); }
};

// `word` is looked up as execvp does; of a script, its interpreter is looked at.
Hindrance hindrance_of(const std::string& word);

}  // namespace fathom
