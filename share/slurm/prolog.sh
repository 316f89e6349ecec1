#!/bin/sh
# Prolog of Slurm, as root, on each node of a job: makes the folders that its users could not make, or should not own.
. "${0%/*}/site.conf"
umask 022
mkdir -p "$spools/.waiting" && chmod 1777 "$spools" && chmod 700 "$spools/.waiting"
day=$logs/$(date +%Y/%m/%d)
[ -d "$day" ] || {
    mkdir -p "$day" && chmod 1777 "$day"
}
exit 0 # whatever fails here must not keep the job from running
