# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# The part of contrib/check that starts clusters of Slurm: test/slurm/*.bats, several files
# at a time, with this host's Slurm and with another Debian's.  Wants the settings of its
# caller, and results.bash.
#
# A suite is all that runs in one place with one decider: "cluster" is this host, "trixie"
# or "bookworm" another Debian.  The first suite of a place has every file, with
# select/torus, or, if it is called topology_*, with topology/torus.  Where topology/torus
# chooses nodes two more follow: "PLACE topology" with it and Slurm's own select/cons_tres,
# and "PLACE both", short, with both plugins of ours.  "unit PLACE" is make check there.
#
# shellcheck disable=SC2154 # the caller's settings

# From this release on Slurm has its topology plugin choose nodes.
first_to_ask_topology=24.11

# Most of its time a file waits for Slurm, and what runs at the same time and computes has
# a low priority (see aside in contrib/check). With more at once tests come too late.
at_once=$((2 * $(nproc)))

# has_room: for one more file; for a few more than that once nothing else runs
has_room()
{
	local most=$at_once
	[ ! -e "$output/computed" ] || ((most += ($(nproc) + 1) / 2))
	[ "$(jobs -pr | wc -l)" -lt "$most" ]
}

# How many seconds making the other Debian, or building in it, may take
patience=3000

# files_by_length: each file, and the suites beside the first of a place that have it, too.
# The longest come first: one that started last would keep everything waiting.  The other
# suites have what depends on who chooses the nodes.  Not these:
#   minicluster, map, mpi, sim_compare  no plugin of ours is in the cluster
#   build                          what contrib/build compiles anew
#   symbols                        those of all plugins at once
#   convert                        from Slurm's own plugins to select/torus, and back
#   accounting, capacity, federation, report, reserve, truth, view_truth  what an epilog, srun and storus ask of Slurm
#   topology_*                     topology/torus decides in the first suite already
#   from_torus3d                   is about topology/torus alone
#   chip_examples                  the files of docs/examples, whoever decides
#   topology_eval                  asks without a cluster
#   cloud_nodes with topology      topology_dynamic has more of it
#   asked_twice, select_rows       are about what select/torus alone works out
#   select_names                   is about the two names of select/torus
# With both plugins select/torus chooses, and topology/torus passes that on: three files, about a job's
# life, about what is counted and about topology.yaml, show that.
# On another Debian those marked "+" run in all their suites, and those marked "+SUITE" in
# that one: the whole is to take less than 30 minutes on two processors. Left out are build,
# minicluster and sim_compare, where nothing of ours is in the cluster; map and mpi: Open MPI 5
# now and then ends in MPI_Init by a fault of its own on a busy host; and, since they take
# minutes and others come near them, crash, takeover, patience_switches, select_rows, select_decisions
# and sim_decisions. With --all-files, as for a release, these run there, too.
files_by_length()
{
	cat <<-'END'
	patience                 topology +topology
	sim_decisions            topology
	soak                     topology +topology
	map_changes              topology +topology
	segment_stock            topology +topology
	arrays
	takeover                 topology
	select_life              topology both +both
	cubes                    topology +topology
	topology_dynamic         +select
	topology_order_stock
	topology_leave           +select
	topology_yaml            both
	cli_filter               topology +topology
	first_node               topology both +topology
	select_rows
	build
	select_preempt           topology +topology
	select_decisions         topology
	map
	chips                    topology +topology
	crash                    topology
	words                    topology +topology
	chip_examples            +
	federation
	patience_switches        topology
	memory                   topology +topology
	leaks
	preempt_qos
	topology_shared          +select
	future_nodes             topology +select
	cloud_nodes
	topology_eval            +
	show                     topology +select
	topology_gpus            +select
	topology_place           +select
	view_serve
	view_truth               +select
	truth                    +select
	minicluster
	mpi
	select_strict_preempt    topology +select
	accounting               +select
	report                   +select
	select_oversubscribe     topology +topology
	select_plan              topology +select
	select_policies          topology +select
	convert                  +
	switch                   topology +select
	topology_show            +
	select_names             +select
	select_conf              topology +topology
	select_whole             topology +select
	select_strict            topology +topology
	select_suits             topology +topology
	select_weights           topology +topology
	sim_compare
	select_core_reservation  topology +select
	select_builds            topology +select
	select_shared            topology +select
	select_strict_gres       topology +topology
	strict_uneven            topology +topology
	as_stock                 topology +topology
	select_tori              topology +select
	asked_twice              +
	refused                  topology +topology
	hres                     topology
	reserve                  +
	capacity
	documented_words         +topology
	metrics                  topology both +both
	network                  topology +select
	segment                  topology +
	segment_named            topology +topology
	topology_units           +
	from_torus3d             topology
	select_contiguous        topology +topology
	symbols                  +select
	configless               topology
	END
}

