#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# contrib/build in a directory that was built in before: what was missing then and is
# there now is found, and a new Slurm gets a new plugin.
#
# Environment: that of build_support.bash, and TORUS_SRCDIR (the source tree).

bats_require_minimum_version 1.5.0
load support
load build_support

setup() { build_dir=$BATS_TEST_TMPDIR/build; }

build() { "$TORUS_SRCDIR/contrib/build" --build-dir "$build_dir" "$@"; }

# compiled FILE: whether the last run of build has compiled it, or would_compile says so
compiled() { grep -qE "^(echo \")? +CC +\"?( .*[/-])?$1\.l?o(;.*)?$" "$build_dir/build.log"; }

# would_compile: from now on make only says what it would compile; it still removes
would_compile()
{
	mkdir -p "$BATS_TEST_TMPDIR/bin"
	cat >"$BATS_TEST_TMPDIR/bin/make" <<-END
		#!/bin/sh
		[ "\$*" = clean ] || set -- -n "\$@"
		exec "$(command -v make)" "\$@"
	END
	chmod +x "$BATS_TEST_TMPDIR/bin/make"
	PATH=$BATS_TEST_TMPDIR/bin:$PATH
}

# hide_package NAME: pkg-config does not find it until unhide_packages
hide_package()
{
	mkdir -p "$BATS_TEST_TMPDIR/bin"
	cat >"$BATS_TEST_TMPDIR/bin/pkg-config" <<-END
		#!/bin/sh
		case " \$* " in *" $1 "*) exit 1 ;; esac
		exec "$(command -v pkg-config)" "\$@"
	END
	chmod +x "$BATS_TEST_TMPDIR/bin/pkg-config"
	PATH=$BATS_TEST_TMPDIR/bin:$PATH
}
unhide_packages() { PATH=${PATH#"$BATS_TEST_TMPDIR/bin:"}; }

# unit_tests: the programs that make check there would run
unit_tests()
{
	make -s -C "$build_dir" -f - print <<-'END'
		include Makefile
		print: ; @echo $(filter test/unit/%,$(TESTS))
	END
}

# copy_slurm: a Slurm whose version can be changed: the headers of ours, those that are
# installed in "installed" and those of the source tree in "configured"
copy_slurm()
{
	mkdir -p "$BATS_TEST_TMPDIR"/{installed/include,configured}/slurm
	ln -s "$(dirname "$(library libslurm)")" "$BATS_TEST_TMPDIR/installed/lib"
	cp "$(configured_tree)/config.h" "$BATS_TEST_TMPDIR/configured/"
	cp "$(source_tree)"/slurm/*.h "$BATS_TEST_TMPDIR/configured/slurm"
	cp "$(configured_tree)"/slurm/*.h "$BATS_TEST_TMPDIR/configured/slurm"
	# shellcheck disable=SC2046 # several words
	echo '#include <slurm/slurm.h>' | cc -E -M $(from_makefile SLURM_CPPFLAGS) - |
		tr ' ' '\n' | grep '/slurm/[^/]*\.h$' |
		xargs cp -t "$BATS_TEST_TMPDIR/installed/include/slurm"
}

# change_version NUMBER: of that copy
change_version()
{
	sed -i "s/\(define SLURM_VERSION_NUMBER\) .*/\1 $1/" \
		"$BATS_TEST_TMPDIR"/{installed/include,configured}/slurm/slurm*.h
	# Files of packages are as old as the package.
	find "$BATS_TEST_TMPDIR"/{installed/include,configured} -exec touch -d 2020-01-01 {} +
}

# build_for_copy [OPTION]...
build_for_copy()
{
	build -- --with-slurm="$BATS_TEST_TMPDIR/installed" --with-slurm-src="$(source_tree)" \
		--with-slurm-build="$BATS_TEST_TMPDIR/configured" CFLAGS=-O0 "$@"
}

@test "a package that has come since is found, and the options stay unless others are given" {
	hide_package cmocka
	build -- --without-plugins CFLAGS=-O0
	[ -z "$(unit_tests)" ]
	run make -C "$build_dir" check-local
	[ "$status" -ne 0 ]
	[[ $output == *"needs cmocka"* ]]
	unhide_packages
	build
	[[ " $(unit_tests) " == *" test/unit/test_lines "* ]]
	make -C "$build_dir" check-local
	[[ $("$build_dir/config.status" --config) == *--without-plugins*CFLAGS=-O0* ]]
	build
	run ! compiled '[a-z_]+'
	would_compile
	build -- --without-plugins CFLAGS="-O0 -g"
	compiled token
	compiled storus
}

@test "after an update of Slurm the plugin is compiled for the new one" {
	copy_slurm
	build_for_copy --enable-untested-slurm # which matters for the next release
	compiled choose
	build
	run ! compiled choose
	number=$(sed -n 's/^#define SLURM_VERSION_NUMBER //p' "$(configured_tree)/slurm/slurm_version.h")
	change_version "$(printf '0x%x' $((number + 1)))"
	would_compile
	build
	compiled choose
	compiled cli/storus-slurm
}

@test "a release of Slurm that the plugins do not know is refused, and those that they do are named" {
	copy_slurm
	change_version 0x150803
	run build_for_copy --enable-untested-slurm
	[ "$status" -eq 1 ]
	[[ $output == *"the plugins are for Slurm 22.05, 23.02, 23.11, 24.05, 24.11, 25.05, 25.11, 26.05, not for 21.08.3"* ]]
}

@test "a release of Slurm that was never tested is a choice" {
	copy_slurm
	change_version 0x1a0b00
	run build_for_copy
	[ "$status" -eq 1 ]
	[[ $output == *"never tested with 26.11.0."*"as for 26.11, say --enable-untested-slurm"* ]]
	change_version 0x1b0500
	run build_for_copy
	[ "$status" -eq 1 ]
	[[ $output == *"never tested with 27.05.0."*"as for 26.11, say --enable-untested-slurm"* ]]
	would_compile
	build_for_copy --enable-untested-slurm
	grep -q -- '-DTORUS_UNTESTED_SLURM .*choose\.c' "$build_dir/build.log"
	grep -q 'Slurm 27.05.0 was never tested: the plugins are built as for 26.11' "$build_dir/build.log"
}

@test "a source tree of another version than the Slurm installed is refused" {
	copy_slurm
	change_version 0x160509
	sed -i 's/\(define SLURM_VERSION_NUMBER\) .*/\1 0x16050a/' \
		"$BATS_TEST_TMPDIR/installed/include/slurm"/slurm*.h
	run build_for_copy
	[ "$status" -eq 1 ]
	[[ $output == *"is Slurm 22.05.9, another version than the installed one"* ]]
}

@test "--with-slurm names a directory with a Slurm in it" {
	run build -- --with-slurm="$BATS_TEST_TMPDIR" --with-slurm-src="$(source_tree)"
	[ "$status" -eq 1 ]
	[[ $output == *"$BATS_TEST_TMPDIR/include/slurm/slurm.h not found"* ]]
}
