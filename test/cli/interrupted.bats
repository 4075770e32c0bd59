#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Whatever storus writes: a signal that ends it leaves no temporary file behind.

load support

# ended_by SIGNAL ARGUMENT...: start storus, send the signal when there is a temporary
# file of it, and look at how it ended and at what is left
ended_by() {
	local signal=$1 process status=0
	shift
	# Background jobs of bash ignore SIGINT, and all of them SIGHUP below nohup; env's do not.
	env --default-signal=HUP,INT,QUIT,TERM "$storus_binary" "$@" >out.txt 2>&1 3>&- &
	process=$!
	for ((i = 0; i < 3000; i++)); do
		compgen -G '*.??????' >/dev/null || compgen -G 'new/*.??????' >/dev/null && break
		sleep 0.02
	done
	compgen -G '*.??????' >/dev/null || compgen -G 'new/*.??????' >/dev/null || {
		kill -KILL $process
		return 1
	}
	kill "-$signal" $process
	wait $process || status=$?
	equal "$status" "$((128 + $(kill -l "$signal")))"
	equal "$(find . -mindepth 1 -not -name 'out.txt' -not -name before -not -name pipe |
		paste -sd' ')" ""
}

@test "a simulation leaves no temporary file, and no directory that it made" {
	for signal in HUP INT QUIT TERM; do
		ended_by $signal sim --dims 32x32 --workload log-uniform:jobs=1000000,load=0.95 --out new
	done
}

@test "files that were there stay as they were" {
	mkfifo pipe
	echo before >before
	for signal in HUP INT TERM; do
		# Nobody reads the pipe: opening it takes for ever.
		ended_by $signal sim --dims 8 --workload exponential:mean=2,jobs=5 --write-swf pipe \
			--figure before.svg
		ended_by $signal map --grid 2x2 --dims 2x2 --cells 0-3 --output before --svg pipe
		equal "$(cat before)" before
	done
}

@test "a signal that is ignored stays ignored" {
	(
		trap '' HUP
		exec "$storus_binary" sim --dims 32x32 --workload log-uniform:jobs=60000 --out new
	) >out.txt 2>&1 3>&- &
	process=$!
	for ((i = 0; i < 3000; i++)); do
		compgen -G 'new/*.??????' >/dev/null && break
		sleep 0.02
	done
	kill -HUP $process
	wait $process
	equal "$(ls new | paste -sd' ')" "jobs.csv summary.json"
}
