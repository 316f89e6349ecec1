// A folder stays open while folders in it are to be opened from there, as long as there are descriptors.
#include "analyzer/scan/walk/queue.h"

#include <algorithm>

namespace fathom::scan {

void FolderQueue::add_root(Folder& root, SharedDescriptor descriptor)
{
    root.descriptor = std::move(descriptor);
    ++held_;
    root.unopened = 1;  // never let go
}

void FolderQueue::add(FolderRef folder, std::int64_t begin)
{
    if (begin != 0)
        folder->has_more = true;
    else if (folder->above() != nullptr)
        ++folder->above()->unopened;
    folders_.push_back({std::move(folder), begin});
}

void FolderQueue::add_parts(std::span<const WindowPart> parts)
{
    parts_.insert(parts_.end(), parts.rbegin(), parts.rend());
}

WindowPart FolderQueue::take_part()
{
    const WindowPart part = parts_.back();
    parts_.pop_back();
    return part;
}

void FolderQueue::let_go(Folder& folder)
{
    if (folder.unopened > 0 || folder.has_more || !folder.descriptor) return;
    folder.descriptor.reset();
    --held_;
}

WindowInWork& FolderQueue::take_folder()
{
    if (idle_.empty()) {
        windows_.push_back(std::make_unique<WindowInWork>());
        idle_.push_back(windows_.back().get());
    }
    WindowInWork& window = *idle_.back();
    idle_.pop_back();
    window.folder = std::move(folders_.back().folder);
    window.begin = folders_.back().begin;
    folders_.pop_back();
    window.is_active = true;
    ++active_;

    Folder* folder = window.folder.get();
    folder->has_more = true;
    window.descriptor = folder->descriptor;
    window.names.clear();
    if (!window.descriptor) {
        Folder* open = folder;
        for (; !open->descriptor; open = open->above()) window.names.push_back(open->name());
        std::reverse(window.names.begin(), window.names.end());
        window.base = open->descriptor;
    }
    if (window.begin == 0 && folder->above() != nullptr) {
        --folder->above()->unopened;
        let_go(*folder->above());
    }
    return window;
}

void FolderQueue::finish(WindowInWork& window, std::span<FolderRef> found)
{
    Folder& folder = *window.folder;
    folder.has_more = !window.is_last;
    folder.unopened += static_cast<std::uint32_t>(found.size());
    const bool is_needed = folder.has_more || folder.unopened > 0;
    if (is_needed && !folder.descriptor && window.descriptor && held_ < most_held_) {
        folder.descriptor = window.descriptor;
        ++held_;
    }
    let_go(folder);
    if (!window.is_last) folders_.push_back({window.folder, window.next});
    for (auto each = found.rbegin(); each != found.rend(); ++each) folders_.push_back({std::move(*each), 0});
    window.folder = {};
    window.descriptor.reset();
    window.base.reset();
    window.is_active = false;
    idle_.push_back(&window);
    --active_;
}

std::vector<PendingFolder> FolderQueue::pending() const
{
    std::vector<PendingFolder> pending;
    pending.reserve(folders_.size() + active_);
    std::vector<std::string_view> before;
    std::uint32_t root_before = 0;
    const auto add_one = [&](const Folder& folder, std::int64_t begin) {
        std::vector<std::string_view> names = folder.names();
        if (folder.root() != root_before) before.clear();
        const auto shared = static_cast<std::size_t>(
            std::mismatch(names.begin(), names.end(), before.begin(), before.end()).first - names.begin());
        PendingFolder one{folder.root(), static_cast<std::uint32_t>(shared), {}, begin, folder.device};
        for (std::size_t at = shared; at < names.size(); ++at) {
            if (at > shared) one.rest += '/';
            one.rest += names[at];
        }
        pending.push_back(std::move(one));
        before = std::move(names);
        root_before = folder.root();
    };
    for (const Waiting& one : folders_) add_one(*one.folder, one.begin);
    for (const auto& window : windows_)
        if (window->is_active) add_one(*window->folder, window->begin);
    return pending;
}

void FolderQueue::add_pending(std::span<const PendingFolder> pending, std::span<const FolderRef> roots)
{
    std::vector<FolderRef> chain;  // from the root to the folder before
    for (const PendingFolder& one : pending) {
        if (chain.empty() || chain.front()->root() != one.root) chain = {roots[one.root]};
        chain.resize(std::min<std::size_t>(one.shared + 1, chain.size()));
        std::string_view rest = one.rest;
        while (!rest.empty()) {
            const std::string_view name = rest.substr(0, rest.find('/'));
            rest.remove_prefix(std::min(name.size() + 1, rest.size()));
            chain.emplace_back(new Folder(chain.back(), name, one.device));
        }
        add(chain.back(), one.begin);
    }
}

}  // namespace fathom::scan
