#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Where output files go: two outputs are never one file, links of strangers are not
# followed, devices and pipes are written to.

load support

map() { storus map --grid 2x2 --dims 4x4 --cells 0-3 "$@"; }

# refused TEXT ARGUMENT...: map fails with this message and leaves no file behind
refused() {
	local text=$1
	shift
	touch before
	find . | sort >before
	run -2 --separate-stderr map "$@"
	# shellcheck disable=SC2154 # set by run
	[[ -z $output && $stderr == *"storus map: cannot write "*"$text"* ]] || {
		printf 'map %s\nexpected: %s\nstderr:   %s\n' "$*" "$text" "$stderr" >&2
		return 1
	}
	find . | sort | diff before -
}

@test "two outputs in one file are refused, by whichever names" {
	same="another output of this command goes to the same file"
	mkdir -p there/deep
	ln -s there here
	ln -s ../same there/link
	ln -s same dangling
	for exists in no yes; do
		refused "$same" --output same --svg same
		refused "$same" --output same --svg ./same
		refused "$same" --output same --svg "$PWD/same"
		refused "$same" --output same --svg there/../same
		refused "$same" --output same --svg there/link
		refused "$same" --output same --svg here/link
		refused "$same" --output dangling --svg same
		refused "$same" --output here/new --svg there/deep/../new
		[[ $exists == yes ]] || echo old >same
	done
	equal "$(cat same)" old
	mkfifo pipe
	cat pipe >/dev/null &
	refused "$same" --output pipe --svg ./pipe
	refused "$same" --output /dev/stdout --svg /dev/fd/1
	# Where nothing is lost: names of one file that get a file each, and /dev/null.
	ln same twin
	run -0 map --output same --svg twin
	[[ $(cat same) == task* && $(cat twin) == *"<svg"* ]]
	run -0 map --output /dev/null --svg /dev/null
}

@test "so are they in sim and convert" {
	same="another output of this command goes to the same file"
	printf '1 0 -1 10 2 -1 -1 2 10 -1 1 1 1 1 1 -1 -1 -1\n' >log.swf
	sim() { storus sim --dims 4x4 --trace log.swf --out out "$@"; }
	mkdir out
	for options in "--write-swf out/jobs.csv" "--write-swf ./out/../out/summary.json" "--frames 1,2,1"; do
		# shellcheck disable=SC2086 # several words
		run -2 --separate-stderr sim $options
		[[ $stderr == *"$same" && -z $(ls out) ]]
	done
	run -2 --separate-stderr storus convert --nodelist 'n[000,002,011,120]' --output torus-main.coords
	[[ $stderr == *"$same" && ! -e torus-main.coords ]]
}

@test "an output that is the file of the standard output is refused" {
	run -2 bash -c '"$0" map --grid 2x2 --dims 4x4 --cells 0-3 --svg out >out' "$storus_binary"
	[[ $output == *"cannot write 'out': the standard output goes there" ]]
	run -2 bash -c '"$0" map --grid 2x2 --dims 4x4 --cells 0-3 --output /dev/stdout --svg out >out' \
		"$storus_binary"
}

@test "one's own links stay, and what they point to is replaced" {
	mkdir there
	echo old >there/file
	ln -s there/file link
	ln -s there directory
	run -0 map --output link
	[[ -L link && $(cat there/file) == task* ]]
	run -0 map --output directory/new
	[[ -f there/new ]]
	ln -s loop loop
	refused "Too many levels of symbolic links" --output loop
	refused "Is a directory" --output there
	refused "Is a directory" --output there/
	refused "No such file or directory" --output nowhere/file
	refused "Not a directory" --output there/file/x
	refused "No such file or directory" --output ''
}

