// Goes through a trace from its first line to its last and reports every operation on a file.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "logformat/kinds.h"
#include "logformat/log/log.h"
#include "parsers/strace/calls.h"
#include "parsers/strace/files.h"
#include "parsers/strace/processes.h"
#include "parsers/strace/text_lines.h"

namespace fathom::strace {

struct Operation {
    Kind kind{};
    std::uint64_t PosixCounters::*counter = nullptr;  // of calls that move no data and did not fail
    const File* file = nullptr;
    std::int64_t process = 0;
    std::uint64_t tid = 0;
    std::uint64_t start = 0, end = 0;  // ns of UNIX time
    // Of reads, writes and seeks.
    std::uint64_t size = 0, offset = 0;
    bool has_place = false;    // it is known where in the file, if perhaps not from where on that counts
    bool place_known = false;  // offset counts from the file's beginning
    bool created = false;
};

struct OperationSink {
    virtual ~OperationSink() = default;
    virtual bool take(const Operation& operation) = 0;  // false: no more
};

class Replay {
  public:
    Replay(const std::string& path, OperationSink& sink);

    // Throws LogError where nothing can be read.
    void run(const Tick& tick = {});

    Files& files() { return files_; }
    std::deque<Run>& runs() { return processes_.runs(); }
    const std::vector<std::string>& problems() const { return problems_; }
    Room& room() { return room_; }

  private:
    struct Step {
        Thread& thread;
        const CallRow& row;
        const Call& call;
        std::uint64_t tid, start, end;
    };

    void gather_births(const Tick& tick);
    void step(const Line& line);
    void finish(Thread& thread, const Line& line, std::string_view text, std::uint64_t start);
    void require_times(const Line& line, const Call& call);
    void tell_problems(const TextLines& lines, bool cut);

    void act(const Step& step);
    void open(const Step& step);
    void transfer(const Step& step, std::int8_t descriptor, std::int8_t offset, bool write,
                  std::uint64_t start, std::uint64_t end);
    void on_path(const Step& step);
    void on_descriptor(const Step& step, std::uint64_t PosixCounters::*counter);
    void duplicate(const Step& step);
    void control(const Step& step);
    void close(const Step& step);
    void make(const Step& step, std::string_view list);
    void execute(const Step& step);

    // The description behind a descriptor argument; nullptr: of no file that is counted.
    Description* description(const Step& step, std::int8_t place);
    std::shared_ptr<Description> found(std::int64_t number, const DescriptorArgument& argument);
    // A path argument, absolute where it can be; empty: none.
    std::string path_of(const Step& step);
    void set(const Step& step, std::int64_t number, std::shared_ptr<Description> description);
    void tell(const Step& step, Kind kind, File& file, Operation operation = {});
    void tell_metadata(const Step& step, File& file, std::uint64_t PosixCounters::*counter);
    void tell_unopened(const Step& step, const std::string& path);

    std::string path_;
    OperationSink& sink_;
    Room room_;
    Births births_;
    Files files_;
    Processes processes_;
    std::vector<std::string> problems_;
    bool going_ = true, times_seen_ = false;
    std::uint64_t line_ = 0, strange_ = 0, first_strange_ = 0, without_beginning_ = 0;
};

}  // namespace fathom::strace
