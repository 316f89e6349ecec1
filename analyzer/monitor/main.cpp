// What `fathom monitor` becomes once it has read its options: FOLDER EVERY END_AFTER DAYS BYTES, times in
// nanoseconds.
#include <charconv>
#include <cstdio>
#include <string_view>

#include "analyzer/monitor/monitor.h"

int main(int count, char** words)
{
    fathom::monitor::Settings settings;
    bool good = count == 6;
    const auto number = [&](int at) {
        const std::string_view word = words[at];
        std::int64_t value = 0;
        const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
        good = good && error == std::errc() && end == word.data() + word.size() && value >= 0;
        return value;
    };
    if (good) {
        settings.folder = words[1];
        settings.every = number(2);
        settings.end_after = number(3);
        settings.limits.days = static_cast<std::uint64_t>(number(4));
        settings.limits.bytes = static_cast<std::uint64_t>(number(5));
    }
    if (!good || settings.every == 0) {
        std::fputs("fathom-monitor: start it as `fathom monitor -o FOLDER`\n", stderr);
        return 2;
    }
    return fathom::monitor::run(settings);
}
