// A program that shows long text page by page.
#pragma once

#include <cstddef>
#include <string>
#include <sys/types.h>

namespace fathom {

// What the user wants it to be: FATHOM_PAGER, PAGER, or less where it is installed. Empty: none, as with
// FATHOM_PAGER=cat, and where the terminal cannot move its cursor.
std::string pager_wanted();

// Lines that fit into the terminal of standard output; 0 where that is none.
std::size_t terminal_lines();

// The program, while it runs. What is written to fd() is shown; the destructor waits until the user has read
// it.
class Pager {
  public:
    explicit Pager(const std::string& command);
    ~Pager();
    Pager(const Pager&) = delete;
    Pager& operator=(const Pager&) = delete;

    int fd() const { return fd_; }  // below 0: it could not be started

  private:
    pid_t child_ = -1;
    int fd_ = -1;
    void (*interrupted_)(int) = nullptr;
};

}  // namespace fathom
