#!/bin/sh
# TaskProlog of Slurm, as the user, before each task: what it prints goes into the task's environment. Each step has a
# spool of its own on each node. Users who set FATHOM_OFF are left alone.
. "${0%/*}/site.conf"
for library in "$prefix"/lib/libfathom.so "$prefix"/lib*/libfathom.so "$prefix"/lib/*/libfathom.so; do
    [ ! -r "$library" ] || break
done
[ -z "$FATHOM_OFF" ] && [ -r "$library" ] && [ -d "$spools" ] || exit 0
case ${SLURM_STEP_ID:-4294967291} in
    4294967291) step=batch ;; # the script of the job
    4294967290) step=interactive ;;
    *) step=$SLURM_STEP_ID ;;
esac
spool=$spools/${SLURM_JOB_USER:-$(id -un)}-$SLURM_JOB_ID.$step
# A job that is requeued keeps its number.
[ "${SLURM_RESTART_COUNT:-0}" = 0 ] || spool=$spool-restart$SLURM_RESTART_COUNT
[ -d "$spool" ] || mkdir -m 700 "$spool" 2>/dev/null
# Others may have made a folder of that name.
[ -d "$spool" ] && [ -O "$spool" ] && [ ! -L "$spool" ] || exit 0
echo "export FATHOM_SPOOL=$spool"
case :$LD_PRELOAD: in
    *:"$library":*) ;;
    *) echo "export LD_PRELOAD=$library${LD_PRELOAD:+:$LD_PRELOAD}" ;;
esac
