// One of many locks for each file.
#include "analyzer/scan/count/links.h"

#include <tuple>

namespace fathom::scan {

std::optional<LinkedFile> Links::add(LinkedFile&& named)
{
    Shelf& shelf = shelf_of(named.entry);
    const std::lock_guard lock(shelf.mutex);
    const LinkId id{named.entry.device, named.entry.inode};
    const auto [place, is_new] = shelf.files.try_emplace(id);
    LinkedFile& file = place->second;
    if (is_new) {
        file = std::move(named);
        file.unseen = file.entry.links;
    } else if (std::tie(named.depth, named.path_hash) < std::tie(file.depth, file.path_hash)) {
        named.unseen = file.unseen;
        file = std::move(named);
    }
    if (--file.unseen > 0) return {};
    std::optional<LinkedFile> whole(std::move(file));
    shelf.files.erase(place);
    return whole;
}

void Links::each(const std::function<void(const LinkedFile&)>& visit) const
{
    for (const Shelf& shelf : shelves_)
        for (const auto& [id, file] : shelf.files) visit(file);
}

void Links::put_back(LinkedFile&& file)
{
    const LinkId id{file.entry.device, file.entry.inode};
    shelf_of(file.entry).files.insert_or_assign(id, std::move(file));
}

void Links::clear()
{
    for (Shelf& shelf : shelves_) shelf.files.clear();
}

std::size_t Links::size() const
{
    std::size_t all = 0;
    for (const Shelf& shelf : shelves_) all += shelf.files.size();
    return all;
}

}  // namespace fathom::scan
