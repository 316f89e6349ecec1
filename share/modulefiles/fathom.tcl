#%Module
# Environment Modules: `module use PREFIX/share/fathom/modulefiles`, then `module load fathom`. It finds Fathom from where it
# lies itself; copied elsewhere, it needs the prefix here.
set prefix /usr/local
regexp {^(.*)/share/fathom/modulefiles/[^/]+/([^/]+)$} $ModulesCurrentModulefile all prefix version

proc ModulesHelp {} {
    puts stderr "Fathom shows what a program's I/O does and why it is slow:

    fathom record -- ./app      leaves a log
    fathom report               the newest log in this folder"
}
module-whatis "records a program's I/O and reports why it is slow"

conflict fathom
prepend-path PATH $prefix/bin
# Where MANPATH is not set, man looks beside PATH.
if {[info exists env(MANPATH)]} { prepend-path MANPATH $prefix/share/man }
