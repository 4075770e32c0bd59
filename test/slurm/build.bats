#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# contrib/build in a directory that was built in before: what was missing then and is
# there now is found, and a new Slurm gets a new plugin.
#
# Environment: TORUS_PLUGIN_DIR (in a build directory), TORUS_SRCDIR (the source tree).

bats_require_minimum_version 1.5.0
load support

: "${TORUS_PLUGIN_DIR:?in a build directory}"

setup() { build_dir=$BATS_TEST_TMPDIR/build; }

build() { "$TORUS_SRCDIR/contrib/build" --build-dir "$build_dir" "$@"; }

# compiled FILE: whether the last run of build has compiled it
compiled() { grep -qE "^ +CC +(.*[/-])?$1\.l?o$" "$build_dir/build.log"; }

# hide_package NAME: pkg-config does not find it until unhide_packages
hide_package()
{
	mkdir "$BATS_TEST_TMPDIR/bin"
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
	build -- --without-plugins CFLAGS="-O0 -g"
	compiled token
	compiled storus
}

@test "after an update of Slurm the plugin is compiled for the new one" {
	tree=$(sed -n 's/^SLURM_SRC_CPPFLAGS = .* -I//p' "$TORUS_PLUGIN_DIR/../Makefile")
	headers=$(sed -n 's/^SLURM_SRC_CPPFLAGS = -I\([^ ]*\) .*/\1/p' "$TORUS_PLUGIN_DIR/../Makefile")
	# A Slurm that can be updated: its own headers, but for the version
	mkdir -p "$BATS_TEST_TMPDIR"/{installed,configured}/slurm
	cp "$headers/config.h" "$BATS_TEST_TMPDIR/configured/"
	find "$tree/slurm" "$headers/slurm" -name '*.h' -exec cp -t "$BATS_TEST_TMPDIR/configured/slurm" {} +
	echo '#include <slurm/slurm.h>' | cc -E -M - | tr ' ' '\n' | grep '/slurm/[^/]*\.h$' |
		xargs cp -t "$BATS_TEST_TMPDIR/installed/slurm"
	build -- --with-slurm-src="$tree" --with-slurm-build="$BATS_TEST_TMPDIR/configured" \
		CPPFLAGS="-I$BATS_TEST_TMPDIR/installed" CFLAGS=-O0
	compiled choose
	build
	run ! compiled choose
	sed -i 's/\(define SLURM_VERSION_NUMBER\) .*/\1 0x7f0102/' \
		"$BATS_TEST_TMPDIR"/{installed,configured}/slurm/slurm*.h
	# Files of packages are as old as the package.
	find "$BATS_TEST_TMPDIR"/{installed,configured} -exec touch -d 2020-01-01 {} +
	build
	compiled choose
	compiled show/storus-slurm
}
