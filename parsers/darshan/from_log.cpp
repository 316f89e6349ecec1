// Puts a log's parts in the order of Darshan's modules.
#include "parsers/darshan/from_log.h"

#include "parsers/darshan/from_log_parts.h"

namespace fathom::darshan {

std::vector<std::string> write_darshan_log(const Log& log, const std::string& path)
{
    const LogView view(log);
    Writer writer(path, job_of(view));
    Losses losses;
    add_left_out(view, losses);
    write_names(view, writer);
    write_posix(view, writer, losses);
    write_mpiio(view, writer, losses);
    write_libraries(view, writer, losses);
    write_layouts(view, writer, losses);
    write_stdio(view, writer, losses);
    write_trace(view, writer, losses);
    write_heatmap(view, writer, losses);
    add_other_losses(view, writer.job_text(), losses);
    writer.finish();
    return std::move(losses).sentences();
}

}  // namespace fathom::darshan
