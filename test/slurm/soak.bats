#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A short soak, as the second of two pieces; "make soak" runs the long one.

bats_require_minimum_version 1.5.0
load select_support

# pieces JOBS KILLS OPTION...: soak up to so many jobs and kills, the sums in "sums"
pieces()
{
	"$TORUS_SRCDIR/test/slurm/soak" --jobs "$1" --kills "$2" "${VIA[@]}" --pieces "$BATS_FILE_TMPDIR/sums" "${@:3}"
}

@test "soak: 250 jobs on two tori, whole, shared and with GPUs; nodes fail, slurmctld is killed twice" {
	# another piece has ended already
	pieces 0 0
	echo "$(pieces 0 0 | sed -n 's/^# 0 pieces, //p') seed=1 jobs=50 missing=0 kills=1 checks_failed=0" >"$BATS_FILE_TMPDIR/sums"
	run -0 pieces 600 6 --piece 250 --at-most 1
	echo "$output"
	expect_equal "${lines[-1]}" "soak: 300 of 600 jobs; the same command goes on"
	expect_match "$(tail -n 1 "$BATS_FILE_TMPDIR/sums")" \
		'^slurm=[^ ]+ plugins=select/[^ ]* seed=[0-9]+ jobs=250 missing=0 kills=2 .* checks_failed=0$'
	# nothing is left to do
	run -0 pieces 300 3
	expect_equal "$(head -n 4 <<<"$output" | xargs)" "# 2 pieces, $(tail -n 1 "$BATS_FILE_TMPDIR/sums" | cut -d ' ' -f 1-2) # jobs 300 # missing 0 # kills 3"
	expect_equal "${lines[-1]}" "soak: passed in pieces"
}

@test "a soak that is taken up again: a failed piece is not forgotten, another Slurm's not counted" {
	local runs
	runs=$(pieces 0 0 | sed -n 's/^# [0-9]* pieces, //p')
	echo "$runs seed=1 jobs=50 missing=0 kills=1 checks_failed=0" >"$BATS_FILE_TMPDIR/sums"
	echo "$runs seed=1 died=2" >>"$BATS_FILE_TMPDIR/sums"
	run -1 pieces 50 1
	expect_match "${lines[-1]}" '^soak: pieces have failed, see '
	echo "slurm=1.2.3 plugins=select/torus seed=1 jobs=50" >>"$BATS_FILE_TMPDIR/sums"
	run -2 pieces 200 1
	expect_match "$output" 'has pieces of another Slurm or other plugins: name another file$'
}
