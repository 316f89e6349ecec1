-- Lmod: `module use PREFIX/share/fathom/modulefiles`, then `module load fathom`. It finds Fathom from where it lies itself;
-- copied elsewhere, it needs the prefix here.
local prefix = myFileName():match("^(.*)/share/fathom/modulefiles/[^/]+/[^/]+$") or "/usr/local"

help([[Fathom shows what a program's I/O does and why it is slow:

    fathom record -- ./app      leaves a log
    fathom report               the newest log in this folder]])
whatis("Name: fathom")
whatis("Version: " .. myModuleVersion())
whatis("Description: records a program's I/O and reports why it is slow")

conflict("fathom")
prepend_path("PATH", pathJoin(prefix, "bin"))
-- Where MANPATH is not set, man looks beside PATH.
if os.getenv("MANPATH") then prepend_path("MANPATH", pathJoin(prefix, "share/man")) end
