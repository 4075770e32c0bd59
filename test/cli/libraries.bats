#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# What slurmctld loads: libtorus, which decides, and nothing of libtaskmap or libtorus_study. The
# lists of symbols come from the built libraries: common/, taskmap/ and contrib/lab/ in this order.

load support

# symbols_of TYPES FILE: the names in FILE's symbol table whose type letter is in TYPES
symbols_of() {
	nm "$2" | awk -v types="$1" 'NF >= 2 && index(types, $(NF - 1)) { print $NF }' | sort -u
}

# built NAME: sets $file to the built library or plugin of that name; without, the test is
# skipped
built() {
	file=${storus_binary%/*}/.libs/$1
	[[ -e $file ]] || skip "$1 was not built here"
}

# apart LIBRARY OTHER: the one needs nothing of the other
apart() {
	local library
	built "$1"
	library=$file
	built "$2"
	comm -12 <(symbols_of U "$library") <(symbols_of TDRB "$file") >both
	cat both
	[[ ! -s both ]]
}

@test "the library that decides needs nothing of those that map tasks and that study" {
	apart libtorus.a libtaskmap.a
	apart libtorus.a libtorus_study.a
	apart libtaskmap.a libtorus_study.a
}

@test "slurmctld loads nothing of the library that maps tasks, srun's filter does" {
	built libtaskmap.a
	symbols_of TDRB "$file" >mapping
	grep -qx torus_job_assign mapping
	for plugin in select_torus.so topology_torus.so; do
		built "$plugin"
		comm -12 mapping <(symbols_of TtDdRrBb "$file") >both
		cat both
		[[ ! -s both ]]
	done
	built cli_filter_torus.so
	grep -qx torus_job_node_order <(symbols_of Tt "$file")
}

@test "no plugin has anything of the library that studies" {
	built libtorus_study.a
	symbols_of TDRB "$file" >study
	# the list is one: the issue's own three
	grep -qx torus_simulate study
	grep -qx torus_swf_read study
	grep -qx torus_multipartner study
	for plugin in select_torus.so topology_torus.so cli_filter_torus.so; do
		built "$plugin"
		symbols_of TtDdRrBb "$file" >have
		grep -qx torus_cluster_find have
		comm -12 study have >both
		cat both
		[[ ! -s both ]]
	done
}

@test "a plugin lacks nothing of the engine, which would stop slurmctld at the first call" {
	for plugin in select_torus.so select_cons_tres_torus.so topology_torus.so cli_filter_torus.so; do
		built "$plugin"
		run -1 grep torus_ <(symbols_of U "$file")
	done
}
