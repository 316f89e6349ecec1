// Hues by the golden section, which never come back.
#include "analyzer/document/drawing/plot_colours.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <set>
#include <string_view>

namespace fathom::report {

std::vector<std::size_t> colours_of(const Plot& plot)
{
    std::set<std::size_t> asked_for, taken;
    for (const PlotSeries& one : plot.series) asked_for.insert(one.colour);
    std::map<std::string_view, std::size_t> of_name;
    std::map<std::size_t, std::size_t> of_number;  // what those that asked for it last have got
    std::vector<std::size_t> colours;
    for (const PlotSeries& one : plot.series) {
        std::size_t colour = one.colour;
        if (one.name.empty()) {
            if (const auto last = of_number.find(colour); last != of_number.end()) colour = last->second;
        } else if (const auto known = of_name.find(one.name); known != of_name.end()) {
            colour = known->second;
        } else if (taken.contains(colour)) {
            for (colour = 0; taken.contains(colour) || asked_for.contains(colour);) ++colour;
        }
        if (!one.name.empty()) {
            taken.insert(colour);
            of_name.try_emplace(one.name, colour);
            of_number[one.colour] = colour;
        }
        colours.push_back(colour);
    }
    return colours;
}

Colour class_colour(const Palette& palette, std::size_t number)
{
    constexpr std::size_t given = std::size(Palette{}.classes);
    if (number < given) return palette.classes[number];
    constexpr double golden = 0.618033988749895;
    const double hue = std::fmod(static_cast<double>(number - given) * golden, 1.0);
    const double lightness = palette.ink.red < 0.5 ? 0.42 : 0.72;
    const auto part = [&](double shift) {
        const double place = std::fabs(std::fmod(hue + shift, 1.0) * 6 - 3) - 1;
        return lightness + 0.28 * (2 * std::clamp(place, 0.0, 1.0) - 1);
    };
    return {part(0), part(2.0 / 3), part(1.0 / 3)};
}

}  // namespace fathom::report
