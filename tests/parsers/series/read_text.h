// Tables of texts, read as files of the name given would be.
#pragma once

#include <catch2/catch.hpp>
#include <string>
#include <string_view>

#include "logformat/log/log.h"
#include "parsers/series/clock.h"
#include "parsers/series/source.h"

namespace fathom::series::testing {

struct Given {
    std::string path = "file";
    Nanoseconds file_time = 0;
    std::string zone = "UTC", host = {}, system = {};
    Window window = {};
};

// The source must be known by its first bytes; one that is of no use as a whole is the problem "all: …".
inline Table table_of(std::string_view text, const Given& given = {})
{
    const ZoneInUse zone(given.zone);
    Table table;
    Builder builder(table, given.window);
    const Source* const source = source_of(given.path, text.substr(0, first_bytes_shown));
    REQUIRE(source != nullptr);
    builder.begin_file(given.path);
    try {
        source->read({given.path, text, given.file_time, given.host, given.system, {}}, builder);
    } catch (const LogError& error) {
        builder.problem(std::string("all: ") + error.what());
    }
    builder.finish();
    return table;
}

inline std::string source_name(std::string_view text, const std::string& path = "file")
{
    const Source* const source = source_of(path, text.substr(0, first_bytes_shown));
    return source == nullptr ? std::string() : std::string(source->name);
}

inline std::vector<Sample> samples_of(const Table& table, std::string_view component,
                                      std::string_view quantity)
{
    for (const Series& series : table.series)
        if (table.components[series.component].name == component && series.quantity == quantity)
            return series.samples;
    return {};
}

inline const Component& component_named(const Table& table, std::string_view name)
{
    for (const Component& component : table.components)
        if (component.name == name) return component;
    static const Component none;
    return none;
}

inline bool says(const Table& table, const std::string& words)
{
    for (const std::string& problem : table.problems)
        if (problem.find(words) != std::string::npos) return true;
    return false;
}

inline Nanoseconds at(const char* text)
{
    Table table;
    Builder builder(table);
    LocalClock clock(builder);
    auto civil = civil_in(text);
    REQUIRE(civil);
    if (!civil->offset) civil->offset = 0;
    return *clock.instant(*civil);
}

}  // namespace fathom::series::testing
