// What libstdc++ makes of files and streams: it opens through stdio, and reads and writes descriptors.
#include <cstring>
#include <fstream>
#include <iostream>
#include <string>

#include "did.h"

namespace {

void write_and_read()
{
    const std::string lines(20000, 'x'), path = "file";
    {
        std::ofstream out(path);
        for (int n = 0; n < 1000; ++n) out << "line " << n << '\n';  // 5 letters, an end, and 2890 digits
        out << lines;
        out.seekp(10) << 'z';
        MUST(out.flush());
    }
    did("stdio", "file", "opens", 1);
    did("stdio", "file", "closes", 1);
    did("posix", "file", "bytes_written", 6 * 1000 + 2890 + 20000 + 1);
    did("posix", "file", "highest_written", 6 * 1000 + 2890 + 20000);
    did_at_least("posix", "file", "writes", 3);
    did("posix", "file", "seeks", 1);
    std::size_t all = 0;
    {
        std::ifstream in(path);
        for (std::string line; std::getline(in, line);) all += line.size();
    }
    MUST(all == 5 * 1000 + 2890 + 20000);
    did("stdio", "file", "opens", 1);
    did("stdio", "file", "closes", 1);
    did("posix", "file", "bytes_read", 6 * 1000 + 2890 + 20000);
    did_at_least("posix", "file", "reads", 3);
}

// Streams that append say so to stdio; what they write goes to the end all the same.
void append()
{
    std::ofstream("appended") << "0123456789";
    std::ofstream("appended", std::ios::app) << "abc";
    did("stdio", "appended", "opens", 2);
    did("stdio", "appended", "closes", 2);
    did("posix", "appended", "writes", 2);
    did("posix", "appended", "bytes_written", 13);
    did("posix", "appended", "highest_written", 13);
}

void fail()
{
    MUST(!std::ifstream("none/none"));
    did("posix", "<not opened>", "failed", 1);
}

}  // namespace

int main()
{
    write_and_read();
    append();
    fail();
    return 0;
}
