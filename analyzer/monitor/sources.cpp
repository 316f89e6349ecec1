// The table of sources.
#include "analyzer/monitor/sources.h"

namespace fathom::monitor {
namespace {

constexpr Source table[] = {
    {"devices", "disks, and volumes made of them: requests, bytes, time, queue", look_at_devices},
    {"interfaces", "of the network: bytes, packets, errors", look_at_interfaces},
    {"infiniband", "ports: bytes, packets, errors", look_at_infiniband},
    {"nfs", "mounts: bytes and requests to the server, metadata operations", look_at_nfs},
    {"lustre", "clients, OSTs and MDTs: bytes, requests, metadata operations", look_at_lustre},
    {"gluster", "bricks on this node: bytes read from and written to storage", look_at_gluster},
    {"processors", "time by kind, and pressure of processors and I/O", look_at_processors},
    {"memory", "free, cached, to be written, and its pressure", look_at_memory},
};

}  // namespace

std::span<const Source> sources()
{
    return table;
}

}  // namespace fathom::monitor