@test "links, pipes of a stranger in a directory like /tmp are left alone" {
	((EUID == 0)) || skip "only root can make what belongs to another user"
	echo precious >victim
	mkdir -m 1777 tmp
	mkdir secret
	ln -s "$PWD/victim" tmp/link
	ln -s "$PWD/nothing" tmp/dangling
	ln -s "$PWD/secret" tmp/directory
	ln -s "$PWD/victim" tmp/own
	mkfifo tmp/pipe
	chown -h 65534 tmp/link tmp/dangling tmp/directory tmp/pipe
	refused "the symbolic link 'link' belongs to another user" --output tmp/link
	refused "the symbolic link 'link' belongs to another user" --svg tmp/link
	refused "the symbolic link 'dangling' belongs to another user" --output tmp/dangling
	refused "the symbolic link 'directory' belongs to another user" --output tmp/directory/file
	refused "it belongs to another user" --output tmp/pipe
	run -2 storus order --dims 4 --time-limit 0 --output tmp/link
	echo "TorusName=main Dims=2 Nodes=n[0-1]" >torus.conf
	echo "7 n0" >jobs
	run -2 storus show --conf torus.conf --jobs jobs --svg tmp/link
	run -2 storus convert --nodelist 'n[000-001]' --output tmp/link
	equal "$(cat victim)" precious
	[[ ! -e nothing && -z $(ls secret) ]]
	# One's own, and links elsewhere, are followed.
	run -0 map --output tmp/own
	[[ -L tmp/own && $(cat victim) == task* ]]
	mkdir plain
	ln -s "$PWD/new" plain/link
	chown -h 65534 plain/link
	run -0 map --output plain/link
	[[ -f new ]]
	# A file of a stranger is replaced, not written to: who has it open sees nothing.
	echo his >tmp/file
	chown 65534 tmp/file
	exec 7<tmp/file
	run -0 map --output tmp/file
	equal "$(cat <&7)" his
	equal "$(stat -c %u tmp/file)" 0
}

@test "standard output, descriptors, pipes and devices are written to as they are" {
	map >expected 2>/dev/null
	map --output /dev/stdout 2>/dev/null | diff expected -
	{
		echo before
		map --output /dev/stdout 2>/dev/null
		echo after
	} >all
	diff <(echo before; cat expected; echo after) all
	echo kept >appended
	map --output /dev/stdout 2>/dev/null >>appended
	diff <(echo kept; cat expected) appended
	map --output /dev/fd/5 2>/dev/null 5>five
	diff expected five
	map --output /proc/self/fd/5 2>/dev/null 5>five
	diff expected five
	mkfifo pipe
	cat pipe >through &
	map --output pipe 2>/dev/null
	wait $!
	diff expected through
	[[ -p pipe ]]
	run -2 --separate-stderr map --output /dev/full
	[[ $stderr == *"cannot write '/dev/full': No space left on device" ]]
	run -2 --separate-stderr map --output /dev/fd/9
	[[ $stderr == *"cannot write '/dev/fd/9': No such file or directory" ]]
}

# stepwise [VARIABLE=VALUE]... -- COMMAND...: under test/kill_at.c, which says in ./steps what
# the command does to files below this directory
stepwise() {
	local settings=()
	while [[ $1 != -- ]]; do
		settings+=("$1")
		shift
	done
	shift
	[[ -e kill_at.so ]] || cc -shared -fPIC -o kill_at.so "$BATS_TEST_DIRNAME/../kill_at.c" -ldl
	rm -f steps
	# Of a storus that is compiled with sanitizers: their library need not be the first.
	env ASAN_OPTIONS="${ASAN_OPTIONS-}:verify_asan_link_order=0" KILL_AT_BELOW="$PWD/d" KILL_AT_LOG="$PWD/steps" \
		LD_PRELOAD="$PWD/kill_at.so" "${settings[@]}" "$@"
}

@test "a file is on the disk before it takes the place of another, and then its name is" {
	mkdir d
	echo old >d/out
	stepwise -- "$storus_binary" map --grid 2x2 --dims 4x4 --cells 0-3 --output d/out
	equal "$(sed -E "s|$PWD/||; s/out\.[a-z0-9]+/NEW/" steps)" \
		$'1 open d/NEW\n2 fsync d/NEW\n3 rename d/out\n4 fsync d'
	[[ $(cat d/out) == task* ]]
}

@test "killed at any step, it is the old file or the new one" {
	local step new
	mkdir d
	map --output new
	for step in 1 2 3 4; do
		echo old >d/out
		run -137 stepwise KILL_AT="$step" -- "$storus_binary" map --grid 2x2 --dims 4x4 --cells 0-3 --output d/out
		equal "$(tail -n 1 steps | cut -d " " -f 1)" "$step"
		if [[ $step == 4 ]]; then cmp d/out new; else equal "$(cat d/out)" old; fi
	done
}

@test "what cannot be brought to the disk is an error, and the old file stays" {
	mkdir d
	echo old >d/out
	run -2 stepwise KILL_AT_FAIL=fsync -- "$storus_binary" map --grid 2x2 --dims 4x4 --cells 0-3 --output d/out
	[[ $output == *"cannot write 'd/out': Input/output error"* ]]
	equal "$(cat d/out)" old
	equal "$(ls d)" out
}
