// Messages, whatever the state of standard error.
#include "analyzer/output/message.h"

#include <algorithm>
#include <fcntl.h>
#include <string>
#include <unistd.h>

#include "analyzer/document/printable.h"

namespace fathom {

void tell(std::string_view line)
{
    std::string text = "fathom: ";
    for (bool first = true; first || !line.empty(); first = false) {
        const std::size_t end = std::min(line.find('\n'), line.size());
        text += report::printable(line.substr(0, end));
        text += '\n';
        line.remove_prefix(std::min(end + 1, line.size()));
    }
    [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, text.data(), text.size());
}

void keep_standard_streams()
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; ++fd)
        if (fcntl(fd, F_GETFD) < 0) [[maybe_unused]]
            const int opened = open("/dev/null", O_RDWR | O_CLOEXEC);
}

}  // namespace fathom
