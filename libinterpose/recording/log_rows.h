// The rows of a log, as the library writes them: what is said once for a job, files, timings, a process.
#pragma once

#include <string_view>

#include "libinterpose/system/text.h"
#include "logformat/blocks/bytes.h"
#include "logformat/blocks/encode.h"
#include "logformat/part/part.h"

namespace fathom {

// Encodes the tables "job" and "mounts". `mpi` is what the MPI library calls itself; empty without MPI.
void encode_job(Encoder& encoder, std::string_view command, std::string_view mpi);

// Encodes names, records, layouts and hints.
void encode_files(Encoder& encoder, PartRows& files);

// Encodes what is stored once for all processes: histograms, what is done in traces, and failed paths.
void encode_timings(Encoder& encoder, PartRows& timings);

// Encodes what a process keeps for itself. After the files, since traces refer to them.
void encode_process(Encoder& encoder, PartRows& own);

// <folder>/<program>-<date>-<time>-<host>-<pid>.fathom
void default_log_path(PathText& to, std::string_view folder, const Process& process);

}  // namespace fathom
