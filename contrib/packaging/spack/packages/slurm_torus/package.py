# SPDX-License-Identifier: GPL-2.0-or-later
"""slurm-torus for Spack.

    spack repo add contrib/packaging/spack
    spack install slurm-torus@main
    spack install slurm-torus@main +plugins slurm_src=/usr/src/slurm-24.11.5 ^slurm@24.11.5

Sources come from the clone that this recipe is part of. A release is a tag of it; who offers
the tarball elsewhere puts its address and checksum here.
"""

import os

from spack_repo.builtin.build_systems.autotools import AutotoolsPackage

from spack.package import *


class SlurmTorus(AutotoolsPackage):
    """Placement of Slurm jobs on mesh and torus networks: the plugins select/torus,
    topology/torus and cli_filter/torus, the command storus, and libraries that order tasks."""

    git = "file://" + os.path.realpath(
        os.path.join(os.path.dirname(os.path.realpath(__file__)), *[os.pardir] * 5)
    )

    license("GPL-2.0-or-later", checked_by="slurm-torus")

    version("main", branch="main")
    version("0.6.0", tag="v0.6.0")

    variant("plugins", default=False, description="The plugins for the Slurm of this environment")
    variant(
        "slurm_src",
        default="none",
        values=any,
        description="Source tree of that Slurm, of exactly its version, configured",
    )
    variant("mpi", default=False, description="libstorus_mpi, for the MPI of the environment")
    variant("serve", default=True, description="storus view --serve")
    variant("glpk", default=True, description="GLPK among the solvers of storus order")

    depends_on("c", type="build")
    depends_on("autoconf", type="build")
    depends_on("automake", type="build")
    depends_on("libtool", type="build")
    depends_on("m4", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("jansson")
    depends_on("libyaml")
    depends_on("zlib-api")
    depends_on("glpk", when="+glpk")
    depends_on("libmicrohttpd@0.9.71:", when="+serve")
    depends_on("mpi", when="+mpi")
    depends_on("slurm@22.05:", when="+plugins")
    conflicts("slurm_src=none", when="+plugins")

    def configure_args(self):
        spec = self.spec
        args = []
        if "~plugins" in spec:
            args.append("--without-plugins")
        else:
            args.append(f"--with-slurm={spec['slurm'].prefix}")
            args.append(f"--with-slurm-src={spec.variants['slurm_src'].value}")
            # Slurm's own directory is another package's: PluginDir= in slurm.conf names both.
            args.append(f"--with-plugindir={self.prefix.lib.slurm}")
        args.append(f"--with-mpicc={spec['mpi'].mpicc}" if "+mpi" in spec else "--without-mpicc")
        if "~glpk" in spec:
            args.append("--without-glpk")
        return args
