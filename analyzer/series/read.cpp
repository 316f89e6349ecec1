#include "analyzer/series/read.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <limits>
#include <sys/stat.h>

#include "logformat/log/log.h"
#include "logformat/log/words.h"
#include "parsers/database/database.h"
#include "parsers/series/clock.h"
#include "parsers/series/source.h"
#include "parsers/series/unpack.h"

namespace fathom::series {
namespace {

namespace fs = std::filesystem;

class Reader {
  public:
    Reader(const ReadOptions& options, Builder& builder) : options_(options), builder_(builder) {}

    void read(const std::string& named)
    {
        if (named.find("://") != std::string::npos) {
            read_as(named, {}, {}, 0);
            return;
        }
        std::error_code error;
        if (!fs::is_directory(named, error)) return read_file(named, false);
        std::vector<std::string> files;
        for (auto entry = fs::recursive_directory_iterator(
                 named, fs::directory_options::skip_permission_denied, error);
             !error && entry != fs::recursive_directory_iterator(); entry.increment(error))
            if (std::error_code unknown;
                entry->is_regular_file(unknown) && !entry->path().filename().string().starts_with('.'))
                files.push_back(entry->path().string());
        if (error) say(named, fmt::format("not all of this folder can be read: {}", error.message()));
        std::ranges::sort(files);
        for (const std::string& file : files) read_file(file, true);
        builder_.begin_file(named);  // says what was left out of the last one
        if (unknown_ > 0)
            builder_.problem(fmt::format("{} below it of no known source ({}); docs/SERIES.md lists them",
                                         unknown_ == 1 ? "1 file" : fmt::format("{} files", unknown_),
                                         first_unknown_));
        unknown_ = 0;
    }

  private:
    void say(const std::string& path, const std::string& text)
    {
        builder_.begin_file(path);
        builder_.problem(text);
    }

    void read_file(const std::string& path, bool found_in_folder)
    {
        struct stat status {};
        if (stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) {
            say(path, "no file that can be read: name files, folders or the URL of a database");
            return;
        }
        const Nanoseconds changed = status.st_mtim.tv_sec * one_second + status.st_mtim.tv_nsec;
        try {
            const std::string first = first_bytes_of(path, first_bytes_shown);
            const Source* const source = source_of(path, first);
            if (source == nullptr && !is_tar(first)) return refuse(path, found_in_folder);
            // A database is read by itself.
            const std::string content =
                first.starts_with("SQLite format 3") ? std::string() : content_of(path);
            if (!is_tar(first)) return read_as(path, first, content, changed);
            each_in_tar(content, [&](const Member& member) {
                const std::string inside = path + "/" + member.name;
                const std::string_view begin = member.content.substr(0, first_bytes_shown);
                constexpr std::int64_t latest = std::numeric_limits<Nanoseconds>::max() / one_second;
                if (source_of(inside, begin) == nullptr)
                    refuse(inside, found_in_folder);
                else
                    read_as(inside, begin, member.content, std::min(member.changed, latest) * one_second);
            });
        } catch (const LogError& error) {
            say(path, error.what());
        }
    }

    void read_as(const std::string& path, std::string_view first, std::string_view content,
                 Nanoseconds changed)
    {
        const Source* const source = source_of(path, first);
        builder_.begin_file(database::without_password(path));
        try {
            source->read({path, content, changed, options_.host, options_.system, options_.tick}, builder_);
        } catch (const LogError& error) {
            builder_.problem(error.what());
        }
    }

    void refuse(const std::string& path, bool found_in_folder)
    {
        if (!found_in_folder) {
            std::string known;
            for (const Source& source : sources())
                add_to_list(known, source.name, "; ");  // names have commas
            say(path,
                fmt::format("no source is known that writes this; there are: {} (docs/SERIES.md)", known));
            return;
        }
        if (unknown_++ == 0) first_unknown_ = path;
    }

    const ReadOptions& options_;
    Builder& builder_;
    std::uint64_t unknown_ = 0;
    std::string first_unknown_;
};

}  // namespace

Table read_series(const std::vector<std::string>& paths, const ReadOptions& options)
{
    const ZoneInUse zone(options.time_zone);
    Table table;
    Builder builder(table, options.window);
    Reader reader(options, builder);
    for (const std::string& path : paths) reader.read(path);
    builder.finish();
    return table;
}

}  // namespace fathom::series
