// What the forms of the dump that go operation by operation, or slice by slice, share: output in pieces,
// times, and which rank a process was.
#pragma once

#include <cstdint>
#include <fmt/compile.h>
#include <fmt/format.h>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "analyzer/dump/dump.h"
#include "analyzer/dump/subject.h"

namespace fathom {

// Collects output until it is worth giving away.
class Output {
  public:
    explicit Output(const Sink& sink) : sink_(sink) {}

    template <class Format, class... Values>
    void add(const Format& format, const Values&... values)
    {
        fmt::format_to(std::back_inserter(out_), format, values...);
    }
    void add_text(std::string_view text) { out_ += text; }

    // At the end of a line. False: nobody reads on.
    bool give()
    {
        constexpr std::size_t piece_bytes = 1u << 16;
        if (out_.size() >= piece_bytes) flush();
        return going_;
    }
    void flush()
    {
        if (going_ && !out_.empty()) going_ = sink_(out_);
        out_.clear();
    }

    // Seconds with nine decimals.
    void add_seconds(std::uint64_t nanoseconds)
    {
        add(FMT_COMPILE("{}.{:09}"), nanoseconds / 1'000'000'000, nanoseconds % 1'000'000'000);
    }
    void add_seconds_since(std::uint64_t origin, std::uint64_t nanoseconds)
    {
        if (nanoseconds < origin) out_ += '-';
        add_seconds(nanoseconds < origin ? origin - nanoseconds : nanoseconds - origin);
    }

  private:
    const Sink& sink_;
    std::string out_;
    bool going_ = true;
};

// The row of each process.
class Processes {
  public:
    explicit Processes(const Log& log)
    {
        for (const Process& process : log.rows<Process>()) row_.try_emplace(process.process, &process);
    }
    const Process* find(std::int64_t number) const
    {
        const auto found = row_.find(number);
        return found == row_.end() ? nullptr : found->second;
    }
    std::int64_t rank(std::int64_t number) const
    {
        const Process* const process = find(number);
        return process == nullptr ? -1 : process->rank;
    }

  private:
    std::unordered_map<std::int64_t, const Process*> row_;
};

// The path of each file as a form prints it, made once a file.
class PrintedPaths {
  public:
    using Print = std::string (*)(const std::string& path);

    // Only files whose path contains `wanted`.
    PrintedPaths(const Log& log, std::string_view wanted, Print print)
        : paths_(log), wanted_(wanted), print_(print)
    {}

    // nullptr: the file is not wanted.
    const std::string* of(std::uint64_t file)
    {
        if (last_ == nullptr || last_->first != file) {
            const auto [at, is_new] = printed_.try_emplace(file);
            if (is_new) {
                const std::string path = paths_.of(file);
                if (path.find(wanted_) != std::string::npos) at->second = print_(path);
            }
            last_ = &*at;
        }
        return last_->second ? &*last_->second : nullptr;
    }

  private:
    using Printed = std::unordered_map<std::uint64_t, std::optional<std::string>>;

    Paths paths_;
    std::string_view wanted_;
    Print print_;
    Printed printed_;
    const Printed::value_type* last_ = nullptr;
};

}  // namespace fathom
