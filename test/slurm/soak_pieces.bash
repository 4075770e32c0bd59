# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2154 # soak sets what is set nowhere here
#
# A soak in pieces, each a run of soak of its own: see "soak --help", --pieces.
#
# $pieces has a line for each piece that has ended:
#
#   slurm=22.05.8 plugins=select/torus seed=7 jobs=5000 missing=0 kills=5 released=9
#   script_removed=0 revoked=0 seconds=390 checks_failed=0
#
# (in one line), as soak prints it. A run that ended without its sums has "died=STATUS"
# in their place.

# what_runs: the first words of each line
what_runs() {
	local usr=${SLURM_PREFIX:-/usr} version
	[ ! -x "$usr/usr/sbin/slurmctld" ] || usr+=/usr
	version=$("$usr/sbin/slurmctld" -V) || die "cannot run $usr/sbin/slurmctld"
	echo "slurm=${version##* } plugins=select/$select${topology:+,topology/$topology}"
}

# sum_of NAME: of all lines of $pieces
sum_of() {
	awk -v name="$1=" '{ for (i = 1; i <= NF; i++)
			if (index($i, name) == 1) sum += substr($i, length(name) + 1) }
		END { print sum + 0 }' "$pieces"
}

# run_piece JOBS KILLS: run it, and add its line
run_piece() {
	local sums seed status log
	seed=$((${TORUS_TEST_SEED:-$(date +%s)} + $(wc -l <"$pieces")))
	log=$(mktemp "${TMPDIR:-/tmp}/soak.XXXXXX") || exit 2
	TORUS_TEST_SEED=$seed "$0" --jobs "$1" --kills "$2" --select "$select" \
		${topology:+--topology "$topology"} | tee "$log"
	status=${PIPESTATUS[0]}
	sums=$(sed -n 's/^# sums //p' "$log")
	rm -f "$log"
	# Interrupted: nothing has been found out.
	[ "$status" -lt 128 ] || exit "$status"
	echo "$(what_runs) seed=$seed ${sums:-died=$status}" >>"$pieces"
	return "$status"
}

report_sums() {
	local name
	echo "# $(wc -l <"$pieces") pieces, $(what_runs)"
	for name in jobs missing kills released script_removed revoked seconds checks_failed; do
		echo "# $name $(sum_of "$name")"
	done
}

soak_in_pieces() {
	local done_jobs left kills_left size ran=0
	touch "$pieces" || exit 2
	! grep -qvF "$(what_runs) " "$pieces" ||
		die "$pieces has pieces of another Slurm or other plugins: name another file"
	trap 'exit 130' INT TERM
	while done_jobs=$(sum_of jobs) && left=$((jobs - done_jobs)) && [ $left -gt 0 ]; do
		if [ -n "$at_most" ] && [ $ran -ge "$at_most" ]; then
			report_sums
			echo "soak: $done_jobs of $jobs jobs; the same command goes on"
			exit 0
		fi
		size=$((left < piece ? left : piece))
		kills_left=$((kills - $(sum_of kills)))
		[ $kills_left -ge 0 ] || kills_left=0
		# its part of those that are left, rounded
		run_piece $size $(((kills_left * size + left / 2) / left)) ||
			die "a piece failed: see above and $pieces"
		ran=$((ran + 1))
	done
	report_sums
	if [ "$(sum_of checks_failed)" -ne 0 ] || grep -q ' died=' "$pieces"; then
		echo "soak: pieces have failed, see $pieces"
		exit 1
	fi
	echo "soak: passed in pieces"
}
