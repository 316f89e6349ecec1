// Which file a descriptor or a path of a call stands for.
#include "parsers/strace/replay.h"

namespace fathom::strace {

std::shared_ptr<Description> Replay::found(std::int64_t number, const DescriptorArgument& argument)
{
    auto one = std::make_shared<Description>();
    one->shown = argument.shown;
    const std::string path = path_shown(argument.shown);
    constexpr std::int64_t last_stream = 2;
    const bool device = path.starts_with("/dev/") && is_left_out(path);
    if (number <= last_stream && (path.empty() || device))
        one->file = &files_.stream(number);
    else if (!path.empty() && !is_left_out(path))
        one->file = &files_.of(path, number <= last_stream ? NameKind::stream : NameKind::file);
    return one;
}

Description* Replay::description(const Step& step, std::int8_t place)
{
    const DescriptorArgument argument = descriptor_of(step.call.at(static_cast<std::size_t>(place)));
    if (argument.number < 0) return nullptr;
    Descriptors& open = *step.thread.process->descriptors;
    const auto known = open.find(argument.number);
    const bool no_file = argument.shows && path_shown(argument.shown).empty();
    if (known != open.end()) {
        Description& one = *known->second;
        const bool same = !argument.shows || argument.shown == one.shown;
        const bool still = one.opened ? !no_file || one.file == nullptr : same;
        if (still) return one.file == nullptr ? nullptr : &one;
    } else if (step.call.error == "EBADF") {
        return nullptr;  // it was not open
    } else if (!argument.shows && argument.number > 2) {
        ++processes_.run_of(step.thread).row.missed;
        return nullptr;
    }
    set(step, argument.number, found(argument.number, argument));
    const auto now = open.find(argument.number);
    return now == open.end() || now->second->file == nullptr ? nullptr : now->second.get();
}

void Replay::set(const Step& step, std::int64_t number, std::shared_ptr<Description> one)
{
    Descriptors& open = *step.thread.process->descriptors;
    if (const auto known = open.find(number); known != open.end())
        known->second = std::move(one);
    else if (room_.take(room_of_a_descriptor))
        open.emplace(number, std::move(one));
}

std::string Replay::path_of(const Step& step)
{
    const auto text = text_of(step.call.at(static_cast<std::size_t>(step.row.path)));
    if (!text || text->empty()) return {};
    RunningProcess& process = *step.thread.process;
    if (step.row.folder == none) return tidy_path(*process.folder, *text);
    const DescriptorArgument folder = descriptor_of(step.call.at(static_cast<std::size_t>(step.row.folder)));
    std::string shown = path_shown(folder.shown);
    if (folder.working_folder) {
        if (!shown.empty()) *process.folder = shown;
        return tidy_path(*process.folder, *text);
    }
    if (shown.empty())
        if (const auto known = process.descriptors->find(folder.number);
            known != process.descriptors->end() && known->second->file != nullptr)
            shown = known->second->file->path;
    return tidy_path(shown.empty() ? "." : shown, *text);
}

}  // namespace fathom::strace
