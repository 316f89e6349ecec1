// The table of names; capitals do not matter.
#include "logformat/series/operations.h"

#include <algorithm>

namespace fathom::series {
namespace {

struct Name {
    std::string_view operation, quantity;
};
constexpr Name names[] = {
    {"open", "opens"},           {"open_noattr", "opens"},   {"close", "closes"},
    {"create", "creates"},       {"mknod", "creates"},       {"remove", "unlinks"},
    {"unlink", "unlinks"},       {"mkdir", "mkdirs"},        {"rmdir", "rmdirs"},
    {"rename", "renames"},       {"link", "links"},          {"symlink", "symlinks"},
    {"readlink", "readlinks"},   {"getattr", "getattrs"},    {"setattr", "setattrs"},
    {"getxattr", "getxattrs"},   {"setxattr", "setxattrs"},  {"listxattr", "getxattrs"},
    {"lookup", "lookups"},       {"lookup_root", "lookups"}, {"readdir", "readdirs"},
    {"readdirplus", "readdirs"}, {"statfs", "statfs"},       {"fsstat", "statfs"},
    {"access", "accesses"},      {"sync", "syncs"},          {"fsync", "syncs"},
    {"commit", "syncs"},         {"punch", "truncates"},     {"truncate", "truncates"},
    {"destroy", "unlinks"},      {"stat", "getattrs"},       {"readdirp", "readdirs"},
};

bool is_same(std::string_view capitals, std::string_view name)
{
    return std::equal(capitals.begin(), capitals.end(), name.begin(), name.end(),
                      [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a - 'A' + 'a' : a) == b; });
}

}  // namespace

std::string_view quantity_of_operation(std::string_view name)
{
    for (const Name& one : names)
        if (is_same(name, one.operation)) return one.quantity;
    return {};
}

}  // namespace fathom::series
