// Brings files into a state, looks whether they are in it, and tries again.
#include "analyzer/timing/measure/files.h"

#include <unistd.h>

#include "analyzer/timing/measure/page_cache.h"

namespace fathom::measure {
namespace {

constexpr std::uint64_t granule = 4096;
constexpr int attempts = 3;
constexpr double all_pages = 0.9999, no_pages = 0.0001;

}  // namespace

std::uint64_t share_of_thread(std::uint64_t bytes, unsigned threads)
{
    return bytes / threads / granule * granule;
}

Files::Files(const std::string& folder, unsigned count, std::uint64_t bytes, std::uint64_t seed,
             const std::atomic<bool>& stop, const std::function<void(std::uint64_t)>& made)
    : bytes_each_(share_of_thread(bytes, count))
{
    for (unsigned at = 0; at < count; ++at) {
        files_.push_back(unnamed_file(folder));
        fill(files_.back(), folder, bytes_each_, seed + at, stop, made);
    }
    alignment_ = direct_alignment(files_.front());
}

std::optional<double> Files::resident() const
{
    double sum = 0;
    for (const Descriptor& file : files_) {
        const auto one = resident_share(file.number(), bytes_each_);
        if (!one) return std::nullopt;
        sum += *one;
    }
    return sum / static_cast<double>(files_.size());
}

void Files::read_all(const std::atomic<bool>& stop) const
{
    prepare(false, true);
    for (const Descriptor& file : files_) read_into_cache(file.number(), bytes_each_, stop);
}

void Files::take_into_cache(const std::atomic<bool>& stop) const
{
    prepare(false, true);
    for (int attempt = 0; attempt < attempts && !stop; ++attempt) {
        // Where the kernel does not say, reading once has to do.
        if (const auto there = resident(); there && *there >= all_pages) return;
        read_all(stop);
    }
}

void Files::take_out_of_cache(bool of_machine) const
{
    prepare(false, true);
    for (int attempt = 0; attempt < attempts; ++attempt) {
        for (const Descriptor& file : files_) drop_from_cache(file.number());
        if (const auto there = resident(); there && *there <= no_pages) return;
    }
    if (of_machine) drop_caches_of_machine();
}

void Files::settle() const
{
    for (const Descriptor& file : files_) fdatasync(file.number());
}

void Files::prepare(bool bypass, bool ahead) const
{
    for (const Descriptor& file : files_) {
        bypass_cache(file, bypass);
        read_ahead(file, ahead);
    }
}

}  // namespace fathom::measure
