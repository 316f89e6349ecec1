// From lines to finished calls; replay_calls.cpp has what the calls do.
#include "parsers/strace/replay.h"

#include <fmt/format.h>

namespace fathom::strace {
namespace {

constexpr std::uint64_t room_of_any_file = std::uint64_t{1} << 28, room_for_each_byte = 64;
constexpr std::string_view remedy = "make it with: strace -f -ttt -T -y -o trace.txt ./app";

// A call that the kernel begins anew by itself, or that a signal ended before it did anything.
bool is_resumption(std::string_view text)
{
    return text.find("<... resuming interrupted") != std::string_view::npos;
}

}  // namespace

Replay::Replay(const std::string& path, OperationSink& sink)
    : path_(path),
      sink_(sink),
      room_(room_of_any_file + room_for_each_byte * TextLines(path).file_size()),
      births_(room_),
      files_(room_),
      processes_(room_, births_)
{}

void Replay::gather_births(const Tick& tick)
{
    TextLines lines(path_);
    for (std::string_view text; lines.next(text);) {
        births_.look_at(parse_line(text));
        if (lines.number() % 4096 == 0) tell_progress(tick, lines.bytes_read() / 2, lines.file_size());
    }
}

void Replay::run(const Tick& tick)
{
    gather_births(tick);
    TextLines lines(path_);
    bool cut = false;
    for (std::string_view text; going_ && lines.next(text);) {
        line_ = lines.number();
        const std::uint64_t strange_before = strange_;
        if (!text.empty()) step(parse_line(text));
        cut = !lines.ended() && strange_ > strange_before;
        if (cut) --strange_;
        if (lines.number() % 4096 == 0)
            tell_progress(tick, (lines.file_size() + lines.bytes_read()) / 2, lines.file_size());
    }
    if (!times_seen_)
        throw LogError(
            fmt::format("{}: no call of this trace has ended, so that it says nothing; {}", path_, remedy));
    tell_problems(lines, cut);
    processes_.end_all();
}

void Replay::step(const Line& line)
{
    if (line.kind == LineKind::remark) return;
    if (line.kind == LineKind::other) {
        if (strange_++ == 0) first_strange_ = line_;
        return;
    }
    if (line.clock != Clock::unix_time) {
        Call call;
        const bool whole = line.kind == LineKind::call && parse_call(line.text, call);
        if (times_seen_ || (line.kind == LineKind::call && !whole)) {
            if (strange_++ == 0) first_strange_ = line_;
            return;
        }
        throw LogError(
            fmt::format("{}, line {}: it does not have the time of the call, in seconds since 1970 "
                        "(-ttt); {}",
                        path_, line_, remedy));
    }
    if (line.kind == LineKind::exited || line.kind == LineKind::killed) {
        processes_.of_line(line);
        return processes_.end(line.pid, line);
    }
    if (line.kind == LineKind::superseded)
        return processes_.supersede(line.pid, static_cast<std::uint64_t>(line.status));
    Thread* const thread = processes_.of_line(line);
    if (thread == nullptr) return;
    if (line.kind == LineKind::unfinished) {
        room_.give_back(thread->unfinished.size());
        thread->unfinished.clear();
        if (room_.take(line.text.size())) thread->unfinished = line.text;
        thread->began = line.time;
        return;
    }
    if (line.kind == LineKind::call) return finish(*thread, line, line.text, line.time);
    if (thread->unfinished.empty()) {
        ++without_beginning_;
        return;
    }
    std::string whole = std::move(thread->unfinished);
    thread->unfinished.clear();
    room_.give_back(whole.size());
    whole += line.text;
    finish(*thread, line, whole, thread->began);
}

void Replay::require_times(const Line& line, const Call& call)
{
    if (call.duration || !call.has_result || line.name.starts_with("exit")) return;
    if (!times_seen_)
        throw LogError(fmt::format("{}, line {}: it does not have how long the call took (-T); {}", path_,
                                   line_, remedy));
}

void Replay::finish(Thread& thread, const Line& line, std::string_view text, std::uint64_t start)
{
    Call call;
    if (!parse_call(text, call)) {
        if (!is_resumption(text) && strange_++ == 0) first_strange_ = line_;
        return;
    }
    require_times(line, call);
    times_seen_ = times_seen_ || call.duration.has_value();
    const CallRow* const row = call_row(call.name);
    if (row == nullptr || !call.has_result) return;
    constexpr std::uint64_t longest = 100'000'000'000'000'000;  // three years
    const std::uint64_t end = call.duration && *call.duration < longest ? start + *call.duration : line.time;
    processes_.run_of(thread).row.end = std::max(processes_.run_of(thread).row.end, end);
    act({thread, *row, call, line.pid, start, std::max(start, end)});
}

void Replay::tell_problems(const TextLines& lines, bool cut)
{
    const auto problem = [&](std::uint64_t n, std::string sentence) {
        if (n > 0) problems_.push_back(fmt::format("{}: {}", path_, sentence));
    };
    constexpr std::string_view apart =
        "; where the program wrote into the same file, keep the two apart with strace -o";
    problem(lines.problem().empty() ? 0 : 1, lines.problem());
    problem(cut ? 1 : 0,
            "the last line breaks off: strace was killed, or there was no room left; what followed is "
            "missing");
    problem(strange_,
            strange_ == 1
                ? fmt::format("1 line is not understood and left out, line {}{}", first_strange_, apart)
                : fmt::format("{} lines are not understood and left out, the first is line {}{}", strange_,
                              first_strange_, apart));
    problem(lines.too_long(),
            fmt::format("{} longer than {} bytes and left out",
                        lines.too_long() == 1 ? "1 line is" : fmt::format("{} lines are", lines.too_long()),
                        TextLines::longest));
    problem(without_beginning_,
            without_beginning_ == 1
                ? "1 call is left out: the trace has its end alone"
                : fmt::format("{} calls are left out: the trace has their ends alone", without_beginning_));
    problem(files_.without_room(),
            "it names more files than a trace of this size should; those after the "
            "first are kept as one");
    problem(processes_.without_room(),
            "it names more processes than a trace of this size should; what those "
            "after the first did is left out");
}

}  // namespace fathom::strace
