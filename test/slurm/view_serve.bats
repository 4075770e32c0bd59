#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# storus view --serve against a live cluster: what slurmctld is asked, what PrivateData
# hides, and what happens when slurmctld is away. test/cli/view_serve.bats has the rest.

load select_support
bats_require_minimum_version 1.5.0

setup_file()
{
	cluster_start --dims 4x3x2 --wrap xyz
	echo 'var THREE;' >"$BATS_FILE_TMPDIR/three.js"
	printf '%064d\n' 7 >"$BATS_FILE_TMPDIR/token"
	chmod 600 "$BATS_FILE_TMPDIR/token"
}
teardown_file() { cluster_stop; }
teardown()
{
	[ -z "${server-}" ] || { kill "$server" && wait "$server"; } 2>/dev/null || true
	cluster_clear
}

# serve OPTION...: sets $server and $url
serve()
{
	rm -f "$BATS_TEST_TMPDIR/url"
	"$STORUS" view --three-js "$BATS_FILE_TMPDIR/three.js" --every 1 --serve=127.0.0.1:0 "$@" \
		>"$BATS_TEST_TMPDIR/url" 2>"$BATS_TEST_TMPDIR/said" 3>&- &
	server=$!
	wait_until 30 eval "[ -s '$BATS_TEST_TMPDIR/url' ] || has_ended $server" || return
	! grep -q 'built without libmicrohttpd' "$BATS_TEST_TMPDIR/said" || skip "built without libmicrohttpd"
	url=$(<"$BATS_TEST_TMPDIR/url")
	url=${url%%\?*}
	[ -n "$url" ] || fail "$(cat "$BATS_TEST_TMPDIR/said")"
}

ask() { curl -sS --noproxy '*' --max-time 30 -H "Authorization: Bearer $(<"$BATS_FILE_TMPDIR/token")" "$@"; }
data() { ask "${url}machine.json" | jq -c "$1"; }

# listen COUNT: so many readers of the stream, whose numbers are in $readers; the first
# writes to the file "events"
listen()
{
	local i
	readers=()
	for ((i = 0; i < $1; i++)); do
		# Not ask(): the number would be that of a shell around it.
		curl -sS --noproxy '*' --max-time 300 -N "${url}events" >"$BATS_TEST_TMPDIR/events$([ $i = 0 ] || echo .$i)" 2>/dev/null 3>&- &
		readers+=($!)
	done
	# Each of them has been answered, not one of them often.
	wait_until 60 eval "[ \$(grep -l '^data' '$BATS_TEST_TMPDIR'/events* | wc -l) -ge $1 ]"
}
hang_up() { kill "${readers[@]}" 2>/dev/null; wait "${readers[@]}" 2>/dev/null || true; }
told() { grep -q -e "$1" "$BATS_TEST_TMPDIR/events"; }

# looks: how often slurmctld was asked for all jobs so far
looks() { sdiag | awk '$1 == "REQUEST_JOB_INFO" { sub(/.*count:/, ""); n = $1 } END { print n + 0 }'; }

# looks_for VIEWERS: how often it is asked in 8 seconds while so many look on
looks_for()
{
	local before
	listen "$1"
	sleep 1
	before=$(looks)
	sleep 8
	echo $(($(looks) - before))
	hang_up
}

@test "jobs come and go, nodes are drained" {
	serve
	[ "$(data '[.jobs[].id]')" = '[]' ]
	listen 1
	first=$(allocate -N 6 --exclusive)
	wait_until 30 eval "[ \"\$(data '.jobs | map(.id)')\" = '[\"$first\"]' ]"
	told '-2"'
	scontrol update nodename=n023 state=drain reason=test
	wait_until 30 eval "[ \"\$(data '.tori[0].unusable | map(.)')\" = '[\"drained\"]' ]"
	scontrol update nodename=n023 state=resume
	hang_up
	kill "$server"
	wait "$server"
	[ ! -s "$BATS_TEST_TMPDIR/said" ]
}

@test "fifty who look on cost slurmctld what one does, and nobody costs nothing" {
	serve
	one=$(looks_for 1)
	fifty=$(looks_for 50)
	echo "one: $one, fifty: $fifty"
	[ "$one" -ge 2 ] && [ "$one" -le 9 ] && [ "$fifty" -ge 2 ] && [ "$fifty" -le 9 ]
	sleep 5
	before=$(looks)
	sleep 5
	[ "$(looks)" = "$before" ]
}

# asked COMMAND...: what the command has asked of slurmctld, "REQUEST COUNT ..."
asked()
{
	sdiag -r >/dev/null
	"$@" >/dev/null
	sdiag | awk '$1 ~ /^REQUEST_/ && /count:/ && $1 != "REQUEST_STATS_INFO" && $1 !~ /PING|REGISTRATION/ {
		kind = $1; sub(/.*count:/, ""); print kind, $1 }' |
		sort | xargs
}

