// Bins of all ranks put together, as lines of differences that zlib packs well.
#include "analyzer/jobs/entry/bins.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <fmt/format.h>
#include <libdeflate.h>
#include <memory>
#include <sodium.h>
#include <stdexcept>
#include <zlib.h>

#include "analyzer/job/figures.h"
#include "analyzer/job/slices.h"

namespace fathom::jobs {
namespace {

// What one rank moved in one bin, and how long it was in reads, and in writes and syncs.
struct Share {
    std::uint64_t bin = 0, rank = 0, read = 0, written = 0, read_time = 0, write_time = 0;
};

std::vector<Share> shares_of(const fathom::Job& job)
{
    std::vector<Share> shares;
    const std::array beneath = {mpiio_unseen_beneath(job, Direction::read),
                                mpiio_unseen_beneath(job, Direction::write)};
    each_rank_slice(job, [&](const Slice& slice, std::size_t rank) {
        const bool mpiio = static_cast<fathom::Layer>(slice.layer) == fathom::Layer::mpiio;
        Share share{.bin = slice.start, .rank = rank};
        if (!mpiio || beneath[0]) {
            share.read = slice.bytes_read;
            share.read_time = slice.read_time;
        }
        if (!mpiio || beneath[1]) {
            share.written = slice.bytes_written;
            share.write_time = slice.write_time;
        }
        if (share.read + share.written + share.read_time + share.write_time > 0) shares.push_back(share);
    });
    return shares;
}

// So many bytes at most are unpacked: a thousand lines of five numbers have fewer.
constexpr std::size_t most_unpacked = most_bins * 5 * 21;

}  // namespace

Bins bins_of(const fathom::Job& job)
{
    std::vector<Share> shares = shares_of(job);
    if (shares.empty()) return {};
    Bins all;
    each_rank_slice(
        job, [&](const Slice& slice, std::size_t) { all.length = std::max(all.length, slice.length); });
    if (all.length == 0) return {};
    std::uint64_t first = ~std::uint64_t{0}, last = 0;
    for (const Share& share : shares) {
        first = std::min(first, share.bin);
        last = std::max(last, share.bin);
    }
    while (last / all.length - first / all.length >= most_bins) all.length *= 2;
    for (Share& share : shares) share.bin /= all.length;
    std::sort(shares.begin(), shares.end(), [](const Share& a, const Share& b) {
        return std::pair(a.bin, a.rank) < std::pair(b.bin, b.rank);
    });
    // The shares of a rank in a bin are one for the number of those that read or wrote.
    for (std::size_t at = 0; at < shares.size();) {
        Share sum = shares[at];
        while (++at < shares.size() && shares[at].bin == sum.bin && shares[at].rank == sum.rank) {
            sum.read += shares[at].read;
            sum.written += shares[at].written;
            sum.read_time += shares[at].read_time;
            sum.write_time += shares[at].write_time;
        }
        if (all.bins.empty() || all.bins.back().number != sum.bin) all.bins.push_back({.number = sum.bin});
        Bin& bin = all.bins.back();
        bin.bytes_read += sum.read;
        bin.bytes_written += sum.written;
        bin.readers += sum.read + sum.read_time > 0;
        bin.writers += sum.written + sum.write_time > 0;
    }
    return all;
}

std::string pack(std::span<const Bin> bins)
{
    if (bins.empty()) return {};
    std::string lines;
    std::uint64_t before = 0;
    for (const Bin& bin : bins) {
        lines += fmt::format("{} {} {} {} {}\n", bin.number - before, bin.bytes_read, bin.bytes_written,
                             bin.readers, bin.writers);
        before = bin.number;
    }
    uLongf size = compressBound(lines.size());
    std::string packed(size, '\0');
    compress2(reinterpret_cast<Bytef*>(packed.data()), &size, reinterpret_cast<const Bytef*>(lines.data()),
              lines.size(), Z_BEST_SPEED);
    std::string text(sodium_base64_encoded_len(size, sodium_base64_VARIANT_ORIGINAL), '\0');
    sodium_bin2base64(text.data(), text.size(), reinterpret_cast<const unsigned char*>(packed.data()), size,
                      sodium_base64_VARIANT_ORIGINAL);
    text.pop_back();  // the zero byte at its end
    return text;
}

std::vector<Bin> unpack(std::string_view packed)
{
    if (packed.empty()) return {};
    const auto damaged = [] { return std::runtime_error("the time bins of a job are damaged"); };
    // Nothing is written into them before what is in it.
    const auto bytes = std::make_unique_for_overwrite<unsigned char[]>(packed.size());
    const auto lines = std::make_unique_for_overwrite<char[]>(most_unpacked);
    std::size_t size = 0;
    if (sodium_base642bin(bytes.get(), packed.size(), packed.data(), packed.size(), nullptr, &size, nullptr,
                          sodium_base64_VARIANT_ORIGINAL) != 0)
        throw damaged();
    // Unpacks a small stream in a third of zlib's time.
    thread_local const std::unique_ptr<libdeflate_decompressor, decltype(&libdeflate_free_decompressor)> tool(
        libdeflate_alloc_decompressor(), libdeflate_free_decompressor);
    std::size_t length = 0;
    if (!tool || libdeflate_zlib_decompress(tool.get(), bytes.get(), size, lines.get(), most_unpacked,
                                            &length) != LIBDEFLATE_SUCCESS)
        throw damaged();
    std::vector<Bin> bins;
    const char* at = lines.get();
    const char* const end = at + length;
    std::uint64_t before = 0;
    while (at < end) {
        Bin bin;
        for (std::uint64_t* const number :
             {&bin.number, &bin.bytes_read, &bin.bytes_written, &bin.readers, &bin.writers}) {
            const auto [next, error] = std::from_chars(at, end, *number);
            if (error != std::errc() || next == end) throw damaged();
            at = next + 1;
        }
        before = bin.number += before;
        bins.push_back(bin);
    }
    return bins;
}

}  // namespace fathom::jobs