# is_wanted FILE: by --files
is_wanted()
{
	local pattern wanted
	[ -n "$patterns" ] || return 0
	read -ra wanted <<<"$patterns"
	for pattern in "${wanted[@]}"; do
		# shellcheck disable=SC2053 # a pattern
		[[ $1 != $pattern ]] || return 0
	done
	return 1
}

# files: the same, and first those that are not in the list, which run everywhere; with
# --all-files all of them do, and with --files only some
files()
{
	local line
	all_of_them | while read -r line; do
		! is_wanted "${line%% *}" || printf '%s\n' "$line"
	done
}

all_of_them()
{
	local file
	for file in "$source_dir"/test/slurm/*.bats; do
		file=${file##*/}
		echo "${file%.bats} topology both +"
	done | awk -v all="$all_files" '
		NR == FNR { line[$1] = $0; order[++count] = $1; next }
		!($1 in line)
		END {
			for (i = 1; i <= count; i++)
				print all ? order[i] " topology both +" : line[order[i]]
		}' <(files_by_length) -
}

# is_since RELEASE VERSION: whether this version is of that release or a later one
is_since() { [ "$(printf '%s\n' "$1" "$2" | sort -V | head -n 1)" = "$1" ]; }

# slurm_version PLACE
slurm_version()
{
	local ask=("${slurm_prefix:+$slurm_prefix/sbin/}slurmctld" -V)
	[ "$1" = cluster ] || ask=("$source_dir/contrib/debian-root" "$root" slurmctld -V)
	"${ask[@]}" | sed 's/.* //'
}

# deciders PLACE: what may choose nodes there, each a suite
deciders()
{
	echo select
	! is_since "$first_to_ask_topology" "$(slurm_version "$1")" || echo topology both
}

# name_of_suite PLACE DECIDER
name_of_suite() { if [ "$2" = select ]; then echo "$1"; else echo "$1 $2"; fi; }

# --- the other Debian -----------------------------------------------------

# choose_other: trixie (13), and on that bookworm (12), in a root file system that is made
# once and kept; sets $other and $root
choose_other()
{
	# shellcheck source=/dev/null
	[ "$(. /etc/os-release && echo "${VERSION_CODENAME-}")" = trixie ] &&
		other=bookworm || other=trixie
	root=$build_dir/debian-$other
}

# within_patience COMMAND...: with its output in other.log; for a trap to be able to end it
# in the background
within_patience()
{
	local status
	timeout -k 60 "$patience" nice -n 19 "$@" </dev/null >>"$output/other.log" 2>&1 &
	wait $!
	status=$?
	[ "$status" -ne 124 ] || echo "not done after $patience s" >>"$output/other.log"
	return "$status"
}

# prepare_other: make it, and build in it, in the background as $preparing.  Leaves other.skip
# if it cannot be had, with the reason, or other.status, how the building ended.
prepare_other()
{
	# Not beside what else installs packages.
	[ "$(id -u)" -ne 0 ] || "$source_dir/contrib/deps" root
	make_other &
	preparing=$!
}

