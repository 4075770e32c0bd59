#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# libstorus from the outside: its ABI against the committed list, its header in both
# languages, an installation by pkg-config, the examples, and the same answers as storus.
# shellcheck disable=SC2154 # output and stderr are set by run

load support

top=$(realpath "$BATS_TEST_DIRNAME/../..")
build=${storus_binary%/*}
header=$top/contrib/libstorus/storus.h

# with_library COMMAND...: one that loads libstorus.so.0; a sanitizer's runtime comes first
with_library() {
	local preload=''
	if nm -D "$build/.libs/libstorus.so.0" | grep -q ' U __asan_'; then
		preload=$(cc -print-file-name=libasan.so)
	fi
	# Python never frees some of its own, and what is freed is to be used again.
	env LD_LIBRARY_PATH="$build/.libs" LD_PRELOAD="$preload" \
		ASAN_OPTIONS="${preload:+detect_leaks=0:quarantine_size_mb=0:thread_local_quarantine_size_kb=0}" "$@"
}

# abi: what programs were compiled against: the soname, each symbol with its version, the
# values of the header's constants, and each declaration
abi() {
	readelf -d "$build/.libs/libstorus.so.0" | sed -n 's/.*(SONAME).*\[\(.*\)\]/soname \1/p'
	nm -D --defined-only "$build/.libs/libstorus.so.0" | awk '{ print "symbol", $3 }' | LC_ALL=C sort
	sed -n 's/^#define \(STORUS_[A-Z_]*\) \(.*\)/constant \1 \2/p' "$header"
	# Of the header alone, one declaration a line, without its parameters' line breaks.
	cc -E -P - <<<"$(sed '/^#include/d' "$header")" | tr '\n\t' '  ' |
		sed 's/  */ /g; s/; */;\n/g; s/{ /{/g' | sed 's/^ //; /^$/d'
	echo
}

two_tori() {
	cat >torus.conf <<-'END'
		TorusName=main Dims=4x4x4 Wrap=xyz Nodes=n[00-63]
		TorusName=line Dims=10 Nodes=m[0-9]
	END
}

@test "the ABI is that of libstorus.abi; where it changes, -version-info must, too" {
	abi | sed '/^$/d' >abi
	diff -u "$top/contrib/libstorus/libstorus.abi" abi
}

@test "nothing but storus_ functions is exported, each with a version" {
	nm -D --defined-only "$build/.libs/libstorus.so.0" | awk '$2 != "A" { print $3 }' >symbols
	[ "$(wc -l <symbols)" -gt 20 ]
	run -1 grep -vE '^storus_[a-z_]+@@STORUS_[0-9.]+$' symbols
}

@test "nothing of Slurm is needed, and of the system only the C library" {
	run -0 readelf -d "$build/.libs/libstorus.so.0"
	run -1 grep -vE 'lib(c|m|asan|ubsan)\.so' <(grep NEEDED <<<"$output")
}

@test "there is no global state" {
	# Sanitizers add some of their own.
	! nm -D "$build/.libs/libstorus.so.0" | grep -q ' U __asan_' || skip "not with sanitizers"
	# The start files of the C compiler have two.
	objdump -t "$build/.libs/libstorus.so.0" >all
	grep -q ' \.rodata' all
	awk 'NF > 4 && $(NF - 2) ~ /^\.t?(data|bss)$/ && $NF !~ /^(\.t?(data|bss)|__dso_handle|__TMC_END__|completed\.[0-9]+)$/' \
		all >writable
	cat writable
	[ ! -s writable ]
}

@test "the header is C11 and C++ by itself, without a warning" {
	for compiler in "cc -std=c11 -x c" "c++ -std=c++98 -Wno-long-long -x c++" "c++ -std=c++17 -x c++"; do
		# shellcheck disable=SC2086 # words
		$compiler -Wall -Wextra -Werror -pedantic -fsyntax-only - <<<"#include \"$header\""
	done
}

@test "installed, found by pkg-config, linked with, and run" {
	two_tori
	env -u MAKEFLAGS -u MAKELEVEL make -s -C "$build" DESTDIR="$PWD/root" install-libLTLIBRARIES install-includeHEADERS \
		install-pkgconfigDATA >/dev/null
	pc=$(find root -name storus.pc)
	[ -n "$pc" ]
	PKG_CONFIG_PATH=$(dirname "$PWD/$pc")
	export PKG_CONFIG_PATH
	equal "$(pkg-config --modversion storus)" "$("$storus_binary" --version | sed 's/.* //')"
	# Where it says it is to be installed, below our own root.
	read -ra flags < <(PKG_CONFIG_SYSROOT_DIR=$PWD/root pkg-config --cflags --libs storus)
	cc -std=c11 -Wall -Wextra -Werror "$top/docs/examples/grid.c" "${flags[@]}" -o grid
	run -0 --separate-stderr with_library ./grid torus.conf "n[00-63]"
	[ "$(wc -l <<<"$output")" = 17 ]
	# what storus says of the same
	run -0 --separate-stderr with_library ./grid torus.conf "n[00-03,16-19,32-35,48-51]"
	equal "$(tail -n 1 <<<"$output")" "average 1.00 hops, maximum 1"
	library=$(sed '$d' <<<"$output" | cut -d ' ' -f 2 | xargs)
	run -0 --separate-stderr storus map --grid 4x4 --conf torus.conf \
		--nodelist "n[00-03,16-19,32-35,48-51]"
	equal "$library" "$(xargs <<<"$output")"
	run -1 --separate-stderr with_library ./grid torus.conf "n[00-03]"
	equal "$stderr" "the pattern has 16 tasks, but the job takes 4"
	run -1 --separate-stderr with_library ./grid torus.conf "n[00-14],m0"
	[[ $stderr == "nodes of different tori: "* ]]
	run -1 --separate-stderr with_library ./grid no.conf "n[00-15]"
	[[ $stderr == *no.conf* ]]
}

@test "the example in Python: an order for a device mesh, that of storus map" {
	two_tori
	run -0 --separate-stderr with_library python3 "$top/docs/examples/device_mesh.py" torus.conf \
		"n[00-15]" 4 8 8
	library=$output
	equal "$(sort <<<"$library" | uniq -c | awk '$1 == 1' | wc -l)" 16
	run -0 --separate-stderr storus map --grid 8x8 --conf torus.conf --nodelist "n[00-15]" \
		--tasks-per-node 4 --format hosts
	equal "$library" "$output"
	run -1 --separate-stderr with_library python3 "$top/docs/examples/device_mesh.py" torus.conf \
		"n[00-15]" 4 8 9
	equal "$stderr" "the pattern has 72 tasks, but the job takes 64"
	run -1 --separate-stderr with_library python3 "$top/docs/examples/device_mesh.py" torus.conf \
		"n[00-15" 4 8 8
	[[ $stderr == *"n[00-15"* ]]
}

@test "the example in Python keeps no memory" {
	two_tori
	run -0 --separate-stderr with_library python3 - "$top/docs/examples" <<-'END'
		import resource, sys
		sys.path.insert(0, sys.argv[1])
		sys.dont_write_bytecode = True
		import device_mesh
		def peak():
		    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
		def rounds(count):
		    for _ in range(count):
		        device_mesh.order("torus.conf", "n[00-03]", 1, [4])
		        try:
		            device_mesh.order("torus.conf", "n[00-03]", 1, [5])
		        except ValueError:
		            pass
		rounds(20)
		before = peak()
		rounds(400)
		print(peak() - before)
	END
	# kB; what a machine alone takes would be megabytes by then
	[ "$output" -lt 1000 ]
}
