// Names come from the system, the job from the environment.
#include "analyzer/record/owner.h"

#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <fmt/format.h>
#include <grp.h>
#include <pwd.h>
#include <unistd.h>
#include <vector>

#include "logformat/job_identity.h"

namespace fathom {
namespace {

// Of getpwuid_r and getgrgid_r, which want room for all that they know of one: a group may have thousands of
// members.
template <class Entry, class Number>
std::string name_by(int (*look_up)(Number, Entry*, char*, std::size_t, Entry**), char* Entry::*name,
                    Number number)
{
    constexpr std::size_t most_room = 16u << 20;
    for (std::size_t room = 4096; room <= most_room; room *= 4) {
        std::vector<char> texts(room);
        Entry entry{};
        Entry* found = nullptr;
        const int error = look_up(number, &entry, texts.data(), texts.size(), &found);
        if (error == ERANGE) continue;
        return error == 0 && found != nullptr && found->*name != nullptr ? found->*name : "";
    }
    return "";
}

// Adds the name of what the log has as a number.
template <class Number>
void add_name(Log& log, std::string_view number_fact, std::string_view name_fact,
              std::string (*name_of)(Number))
{
    const std::string_view text = log.fact(number_fact).value_or("");
    Number number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (text.empty() || error != std::errc() || end != text.data() + text.size() || log.fact(name_fact))
        return;
    std::string name;
    identity::tidy(name_of(number), [&](std::string_view piece) { name += piece; });
    if (!name.empty()) log.add_fact(name_fact, name);
}

}  // namespace

std::string name_of_user(uid_t user)
{
    return name_by(getpwuid_r, &passwd::pw_name, user);
}

std::string name_of_group(gid_t group)
{
    return name_by(getgrgid_r, &::group::gr_name, group);
}

OwnerNames names_of_owner()
{
    return {name_of_user(getuid()), name_of_group(getgid())};
}

void add_identity(Log& log, const OwnerNames& names)
{
    const auto variable = [&](const std::string& name) -> const char* {
        // Those around this recording are of another one.
        if (name == identity::user_name_variable) return names.user.c_str();
        if (name == identity::group_name_variable) return names.group.c_str();
        return std::getenv(name.c_str());
    };
    std::string lines;
    identity::write_lines(fmt::format("{}", getuid()), fmt::format("{}", getgid()), variable,
                          [&](std::string_view text) { lines += text; });
    identity::each_line(lines,
                        [&](std::string_view fact, std::string_view value) { log.add_fact(fact, value); });
}

void add_names(Log& log)
{
    add_name(log, identity::user, identity::user_name, name_of_user);
    add_name(log, identity::group, identity::group_name, name_of_group);
}

}  // namespace fathom