make_other()
{
	local purpose=check
	trap 'end_children; exit' TERM
	[ -z "$patterns" ] || [ -n "$all_files" ] || purpose=test-cluster
	if [ "$(id -u)" -ne 0 ]; then
		echo "needs root's rights" >"$output/other.skip"
	elif ! within_patience "$source_dir/contrib/debian-root" --suite "$other" --for build \
		--for cluster --for accounting --for "$purpose" --source "$root" true; then
		tail -n 1 "$output/other.log" >"$output/other.skip"
	else
		rm -rf --one-file-system "$root"/tmp/*
		within_patience "$source_dir/contrib/debian-root" "$root" "$source_there/contrib/build"
		echo $? >"$output/other.status"
	fi
}

# other_is_ready: once it is known
other_is_ready()
{
	# It is the caller's.
	tail -f --pid="$preparing" /dev/null
	[ "$(cat "$output/other.status" 2>/dev/null)" = 0 ]
}

# other_is_missing: say in its first suite why
other_is_missing()
{
	begin "$other"
	if [ -f "$output/other.skip" ]; then
		result skip "cluster tests on Debian's $other" "$(<"$output/other.skip")"
	else
		result fail build "$(end_of_log "$output/other.log")"
	fi
	end
}

# --- files ----------------------------------------------------------------

# room_for_clusters: the directory for theirs.  In memory, if it has room and lets programs
# run: on a disk, small files that come and go by the thousand took a tenth of the processors.
room_for_clusters()
{
	local megabytes
	if [ -z "${TMPDIR-}" ] && awk '
			$2 == "/dev/shm" && $3 == "tmpfs" { usable = "," $4 "," !~ /,(ro|noexec),/ }
			END { exit !usable }' /proc/mounts; then
		megabytes=$(df --output=avail -B 1M /dev/shm | tail -n 1)
		[ "$megabytes" -lt 4096 ] || { echo /dev/shm; return; }
	fi
	echo "${TMPDIR:-/tmp}"
}

# cluster_file PLACE DECIDER FILE: its tests start clusters of their own in directories of
# their own and end them.  What is left should they be cut short is found by its directory,
# or ends with the other Debian's processes.
cluster_file()
{
	local place=$1 decider=$2 file=$3 directory there status in_root=() settings
	local started=$SECONDS left=$((deadline - SECONDS))
	suite=$(name_of_suite "$place" "$decider")
	directory=$temporary/${suite// /.}.$file
	there=$directory
	# Results go to a file of their own: other files of tests run at the same time.
	results=$(path_of "$suite")/$file.results
	: >"$results"
	if [ "$place" = cluster ]; then
		settings=(TORUS_PLUGIN_DIR="$build_dir/.libs" STORUS="$build_dir/storus"
			TORUS_SRCDIR="$source_dir" SLURM_PREFIX="$slurm_prefix")
		set -- bats --no-tempdir-cleanup "$source_dir/test/slurm/$file.bats"
	else
		# Of this host's directories the other Debian has those below /dev.
		if [[ $temporary != /dev/* ]]; then
			there=/tmp/${directory##*/}
			directory=$root$there
		fi
		in_root=("$source_dir/contrib/debian-root" "$root")
		settings=(TORUS_PLUGIN_DIR="$source_there/build/.libs"
			STORUS="$source_there/build/storus" TORUS_SRCDIR="$source_there")
		set -- bats "$source_there/test/slurm/$file.bats"
	fi
	[ "$decider" = select ] || settings+=(TORUS_VIA="$decider")
	[ "$suite" = cluster ] || settings+=(TORUS_TEST_SEED="$seed")
	mkdir -m 1777 "$directory"
	# In the background, for a trap to be able to end it.
	timeout -k 30 $((left > 10 ? left : 10)) "${in_root[@]}" \
		env "${settings[@]}" TMPDIR="$there" "$@" --tap </dev/null >"${results%.*}.log" 2>&1 &
	trap 'kill $!' TERM
	wait $!
	status=$?
	[ "$status" -ne 124 ] || echo "# cut short: no time left" >>"${results%.*}.log"
	echo "$file.bats: $((SECONDS - started)) s, from $started s on" >>"$(path_of "$suite").log"
	count_tap "$file.bats" "${results%.*}.log" "$status"
	[ "$place" != cluster ] || end_clusters "$directory"
	rm -rf --one-file-system "$directory"
}

