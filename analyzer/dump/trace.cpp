// The operations of the log's traces, one a line.
#include "logformat/log/trace.h"

#include "analyzer/document/csv_text.h"
#include "analyzer/document/printable.h"
#include "analyzer/dump/lines.h"

namespace fathom {
namespace {

std::string csv_path(const std::string& path)
{
    return report::csv_text(report::escaped(path));
}

}  // namespace

std::vector<std::string> dump_trace(const Log& log, std::string_view file, const Sink& sink)
{
    Output out(sink);
    PrintedPaths paths(log, file, csv_path);
    const Processes processes(log);
    const std::uint64_t start = start_of(log);
    out.add_text("process,rank,thread,layer,kind,path,offset,size,start,duration\n");
    const std::vector<std::string> problems = for_each_traced(log, [&](const TraceEvent& event) {
        const std::string* const path = paths.of(event.file);
        if (path == nullptr) return true;
        out.add(FMT_COMPILE("{},{},{},{},{},{},"), event.process, processes.rank(event.process), event.tid,
                layer_names[static_cast<std::size_t>(event.layer)], kind_name(event.kind), *path);
        if (event.offset != no_offset) out.add(FMT_COMPILE("{}"), event.offset);
        out.add(FMT_COMPILE(",{},"), event.size);
        out.add_seconds_since(start, event.start);
        out.add_text(",");
        out.add_seconds(event.duration);
        out.add_text("\n");
        return out.give();
    });
    out.flush();
    return problems;
}

}  // namespace fathom
