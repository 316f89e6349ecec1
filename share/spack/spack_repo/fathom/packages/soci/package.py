from spack_repo.builtin.packages.soci.package import Soci as BuiltinSoci

from spack.package import *


class Soci(BuiltinSoci):
    """Spack's own, and MySQL."""

    variant("mysql", default=False, description="Build with MySQL support")

    depends_on("mariadb-c-client", when="+mysql")

    def cmake_args(self):
        return super().cmake_args() + [self.define_from_variant("WITH_MYSQL", "mysql")]
