// Folders are counted by those who need them; a chain of any length goes without recursion.
#include "analyzer/scan/walk/folder.h"

namespace fathom::scan {

FolderRef::FolderRef(Folder* folder) : folder_(folder)
{
    if (folder_ != nullptr) folder_->references_.fetch_add(1, std::memory_order_relaxed);
}

FolderRef::FolderRef(const FolderRef& other) : FolderRef(other.folder_) {}

FolderRef::~FolderRef()
{
    Folder* folder = folder_;
    while (folder != nullptr && folder->references_.fetch_sub(1, std::memory_order_acq_rel) == 1) {
        Folder* const above = std::exchange(folder->above_.folder_, nullptr);
        delete folder;
        folder = above;
    }
}

Folder::Folder(FolderRef above, std::string_view name, std::uint64_t its_device)
    : device(its_device),
      above_(std::move(above)),
      name_(name),
      root_(above_->root_),
      depth_(above_->depth_ + 1)
{}

std::vector<std::string_view> Folder::names() const
{
    std::vector<std::string_view> names(depth_);
    const Folder* folder = this;
    for (auto name = names.rbegin(); name != names.rend(); ++name, folder = folder->above())
        *name = folder->name_;
    return names;
}

std::string Folder::path() const
{
    const Folder* root = this;
    std::size_t length = 0;
    for (; root->above() != nullptr; root = root->above()) length += root->name_.size() + 1;
    std::string path = root->name_;
    path.reserve(path.size() + length + 1);
    for (const std::string_view name : names()) {
        if (path.empty() || path.back() != '/') path += '/';
        path += name;
    }
    return path;
}

const Folder* Folder::top() const
{
    if (depth_ == 0) return nullptr;
    const Folder* folder = this;
    while (folder->depth_ > 1) folder = folder->above();
    return folder;
}

}  // namespace fathom::scan
