// Begins and ends threads and processes.
#include "parsers/strace/processes.h"

#include <algorithm>
#include <charconv>

namespace fathom::strace {
namespace {

constexpr std::uint64_t of_a_thread = sizeof(Thread) + sizeof(RunningProcess) + 256;
constexpr std::uint64_t of_a_run = sizeof(Run) + 4096;

bool is_fork(std::string_view name)
{
    return name == "clone" || name == "clone3" || name == "fork" || name == "vfork";
}

Births::Birth birth_by(std::uint64_t parent, std::string_view arguments)
{
    const auto has = [&](std::string_view flag) { return arguments.find(flag) != std::string_view::npos; };
    return {parent, has("CLONE_THREAD"), has("CLONE_FILES"), has("CLONE_FS")};
}

// The number at the end of ") = 123 <0.000012>"; 0 where there is none above 0.
std::uint64_t result_at_end(std::string_view text)
{
    const std::size_t equals = text.rfind(") = ");
    if (equals == std::string_view::npos) return 0;
    std::uint64_t number = 0;
    const char* const begin = text.data() + equals + 4;
    const auto [end, error] = std::from_chars(begin, text.data() + text.size(), number);
    return error == std::errc{} ? number : 0;
}

}  // namespace

void Births::look_for_folder(std::string_view text)
{
    constexpr std::string_view shown = "AT_FDCWD</";
    const std::size_t at = text.find(shown);
    if (at != std::string_view::npos) {
        first_folder_ = path_shown(descriptor_of(text.substr(at)).shown);
        folder_settled_ = true;
    }
}

void Births::look_at(const Line& line)
{
    if (line.kind != LineKind::call && line.kind != LineKind::unfinished && line.kind != LineKind::resumed)
        return;
    if (!folder_settled_) {
        if (line.name == "chdir" || line.name == "fchdir") folder_settled_ = true;
        look_for_folder(line.text);
    }
    if (!is_fork(line.name)) return;
    constexpr std::uint64_t of_each = 256;
    if (line.kind == LineKind::unfinished) {
        if (room_.take(of_each)) under_way_[line.pid] = birth_by(line.pid, line.text);
        return;
    }
    Birth birth = birth_by(line.pid, line.text);
    if (line.kind == LineKind::resumed)
        if (const auto begun = under_way_.find(line.pid); begun != under_way_.end()) {
            birth = begun->second;
            under_way_.erase(begun);
        }
    const std::uint64_t tid = result_at_end(line.text);
    if (tid != 0 && room_.take(of_each)) of_[tid].push_back(birth);
}

const Births::Birth* Births::take(std::uint64_t tid)
{
    const auto found = of_.find(tid);
    if (found == of_.end()) return nullptr;
    taken_ = found->second.front();
    found->second.pop_front();
    if (found->second.empty()) of_.erase(found);
    return &taken_;
}

std::size_t Processes::begin_run(std::uint64_t pid, std::uint64_t parent, std::uint64_t time)
{
    Run& run = runs_.emplace_back();
    run.row.process = static_cast<std::int64_t>(runs_.size() - 1);
    run.row.pid = pid;
    run.row.parent = parent;
    run.row.start = run.row.end = time;
    run.row.ending = static_cast<std::uint64_t>(Ending::running);
    return runs_.size() - 1;
}

Thread* Processes::find(std::uint64_t tid, std::uint64_t time)
{
    if (const auto known = threads_.find(tid); known != threads_.end()) return &known->second;
    if (!room_.take(of_a_thread + of_a_run)) {
        ++without_room_;
        return nullptr;
    }
    return begin(tid, births_.take(tid), time);
}

void Processes::made(std::uint64_t tid, std::uint64_t time)
{
    if (early_.erase(tid) > 0) return;
    if (find(tid, time) != nullptr) early_.erase(tid);
}

// A thread of its maker's process, or a process that begins with what its maker has.
Thread* Processes::begin(std::uint64_t tid, const Births::Birth* birth, std::uint64_t time)
{
    const auto maker = birth == nullptr ? threads_.end() : threads_.find(number(birth->parent));
    Thread thread;
    if (birth != nullptr) early_.insert(tid);
    if (maker != threads_.end() && birth->thread) {
        room_.give_back(of_a_run);
        thread.process = maker->second.process;
        return &threads_.emplace(tid, std::move(thread)).first->second;
    }
    thread.process = std::make_shared<RunningProcess>();
    RunningProcess& process = *thread.process;
    process.pid = tid;
    if (maker == threads_.end()) {
        process.run = begin_run(tid, 0, time);
        if (!births_.first_folder().empty()) *process.folder = births_.first_folder();
        return &threads_.emplace(tid, std::move(thread)).first->second;
    }
    const RunningProcess& by = *maker->second.process;
    process.run = begin_run(tid, runs_[by.run].row.pid, time);
    runs_[process.run].program = runs_[by.run].program;
    runs_[process.run].command = runs_[by.run].command;
    if (birth->shares_files)
        process.descriptors = by.descriptors;
    else if (room_.take(room_of_a_descriptor * by.descriptors->size()))
        *process.descriptors = *by.descriptors;
    if (birth->shares_folder)
        process.folder = by.folder;
    else
        *process.folder = *by.folder;
    return &threads_.emplace(tid, std::move(thread)).first->second;
}

Thread* Processes::of_line(const Line& line)
{
    if (threads_.empty() && runs_.empty()) first_ = line.pid;
    // Lines on a terminal have a number only while there are several processes.
    if (line.pid != 0 && first_ == 0 && main_ == 0 && !threads_.contains(line.pid) &&
        !births_.knows(line.pid)) {
        main_ = line.pid;
        for (Run& run : runs_) {  // by its children it is known as 0 so far
            if (run.row.pid == 0)
                run.row.pid = main_;
            else if (run.row.parent == 0)
                run.row.parent = main_;
        }
    }
    Thread* const thread = find(number(line.pid), line.time);
    if (thread != nullptr) {
        Process& row = run_of(*thread).row;
        row.end = std::max(row.end, line.time);
    }
    return thread;
}

void Processes::execute(Thread& thread, std::string program, std::string command, std::uint64_t time)
{
    RunningProcess& process = *thread.process;
    if (runs_[process.run].used && room_.take(of_a_run)) {
        Process& before = runs_[process.run].row;
        before.ending = static_cast<std::uint64_t>(Ending::replaced);
        before.end = std::max(before.end, time);
        process.run = begin_run(before.pid, before.parent, time);
    }
    Run& run = runs_[process.run];
    if (room_.take(program.size() + command.size())) {
        run.program = std::move(program);
        run.command = std::move(command);
    }
}

void Processes::supersede(std::uint64_t tid, std::uint64_t by)
{
    const auto old = threads_.find(number(tid)), now = threads_.find(number(by));
    if (old == threads_.end() || now == threads_.end() || old == now) return;
    old->second = std::move(now->second);
    threads_.erase(now);
    room_.give_back(of_a_thread);
}

void Processes::end(std::uint64_t tid, const Line& line)
{
    const auto found = threads_.find(number(tid));
    if (found == threads_.end()) return;
    RunningProcess& process = *found->second.process;
    if (process.pid == number(tid)) {
        Process& row = runs_[process.run].row;
        row.ending =
            static_cast<std::uint64_t>(line.kind == LineKind::killed ? Ending::killed : Ending::exited);
        row.status = line.status;
        row.end = std::max(row.end, line.time);
    }
    room_.give_back(of_a_thread);
    if (found->second.process.use_count() == 1 && process.descriptors.use_count() == 1)
        room_.give_back(room_of_a_descriptor * process.descriptors->size());
    threads_.erase(found);
}

void Processes::end_all()
{
    threads_.clear();
}

std::uint64_t Processes::calls_under_way() const
{
    return static_cast<std::uint64_t>(std::count_if(threads_.begin(), threads_.end(), [](const auto& thread) {
        return !thread.second.unfinished.empty();
    }));
}

}  // namespace fathom::strace
