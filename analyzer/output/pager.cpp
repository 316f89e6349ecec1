// Starts the pager by the shell, as what the user has set may have options.
#include "analyzer/output/pager.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <sstream>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace fathom {
namespace {

// Whether the first word of the command is a program that there is.
bool can_be_run(const std::string& command)
{
    std::istringstream words(command);
    std::string program;
    words >> program;
    if (program.find('/') != std::string::npos) return access(program.c_str(), X_OK) == 0;
    const char* const path = std::getenv("PATH");
    std::istringstream folders(path != nullptr ? path : "/usr/bin:/bin");
    for (std::string folder; std::getline(folders, folder, ':');)
        if (access((folder + "/" + program).c_str(), X_OK) == 0) return true;
    return false;
}

}  // namespace

std::string pager_wanted()
{
    const char* const terminal = std::getenv("TERM");
    if (terminal == nullptr || std::string(terminal) == "dumb") return "";
    std::string wanted = "less";
    for (const char* const name : {"PAGER", "FATHOM_PAGER"})
        if (const char* const said = std::getenv(name); said != nullptr) wanted = said;
    return wanted == "cat" || !can_be_run(wanted) ? "" : wanted;
}

std::size_t terminal_lines()
{
    winsize window{};
    if (isatty(STDOUT_FILENO) == 0 || ioctl(STDOUT_FILENO, TIOCGWINSZ, &window) != 0) return 0;
    return window.ws_row;
}

Pager::Pager(const std::string& command)
{
    int pipe_ends[2];
    if (pipe2(pipe_ends, O_CLOEXEC) != 0) return;
    child_ = fork();
    if (child_ == 0) {
        dup2(pipe_ends[0], STDIN_FILENO);
        std::signal(SIGPIPE, SIG_DFL);
        // It ends by itself where the text fits, shows colours, and leaves the text on the screen: as of git.
        setenv("LESS", "FRX", 0);
        execl("/bin/sh", "sh", "-c", command.c_str(), static_cast<char*>(nullptr));
        _exit(127);
    }
    close(pipe_ends[0]);
    fd_ = pipe_ends[1];
    if (child_ > 0) {
        // Ctrl-C is for the pager, which has the terminal.
        interrupted_ = std::signal(SIGINT, SIG_IGN);
        return;
    }
    close(fd_);
    fd_ = -1;
}

Pager::~Pager()
{
    if (fd_ < 0) return;
    close(fd_);
    while (waitpid(child_, nullptr, 0) < 0 && errno == EINTR) {
    }
    std::signal(SIGINT, interrupted_);
}

}  // namespace fathom
