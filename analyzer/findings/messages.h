// Small messages through pipes and the like: what those by name and those between a program's own processes
// have in common.
#pragma once

#include <cstdint>
#include <string_view>

#include "analyzer/findings/rules.h"
#include "analyzer/findings/scene.h"

namespace fathom {

// So many cost some 10 ms; a pipe takes a page and more as it is.
inline constexpr std::uint64_t few_messages = 10000;
inline constexpr double small_message = 4096;
// ns that a read takes at most where it does not wait for the writer.
inline constexpr double longest_read = 2000;

// What the recorder calls all pipes that a process made, or was given, above its standard streams.
inline constexpr std::string_view pipes = "<pipe>";

// ns that half of such calls took at most.
inline double usual_time(const ClassBins& bins, Layer layer, Direction direction, std::size_t size_class)
{
    const Kind kind = direction == Direction::read ? Kind::read : Kind::write;
    const auto found =
        bins.find({static_cast<std::uint64_t>(layer), 1, static_cast<std::uint64_t>(kind), size_class});
    return found == bins.end()
               ? 0
               : static_cast<double>(quantile(found->second, ~std::uint64_t{0}, 500).value_or(0));
}

// Messages between a program's own processes (pipe_messages.cpp).
MaybeFinding messages_in_pipes(const Scene& scene);

}  // namespace fathom
