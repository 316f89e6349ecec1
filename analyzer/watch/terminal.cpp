#include "analyzer/watch/terminal.h"

#include <algorithm>
#include <clocale>
#include <cstdlib>
#include <curses.h>
#include <string_view>
#include <unistd.h>

namespace fathom::watch {
namespace {

constexpr int escape = 27, erase_key = 127, control_h = 8;

}  // namespace

bool Terminal::is_there()
{
    const char* const name = std::getenv("TERM");
    return isatty(STDOUT_FILENO) == 1 && isatty(STDIN_FILENO) == 1 && name != nullptr &&
           std::string_view(name) != "dumb" && *name != '\0';
}

Terminal::Terminal()
{
    std::setlocale(LC_CTYPE, "");
    initscr();
    cbreak();
    noecho();
    curs_set(0);
    keypad(stdscr, TRUE);
}

Terminal::~Terminal()
{
    endwin();
}

std::size_t Terminal::width() const
{
    return static_cast<std::size_t>(std::max(COLS, 20));
}

std::size_t Terminal::height() const
{
    return static_cast<std::size_t>(std::max(LINES, 6));
}

void Terminal::show(const std::vector<std::string>& lines, std::size_t title)
{
    erase();
    for (std::size_t at = 0; at < std::min(lines.size(), height()); ++at) {
        if (at == title) attron(A_REVERSE);
        mvaddstr(static_cast<int>(at), 0, lines[at].c_str());
        if (at == title) attroff(A_REVERSE);
    }
    refresh();
}

int Terminal::key(int milliseconds)
{
    timeout(milliseconds);
    const int got = getch();
    return got == ERR || got == KEY_RESIZE ? 0 : got;
}

std::string Terminal::ask(const std::string& question)
{
    std::string answer;
    timeout(-1);
    for (;;) {
        move(LINES - 1, 0);
        clrtoeol();
        addstr((question + answer).c_str());
        refresh();
        const int got = getch();
        if (got == '\n' || got == KEY_ENTER || got == ERR) return answer;
        if (got == escape) return {};
        if (got == erase_key || got == control_h || got == KEY_BACKSPACE) {
            if (!answer.empty()) answer.pop_back();
        } else if (got >= ' ' && got < erase_key) {
            answer += static_cast<char>(got);
        }
    }
}

}  // namespace fathom::watch
