// What a file has is listed once, in code(), for writing and for reading.
#include "analyzer/scan/file/scan.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <span>
#include <unistd.h>
#include <zlib.h>

#include "analyzer/document/printable.h"
#include "analyzer/scan/file/coder.h"
#include "logformat/blocks/block.h"
#include "logformat/blocks/bytes.h"
#include "logformat/log/new_file.h"

namespace fathom::scan {
namespace {

// magic 8 | version u32 | crc32 of the packed bytes u32 | raw bytes u64 | packed bytes u64 | crc32 of these
// u32
constexpr char scan_magic[8] = {'F', 'A', 'T', 'H', 'S', 'C', 'A', 'N'};
constexpr std::uint32_t scan_version = 1;
constexpr std::size_t header_bytes = 36, header_checked = 32;
constexpr std::uint64_t most_packing = 1100;  // zlib makes nothing smaller than that
constexpr int quick_packing = 1;

template <class Coder, class Number>
void number(Coder& coder, Number& value)
{
    if constexpr (!Coder::is_reading)
        coder.number(static_cast<std::uint64_t>(value));
    else {
        value = static_cast<Number>(coder.number());
    }
}

// Small in either direction is short.
template <class Coder>
void signed_number(Coder& coder, std::int64_t& value)
{
    std::uint64_t folded = zigzag(value);
    number(coder, folded);
    value = unzigzag(folded);
}

template <class Coder>
void text(Coder& coder, std::string& value)
{
    if constexpr (Coder::is_reading)
        value = coder.text();
    else
        coder.text(value);
}

template <class Coder, class Item, class Each>
void list(Coder& coder, std::vector<Item>& items, Each each)
{
    if constexpr (Coder::is_reading) {
        const std::size_t n = coder.count();
        items.clear();
        for (std::size_t at = 0; at < n; ++at) each(items.emplace_back());
    } else {
        coder.number(items.size());
        for (Item& item : items) each(item);
    }
}

template <class Coder, class Map, class EachKey, class EachValue>
void map(Coder& coder, Map& items, EachKey each_key, EachValue each_value)
{
    if constexpr (Coder::is_reading) {
        const std::size_t n = coder.count();
        items.clear();
        for (std::size_t at = 0; at < n; ++at) {
            typename Map::key_type key{};
            typename Map::mapped_type value{};
            each_key(key);
            each_value(value);
            items.insert_or_assign(std::move(key), std::move(value));
        }
    } else {
        coder.number(items.size());
        for (auto& [key, value] : items) {
            auto copy = key;
            each_key(copy);
            each_value(value);
        }
    }
}

// Rows of a table by their names, so that versions with more or fewer of them read each other's files: calls
// each(row) for those of the file that are ours, and each(nullptr) for others.
template <class Coder, class Row, class NameOf, class Each>
void rows(Coder& coder, std::span<const Row> ours, NameOf name_of, Each each)
{
    if constexpr (Coder::is_reading) {
        for (std::size_t n = coder.count(); n > 0; --n) {
            const std::string name = coder.text();
            const auto row =
                std::find_if(ours.begin(), ours.end(), [&](const Row& one) { return name_of(one) == name; });
            each(row == ours.end() ? nullptr : &*row);
        }
    } else {
        coder.number(ours.size());
        for (const Row& row : ours) {
            coder.text(name_of(row));
            each(&row);
        }
    }
}

template <class Coder>
void code(Coder& coder, Histogram& histogram)
{
    std::vector<Histogram::Cell> cells(histogram.cells().begin(), histogram.cells().end());
    list(coder, cells, [&](Histogram::Cell& cell) {
        number(coder, cell.place);
        number(coder, cell.files);
        number(coder, cell.bytes);
    });
    if constexpr (Coder::is_reading) {
        for (const Histogram::Cell& cell : cells) {
            if (cell.place > 64) throw std::out_of_range("there is no such class");
            histogram.add(cell.place, cell.files, cell.bytes);
        }
    }
}

// The columns that a file has.
struct TallyColumns {
    std::vector<const SumField*> sums;
    std::vector<const AxisRow*> histograms;
};

template <class Coder>
void code(Coder& coder, Tally& tally, const TallyColumns& columns)
{
    for (const SumField* field : columns.sums) {
        std::uint64_t unknown = 0;
        number(coder, field != nullptr ? tally.sums.*field->member : unknown);
    }
    for (const AxisRow* axis : columns.histograms) {
        Histogram unknown;
        code(coder, axis != nullptr ? tally.histograms[static_cast<std::size_t>(axis->axis)] : unknown);
    }
}

template <class Coder>
void code(Coder& coder, Troubles& troubles)
{
    for (std::uint64_t* const each : {&troubles.unreadable_folders, &troubles.unreadable_entries,
                                      &troubles.vanished, &troubles.other_mounts, &troubles.touched_folders})
        number(coder, *each);
    for (std::map<std::string, int>* const each : {&troubles.unreadable, &troubles.mounts})
        map(
            coder, *each, [&](std::string& path) { text(coder, path); },
            [&](int& error) { number(coder, error); });
}

template <class Coder>
void code(Coder& coder, LinkedFile& file)
{
    Entry& entry = file.entry;
    for (std::uint64_t* const each :
         {&entry.inode, &entry.device, &entry.size, &entry.allocated, &file.path_hash})
        number(coder, *each);
    for (std::uint32_t* const each :
         {&entry.mode, &entry.user, &entry.group, &entry.links, &file.unseen, &file.depth})
        number(coder, *each);
    signed_number(coder, entry.accessed);
    signed_number(coder, entry.modified);
    for (std::string& key : file.keys) text(coder, key);
}

template <class Coder>
void code(Coder& coder, PendingFolder& folder)
{
    number(coder, folder.root);
    number(coder, folder.shared);
    text(coder, folder.rest);
    signed_number(coder, folder.begin);
    number(coder, folder.device);
}

template <class Coder>
void code(Coder& coder, Scan& scan)
{
    list(coder, scan.asked.roots, [&](std::string& path) { text(coder, path); });
    number(coder, scan.asked.other_mounts);
    list(coder, scan.asked.projects, [&](ProjectRule& rule) {
        number(coder, rule.of);
        text(coder, rule.pattern);
        text(coder, rule.project);
    });
    number(coder, scan.has_ended);
    signed_number(coder, scan.began);
    signed_number(coder, scan.ended);
    number(coder, scan.walked);
    number(coder, scan.sittings);
    text(coder, scan.host);
    text(coder, scan.program);
    for (auto* const names : {&scan.users, &scan.groups})
        map(
            coder, *names, [&](std::uint32_t& id) { number(coder, id); },
            [&](std::string& name) { text(coder, name); });
    code(coder, scan.counts.troubles);

    TallyColumns columns;
    rows(
        coder, std::span<const SumField>(sum_fields), [](const SumField& row) { return row.name; },
        [&](const SumField* row) { columns.sums.push_back(row); });
    rows(
        coder, std::span<const AxisRow>(axes), [](const AxisRow& row) { return row.id; },
        [&](const AxisRow* row) { columns.histograms.push_back(row); });
    rows(
        coder, std::span<const Breakdown>(breakdowns), [](const Breakdown& row) { return row.id; },
        [&](const Breakdown* row) {
            Tallies unknown;
            map(
                coder, row != nullptr ? scan.counts.tallies[static_cast<std::size_t>(row->by)] : unknown,
                [&](std::string& key) { text(coder, key); },
                [&](Tally& tally) { code(coder, tally, columns); });
        });
    list(coder, scan.pending, [&](PendingFolder& folder) { code(coder, folder); });
    list(coder, scan.links, [&](LinkedFile& file) { code(coder, file); });
}

std::string whole_content(const std::string& path)
{
    std::string trouble;
    const int fd = open_regular(path, fathom::Links::followed, trouble);
    if (fd < 0) throw ScanError(fmt::format("{}: {}", report::printable(path), trouble));
    std::string content;
    char room[1 << 16];
    ssize_t n = 0;
    while ((n = ::read(fd, room, sizeof room)) > 0) content.append(room, static_cast<std::size_t>(n));
    const int why = errno;
    ::close(fd);
    if (n < 0)
        throw ScanError(fmt::format("{}: cannot be read: {}", report::printable(path), std::strerror(why)));
    return content;
}

}  // namespace

Scan read_scan(const std::string& path)
{
    const std::string content = whole_content(path);
    const auto fail = [&](std::string_view why) {
        return ScanError(fmt::format("{}: {}", report::printable(path), why));
    };
    if (content.size() < header_bytes || std::memcmp(content.data(), scan_magic, sizeof scan_magic) != 0)
        throw fail("not a scan; `fathom scan` makes one");
    const auto bytes = std::as_bytes(std::span(content));
    const std::byte* at = bytes.data() + sizeof scan_magic;
    const auto version = take<std::uint32_t>(at), packed_sum = take<std::uint32_t>(at);
    const auto raw_bytes = take<std::uint64_t>(at), packed_bytes = take<std::uint64_t>(at);
    const auto header_sum = take<std::uint32_t>(at);
    if (header_sum != checksum_of(bytes.first(header_checked))) throw fail("its beginning is damaged");
    if (version > scan_version) throw fail("made by a newer version of Fathom; read it with that one");
    const auto packed = bytes.subspan(header_bytes);
    if (packed.size() != packed_bytes) throw fail("it is cut off, or something follows it");
    if (packed_sum != checksum_of(packed) || raw_bytes > packed_bytes * most_packing)
        throw fail("it is damaged");
    std::string raw(static_cast<std::size_t>(raw_bytes), '\0');
    uLongf size = raw.size();
    if (uncompress(reinterpret_cast<Bytef*>(raw.data()), &size, reinterpret_cast<const Bytef*>(packed.data()),
                   packed.size()) != Z_OK ||
        size != raw.size())
        throw fail("it is damaged");
    Scan scan;
    try {
        Decoder decoder(raw);
        code(decoder, scan);
        if (!decoder.is_at_end()) throw std::out_of_range("something follows its end");
        for (const PendingFolder& folder : scan.pending)
            if (folder.root >= scan.asked.roots.size())
                throw std::out_of_range("it goes on in no path of its own");
    } catch (const std::out_of_range& error) {
        throw fail(fmt::format("it is damaged: {}", error.what()));
    }
    return scan;
}

std::string packed(Scan scan)
{
    Encoder encoder;
    code(encoder, scan);
    const std::string& raw = encoder.bytes();
    uLongf size = compressBound(raw.size());
    std::string content(header_bytes + size, '\0');
    compress2(reinterpret_cast<Bytef*>(content.data() + header_bytes), &size,
              reinterpret_cast<const Bytef*>(raw.data()), raw.size(), quick_packing);
    content.resize(header_bytes + size);
    const auto bytes = std::as_writable_bytes(std::span(content));
    std::memcpy(bytes.data(), scan_magic, sizeof scan_magic);
    std::byte* at = bytes.data() + sizeof scan_magic;
    put(at, scan_version);
    put(at, checksum_of(bytes.subspan(header_bytes)));
    put(at, std::uint64_t{raw.size()});
    put(at, std::uint64_t{size});
    put(at, checksum_of(bytes.first(header_checked)));
    return content;
}

}  // namespace fathom::scan
