// The rows that are said once for a job, as the library knows them: facts and mounts.
#pragma once

#include <string_view>

#include "libinterpose/text.h"
#include "logformat/bytes.h"
#include "logformat/encode.h"
#include "logformat/part.h"

namespace fathom {

// Encodes the tables "job" and "mounts". `mpi` is what the MPI library calls itself; empty without MPI.
void encode_job(Encoder& encoder, std::string_view command, std::string_view mpi);

// Encodes all that a process keeps for itself, then the names and records in `files`.
void encode_rows(Encoder& encoder, PartRows& own, PartRows& files);

// <folder>/<program>-<date>-<time>-<host>-<pid>.fathom
void default_log_path(PathText& to, std::string_view folder, const Process& process);

}  // namespace fathom
