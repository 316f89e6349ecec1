// Writes the first corpus for read_log: `make_corpus FOLDER`. Logs of our writer, as files and as payloads to
// be sealed.
#include <cstdio>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>

#include "tests/logformat/craft.h"
#include "tests/logformat/sample.h"

namespace {

using namespace fathom;

// A log's blocks in the form that read_log.cpp seals.
std::vector<std::byte> payloads_of(const std::vector<std::byte>& file)
{
    Bytes all;
    all.append_byte('P');
    for (std::size_t at = file_header_bytes; at < file.size();) {
        BlockHeader header;
        if (!read_block_header(std::span(file).subspan(at), header)) break;
        std::vector<std::byte> raw(header.raw);
        uLongf length = raw.size();
        if (header.kind != BlockKind::end)
            uncompress(reinterpret_cast<Bytef*>(raw.data()), &length,
                       reinterpret_cast<const Bytef*>(file.data() + at + block_header_bytes), header.packed);
        all.append_byte(static_cast<std::uint8_t>(header.kind));
        all.append_byte(static_cast<std::uint8_t>(header.table));
        for (const std::uint64_t number : {header.rows, header.raw}) {
            all.append_byte(static_cast<std::uint8_t>(number));
            all.append_byte(static_cast<std::uint8_t>(number >> 8));
        }
        all.append(raw);
        at += block_header_bytes + header.packed;
    }
    return {all.view().begin(), all.view().end()};
}

// One table with a few rows, all equal or all different, and the others empty.
template <class Row>
Log log_of(bool equal)
{
    Log log;
    for (std::uint64_t row = 0; row < 3; ++row)
        log.rows<Row>().push_back(sample::distinct_row<Row>(equal ? 1 : row, log));
    return log;
}

}  // namespace

int main(int argc, char** argv)
{
    if (argc != 2) {
        std::fputs("usage: make_corpus FOLDER\n", stderr);
        return 2;
    }
    const std::filesystem::path folder = argv[1];
    std::filesystem::create_directories(folder);
    const auto put_file = [&](const std::string& name, const std::vector<std::byte>& bytes) {
        std::ofstream(folder / name, std::ios::binary)
            .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    };
    const auto put_log = [&](const std::string& name, const Log& log) {
        const std::vector<std::byte> file = sample::encode(log);
        put_file(name + ".file", file);
        put_file(name + ".payloads", payloads_of(file));
    };
    put_log("empty", Log{});
    put_log("small", sample::small_log());
    sample::each_row_type([&](auto type, std::string_view name) {
        for (const bool equal : {false, true})
            put_log(fmt::format("{}-{}", name, equal ? "equal" : "distinct"), log_of<decltype(type)>(equal));
    });
    return 0;
}
