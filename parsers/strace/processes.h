// Who runs during a trace: threads, the processes that they are of, their descriptors and working folders.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>

#include "logformat/rows.h"
#include "parsers/strace/call.h"
#include "parsers/strace/files.h"
#include "parsers/strace/line.h"

namespace fathom::strace {

// What an open made; descriptors of several processes may share it.
struct Description {
    File* file = nullptr;  // nullptr: a pipe, a socket, a file that is left out
    bool opened = false;   // within the trace
    bool appends = false;
    bool position_known = false;
    std::uint64_t position = 0;  // where it is not known, as if it had begun at 0
    std::string shown;           // as strace showed it when it was found, of those that were not opened
};
inline constexpr std::uint64_t room_of_a_descriptor = 160;
using Descriptors = std::unordered_map<std::int64_t, std::shared_ptr<Description>>;

// A program that a process ran: a row of the log.
struct Run {
    Process row;
    std::string program, command;
    bool used = false;  // it made calls that are counted
};

struct RunningProcess {
    std::size_t run = 0;
    std::uint64_t pid = 0;
    std::shared_ptr<Descriptors> descriptors = std::make_shared<Descriptors>();
    std::shared_ptr<std::string> folder = std::make_shared<std::string>(".");  // ".": not known
};

struct Thread {
    std::shared_ptr<RunningProcess> process;
    std::string unfinished;  // the beginning of a call that is under way
    std::uint64_t began = 0;
    std::size_t counted_in = ~std::size_t{0};  // the run that has it among its threads
};

// Who made whom, gathered before the trace is read: a child's lines may come before its parent's call ends.
class Births {
  public:
    struct Birth {
        std::uint64_t parent = 0;
        bool thread = false, shares_files = false, shares_folder = false;
    };

    explicit Births(Room& room) : room_(room) {}
    void look_at(const Line& line);
    // The next one of this number; nullptr where none is known.
    const Birth* take(std::uint64_t tid);
    bool knows(std::uint64_t tid) const { return of_.contains(tid); }
    const std::string& first_folder() const { return first_folder_; }

  private:
    void look_for_folder(std::string_view text);

    Room& room_;
    std::unordered_map<std::uint64_t, std::deque<Birth>> of_;
    std::unordered_map<std::uint64_t, Birth> under_way_;  // by the parent's thread
    Birth taken_;
    std::string first_folder_;
    bool folder_settled_ = false;
};

class Processes {
  public:
    Processes(Room& room, Births& births) : room_(room), births_(births) {}

    // The thread that a line is of; nullptr where there is no room for it.
    Thread* of_line(const Line& line);
    // A thread that a call made.
    void made(std::uint64_t tid, std::uint64_t time);
    // The process goes on as another program.
    void execute(Thread& thread, std::string program, std::string command, std::uint64_t time);
    // The number goes on as this other thread of its process, in the call that it is in.
    void supersede(std::uint64_t tid, std::uint64_t by);
    void end(std::uint64_t tid, const Line& line);
    // Those that are left ran on.
    void end_all();

    Run& run_of(const Thread& thread) { return runs_[thread.process->run]; }
    std::uint64_t number(std::uint64_t tid) const { return tid == 0 || tid == main_ ? first_ : tid; }
    std::deque<Run>& runs() { return runs_; }
    std::uint64_t without_room() const { return without_room_; }
    std::uint64_t calls_under_way() const;

  private:
    Thread* find(std::uint64_t tid, std::uint64_t time);
    Thread* begin(std::uint64_t tid, const Births::Birth* birth, std::uint64_t time);
    std::size_t begin_run(std::uint64_t pid, std::uint64_t parent, std::uint64_t time);

    Room& room_;
    Births& births_;
    std::map<std::uint64_t, Thread> threads_;
    std::deque<Run> runs_;
    std::set<std::uint64_t> early_;  // those whose lines came before the call that made them ended
    std::uint64_t main_ = 0;         // the number of the first process where some lines have none
    std::uint64_t first_ = 0;        // under which it is kept
    std::uint64_t without_room_ = 0;
};

}  // namespace fathom::strace
