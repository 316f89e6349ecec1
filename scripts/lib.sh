# What the scripts share: saying what they do, and installing Debian packages that are missing. To be sourced.
# shellcheck shell=bash disable=SC2034 # the lists are for those who source this

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
export CMAKE_GENERATOR=${CMAKE_GENERATOR:-Ninja} CMAKE_COLOR_DIAGNOSTICS=${CMAKE_COLOR_DIAGNOSTICS:-ON}

packages_to_build=(
    g++ cmake ninja-build pkg-config zlib1g-dev libbz2-dev libdeflate-dev libcsv-dev libeigen3-dev libboost-dev libfmt-dev libcli11-dev
    nlohmann-json3-dev libcairo2-dev libpng-dev libpango1.0-dev libsodium-dev libsoci-dev libcpp-httplib-dev libncurses-dev libopenmpi-dev openmpi-bin
    catch2 fonts-dejavu-core)
packages_to_test=(
    chromium chromium-driver python3-selenium nginx-light
    strace python3 sqlite3 tar gzip lammps fio poppler-utils python3-jsonschema groff mandoc shellcheck zsh fish
    python3-h5py-mpi python3-mpi4py mpich libmpich-dev gfortran libaio-dev liburing-dev
    libhdf5-dev libhdf5-openmpi-dev libhdf5-mpich-dev libpnetcdf-dev libnetcdf-dev hdf5-tools python3-netcdf4
    iproute2 openssh-server openssh-client slurm-wlm slurmdbd postgresql mariadb-server
    sysstat collectd-core prometheus-node-exporter)

# A headline.
say() { printf '\n== %s\n' "$*"; }

die()
{
    printf '%s: %s\n' "${0##*/}" "$*" >&2
    exit 1
}

# Shows a command as one would type it, and runs it.
run()
{
    printf '\n$'
    printf ' %q' "$@"
    printf '\n'
    "$@"
}

is_installed() { [[ $(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null) == installed ]]; }

# as_root COMMAND…: as it stands for root, through sudo for others.
as_root()
{
    if ((EUID == 0)); then "$@"; else sudo "$@"; fi
}

# install_missing PACKAGE…: says which packages are missing and installs them.
install_missing()
{
    local missing=() package
    if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
        say "no apt-get here: these Debian packages, or what your system calls them, must be there: $*"
        return
    fi
    for package in "$@"; do is_installed "$package" || missing+=("$package"); done
    ((${#missing[@]})) || return 0
    if ((EUID != 0)) && ! command -v sudo >/dev/null; then
        die "not installed: ${missing[*]}. As root, run: apt-get install ${missing[*]}"
    fi
    say "installing ${missing[*]}"
    local command=(env DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends "${missing[@]}")
    local log
    log=$(mktemp)
    # The package lists may be absent (a fresh container) or old (a file is gone from the mirror): then they are fetched.
    if ! as_root "${command[@]}" >"$log" 2>&1; then
        say "fetching the package lists"
        as_root apt-get update -qq
        as_root "${command[@]}" >"$log" 2>&1 || {
            cat "$log" >&2
            die "could not install ${missing[*]}"
        }
    fi
    rm -f "$log"
}

# build PRESET [CMAKE OPTION…] [-- TARGET…]: configures and builds into build/PRESET.
build()
{
    local preset=$1 options=()
    shift
    while (($#)) && [[ $1 != -- ]]; do
        options+=("$1")
        shift
    done
    (($#)) && shift
    local targets=()
    (($#)) && targets=(--target "$@")
    say "building build/$preset"
    (cd "$root" && cmake --preset "$preset" "${options[@]}" >/dev/null && cmake --build --preset "$preset" "${targets[@]}")
}

# Open MPI refuses to run as root unless told twice.
allow_mpi_as_root()
{
    ((EUID == 0)) || return 0
    export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
}
