// What each process did in each slice of time, one a line.
#include "analyzer/dump/lines.h"

namespace fathom {

void dump_slices(const Log& log, const Sink& sink)
{
    Output out(sink);
    const Processes processes(log);
    out.add_text(
        "process,rank,layer,streams,start,length,reads,writes,metadata,bytes_read,bytes_written,read_time,"
        "write_time,metadata_time\n");
    for (const Slice& slice : log.rows<Slice>()) {
        out.add(FMT_COMPILE("{},{},{},{},"), slice.process, processes.rank(slice.process),
                slice.layer < layers ? layer_names[slice.layer] : "unknown", slice.streams);
        out.add_seconds(slice.start);
        out.add_text(",");
        out.add_seconds(slice.length);
        for (const std::uint64_t count :
             {slice.reads, slice.writes, slice.metadata, slice.bytes_read, slice.bytes_written})
            out.add(FMT_COMPILE(",{}"), count);
        for (const std::uint64_t time : {slice.read_time, slice.write_time, slice.metadata_time}) {
            out.add_text(",");
            out.add_seconds(time);
        }
        out.add_text("\n");
        if (!out.give()) return;
    }
    out.flush();
}

}  // namespace fathom
