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
	# Nor is anything left for a program that has Slurm in it to provide.
	nm -D --undefined-only "$build/.libs/libstorus.so.0" | awk '{ print $NF }' >undefined
	grep -q '^malloc' undefined
	run -1 grep -iE 'slurm|^(xfree|xmalloc|bit_|list_|info$|error$|debug$|fatal)' undefined
}

# The claim of docs/licence.md, file by file: what libstorus is compiled of is under the
# licence of the project alone, and includes nothing of Slurm's.
@test "no file that libstorus is made of is Slurm's, or includes what is" {
	local source
	# the sources of the library and of those that it links, and what they include
	{
		find "$top/contrib/libstorus" -name '*.c'
		make -s -C "$build" --eval 'print-sources: ; @printf "%s\n" $(libtaskmap_la_SOURCES) $(libtorus_la_SOURCES)' print-sources |
			sed -n "s#^#$top/#; /\.c\$/p"
	} >sources
	[ "$(wc -l <sources)" -gt 100 ]
	while read -r source; do
		cc -MM -I"$build" -I"$top/common" -I"$top" -I"$top/contrib" "$source" || return
	done <sources | tr -d '\\' | tr ' ' '\n' | grep '\.[ch]$' | sort -u >files
	grep -q 'storus\.h$' files
	# all are the project's own: none of slurm/ or of Slurm's source
	run -1 grep -E '(^|/)slurm(-src)?/' <(sed "s#^$top/##" files)
	while read -r source; do
		[[ $source == *torus_config.h ]] || head -n 2 "$source" | grep -qF "SPDX-License-Identifier: GPL-2.0-or-later" ||
			fail "another licence, or none: $source"
		! grep -nE '#[[:space:]]*include.*slurm' "$source" || fail "includes Slurm: $source"
		# Slurm's own files name their authors
		! grep -niE 'copyright.*(SchedMD|Lawrence Livermore)|CODE-OCEC' "$source" || fail "of Slurm's: $source"
	done <files
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

@test "the modules for Fortran and Python, and the manual page, have all functions" {
	local name
	nm -D --defined-only "$build/.libs/libstorus.so.0" | awk '$2 != "A" { sub(/@@.*/, "", $3); print $3 }' >symbols
	[ "$(wc -l <symbols)" -gt 25 ]
	while read -r name; do
		grep -q "bind(c, name=\"$name\")" "$top/contrib/libstorus/storus.f90" || fail "not in storus.f90: $name"
		grep -q "[ *]$name(" "$top/docs/man/libstorus.3" || fail "not in libstorus.3: $name"
		# storus_job_join() of Python's Job is storus_job_create() where no network is said
		[ "$name" = storus_job_create ] || grep -q "\"$name\"" "$top/contrib/libstorus/storus.py" ||
			fail "not in storus.py: $name"
	done <symbols
	# as many arguments in Fortran as in C
	for name in $(cat symbols); do
		c=$(grep -o "[ *]$name([^)]*)" "$top/contrib/libstorus/libstorus.abi" | tr -cd , | wc -c)
		f=$(tr -d '&\n' <"$top/contrib/libstorus/storus.f90" | grep -o " $name([^)]*) *bind" | tr -cd , | wc -c)
		equal "$name $f" "$name $c"
	done
}

@test "the example in Fortran: as in C" {
	command -v gfortran >/dev/null || skip "no gfortran"
	two_tori
	gfortran -std=f2008 -Wall -Wextra -Werror "$top/contrib/libstorus/storus.f90" "$top/docs/examples/grid.f90" \
		"$build/.libs/libstorus.so.0" -o grid
	run -0 --separate-stderr with_library ./grid torus.conf "n[00-03,16-19,32-35,48-51]"
	equal "$(tail -n 1 <<<"$output")" "average 1.00 hops, maximum 1, busiest link 1.00"
	library=$(sed '$d' <<<"$output" | cut -d ' ' -f 2 | xargs)
	run -0 --separate-stderr storus map --grid 4x4 --conf torus.conf \
		--nodelist "n[00-03,16-19,32-35,48-51]"
	equal "$library" "$(xargs <<<"$output")"
	run -1 with_library ./grid torus.conf "n[00-03]"
	equal "${lines[0]}" "the pattern has 16 tasks, but the job takes 4"
	run -1 with_library ./grid no.conf "n[00-03]"
	[[ $output == *no.conf* ]]
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

@test "the module for Python: all functions, errors with the library's text" {
	cat >try.py <<-'END'
		import sys
		sys.path.insert(0, sys.argv[1])
		sys.dont_write_bytecode = True
		import storus
		machine = storus.Machine.create([4, 4, 4], [1, 1, 1])
		assert len(machine) == 64 and machine.distance(0, 3) == 1
		assert machine.coordinates(5) == (1, 1, 0) and machine.name(5) is None
		nodes = list(range(0, 64, 2))
		job = storus.Job(machine, nodes)
		grid = storus.Pattern.grid([4, 4, 2], weights=[1, 1, 10])
		start = job.deal(nodes)
		before = job.hops(grid, start)[0]
		moved = job.remap(grid, start, stays=[0, 5], seconds=0.05)
		assert sorted(moved) == nodes and moved[0] == 0 and moved[5] == 10
		assert job.hops(grid, moved)[0] <= before
		assert job.hops(grid, job.map(grid, 0.05))[0] < before
		most, mean = job.link_load(grid, moved)
		assert most >= mean > 0
		ring = storus.Pattern.graph(32, [(i, (i + 1) % 32) for i in range(32)])
		assert sorted(job.order(ring, seconds=0.05)) == nodes
		assert sorted(job.order(storus.Pattern.any(32))) == nodes
		light = job.lighten(grid, moved, stays=[0], seconds=0.05)
		assert light[0] == moved[0] and job.link_load(grid, light)[0] <= most
		few = storus.Pattern.grid([2, 2]).idle(32)
		assert len(few) == 32
		four = job.map(few, 0.01)
		assert sorted(four) == nodes and job.hops(few, four)[0] <= 1.5
		placed = ring.locate([(0, i) for i in range(32)])
		assert sorted(job.map(placed, 0.01)) == nodes
		assert job.torus() == ((4, 4, 4), (True,) * 3, (False,) * 3)
		assert job.coordinates(2) == (2, 0, 0)
		assert machine.torus(0)[:2] == ((4, 4, 4), (True,) * 3)
		for wrong in (lambda: storus.Job(machine, [0, 0]),
		              lambda: storus.Pattern.grid([0]),
		              lambda: storus.Pattern.grid([2, 2], weights=[1]),
		              lambda: job.remap(grid, [0] * 32),
		              lambda: job.hops(grid, [0]),
		              lambda: ring.locate([(0, 1)]),
		              lambda: ring.idle(3),
		              lambda: storus.Machine.read("/nowhere")):
		    try:
		        wrong()
		    except storus.Error as error:
		        print(error)
		    else:
		        sys.exit("no error")
	END
	run -0 --separate-stderr with_library python3 try.py "$top/contrib/libstorus"
	equal "${#lines[@]}" 8
	equal "${lines[0]}" "node number 0 is in the job twice"
	equal "${lines[6]}" "idle: 3 tasks are not in 32 (those of the pattern) .. 268435456"
	equal "${lines[7]}" "cannot read '/nowhere': No such file or directory"
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
