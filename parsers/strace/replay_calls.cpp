// What each kind of call does to descriptors and files, and which operations follow from it.
#include <algorithm>

#include "parsers/strace/replay.h"

namespace fathom::strace {
namespace {

bool has(std::string_view text, std::string_view word)
{
    return text.find(word) != std::string_view::npos;
}

// What is said of a file in a call's argument: {st_mode=S_IFDIR|0755, ...}
void settle_kind(File& file, std::string_view told)
{
    if (file.kind != NameKind::file) return;
    if (has(told, "S_IFDIR|")) file.kind = NameKind::directory;
    for (const std::string_view device : {"S_IFCHR|", "S_IFBLK|", "S_IFIFO|", "S_IFSOCK|"})
        if (!file.used && has(told, device)) file.kind = NameKind::device;
}

std::uint64_t count_of(std::int64_t result)
{
    return result > 0 ? static_cast<std::uint64_t>(result) : 0;
}

}  // namespace

void Replay::tell(const Step& step, Kind kind, File& file, Operation operation)
{
    if (operation.end == 0) {
        operation.start = step.start;
        operation.end = step.end;
    }
    file.used = true;
    Run& run = processes_.run_of(step.thread);
    run.used = true;
    if (step.thread.counted_in != step.thread.process->run) {
        step.thread.counted_in = step.thread.process->run;
        ++run.row.threads;
    }
    ++run.row.traced;
    operation.kind = kind;
    operation.file = &file;
    operation.process = run.row.process;
    operation.tid = step.tid;
    if (!sink_.take(operation)) going_ = false;
}

void Replay::tell_metadata(const Step& step, File& file, std::uint64_t PosixCounters::*counter)
{
    if (step.call.failed()) return tell(step, Kind::failed, file);
    Operation operation;
    operation.counter = counter;
    tell(step, kind_of(counter), file, operation);
}

void Replay::tell_unopened(const Step& step, const std::string& path)
{
    if (is_left_out(path)) return;
    if (step.call.error == "ENOENT") files_.note_missing(path);
    tell(step, Kind::failed, files_.unopened());
}

void Replay::open(const Step& step)
{
    const Call& call = step.call;
    const std::string_view flags = step.row.flags == none ? "O_WRONLY|O_CREAT|O_TRUNC"
                                                          : call.at(static_cast<std::size_t>(step.row.flags));
    std::string path = path_of(step);
    if (call.failed()) return path.empty() ? void() : tell_unopened(step, path);
    if (has(flags, "O_TMPFILE") || path.empty()) path = path_shown(call.shown);
    auto one = std::make_shared<Description>();
    one->opened = one->position_known = true;
    one->appends = has(flags, "O_APPEND");
    if (!path.empty() && !is_left_out(path)) {
        File& file = files_.of(path, NameKind::file);
        if (has(flags, "O_DIRECTORY") && file.kind == NameKind::file) file.kind = NameKind::directory;
        one->file = &file;
        const bool was_missing = files_.take_missing(path);
        Operation operation;
        operation.created = !has(flags, "O_PATH") && file.kind == NameKind::file &&
                            ((has(flags, "O_CREAT") && (has(flags, "O_EXCL") || was_missing)) ||
                             (has(flags, "O_TRUNC") && !has(flags, "O_RDONLY")));
        if (operation.created) {
            file.size = 0;
            file.size_known = true;
        }
        tell(step, Kind::open, file, operation);
    }
    set(step, call.result, std::move(one));
}

void Replay::transfer(const Step& step, std::int8_t descriptor_at, std::int8_t offset_at, bool write,
                      std::uint64_t start, std::uint64_t end)
{
    Description* const one = description(step, descriptor_at);
    if (one == nullptr) return;
    File& file = *one->file;
    Operation operation;
    operation.start = start;
    operation.end = end;
    if (step.call.failed())
        return tell(step, write ? Kind::failed_write : Kind::failed_read, file, operation);
    operation.size = count_of(step.call.result);
    const auto given =
        offset_at == none ? std::nullopt : number_of(step.call.at(static_cast<std::size_t>(offset_at)));
    const bool at_position = !given || *given < 0;
    operation.has_place = !file.streams();
    operation.place_known = at_position ? one->position_known : true;
    operation.offset = at_position ? one->position : static_cast<std::uint64_t>(*given);
    if (write && one->appends && at_position && file.size_known) {
        operation.offset = file.size;
        operation.place_known = true;
    } else if (write && one->appends && at_position && one->opened) {
        operation.place_known = false;  // behind what it held before
    }
    const std::uint64_t behind = operation.offset + operation.size;
    if (at_position) one->position = behind;
    if (write && operation.place_known) file.size = std::max(file.size, behind);
    tell(step, write ? Kind::write : Kind::read, file, operation);
}

void Replay::on_path(const Step& step)
{
    const Call& call = step.call;
    const auto text = text_of(call.at(static_cast<std::size_t>(step.row.path)));
    const auto told = step.row.other == none ? "" : call.at(static_cast<std::size_t>(step.row.other));
    if (text && text->empty() && step.row.folder != none) {
        CallRow row = step.row;
        row.descriptor = step.row.folder;
        return on_descriptor({step.thread, row, call, step.tid, step.start, step.end}, step.row.counter);
    }
    const std::string path = path_of(step);
    if (path.empty()) return;
    if (call.failed()) return tell_unopened(step, path);
    if (is_left_out(path)) return;
    auto counter = step.row.counter;
    if (step.row.flags != none && has(call.at(static_cast<std::size_t>(step.row.flags)), "AT_REMOVEDIR"))
        counter = &PosixCounters::directory_changes;
    File& file = files_.of(path, NameKind::file);
    settle_kind(file, told);
    if (counter == &PosixCounters::directory_changes && file.kind == NameKind::file)
        file.kind = NameKind::directory;
    if (counter == &PosixCounters::unlinks || counter == &PosixCounters::renames) files_.note_missing(path);
    tell_metadata(step, file, counter);
}

void Replay::on_descriptor(const Step& step, std::uint64_t PosixCounters::*counter)
{
    Description* const one = description(step, step.row.descriptor);
    if (one == nullptr) return;
    File& file = *one->file;
    if (step.row.other != none && counter == &PosixCounters::stats)
        settle_kind(file, step.call.at(static_cast<std::size_t>(step.row.other)));
    if (counter == &PosixCounters::directory_reads && file.kind == NameKind::file)
        file.kind = NameKind::directory;
    tell_metadata(step, file, counter);
}

void Replay::duplicate(const Step& step)
{
    Description* const one = description(step, step.row.descriptor);
    if (one != nullptr) tell_metadata(step, *one->file, &PosixCounters::dups);
    if (step.call.failed()) return;
    Descriptors& open = *step.thread.process->descriptors;
    const auto from =
        open.find(descriptor_of(step.call.at(static_cast<std::size_t>(step.row.descriptor))).number);
    if (from == open.end() || from->first == step.call.result) return;
    // A pipe that becomes a standard stream is counted under that name.
    if (from->second->file == nullptr && step.call.result <= 2)
        open.erase(step.call.result);
    else
        set(step, step.call.result, from->second);
}

void Replay::control(const Step& step)
{
    const std::string_view command = step.call.at(static_cast<std::size_t>(step.row.other));
    if (command.starts_with("F_DUPFD")) return duplicate(step);
    if (command.ends_with("LK") || command.ends_with("LKW") || command.ends_with("LK64") ||
        command.ends_with("LKW64"))
        return on_descriptor(step, &PosixCounters::locks);
    if (command != "F_SETFL" || step.call.failed()) return;
    if (Description* const one = description(step, step.row.descriptor))
        one->appends = has(step.call.at(static_cast<std::size_t>(step.row.other) + 1), "O_APPEND");
}

void Replay::close(const Step& step)
{
    const std::int64_t number = descriptor_of(step.call.at(0)).number;
    if (Description* const one = description(step, step.row.descriptor))
        tell(step, step.call.failed() ? Kind::failed : Kind::close, *one->file);
    if (!step.call.failed() && step.thread.process->descriptors->erase(number) > 0)
        room_.give_back(room_of_a_descriptor);
}

// Descriptors of no files: the result, or those in a list: [3<pipe:[17]>, 4<pipe:[17]>].
void Replay::make(const Step& step, std::string_view list)
{
    if (step.call.failed()) return;
    if (list.empty()) return set(step, step.call.result, std::make_shared<Description>());
    for (std::size_t at = 0; at < list.size(); at = list.find(", ", at + 1)) {
        const DescriptorArgument one = descriptor_of(list.substr(at + (at == 0 ? 1 : 2)));
        if (one.number >= 0) set(step, one.number, std::make_shared<Description>());
    }
}

void Replay::execute(const Step& step)
{
    if (step.call.failed()) return;
    processes_.execute(step.thread, path_of(step),
                       texts_of(step.call.at(static_cast<std::size_t>(step.row.other))), step.end);
}

void Replay::act(const Step& step)
{
    const CallRow& row = step.row;
    const bool failed = step.call.failed();
    switch (row.action) {
        case Action::open:
            return open(step);
        case Action::close:
            return close(step);
        case Action::read:
        case Action::write:
            return transfer(step, row.descriptor, row.offset, row.action == Action::write, step.start,
                            step.end);
        case Action::copy: {
            // Half of the time each, as the recorder has it.
            const std::uint64_t middle = step.start + (step.end - step.start) / 2;
            transfer(step, row.descriptor, row.offset, false, step.start, middle);
            return transfer(step, row.other, row.other_offset, true, middle, step.end);
        }
        case Action::sync:
            if (Description* const one = description(step, row.descriptor))
                tell(step, failed ? Kind::failed_write : Kind::sync, *one->file);
            return;
        case Action::seek:
            if (Description* const one = description(step, row.descriptor)) {
                if (!failed) one->position = count_of(step.call.result);
                if (!failed) one->position_known = true;
                Operation operation;
                operation.counter = &PosixCounters::seeks;
                operation.offset = one->position;
                operation.place_known = true;
                tell(step, failed ? Kind::failed : Kind::seek, *one->file, operation);
            }
            return;
        case Action::on_descriptor:
            return on_descriptor(step, row.counter);
        case Action::on_path:
            return on_path(step);
        case Action::duplicate:
            return duplicate(step);
        case Action::control:
            return control(step);
        case Action::map:
            return on_descriptor(step, &PosixCounters::maps);
        case Action::make:
            return make(step, {});
        case Action::make_pair:
            return make(step, step.call.at(static_cast<std::size_t>(row.other)));
        case Action::make_node:
            if (const std::string path = path_of(step); !failed && !path.empty() && !is_left_out(path))
                settle_kind(files_.of(path), step.call.at(static_cast<std::size_t>(row.other)));
            return;
        case Action::unseen:
            ++processes_.run_of(step.thread).row.missed;
            return;
        case Action::chdir:
            if (const std::string path = path_of(step); !failed && !path.empty())
                *step.thread.process->folder = path;
            return;
        case Action::fchdir:
            if (const std::string path = path_shown(descriptor_of(step.call.at(0)).shown);
                !failed && !path.empty())
                *step.thread.process->folder = path;
            return;
        case Action::folder_told:
            if (const auto path = text_of(step.call.at(0)); !failed && path && path->starts_with('/'))
                *step.thread.process->folder = *path;
            return;
        case Action::fork:
            if (step.call.result > 0) processes_.made(count_of(step.call.result), step.start);
            return;
        case Action::execute:
            return execute(step);
        case Action::close_range:
            return;
    }
}

}  // namespace fathom::strace