# start_files PLACE: those of all its suites, as many at a time as there is room for.  Some
# may still run when it returns.
start_files()
{
	local place=$1 deciders decider lines line
	read -r -d '' -a deciders < <(deciders "$place")
	for decider in "${deciders[@]}"; do
		begin "$(name_of_suite "$place" "$decider")"
		mkdir "$(path_of "$suite")"
	done
	mapfile -t lines < <(files)
	for line in "${lines[@]}"; do
		for decider in "${deciders[@]}"; do
			[[ " select ${line#* } " == *" $decider "* ]] || continue
			[ "$place" = cluster ] || [[ "$line " == *"+ "* || "$line " == *" +$decider "* ]] ||
				continue
			until has_room; do wait -n; done
			progress "$place: ${line%% *}"
			cluster_file "$place" "$decider" "${line%% *}" &
		done
	done
}

# repeated_at_most: so many files that failed run once more, each alone; if more have failed
# it is not by chance
repeated_at_most=3

# run_again PLACE: the files that failed there beside others. One that passes now counts as
# passed, and the output says so with the first failure: a race is to be looked into, but a
# defect fails twice.
run_again()
{
	local place=$1 decider file failed=()
	for decider in $(deciders "$place"); do
		while read -r file; do
			failed+=("$decider ${file##*/}")
		done < <(grep -l ^fail "$(path_of "$(name_of_suite "$place" "$decider")")"/*.results 2>/dev/null)
	done
	[ "${#failed[@]}" -le "$repeated_at_most" ] || return 0
	for file in "${failed[@]}"; do
		[ "$SECONDS" -lt "$deadline" ] || return 0
		decider=${file%% *}
		file=${file#* }
		run_file_again "$place" "$decider" "${file%.results}"
	done
}

# run_file_again PLACE DECIDER FILE
run_file_again()
{
	local first again path
	path=$(path_of "$(name_of_suite "$1" "$2")")
	first=$path/$3.first
	mv "$path/$3.results" "$first"
	mv "$path/$3.log" "$first.log"
	progress "$1: $3, again"
	cluster_file "$1" "$2" "$3" &
	wait $!
	again=$path/$3.results
	if grep -q ^fail "$again" || ! grep -q ^pass "$again"; then
		mv "$first" "$again"
		mv "$first.log" "$path/$3.log"
	else
		grep ^fail "$first" >>"$output/again"
		rm "$first"
	fi
}

# end_suites PLACE: once all of its files have run
end_suites()
{
	local decider
	for decider in $(deciders "$1"); do
		suite=$(name_of_suite "$1" "$decider")
		results=$(path_of "$suite").results
		# With --files a suite may have none.
		[ -z "$patterns" ] || compgen -G "$(path_of "$suite")/*.results" >/dev/null || continue
		cat "$(path_of "$suite")"/*.results >>"$results"
		end "$(awk '
			NR == 1 || $5 < first { first = $5 }
			$5 + $2 > last { last = $5 + $2 }
			END { print last - first }' "$(path_of "$suite").log")"
	done
}

# clusters: the files here, then those in the other Debian, which is ready by then; for the
# background
clusters()
{
	local deadline=$((SECONDS + 60 * minutes)) ready=''
	trap 'end_children; exit' TERM
	start_files cluster
	if [ -n "$other" ] && other_is_ready; then
		ready=yes
		start_files "$other"
	fi
	wait
	run_again cluster
	end_suites cluster
	if [ -n "$ready" ]; then
		run_again "$other"
		end_suites "$other"
	elif [ -n "$other" ]; then
		other_is_missing
	fi
}

# end_clusters DIR: those that are left below it
end_clusters()
{
	find "$1" -name settings 2>/dev/null | while read -r file; do
		"$source_dir/contrib/minicluster" --dir "${file%/settings}" down
	done
}
