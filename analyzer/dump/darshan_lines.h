// What the texts of both of Darshan's tools share: the head, the mount of a file, and lines written fast.
#pragma once

#include <charconv>
#include <cstring>
#include <fmt/format.h>
#include <memory>
#include <string>
#include <string_view>

#include "analyzer/dump/dump.h"
#include "parsers/darshan/file.h"

namespace fathom {

// As printf's %.4f and the like: the number of bytes written to `to`, of which there must be 400.
std::size_t print_real(char* to, double value, int decimals);

// Collects text in a large piece before it gives it on. Numbers are as printf's %ld, %lu and %lf.
class DarshanLines {
  public:
    explicit DarshanLines(const Sink& sink) : sink_(sink) {}
    DarshanLines(const DarshanLines&) = delete;
    DarshanLines& operator=(const DarshanLines&) = delete;
    ~DarshanLines() { give(); }

    void add(std::string_view text)
    {
        char* const to = room_for(text.size());
        std::memcpy(to, text.data(), text.size());
        used_ += text.size();
    }
    template <class Whole>
    void number(Whole value)
    {
        char* const to = room_for(longest_whole);
        used_ += static_cast<std::size_t>(std::to_chars(to, to + longest_whole, value).ptr - to);
    }
    void real(double value, int decimals = 6)
    {
        used_ += print_real(room_for(longest_real), value, decimals);
    }
    template <class... Values>
    void line(fmt::format_string<Values...> form, Values&&... values)
    {
        line_.clear();
        fmt::format_to(std::back_inserter(line_), form, std::forward<Values>(values)...);
        line_ += '\n';
        add(line_);
    }
    // False once nobody reads on.
    bool open() const { return open_; }
    void give()
    {
        if (used_ > 0) open_ = sink_({room_.get(), used_}) && open_;
        used_ = 0;
    }

  private:
    static constexpr std::size_t piece = 256 * 1024, longest_whole = 24, longest_real = 400;
    char* room_for(std::size_t bytes)
    {
        if (size_ - used_ < bytes) {
            give();
            if (size_ < bytes) {
                size_ = bytes < piece ? piece : bytes;
                room_ = std::make_unique_for_overwrite<char[]>(size_);
            }
        }
        return room_.get() + used_;
    }

    const Sink& sink_;
    std::unique_ptr<char[]> room_;
    std::size_t size_ = 0, used_ = 0;
    std::string line_;
    bool open_ = true;
};

// The mounts of the log by length of their paths, and which of them a file is on.
class DarshanMounts {
  public:
    explicit DarshanMounts(const darshan::JobRecord& job);
    const std::vector<darshan::MountEntry>& all() const { return mounts_; }
    // Null: on none that is known.
    const darshan::MountEntry* of(std::string_view path) const;

  private:
    std::vector<darshan::MountEntry> mounts_;
};

// The job, the log's regions and the mounts.
void add_darshan_head(const darshan::File& file, const DarshanMounts& mounts, DarshanLines& out);

// The remark that a module's data is not all there.
void add_darshan_incomplete(std::string_view module, DarshanLines& out);

}  // namespace fathom
