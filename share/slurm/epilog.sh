#!/bin/sh
# Epilog of Slurm, as root, on each node of a job, however it ended: files what its steps recorded. What cannot be filed
# (a full or read-only folder) waits for the Epilog of a later job. The files of a spool are its user's, and so is the
# process that reads them.
. "${0%/*}/site.conf"
waiting=$spools/.waiting

# Files the spools of one user, whose names come from standard input with a zero byte behind each.
file_as() # UID GID
{
    xargs -0 -r timeout 60 setpriv --reuid="$1" --regid="$2" --clear-groups \
        env -i "$prefix/bin/fathom" recover --into "$logs"
}

spools_of_job()
{
    find "$spools" -maxdepth 1 -type d -uid "$SLURM_JOB_UID" -name "*-$SLURM_JOB_ID.*" "$@"
}

spools_of_job -print0 | file_as "$SLURM_JOB_UID" "${SLURM_JOB_GID:-$(id -g "$SLURM_JOB_UID")}"
for mark in "$waiting"/*; do
    spool=$spools/${mark##*/}
    if [ -d "$spool" ] && [ ! -L "$spool" ]; then
        owner=$(stat -c '%u %g' "$spool")
        printf '%s\0' "$spool" | file_as "${owner% *}" "${owner#* }"
    fi
    [ -d "$spool" ] || rm -f "$mark"
done
spools_of_job | while read -r spool; do : >"$waiting/${spool##*/}"; done
exit 0 # another status would drain the node
