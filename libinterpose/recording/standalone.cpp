// A log of one process, written at its exit.
#include "libinterpose/recording/standalone.h"

#include "libinterpose/recording/log_rows.h"
#include "libinterpose/recording/session.h"
#include "libinterpose/recording/settings.h"
#include "libinterpose/recording/world.h"
#include "libinterpose/system/new_file.h"
#include "libinterpose/system/sys.h"

namespace fathom {
void write_own_log()
{
    const PartHeader& header = arena.header();
    const ClockMap clock = own_clock(header);
    PartRows rows;
    read_part(arena.bytes(), clock, 0, rows);
    if (!rows.good() || rows.empty()) return;
    // Behind a job's log, MPI's own tidying up is not worth another one; data that moved are.
    if (world.gathered && rows.bursts.size() == 0) return;

    Bytes log;
    Encoder encoder(log);
    encoder.begin();
    encode_job(encoder, rows.process()->command, {});
    encode_files(encoder, rows);
    encode_timings(encoder, rows);
    encode_process(encoder, rows);
    encoder.end(encoder.blocks());
    if (!encoder.good() || log.size() > sys::file_size_limit()) return;

    PathText path, temporary;
    default_log_path(path, settings().log_folder.view(), *rows.process());
    const int fd = open_new_beside(path, temporary, settings().log_mode);
    if (fd < 0) return;
    const bool good = sys::write_whole(fd, log.view());
    sys::close(fd);
    if (!good || sys::rename(temporary.c_str(), path.c_str()) != 0) sys::unlink(temporary.c_str());
}

}  // namespace fathom
