// The names of files and objects by id.
#include <cstring>
#include <fmt/format.h>

#include "parsers/darshan/job.h"
#include "parsers/darshan/region_reader.h"
#include "parsers/darshan/words.h"

namespace fathom::darshan {
namespace {

// Most logs need a small block; later ones are larger.
constexpr std::size_t first_block = 4 * 1024, block_bytes = 64 * 1024, longest_name = 1024 * 1024;

}  // namespace

void Names::add(std::uint64_t id, std::string_view name)
{
    const auto [found, fresh] = names_.try_emplace(id);
    if (!found->second.empty() || name.empty()) return;
    if (blocks_.empty() || used_ + name.size() > room_) {
        room_ = std::max(blocks_.empty() ? first_block : block_bytes, name.size());
        blocks_.push_back(std::make_unique_for_overwrite<char[]>(room_));
        used_ = 0;
    }
    char* const to = blocks_.back().get() + used_;
    std::memcpy(to, name.data(), name.size());
    used_ += name.size();
    found->second = {to, name.size()};
}

Problem Names::read(const Source& source, const Header& header)
{
    if (header.names.length == 0) return {};
    RegionReader reader(source, header.names, header.compression);
    const auto problem = [&](std::string_view what) {
        return fmt::format("the names of the files, after {} of them: {}", names_.size(), what);
    };
    const auto ended = [&] {
        const Problem trouble = reader.problem();
        return problem(trouble.empty() ? "they end in the middle of one" : trouble);
    };
    std::string name;
    for (;;) {
        const auto head = reader.take(8);
        if (head.size() < 8) return head.empty() && reader.problem().empty() ? Problem() : ended();
        const auto id = load_number<std::uint64_t>(head.data(), header.swapped);
        if (header.sized_names) {
            const auto size = reader.take(4);
            if (size.size() < 4) return ended();
            const auto bytes = load_number<std::uint32_t>(size.data(), header.swapped);
            if (bytes > longest_name) return problem(fmt::format("one of {} bytes is none", bytes));
            const auto text = reader.take(bytes);
            if (text.size() < bytes) return ended();
            name.assign(reinterpret_cast<const char*>(text.data()), text.size());
            name.resize(std::strlen(name.c_str()));
        } else if (const auto text = reader.take_text(longest_name)) {
            name = *text;
        } else {
            return reader.problem().empty() ? problem("one of them does not end") : ended();
        }
        add(id, name);
    }
}

}  // namespace fathom::darshan
