# SPDX-License-Identifier: GPL-2.0-or-later
# configure's own tests: compiler flags, sanitizers, fuzzing and where Slurm is.

AC_DEFUN([AX_TORUS_C11], [
  # Without fused multiplication results are the same whatever compiles them. A function
  # that nobody declares would be missing only when slurmctld loads the plugin.
  TORUS_CFLAGS="-std=gnu11 -Wall -Wextra -Wshadow -Werror=implicit-function-declaration -ffp-contract=off"
  AC_SUBST([TORUS_CFLAGS])
])

AC_DEFUN([AX_TORUS_SANITIZERS], [
  AC_ARG_ENABLE([sanitizers],
    [AS_HELP_STRING([--enable-sanitizers@<:@=LIST@:>@],
      [build with sanitizers; default list: address,undefined])],
    [], [enable_sanitizers=no])
  AS_CASE([$enable_sanitizers],
    [no], [],
    [yes], [SANITIZE="address,undefined"],
    [SANITIZE="$enable_sanitizers"])
  AS_IF([test -n "$SANITIZE"], [
    TORUS_CFLAGS="$TORUS_CFLAGS -fsanitize=$SANITIZE -fno-sanitize-recover=all -fno-omit-frame-pointer"
    LDFLAGS="$LDFLAGS -fsanitize=$SANITIZE"
  ])
])

AC_DEFUN([AX_TORUS_FUZZ], [
  AC_ARG_ENABLE([fuzz],
    [AS_HELP_STRING([--enable-fuzz],
      [build the fuzz targets in test/fuzz with libFuzzer (needs CC=clang)])],
    [], [enable_fuzz=no])
  AC_ARG_VAR([LIB_FUZZING_ENGINE],
    [what --enable-fuzz links the targets with; CFLAGS are then to name the sanitizers, as in OSS-Fuzz])
  fuzz_link=
  AS_IF([test "$enable_fuzz" = yes && test -n "$LIB_FUZZING_ENGINE"], [
    fuzz_link=$LIB_FUZZING_ENGINE
  ], [test "$enable_fuzz" = yes], [
    fuzz_link=-fsanitize=fuzzer
    AC_MSG_CHECKING([whether $CC has libFuzzer])
    torus_saved_cflags=$CFLAGS
    CFLAGS="$CFLAGS -fsanitize=fuzzer,address,undefined"
    AC_LINK_IFELSE([AC_LANG_SOURCE([[
        #include <stddef.h>
        #include <stdint.h>
        int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
        int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
        { (void)data; (void)size; return 0; }
      ]])], [AC_MSG_RESULT([yes])],
      [AC_MSG_RESULT([no])
       AC_MSG_ERROR([--enable-fuzz needs clang with libFuzzer: configure with CC=clang (on Debian: apt-get install clang libclang-rt-14-dev)])])
    CFLAGS=$torus_saved_cflags
    TORUS_CFLAGS="$TORUS_CFLAGS -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all -g"
    LDFLAGS="$LDFLAGS -fsanitize=address,undefined"
  ])
  AC_SUBST([fuzz_link])
  AM_CONDITIONAL([FUZZ], [test "$enable_fuzz" = yes])
])

# GLPK, one of the solvers of storus order: a library without a pkg-config file.
AC_DEFUN([AX_TORUS_GLPK], [
  AC_ARG_WITH([glpk],
    [AS_HELP_STRING([--without-glpk],
      [build storus order without the solver GLPK; default: with it where it is found])],
    [], [with_glpk=check])
  have_glpk=no
  AS_IF([test "$with_glpk" != no], [
    AC_CHECK_HEADER([glpk.h],
      [AC_CHECK_LIB([glpk], [glp_intopt], [have_glpk=yes])])
    AS_IF([test "$with_glpk" != check && test "$have_glpk" = no],
      [AC_MSG_ERROR([--with-glpk: glpk.h or libglpk was not found (on Debian: apt-get install libglpk-dev)])])
  ])
  AS_IF([test "$have_glpk" = yes], [GLPK_LIBS=-lglpk], [GLPK_LIBS=])
  AC_SUBST([GLPK_LIBS])
  AM_CONDITIONAL([GLPK], [test "$have_glpk" = yes])
])

