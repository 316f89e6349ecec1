// The permissions of a file that is made.
#pragma once

namespace fathom {

struct FileMode {
    unsigned at_open = 0666;    // the umask takes bits from it unless it is asked for
    unsigned most = 0777;       // what a site allows
    bool is_asked_for = false;  // by a user: this and no other

    // Where the file takes the place of one with that mode, which it keeps.
    unsigned in_place_of(unsigned replaced) const { return (is_asked_for ? at_open : replaced) & most; }
};

}  // namespace fathom
