// Whether programs write over what was there.
#include <fmt/format.h>

#include "analyzer/document/units.h"
#include "analyzer/jobs/study/cells.h"
#include "analyzer/jobs/study/sections.h"

namespace fathom::jobs {

using namespace report;

Blocks study_created_files(Study& study)
{
    Site& site = study.site;
    struct Files {
        std::uint64_t written = 0, created = 0;
    };
    std::map<std::string, Files> groups;
    Files all;
    site.each(
        "tnn",
        fmt::format("select {0}, {1}, {2} from @jobs where jobs.files_written is not null and "
                    "jobs.files_created is not null and {3} group by {0}",
                    site.column(), sum_of("jobs.files_written"), sum_of("jobs.files_created"), site.runs()),
        [&](const AskedRow& row) {
            groups[row.text(0)] = {row.count(1), row.count(2)};
            all.written += row.count(1);
            all.created += row.count(2);
        });
    Blocks blocks;
    if (all.written == 0) {
        blocks.push_back(
            Paragraph{site.any("select 1 from @jobs where jobs.files_written > 0 and " + site.runs())
                          ? "No log here says which of the files written were made or emptied: those of "
                            "Darshan do not."
                          : "No run here wrote data to files."});
        return blocks;
    }
    blocks.push_back(Paragraph{
        fmt::format("Of {} written, {} were made or emptied by the run that wrote them.",
                    counted(all.written, "file", "files"), format(share_cell(all.created, all.written)))});
    DataTable table{.id = "created_files"};
    table.columns = {{"name", std::string(site.word()), Measure::text},
                     {"written", "files written", Measure::count},
                     {"created", "made or emptied", Measure::count},
                     {"share", "of those written", Measure::share}};
    const auto add = [&](std::string name, const Files& files) {
        table.rows.push_back({text(name), count(files.written), count(files.created),
                              share_cell(files.created, files.written)});
    };
    for (const Group& group : site.shown())
        if (const auto found = groups.find(group.name); found != groups.end() && found->second.written > 0)
            add(site.label(group.name), found->second);
    add("all", all);
    blocks.push_back(std::move(table));
    return blocks;
}

}  // namespace fathom::jobs