# Slurm's public library (storus show, storus map) and the private headers of exactly the
# installed version (plugins).
AC_DEFUN([AX_TORUS_SLURM], [
  AC_ARG_WITH([slurm],
    [AS_HELP_STRING([--with-slurm=PREFIX],
      [Slurm is installed below PREFIX; default: where the compiler finds it])],
    [], [with_slurm=])
  AC_ARG_WITH([slurm-src],
    [AS_HELP_STRING([--with-slurm-src=DIR],
      [Slurm's source tree of exactly the installed version, configured (contrib/slurm-src makes one)])],
    [], [with_slurm_src=])
  AC_ARG_WITH([slurm-build],
    [AS_HELP_STRING([--with-slurm-build=DIR],
      [where that tree was configured, if not in itself])],
    [], [with_slurm_build=])
  AC_ARG_WITH([plugindir],
    [AS_HELP_STRING([--with-plugindir=DIR],
      [where to install the plugins; default: Slurm's own plugin directory])],
    [], [with_plugindir=])
  AC_ARG_WITH([plugins],
    [AS_HELP_STRING([--without-plugins],
      [build only the engine and storus, without Slurm])],
    [], [with_plugins=yes])

  have_libslurm=no
  DISTCHECK_PLUGINS=--without-plugins
  plugindir=none
  torus_plugins_summary=no
  AS_IF([test "$with_plugins" != no], [
    AX_TORUS_SLURM_INSTALLED
    AX_TORUS_SLURM_TREE
    AX_TORUS_SLURM_SUPPORTED
    AX_TORUS_SLURM_PLUGINDIR
    torus_plugins_summary="for Slurm $slurm_tree_text from $with_slurm_src"
    DISTCHECK_PLUGINS="--with-slurm='$with_slurm' --with-slurm-src='$with_slurm_src' --with-slurm-build='$with_slurm_build' --with-plugindir='\$\${libdir}/slurm'"
  ])
  AC_SUBST([plugindir])
  AC_SUBST([DISTCHECK_PLUGINS])
  AM_CONDITIONAL([PLUGINS], [test "$with_plugins" != no])
  AM_CONDITIONAL([LIBSLURM], [test "$have_libslurm" = yes])
  AS_IF([test "$have_libslurm" = yes],
    [AC_DEFINE([HAVE_LIBSLURM], [1], [Slurm's library is there])])
])

# What is installed. The library is asked for nothing but its presence.
AC_DEFUN([AX_TORUS_SLURM_INSTALLED], [
  SLURM_CPPFLAGS=
  SLURM_LIBS=-lslurm
  AS_IF([test -n "$with_slurm"], [
    AS_IF([test ! -f "$with_slurm/include/slurm/slurm.h"],
      [AC_MSG_ERROR([$with_slurm/include/slurm/slurm.h not found: --with-slurm=PREFIX is the directory that Slurm was installed to, with include, lib and sbin in it])])
    SLURM_CPPFLAGS=-I$with_slurm/include
    for torus_sub in lib lib64; do
      AS_IF([test -f "$with_slurm/$torus_sub/libslurm.so"],
        [SLURM_LIBS="-L$with_slurm/$torus_sub -Wl,-rpath,$with_slurm/$torus_sub -lslurm"])
    done
  ])
  torus_saved_cppflags=$CPPFLAGS
  torus_saved_libs=$LIBS
  CPPFLAGS="$SLURM_CPPFLAGS $CPPFLAGS"
  AC_CHECK_HEADER([slurm/slurm.h], [],
    [AC_MSG_ERROR([slurm/slurm.h not found: install Slurm's development files (Debian: apt-get install libslurm-dev), name where Slurm is with --with-slurm=PREFIX, or configure --without-plugins])])
  LIBS="$SLURM_LIBS $LIBS"
  AC_MSG_CHECKING([for libslurm])
  AC_LINK_IFELSE([AC_LANG_CALL([], [slurm_load_jobs])],
    [AC_MSG_RESULT([yes])
     have_libslurm=yes],
    [AC_MSG_RESULT([no])
     AC_MSG_ERROR([libslurm not found: install Slurm's development files or configure --without-plugins])])
  LIBS=$torus_saved_libs
  CPPFLAGS=$torus_saved_cppflags
  AC_SUBST([SLURM_CPPFLAGS])
  AC_SUBST([SLURM_LIBS])
])

# Its source tree, of the same version.
AC_DEFUN([AX_TORUS_SLURM_TREE], [
  AS_IF([test -z "$with_slurm_src" && test -f "$srcdir/slurm-src/path"],
    [with_slurm_src=`cat "$srcdir/slurm-src/path"`])
  AS_IF([test -z "$with_slurm_src"],
    [AC_MSG_ERROR([the plugins need Slurm's private headers: run contrib/slurm-src and give the directory that it prints as --with-slurm-src=DIR, or configure --without-plugins])])
  AS_IF([test -z "$with_slurm_build"], [with_slurm_build=$with_slurm_src])
  AS_IF([test ! -f "$with_slurm_src/src/slurmctld/slurmctld.h"],
    [AC_MSG_ERROR([$with_slurm_src is not a Slurm source tree (no src/slurmctld/slurmctld.h)])])
  AS_IF([test ! -f "$with_slurm_build/config.h" || test ! -f "$with_slurm_build/slurm/slurm_version.h"],
    [AC_MSG_ERROR([$with_slurm_build is not configured (no config.h): run ./configure there, or name its build directory with --with-slurm-build=DIR])])

  AC_MSG_CHECKING([version of the Slurm tree])
  slurm_tree_version=`sed -n 's/^#define SLURM_VERSION_NUMBER //p' "$with_slurm_build/slurm/slurm_version.h"`
  slurm_tree_text=`printf '%02d.%02d.%d' $((slurm_tree_version >> 16)) $((slurm_tree_version >> 8 & 255)) $((slurm_tree_version & 255))`
  AC_MSG_RESULT([$slurm_tree_text ($slurm_tree_version)])
  AC_MSG_CHECKING([that it is the version installed])
  CPPFLAGS="$SLURM_CPPFLAGS $CPPFLAGS"
  AC_COMPILE_IFELSE([AC_LANG_PROGRAM([[#include <slurm/slurm.h>]],
      [[char same[SLURM_VERSION_NUMBER == $slurm_tree_version ? 1 : -1]; (void)same;]])],
    [AC_MSG_RESULT([yes])],
    [AC_MSG_RESULT([no])
     AC_MSG_ERROR([$with_slurm_src is Slurm $slurm_tree_text, another version than the installed one. Slurm refuses a plugin built for another version, micro number included. Run contrib/slurm-src again, or give the tree of the installed version])])
  CPPFLAGS=$torus_saved_cppflags
  # Nothing uses it but contrib/build, which sees a change of it in the Makefile.
  AC_SUBST([slurm_tree_version])
  SLURM_SRC_CPPFLAGS="-I$with_slurm_build -I$with_slurm_src"
  AC_SUBST([SLURM_SRC_CPPFLAGS])
])

# Releases whose differences plugin/compat knows, a header each. Those of them that have not
# passed all tests, and newer ones, are built for only if that is asked for.
AC_DEFUN([AX_TORUS_SLURM_SUPPORTED], [
  AC_ARG_ENABLE([untested-slurm],
    [AS_HELP_STRING([--enable-untested-slurm],
      [build the plugins also for a release of Slurm that they were never tested with; for one that is newer than those they know as for the newest of these])],
    [], [enable_untested_slurm=no])
  torus_untested="26.11"
  torus_known=`cd "$srcdir/plugin/compat" && echo slurm_*_*.h | sed 's/slurm_\(@<:@0-9@:>@*\)_\(@<:@0-9@:>@*\)\.h/\1.\2/g'`
  torus_releases=
  for torus_each in $torus_known; do
    AS_CASE([" $torus_untested "], [*" $torus_each "*], [],
      [torus_releases="$torus_releases $torus_each"])
    torus_newest=$torus_each
  done
  torus_releases_text=`echo $torus_releases | sed 's/ /, /g'`
  AC_MSG_CHECKING([that Slurm $slurm_tree_text is supported])
  torus_release=`echo "$slurm_tree_text" | sed 's/^\(@<:@0-9@:>@*\.@<:@0-9@:>@*\).*/\1/'`
  # Both have four digits and a point.
  AS_IF([test `echo "$torus_release" | tr -d .` -gt `echo "$torus_newest" | tr -d .`],
    [torus_as=$torus_newest], [torus_as=$torus_release])
  UNTESTED_SLURM_CPPFLAGS=
  AC_SUBST([UNTESTED_SLURM_CPPFLAGS])
  AS_CASE([" $torus_releases "],
    [*" $torus_release "*], [AC_MSG_RESULT([yes])],
    [AC_MSG_RESULT([no])
     AS_CASE([" $torus_known "], [*" $torus_as "*], [],
       [AC_MSG_ERROR([the plugins are for Slurm $torus_releases_text, not for $slurm_tree_text: build them for one of these, or configure --without-plugins])])
     AS_IF([test "$enable_untested_slurm" != yes],
       [AC_MSG_ERROR([the plugins are for Slurm $torus_releases_text, and were never tested with $slurm_tree_text. To build them all the same, as for $torus_as, say --enable-untested-slurm, and have contrib/check --slurm-prefix judge; or configure --without-plugins])])
     AC_MSG_WARN([Slurm $slurm_tree_text was never tested: the plugins are built as for $torus_as, and say so in the log])
     UNTESTED_SLURM_CPPFLAGS=-DTORUS_UNTESTED_SLURM])
])

AC_DEFUN([AX_TORUS_SLURM_PLUGINDIR], [
  AC_MSG_CHECKING([for Slurm's plugin directory])
  AS_IF([test -n "$with_plugindir"], [plugindir=$with_plugindir], [
    plugindir=
    torus_dirs="$libdir /usr/lib/x86_64-linux-gnu /usr/lib/aarch64-linux-gnu /usr/lib64 /usr/lib /usr/local/lib /opt/slurm/lib"
    AS_IF([test -n "$with_slurm"], [torus_dirs="$with_slurm/lib $with_slurm/lib64"])
    for torus_dir in $torus_dirs; do
      eval "torus_dir=$torus_dir"; eval "torus_dir=$torus_dir"
      for torus_sub in slurm-wlm slurm; do
        AS_IF([test -z "$plugindir" && test -f "$torus_dir/$torus_sub/select_cons_tres.so"],
          [plugindir=$torus_dir/$torus_sub])
      done
    done
    AS_IF([test -z "$plugindir"], [plugindir='${libdir}/slurm'])
  ])
  AC_MSG_RESULT([$plugindir])
])
