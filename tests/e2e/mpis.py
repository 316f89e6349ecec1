"""The MPIs that jobs are run with, and how the programs that were built for each are called."""
import os
import shutil
from dataclasses import dataclass


@dataclass(frozen=True)
class Mpi:
    name: str
    launcher: str
    options: tuple
    suffix: str  # of the test programs' names

    def run(self, ranks):
        """How a launcher's command line begins."""
        return (self.launcher, *self.options, "-np", str(ranks))

    def has(self, folder, program):
        """Whether that test program was built for this MPI, and can be run."""
        return shutil.which(self.launcher) is not None and os.path.exists(os.path.join(folder, program + self.suffix))


OPEN_MPI = Mpi("Open MPI", "mpirun.openmpi" if shutil.which("mpirun.openmpi") else "mpirun", ("--oversubscribe",), "")
MPICH = Mpi("MPICH", "mpirun.mpich", (), "_mpich")
