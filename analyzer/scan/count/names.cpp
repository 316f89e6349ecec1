// Asks the system's name services, which may take as long as a directory server does.
#include "analyzer/scan/count/names.h"

#include <cerrno>
#include <grp.h>
#include <pwd.h>
#include <vector>

namespace fathom::scan {
namespace {

template <class Record, class Ask>
std::string name_by(std::uint32_t number, Ask ask, char* Record::*name)
{
    Record record{};
    Record* found = nullptr;
    for (std::vector<char> room(4096);; room.resize(room.size() * 4)) {
        const int error = ask(number, &record, room.data(), room.size(), &found);
        if (error == ERANGE && room.size() < (1u << 24)) continue;
        return error == 0 && found != nullptr ? std::string(found->*name) : std::to_string(number);
    }
}

}  // namespace

std::string user_name(std::uint32_t user)
{
    return name_by<passwd>(user, getpwuid_r, &passwd::pw_name);
}

std::string group_name(std::uint32_t group)
{
    return name_by<::group>(group, getgrgid_r, &::group::gr_name);
}

}  // namespace fathom::scan
