// Writes the first corpus for read_darshan: `make_darshan_corpus FOLDER`. Logs of our writer, as they are and
// with nothing packed.
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "parsers/darshan/header.h"
#include "parsers/darshan/region_reader.h"
#include "tests/parsers/small_darshan_logs.h"

namespace {

using namespace fathom;

std::vector<char> content_of(const std::string& path)
{
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

// The same log with its regions unpacked, one after the other, and a header that says so.
std::vector<char> unpacked(const std::string& path)
{
    constexpr std::size_t compression_at = 16, names_at = 32, modules_at = 48, region_bytes = 16;
    const darshan::Source source(path);
    const darshan::Header header = darshan::read_header(source);
    std::vector<char> log = content_of(path);
    log.resize(header.bytes);
    log[compression_at] = static_cast<char>(darshan::Compression::none);
    const auto append = [&](const darshan::Region& region) {
        darshan::RegionReader reader(source, region, header.compression);
        const darshan::Region place{log.size(), 0};
        const auto bytes = reader.take(std::size_t{1} << 30);
        const auto* const text = reinterpret_cast<const char*>(bytes.data());
        log.insert(log.end(), text, text + bytes.size());
        return darshan::Region{place.offset, bytes.size()};
    };
    const auto put = [&](std::size_t at, const darshan::Region& region) {
        std::memcpy(log.data() + at, &region.offset, 8);
        std::memcpy(log.data() + at + 8, &region.length, 8);
    };
    append(header.job);
    put(names_at, append(header.names));
    for (const darshan::ModuleRegion& module : header.modules)
        put(modules_at + module.slot * region_bytes, append(module.region));
    return log;
}

}  // namespace

int main(int argc, char** argv)
{
    if (argc != 2) {
        std::fputs("usage: make_darshan_corpus FOLDER\n", stderr);
        return 2;
    }
    const std::filesystem::path folder = argv[1];
    std::filesystem::create_directories(folder);
    const auto put = [&](const std::filesystem::path& name, char kind, const std::vector<char>& log) {
        std::ofstream(folder / name, std::ios::binary)
            .put(kind)
            .write(log.data(), static_cast<std::streamsize>(log.size()));
    };
    for (const std::filesystem::path path : testing::write_small_darshan_logs(folder)) {
        put(path.stem().string() + ".file", 'F', content_of(path));
        put(path.stem().string() + ".unpacked", 'U', unpacked(path));
        std::filesystem::remove(path);
    }
    return 0;
}
