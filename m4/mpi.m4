# SPDX-License-Identifier: GPL-2.0-or-later
# The MPI libraries that libstorus_mpi is compiled for: one of each family with a binary
# interface of its own. Nothing is linked with them, so only their headers are looked at.

# AX_TORUS_MPI_TRY(COMPILER): take the compiler's MPI, if it is the first of its family
AC_DEFUN([AX_TORUS_MPI_TRY], [
  torus_mpi_flags=
  for torus_word in `$1 -show 2>/dev/null`; do
    AS_CASE([$torus_word], [-I*|-D*], [torus_mpi_flags="$torus_mpi_flags $torus_word"])
  done
  torus_saved_cppflags=$CPPFLAGS
  CPPFLAGS="$CPPFLAGS $torus_mpi_flags"
  torus_mpi_family=
  AC_PREPROC_IFELSE([AC_LANG_SOURCE([[
    #include <mpi.h>
    #if !defined(OPEN_MPI) || MPI_VERSION < 3
    #error
    #endif
    ]])], [torus_mpi_family=openmpi])
  AC_PREPROC_IFELSE([AC_LANG_SOURCE([[
    #include <mpi.h>
    #if (!defined(MPICH_VERSION) && !defined(MPICH_NAME) && !defined(I_MPI_VERSION)) || MPI_VERSION < 3
    #error
    #endif
    ]])], [torus_mpi_family=mpich])
  CPPFLAGS=$torus_saved_cppflags
  AS_CASE([$torus_mpi_family],
    [openmpi], [AS_IF([test -z "$MPICC_OPENMPI"],
      [MPICC_OPENMPI=$1 OPENMPI_CPPFLAGS=$torus_mpi_flags])],
    [mpich], [AS_IF([test -z "$MPICC_MPICH"],
      [MPICC_MPICH=$1 MPICH_CPPFLAGS=$torus_mpi_flags])],
    [AS_IF([test "$torus_mpi_given" = yes],
      [AC_MSG_ERROR([--with-mpicc: $1 does not compile for Open MPI, or MPICH or one of its kind, of version 3 or later of the standard])])])
])

AC_DEFUN([AX_TORUS_MPI], [
  AC_ARG_WITH([mpicc],
    [AS_HELP_STRING([--with-mpicc=LIST],
      [compilers of the MPI libraries to build libstorus_mpi for, separated by commas; default: those found; --without-mpicc: none])],
    [], [with_mpicc=check])
  MPICC_OPENMPI= MPICC_MPICH=
  torus_mpi_given=yes
  AS_CASE([$with_mpicc],
    [yes|check], [torus_mpi_given=no torus_mpicc_list="mpicc mpicc.openmpi mpicc.mpich"],
    [no], [torus_mpicc_list=],
    [torus_mpicc_list=`AS_ECHO(["$with_mpicc"]) | tr , ' '`])
  AC_MSG_CHECKING([for MPI libraries])
  for torus_mpicc in $torus_mpicc_list; do
    AX_TORUS_MPI_TRY([$torus_mpicc])
  done
  torus_mpi_summary=
  AS_IF([test -n "$MPICC_OPENMPI"], [torus_mpi_summary="Open MPI ($MPICC_OPENMPI)"])
  AS_IF([test -n "$MPICC_MPICH"],
    [torus_mpi_summary="${torus_mpi_summary:+$torus_mpi_summary, }MPICH ($MPICC_MPICH)"])
  AC_MSG_RESULT([${torus_mpi_summary:=none}])
  AC_SUBST([MPICC_OPENMPI])
  AC_SUBST([MPICC_MPICH])
  AC_SUBST([OPENMPI_CPPFLAGS])
  AC_SUBST([MPICH_CPPFLAGS])
  AM_CONDITIONAL([STORUS_MPI], [test -n "$MPICC_OPENMPI$MPICC_MPICH"])
  AM_CONDITIONAL([OPENMPI], [test -n "$MPICC_OPENMPI"])
  AM_CONDITIONAL([MPICH], [test -n "$MPICC_MPICH"])
])
