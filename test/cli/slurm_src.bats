#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# contrib/slurm-src against archives that lack something: apt and dpkg are ours here, and
# reach no network.
# shellcheck disable=SC2154 # output and stderr are set by run

load support

top=$(realpath "$BATS_TEST_DIRNAME/../..")

# archive VERSION WHAT: what the archives have of this version of the source package, "all"
# or "tarball" or "nothing" beside its description
archive() {
	mkdir -p archive
	echo "$2" >"archive/$1"
}

setup() {
	mkdir -p "$BATS_TEST_TMPDIR/work/bin" "$BATS_TEST_TMPDIR/work/tree/slurm"
	cd "$BATS_TEST_TMPDIR/work" || return
	export FAKE=$PWD
	PATH=$FAKE/bin:$PATH
	# The compiler finds the slurm.h and munge.h of 24.11.5.
	write_tool cc <<-'END'
		grep -q munge.h || echo "version 0x180b05"
	END
	write_tool dpkg-query <<-'END'
		echo slurm-wlm=24.11.5-4+deb13u1
	END
	write_tool dpkg-source </dev/null
	write_tool apt-cache <<-'END'
		for version in "$FAKE"/archive/*; do
			printf 'Package: slurm-wlm\nVersion: %s\n\n' "${version##*/}"
		done
	END
	# What is asked for comes last. Without a version it is the newest.
	write_tool apt-get <<-'END'
		echo "$*" >>"$FAKE/asked"
		case " $* " in
		*" update "*) exit 0 ;;
		*" --tar-only "*) wants=tarball ;;
		*) wants=all ;;
		esac
		version=${!#}
		case $version in
		*=*) version=${version#*=} ;;
		*) version=$(ls "$FAKE/archive" | sort -V | tail -n 1) ;;
		esac
		has=$(cat "$FAKE/archive/$version") || exit 100
		[ "$has" = all ] || [ "$has" = "$wants" ] || exit 100
		tar -C "$FAKE" -czf "slurm-wlm_${version%-*}.orig.tar.gz" tree
		echo "$version" >"$FAKE/got"
		[ "$wants" = tarball ] || cp -r "$FAKE/tree" "slurm-wlm-${version%-*}"
	END
	cat >tree/configure <<-'END'
		#!/bin/sh
		echo '#define SLURM_VERSION_NUMBER 0x180b05' >slurm/slurm_version.h
		: >config.h
	END
	chmod +x tree/configure
	touch tree/slurm/slurm.h
}

# write_tool NAME: a program in $PATH, its script on standard input
write_tool() {
	{ echo '#!/bin/bash'; cat; } >"bin/$1"
	chmod +x "bin/$1"
}

slurm_src() { CC=cc "$top/contrib/slurm-src" --dir "$PWD/src"; }

@test "the whole source package, where the archive has it" {
	archive 24.11.5-4+deb13u1 all
	run -0 --separate-stderr slurm_src
	equal "$output" "$PWD/src/obtained-24.11.5-4+deb13u1/slurm-wlm-24.11.5"
	[ -f "$output/config.h" ]
	# Once it is there, nothing is asked for again.
	rm asked
	run -0 --separate-stderr slurm_src
	[ ! -e asked ]
}

@test "the packaging is gone: the original tarball of the same revision" {
	archive 24.11.5-4+deb13u1 tarball
	run -0 --separate-stderr slurm_src
	equal "$output" "$PWD/src/obtained-24.11.5-4+deb13u1/slurm-24.11.5"
	equal "$(cat got)" 24.11.5-4+deb13u1
}

@test "a security update without its original tarball: that of the main archive" {
	archive 24.11.5-4+deb13u1 nothing
	archive 24.11.5-4 tarball
	# Not of another upstream version, be it newer.
	archive 24.11.50-1 all
	archive 24.11.4-9 all
	run -0 --separate-stderr slurm_src
	equal "$output" "$PWD/src/obtained-24.11.5-4+deb13u1/slurm-24.11.5"
	equal "$(cat got)" 24.11.5-4
	[[ $stderr == *"trying the original tarball of slurm-wlm 24.11.5-4"* ]]
}

@test "an archive that has none of them: what to do by hand" {
	archive 24.11.5-4+deb13u1 nothing
	archive 24.11.5-4 nothing
	archive 24.11.6-1 all
	run -1 --separate-stderr slurm_src
	[[ -z $output && $stderr == *"cannot get the source package slurm-wlm=24.11.5-4+deb13u1"* ]]
	[[ $stderr == *"slurm-24.11.5.tar.bz2"* ]]
	[ ! -e got ]
}
