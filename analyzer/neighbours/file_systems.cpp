// A row a type: what of its source tells two of them apart.
#include "analyzer/neighbours/file_systems.h"

#include <algorithm>
#include <fmt/format.h>

#include "analyzer/document/printable.h"

namespace fathom::neighbours {
namespace {

// What a source is: a name alone; servers and a volume with that name, of which any path may be mounted;
// servers and a folder of theirs.
enum class SourceKind : std::uint8_t { name, volume, folder };

struct SharedType {
    std::string_view type;
    SourceKind kind;
};
constexpr SharedType shared_types[] = {
    {"lustre", SourceKind::volume},
    {"lustre_lite", SourceKind::volume},
    {"fuse.glusterfs", SourceKind::volume},
    {"glusterfs", SourceKind::volume},
    {"nfs", SourceKind::folder},
    {"nfs4", SourceKind::folder},
    {"ceph", SourceKind::folder},
    {"cifs", SourceKind::folder},
    {"smb3", SourceKind::folder},
    {"smbfs", SourceKind::folder},
    {"pvfs2", SourceKind::folder},
    {"orangefs", SourceKind::folder},
    {"panfs", SourceKind::folder},
    {"fuse.sshfs", SourceKind::folder},
    {"gpfs", SourceKind::name},
    {"beegfs", SourceKind::name},
    {"beegfs_nodev", SourceKind::name},
    {"fhgfs", SourceKind::name},
    {"fuse.ceph", SourceKind::name},
    {"fuse.ceph-fuse", SourceKind::name},
    {"dvs", SourceKind::name},
    {"wekafs", SourceKind::name},
    {"afs", SourceKind::name},
    {"gfs2", SourceKind::name},
    {"ocfs2", SourceKind::name},
    {"9p", SourceKind::name},
    {"virtiofs", SourceKind::name},
    {"fuse.dfuse", SourceKind::name},
    {"fuse.mfs", SourceKind::name},
    {"fuse.juicefs", SourceKind::name},
};

const SharedType* shared_type(std::string_view type)
{
    const auto* const found = std::ranges::find(shared_types, type, &SharedType::type);
    return found == std::end(shared_types) ? nullptr : found;
}

// nfs and nfs4 are one, as are the names of others in several versions.
std::string_view family(std::string_view type)
{
    if (type == "nfs4") return "nfs";
    if (type == "lustre_lite") return "lustre";
    if (type == "fuse.glusterfs") return "glusterfs";
    if (type == "beegfs_nodev" || type == "fhgfs") return "beegfs";
    return type;
}

// "10.0.0.1@tcp,10.0.0.2@tcp:/scratch/a" in its parts.
struct SourceParts {
    std::vector<std::string_view> servers;
    std::string_view path;
};
SourceParts parts_of(std::string_view source)
{
    SourceParts parts;
    std::size_t colon = source.rfind(":/");
    if (colon == std::string_view::npos) colon = source.rfind(':');
    std::string_view servers;
    if (source.starts_with("//")) {  // of CIFS: //server/share
        source.remove_prefix(2);
        const std::size_t end = std::min(source.find('/'), source.size());
        servers = source.substr(0, end);
        parts.path = source.substr(end);
    } else if (colon == std::string_view::npos) {
        parts.path = source;
    } else {
        servers = source.substr(0, colon);
        parts.path = source.substr(colon + 1);
    }
    while (parts.path.starts_with('/')) parts.path.remove_prefix(1);
    while (parts.path.ends_with('/')) parts.path.remove_suffix(1);
    while (!servers.empty()) {
        const std::size_t end = std::min(servers.find_first_of(",:"), servers.size());
        if (end > 0) parts.servers.push_back(servers.substr(0, end));
        servers.remove_prefix(std::min(end + 1, servers.size()));
    }
    return parts;
}

bool have_one_in_common(const std::vector<std::string_view>& a, const std::vector<std::string_view>& b)
{
    return std::ranges::any_of(a, [&](std::string_view one) { return std::ranges::find(b, one) != b.end(); });
}

Sameness compare_sources(SourceKind kind, std::string_view a, std::string_view b)
{
    if (a == b) return Sameness::same;
    if (kind == SourceKind::name) return Sameness::different;
    const SourceParts of_a = parts_of(a), of_b = parts_of(b);
    const bool server = have_one_in_common(of_a.servers, of_b.servers);
    const auto volume = [](std::string_view path) { return path.substr(0, path.find('/')); };
    if (kind == SourceKind::volume)
        return volume(of_a.path) != volume(of_b.path) ? Sameness::different
               : server                               ? Sameness::same
                                                      : Sameness::not_known;
    // One server may have several names; two folders of a server may lie on one file system of its.
    if (server && of_a.path == of_b.path) return Sameness::same;
    return server || of_a.path == of_b.path ? Sameness::not_known : Sameness::different;
}

Sameness compare_local(const Place& a, const Place& b)
{
    if (a.mount != b.mount || (!a.source.empty() && !b.source.empty() && a.source != b.source))
        return Sameness::different;
    if (a.nodes.empty() || b.nodes.empty()) return Sameness::not_known;
    if (a.nodes == b.nodes) return Sameness::same;
    constexpr std::string_view between = ", ";
    const std::string other = fmt::format("{0}{1}{0}", between, b.nodes);
    for (std::size_t from = 0; from < a.nodes.size();) {
        const std::size_t to = std::min(a.nodes.find(between, from), a.nodes.size());
        if (other.find(fmt::format("{0}{1}{0}", between, a.nodes.substr(from, to - from))) !=
            std::string::npos)
            return Sameness::not_known;  // what a job did on which node is not in its time bins
        from = to + between.size();
    }
    return Sameness::different;
}

}  // namespace

bool is_shared_type(std::string_view type)
{
    return shared_type(type) != nullptr;
}

Sameness compare(const Place& a, const Place& b, bool one_source_at_its_place)
{
    if (family(a.type) != family(b.type)) return Sameness::different;
    const SharedType* const type = shared_type(a.type);
    if (type == nullptr) return a.mount.empty() ? Sameness::not_known : compare_local(a, b);
    const bool other_cluster = !a.cluster.empty() && !b.cluster.empty() && a.cluster != b.cluster;
    if (!a.source.empty() && !b.source.empty()) {
        const Sameness same = compare_sources(type->kind, a.source, b.source);
        // A name alone is one of a system.
        return same == Sameness::same && type->kind == SourceKind::name && other_cluster ? Sameness::not_known
                                                                                         : same;
    }
    if (a.mount.empty() || a.mount != b.mount) return Sameness::not_known;
    return one_source_at_its_place && !other_cluster ? Sameness::same : Sameness::not_known;
}

void Sources::add(const Place& place)
{
    if (place.source.empty()) return;
    for (At& at : seen_)
        if (at.mount == place.mount && family(at.type) == family(place.type)) {
            const SharedType* const type = shared_type(place.type);
            at.several = at.several || type == nullptr ||
                         compare_sources(type->kind, at.source, place.source) != Sameness::same;
            return;
        }
    seen_.push_back({place.mount, place.type, place.source});
}

bool Sources::is_one_at(const Place& place) const
{
    return std::ranges::none_of(seen_, [&](const At& at) {
        return at.several && at.mount == place.mount && family(at.type) == family(place.type);
    });
}

std::string words_of(const Place& place)
{
    std::string about = place.type;
    if (!place.source.empty()) about += fmt::format("{}{}", about.empty() ? "" : ", ", place.source);
    const std::string mount = place.mount.empty() ? "an unknown mount" : place.mount;
    return report::printable(about.empty() ? mount : fmt::format("{} ({})", mount, about));
}

}  // namespace fathom::neighbours
