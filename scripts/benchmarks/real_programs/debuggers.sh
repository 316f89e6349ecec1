# Under tools that themselves stand between a program and the kernel.
case $1 in
    gdb)
        gdb -q -nx -batch -ex 'set print thread-events off' -ex 'break in_thread' -ex run -ex continue -ex 'print $_siginfo.si_signo' -ex 'backtrace 2' \
            --args ./small crash
        gdb -q -nx -batch -ex 'set print thread-events off' -ex 'catch syscall close' -ex run -ex delete -ex continue --args ./small | grep -c Catchpoint
        ;;
    strace)
        strace -ff -qq -e signal=none -e trace=write,pwrite64 -o calls ./small
        sort calls.* | uniq -c
        rm calls.*
        ;;
    valgrind)
        valgrind --error-exitcode=9 --leak-check=full --track-fds=yes ./small
        ;;
esac