@test "each command asks slurmctld for each thing once, however many jobs there are" {
	local i jobs=() one text
	for ((i = 0; i < 30; i++)); do
		jobs+=("$(submit -N 1 --hold --wrap true)")
	done
	for one in show metrics capacity "view --three-js $BATS_FILE_TMPDIR/three.js --output $BATS_TEST_TMPDIR/page.html"; do
		# shellcheck disable=SC2086 # words
		text=$(asked "$STORUS" $one)
		echo "$one: $text"
		# The configuration is asked for by what needs a part of it.
		expect_match "$text" '^(REQUEST_BUILD_INFO [1-3] )?REQUEST_JOB_INFO 1 REQUEST_NODE_INFO 1( REQUEST_PARTITION_INFO 1)?( REQUEST_RESERVATION_INFO 1)?$' "$one"
	done
	scancel "${jobs[@]}"
}

# sockets: how many connections the server has to slurmctld, or tries to have
sockets() { find "/proc/$server/fd" -lname 'socket:*' 2>/dev/null | wc -l; }

@test "a slurmctld that does not answer is asked one thing at a time, with pauses" {
	local ctld before most=0 now i begin asked
	ctld=$(<"$CLUSTER/run/slurmctld.pid")
	serve
	listen 20
	before=$(sockets)
	asked=$(looks)
	begin=$SECONDS
	kill -STOP "$ctld"
	for ((i = 0; i < 150; i++)); do
		now=$(sockets)
		((most = now > most ? now : most))
		sleep 0.1
	done
	kill -CONT "$ctld"
	echo "sockets: $before before, at most $most"
	((most <= before + 2))
	sleep 3
	asked=$(($(looks) - asked))
	echo "$asked looks in $((SECONDS - begin)) s"
	# One when it stopped, one after MessageTimeout (10 s) and as long a pause, and those of
	# the last seconds.
	((asked <= 5))
	hang_up
}

@test "slurmctld goes and comes: that is said, and what was seen stays" {
	first=$(allocate -N 2)
	serve
	listen 1
	minicluster kill-ctld
	# Since 24.11 the library tries for MessageTimeout, a minute here.
	wait_until 180 told '"failure":"cannot ask slurmctld'
	[ "$(data '[.jobs[].id]')" = "[\"$first\"]" ]
	grep -q 'storus view: cannot ask slurmctld' "$BATS_TEST_TMPDIR/said"
	minicluster start-ctld
	wait_until 90 eval "tail -n 2 '$BATS_TEST_TMPDIR/events' | grep -q '\"failure\":null'"
	grep -q 'storus view: seen again' "$BATS_TEST_TMPDIR/said"
	hang_up
	wait_until 60 all_idle_or_used
}

# all_idle_or_used: every node is there again
all_idle_or_used() { [ "$(sinfo -h -o %t | sort -u | grep -cvE '^(idle|alloc|mix)$')" = 0 ]; }

@test "it ends at once while it waits for slurmctld" {
	serve
	minicluster kill-ctld TERM
	listen 1
	sleep 3
	begin=$SECONDS
	kill "$server"
	wait "$server"
	[ $((SECONDS - begin)) -le 5 ]
	minicluster start-ctld
	wait_until 60 all_idle
}

@test "what PrivateData hides stays hidden" {
	# The other user's script has to be found.
	chmod a+x "$BATS_RUN_TMPDIR" "$BATS_RUN_TMPDIR/file" "$BATS_FILE_TMPDIR"
	own=$(allocate -N 2 --exclusive --job-name own)
	other=$(sbatch --parsable --uid="$ORDINARY" --chdir=/ --output=/dev/null -N 3 --exclusive \
		--job-name secret --comment secret --wrap 'sleep 600')
	wait_running "$other"
	serve
	[ "$(data '[.jobs[].id]')" = "[\"$own\",\"$other\"]" ]
	minicluster set PrivateData=jobs
	reconfigure
	# One without a token has nothing to show any more.
	wait_until 30 eval "ask '$url' | grep -q 'every user of this host can reach this port'"
	! ask "${url}machine.json" | grep -q secret || return 1
	kill "$server"
	wait "$server"
	run -2 --separate-stderr "$STORUS" view --three-js "$BATS_FILE_TMPDIR/three.js" --serve=127.0.0.1:0
	[[ $stderr == *'PrivateData hides jobs'*'--token-file'* ]]
	run -2 --separate-stderr "$STORUS" view --three-js "$BATS_FILE_TMPDIR/three.js" --serve=127.0.0.1:0 --private
	# With one it shows the own jobs; the others hold their nodes.
	serve --token-file "$BATS_FILE_TMPDIR/token"
	[ "$(data '[.jobs[].id]')" = "[\"$own\"]" ]
	run -0 data '.tori[0].others'
	[ "$output" != '""' ]
	! ask "$url" | grep -q secret || return 1
	kill "$server"
	wait "$server"
	serve --token-file "$BATS_FILE_TMPDIR/token" --private
	[ "$(data '[.jobs[].name]')" = '["own","secret"]' ]
	kill "$server"
	wait "$server"
	# Of nodes nothing is said.
	scontrol update nodename=n023 state=drain reason=test
	minicluster set PrivateData=nodes
	reconfigure
	serve --token-file "$BATS_FILE_TMPDIR/token"
	[ "$(data '[(.jobs | map(.name)), .tori[0].unusable, .tori[0].weights]')" = '[["own","secret"],{},null]' ]
	scontrol update nodename=n023 state=resume
	minicluster set PrivateData=none
	reconfigure
	scancel "$own" "$other"
}
