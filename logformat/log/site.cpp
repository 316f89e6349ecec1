// Reads /etc/fathom.conf.
#include "logformat/log/site.h"

#include <cstdlib>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

namespace fathom {
namespace {

SiteRules read_site()
{
    SiteRules site;
    const int fd = open(site_settings_path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (fd < 0) return site;
    std::string text(SiteSettings::most_bytes, '\0');
    struct stat about {};
    const ssize_t size = fstat(fd, &about) == 0 ? read(fd, text.data(), text.size()) : -1;
    close(fd);
    if (size < 0 || !SiteSettings::is_of_site(about)) {
        site.troubles.push_back(
            fmt::format("{} is not obeyed: {}", site_settings_path, SiteSettings::not_of_site));
        return site;
    }
    text.resize(static_cast<std::size_t>(size));
    site.settings.take(text, [&](std::string_view line, std::string_view why) {
        site.troubles.push_back(fmt::format("{}: {}: {}", site_settings_path, line, why));
    });
    return site;
}

}  // namespace

const SiteRules& the_site()
{
    static const SiteRules site = read_site();
    return site;
}

FileMode mode_of_logs()
{
    const char* const asked_for = std::getenv(options::mode.environment);
    return log_mode(asked_for == nullptr ? "" : asked_for, the_site().settings);
}

}  // namespace fathom
