#!/bin/sh
# Prolog of Slurm, as root, on each node of a job: makes the folders that its users could not make, or should not own.
. "${0%/*}/site.conf"
umask 022
mkdir -p "$spools/.waiting" && chmod 1777 "$spools" && chmod 700 "$spools/.waiting"
# Through no link: others may have put one there.
umask 0
mkdir -p "$logs"
day=$logs
for name in $(date '+%Y %m %d'); do
    day=$day/$name
    [ -d "$day" ] || mkdir -m 1777 "$day" 2>/dev/null
    [ -d "$day" ] && [ ! -L "$day" ] || exit 0
done
exit 0 # whatever fails here must not keep the job from running
