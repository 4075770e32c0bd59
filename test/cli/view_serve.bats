#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# storus view --serve with jobs from a file: what it answers, to whom, and what it bears.
# view_live.py looks at it in a browser; test/slurm/view_serve.bats asks a real slurmctld.

load support

setup_file() {
	local binary python
	binary=$(realpath "${STORUS:-$PWD/storus}")
	cd "$BATS_FILE_TMPDIR" || return
	# Debian's selenium belongs to Debian's Python.
	for python in python3 /usr/bin/python3; do
		"$python" -B "$BATS_TEST_DIRNAME/view_live.py" "$binary" >results 2>errors && return
		[[ $? == 77 ]] || {
			grep -q 'built without libmicrohttpd' errors && return
			cat errors >&2
			return 1
		}
	done
	sed -i 's/^/skip /' results
}

# said NAME: that test's line of view_live.py is an "ok"
said() {
	local results=$BATS_FILE_TMPDIR/results
	! grep -q 'built without libmicrohttpd' "$BATS_FILE_TMPDIR/errors" || skip "built without libmicrohttpd"
	! grep -q ^skip "$results" || skip "$(sed -n 's/^skip //p' "$results")"
	grep -qx "ok $1" "$results" || {
		grep "^not ok $1" "$results" || cat "$results"
		return 1
	}
}

small() {
	echo "TorusName=main Dims=6x3x2 Wrap=x Nodes=n[00-35] Curve=row_major" >torus.conf
	echo "7 n[00-05] name=ocean user=ada" >jobs
	echo 'var THREE = {};' >three.js
	openssl rand -hex 32 >token 2>/dev/null || head -c 32 /dev/urandom | od -An -vtx1 | tr -d ' \n' >token
	chmod 600 token
}

# serve OPTION...: start it with these and wait until it serves; sets $server and $url
serve() {
	rm -f url said
	"$storus_binary" view --conf torus.conf --jobs jobs --three-js three.js --every 1 "$@" >url 2>said 3>&- &
	server=$!
	for ((i = 0; i < 400; i++)); do
		[[ ! -s url ]] || break
		kill -0 $server 2>/dev/null || break
		sleep 0.05
	done
	[[ -s url ]] || kill $server 2>/dev/null || true
	! grep -q 'built without libmicrohttpd' said || skip "built without libmicrohttpd"
	url=$(<url)
	url=${url%%\?*}
	[[ -n $url ]] || { cat said >&2; return 1; }
}

teardown() {
	[[ -z ${server-} ]] || { kill $server; wait $server; } 2>/dev/null || true
}

# ended: the server ends with status 0, and has left nothing
ended() {
	local status=0
	wait $server || status=$?
	server=
	equal "$status" 0
	[[ $(compgen -G '*socket*') == "" ]]
}

ask() { curl -sS --noproxy '*' --max-time 20 "$@"; }

# status_of CURL-OPTION...: the number of the answer
status_of() { ask -o /dev/null -w '%{http_code}' "$@"; }

# until_said PATTERN FILE: within ten seconds
until_said() {
	for ((i = 0; i < 200; i++)); do
		grep -qs -e "$1" "$2" && return
		sleep 0.05
	done
	cat "$2" >&2
	return 1
}

@test "the page, its data, and headers that keep it to itself" {
	small
	serve --serve 127.0.0.1:0
	ask -D headers "$url" >page
	ask "${url}machine.json" >data
	equal "$(sed -n 's,.*id="machine">\(.*\)</script>,\1,p' page | jq -cS .)" "$(jq -cS . data)"
	equal "$(jq -c '[.format, (.jobs | map(.id)), (.live | length > 8), .time > 1600000000]' data)" '[1,["7"],true,true]'
	for header in "Cache-Control: no-store" "X-Content-Type-Options: nosniff" "Referrer-Policy: no-referrer" \
		"Content-Security-Policy: frame-ancestors 'none'" "Cross-Origin-Resource-Policy: same-origin" "Connection: close"; do
		grep -qx "$header"$'\r' headers || { echo "no $header" >&2; return 1; }
	done
	run -1 grep -i access-control headers
	grep -q "content=\"default-src 'none'; script-src 'nonce-[0-9a-f]*'; .*; connect-src 'self'\"" page
	equal "$(status_of "${url}no-such")" 404
	equal "$(status_of "${url}../etc/passwd" --path-as-is)" 404
	equal "$(status_of --head "$url")" 200
}

@test "a page that is not served may connect to nothing" {
	small
	storus view --conf torus.conf --jobs jobs --three-js three.js
	run -1 grep -c -e connect-src -e EventSource machine.html
}

@test "nothing can be changed" {
	small
	serve --serve=127.0.0.1:0
	for method in POST PUT DELETE PATCH OPTIONS TRACE CONNECT BREW; do
		equal "$(status_of -X $method "$url") $(status_of -X $method "${url}events")" "405 405"
	done
	ask -i -X PUT "$url" | grep -qx $'Allow: GET, HEAD\r'
	# Who sends without end is not listened to.
	run timeout 20 curl -sS --noproxy '*' -o /dev/null -w '%{http_code}' -T - "$url" < <(exec cat /dev/zero 2>/dev/null)
	[[ $output == *405* && $status != 124 ]]
}

@test "by no other name: a page from elsewhere whose name leads here gets nothing" {
	small
	serve --serve 127.0.0.1:0 --server-name torus.example
	for host in localhost LOCALHOST:80 127.0.0.1 127.0.0.1:9 '[::1]:9' "$(uname -n)" torus.example torus.example:443; do
		equal "$host $(status_of -H "Host: $host" "$url")" "$host 200"
	done
	for host in evil.example evil.example:80 localhost.evil.example 127.0.0.1.evil.example 127.0.0.1:80.evil.example \
		'[::1' '[::1].evil' :80 'localhost:'; do
		case $host in localhost:) expected=200 ;; *) expected=403 ;; esac
		equal "$host $(status_of -H "Host: $host" "$url")" "$host $expected"
	done
	# HTTP/1.0 knows pages without any.
	equal "$(status_of -0 -H 'Host:' "$url")" 403
}

@test "with a token: no answer without it, in a header or once in the address" {
	small
	serve --serve 127.0.0.1:0 --token-file token
	[[ $(<url) == *'?token=...' ]]
	token=$(<token)
	for path in "" machine.json events no-such '?token=' "?token=${token%?}" "?token=${token}0" "machine.json?token=$token"; do
		equal "$path $(status_of "$url$path")" "$path 401"
	done
	for wrong in "Bearer" "Bearer " "Bearer ${token%?}" "Bearer ${token}a" "Basic $token" "$token"; do
		equal "$wrong $(status_of -H "Authorization: $wrong" "$url")" "$wrong 401"
	done
	equal "$(status_of -H "Authorization: Bearer $token" "${url}machine.json")" 200
	equal "$(status_of -H "Cookie: storus-0=x; storus-${url//[!0-9]/}=$token" "$url")" 401
	# A browser then has a cookie that is not the token, and an address without it.
	ask -c cookies -D headers -o /dev/null "$url?token=$token"
	grep -qx $'HTTP/1.1 303 See Other\r' headers
	grep -qx $'Location: ./\r' headers
	grep -q '^Set-Cookie: .*; HttpOnly; SameSite=Lax' headers
	run -1 grep "$token" headers cookies
	equal "$(status_of -b cookies "${url}machine.json") $(status_of -b cookies "$url")" "200 200"
}

@test "a token that others could know is none" {
	small
	refuses_token() {
		run -2 --separate-stderr storus view --conf torus.conf --jobs jobs --three-js three.js --serve 127.0.0.1:0 --token-file "$1"
		[[ $stderr != *'built without'* ]] || skip "built without libmicrohttpd"
		# shellcheck disable=SC2154 # set by run
		[[ $stderr == "storus view: $1: $2"* ]] || { echo "$stderr" >&2; return 1; }
	}
	chmod 640 token
	refuses_token token "others than its owner may read or write it"
	chmod 602 token
	refuses_token token "others than its owner may read or write it"
	chmod 600 token
	echo "${token:-short}" >token
	refuses_token token "the token must have 32 to 512 letters"
	printf '%s\n' "$(printf '%033d' 0) x" >token
	refuses_token token "the token must have 32 to 512 letters"
	printf '%0513d\n' 0 >token
	refuses_token token "the token must have 32 to 512 letters"
	: >token
	refuses_token token "the token must have 32 to 512 letters"
	refuses_token none "No such file"
	mkdir directory
	refuses_token directory "not a regular file"
	mkfifo -m 600 pipe
	refuses_token pipe "not a regular file"
}

@test "options that do not go together, addresses that are none" {
	small
	run storus view --conf torus.conf --jobs jobs --serve nowhere
	[[ $output != *'built without'* ]] || skip "built without libmicrohttpd"
	refuses view < <(sed 's/^/--conf torus.conf --jobs jobs /' <<-'END'
		--serve 0.0.0.0:0             | can be reached from other hosts: that needs --token-file
		--serve [::]:0                | can be reached from other hosts
		--serve example.org:80        | 'example.org:80' is no address
		--serve 127.0.0.1:            | port: '' is not a number
		--serve 127.0.0.1:65536       | port: 65536 is too large
		--serve 256.0.0.1:80          | is no address
		--serve [::1:80               | port: 
		--serve ::1                   | port:
		--serve unix:                 | a Unix socket needs a path
		--serve 80 81                 | unexpected argument '81'
		--serve --output x            | --serve and --output exclude each other
		--serve --jobs -              | name a file
		--serve --every 0             | 0 is too small
		--every 5                     | --every needs --serve
		--token-file token            | need --serve
		--private                     | need --serve
		--serve unix:/no/such/place   | cannot listen on /no/such/place: No such file
		--serve unix:jobs             | 'jobs' is there already, and no socket
		--serve 0 --three-js none.js  | cannot read 'none.js'
	END
	)
	equal "$(<jobs)" "7 n[00-05] name=ocean user=ada"
}

@test "a Unix socket: for the owner and his group, replaced when left over, removed at the end" {
	small
	umask 0
	serve --serve unix:a-socket
	equal "$(stat -c %a a-socket)" 770
	kill -KILL $server
	wait $server || true
	umask 022
	serve --serve unix:a-socket
	equal "$(<url) $(stat -c %a a-socket)" "unix:a-socket 750"
	equal "$(status_of --unix-socket a-socket http://whatever.example/machine.json)" 200
	run -2 --separate-stderr storus view --conf torus.conf --jobs jobs --three-js three.js --serve unix:a-socket
	[[ $stderr == *"another process listens on 'a-socket'"* ]]
	equal "$(status_of --unix-socket a-socket http://whatever.example/)" 200
	kill $server
	ended
}

@test "an address in use" {
	small
	serve --serve 127.0.0.1:0
	run -2 --separate-stderr storus view --conf torus.conf --jobs jobs --three-js three.js --serve "${url//[!0-9.:]/}"
	run -2 --separate-stderr storus view --conf torus.conf --jobs jobs --three-js three.js --serve "127.0.0.1:$(sed 's,.*:\([0-9]*\)/,\1,' url)"
	address=$(sed 's,http://\(.*\)/,\1,' url)
	[[ $stderr == *"cannot listen on $address: Address already in use; --serve takes another"* ]]
}

@test "changes are pushed, and what is wrong is said" {
	small
	serve --serve 127.0.0.1:0
	ask -N --max-time 60 "${url}events" >events 2>/dev/null 3>&- &
	until_said '"failure":null' events
	first=$(ask "${url}machine.json" | jq -r .live)
	grep -q "\"version\":\"$first\"" events
	echo "8 n06" >>jobs
	until_said "\"version\":\"${first%-1}-2\"" events
	equal "$(ask "${url}machine.json" | jq -c '[.live, (.jobs | map(.id))]')" "[\"${first%-1}-2\",[\"7\",\"8\"]]"
	# A machine that cannot be read: what was seen before stays.
	echo "Dims=1" >torus.conf
	until_said '"failure":"torus.conf:1: ' events
	equal "$(status_of "$url")" 200
	until_said '^storus view: torus.conf:1: ' said
	echo "TorusName=other Dims=6x3x2 Nodes=n[00-35]" >torus.conf
	until_said "\"version\":\"${first%-1}-3\"" events
	equal "$(ask "${url}machine.json" | jq -c '.tori[0].name')" '"other"'
	until_said 'storus view: seen again' said
}

@test "answers are packed for those who take them so" {
	small
	serve --serve 127.0.0.1:0
	for path in "" machine.json metrics; do
		# The page's number is the same for all who have this version.
		ask "$url$path" >plain
		for takes in gzip "br, GZIP;q=0.5" "*" "deflate,gzip"; do
			ask -D headers -H "Accept-Encoding: $takes" "$url$path" | gunzip >unpacked
			cmp plain unpacked
			grep -qix 'Content-Encoding: gzip'$'\r' headers
		done
		for takes in identity "gzip;q=0" "gzip; q=0.000, br" "x-gzip" "" "br"; do
			ask -D headers -H "Accept-Encoding: $takes" "$url$path" | cmp - plain
			! grep -qi '^Content-Encoding' headers || return 1
			grep -qix 'Vary: Accept-Encoding'$'\r' headers
		done
	done
	[[ $(ask -H 'Accept-Encoding: gzip' "$url" | wc -c) -lt $(($(ask "$url" | wc -c) / 2)) ]]
}

@test "what has changed since a version, and all of it since others" {
	local seed=$((RANDOM * 32768 + RANDOM)) round version
	small
	echo "TorusName=main Dims=6x3x2 Wrap=x Nodes=n[00-35] Curve=row_major" >torus.conf
	serve --serve 127.0.0.1:0
	echo "seed $seed"
	ask "${url}machine.json" >before
	for round in 1 2 3 4 5; do
		# Jobs of any nodes come, go and move; one each time for sure.
		awk -v seed="$seed" -v round="$round" 'BEGIN { srand(seed + round); print "r" round, "n00"; for (id = 1; id < 12; id++) if (rand() < 0.6)
			print id, sprintf("n%02d,n%02d", rand() * 17, 18 + rand() * 17), rand() < 0.3 ? "name=x" round : "name=x" }' >jobs
		version=$(jq -r .live before)
		for ((i = 0; i < 100; i++)); do
			ask "${url}machine.json?since=$version" >changes
			[[ $(jq -r .live changes) == "$version" ]] || break
			sleep 0.1
		done
		ask "${url}machine.json" >after
		equal "$(jq -r .base changes)" "$version"
		# As docs/view.md says they are to be put in
		command jq -cS --slurpfile changes changes '$changes[0] as $new
			| .tori |= [range(length) as $i | (.[$i] + $new.tori[$i]) | with_entries(select(.value != null))]
			| (if $new | has("queue") then .queue = $new.queue else . end)
			| .jobs |= (map(select(.id as $id | $new.gone + ($new.come | map(.id)) | index($id) | not)) + $new.come | sort_by(.id))
			| .live = $new.live | .time = $new.time' before >made
		command jq -cS '.jobs |= sort_by(.id)' after | cmp - made
		cp after before
	done
	for version in none "" "${version%-*}-0"; do
		equal "$(ask "${url}machine.json?since=$version" | jq -c '[has("base"), .format]')" '[false,1]'
	done
	# Another machine is never told as a change.
	version=$(jq -r .live before)
	echo "TorusName=main Dims=6x3x2 Wrap=xy Nodes=n[00-35] Curve=row_major" >torus.conf
	for ((i = 0; i < 100; i++)); do
		ask "${url}machine.json?since=$version" >changes
		[[ $(jq -r .live changes) == "$version" ]] || break
		sleep 0.1
	done
	equal "$(jq -c '[has("base"), .tori[0].wrap]' changes)" '[false,[true,true,false]]'
}

@test "who listens hears of each look, also that nothing has changed" {
	small
	serve --serve 127.0.0.1:0
	ask -N --max-time 6 "${url}events" >events 2>/dev/null || true
	sed -n 's/^data: //p' events | jq -e 'select(.failure == null and .every == 1 and .ago >= 0 and .ago <= 2)' >heard
	[[ $(jq -s length heard) -ge 4 ]]
	equal "$(jq -s 'map(.version) | unique | length' heard)" 1
}

@test "while nobody looks on it does not look" {
	small
	serve --serve 127.0.0.1:0
	ask "$url" >/dev/null
	echo broken >jobs
	sleep 3
	[[ ! -s said ]]
	equal "$(status_of "${url}machine.json")" 200
	until_said "job 'broken' without nodes" said
}

@test "ends when asked to, with browsers looking on" {
	small
	for signal in TERM INT HUP; do
		rm -f url events
		# Background jobs of bash ignore SIGINT, and all of them SIGHUP below nohup; env's do not.
		env --default-signal=HUP,INT,TERM "$storus_binary" view --conf torus.conf --jobs jobs --three-js three.js \
			--serve unix:socket >url 2>said 3>&- &
		server=$!
		until_said . url || { grep -q 'built without' said && skip "built without libmicrohttpd"; }
		ask --unix-socket socket -N http://x/events >events 2>/dev/null 3>&- &
		until_said data events
		kill "-$signal" $server
		ended
	done
}

@test "a crowd that is idle, slow, deaf or too loud: the others are served, with little memory" {
	command -v python3 >/dev/null || skip "no python3"
	small
	# As large as three.js, so that answers do not fit into the kernel's buffers
	printf 'var THREE = "%01000000d";\n' 0 >three.js
	serve --serve 127.0.0.1:0
	run -0 python3 "$BATS_TEST_DIRNAME/../bench/bench_view_serve" "$url" $server 500 2
	echo "$output"
	# The sanitizers take memory of their own.
	if ! grep -q libasan "/proc/$server/maps"; then
		(($(sed -n 's/.* memory=\([0-9]*\).*/\1/p' <<<"$output" | sort -n | tail -n 1) < 64000))
	fi
	kill $server
	ended
}

@test "in a browser: drawn" {
	said is_drawn
}

@test "in a browser: jobs come and go" {
	said jobs_come_and_go
}

@test "in a browser: who looks on hears of each look" {
	said who_looks_on_hears_of_each_look
}

@test "in a browser: only what has changed is sent" {
	said only_what_has_changed_is_sent
}

@test "in a browser: links have the load of now" {
	said links_have_the_load_of_now
}

@test "in a browser: hostile names are text" {
	said hostile_names_are_text
}

@test "in a browser: what is wrong is told" {
	said what_is_wrong_is_told
}

@test "in a browser: another machine is loaded" {
	said another_machine_is_loaded
}

@test "in a browser: the server goes and comes" {
	said the_server_goes_and_comes
}

@test "in a browser: no complaints" {
	said the_browser_has_no_complaints
}

@test "metrics: what storus metrics prints, once for all who ask" {
	small
	serve --serve 127.0.0.1:0
	ask -D headers "${url}metrics" >metrics
	grep -q '^Content-Type: application/openmetrics-text; version=1.0.0; charset=utf-8' headers
	equal "$(grep -v duration metrics)" "$(storus metrics --conf torus.conf --jobs jobs | grep -v duration)"
	for ((i = 0; i < 5; i++)); do ask "${url}metrics" >again && cmp again metrics; done
	echo "8 n06" >>jobs
	sleep 1.1
	ask "${url}metrics" >again
	run -1 cmp -s again metrics
	equal "$(grep '^slurm_torus_jobs' again)" "$(storus metrics --conf torus.conf --jobs jobs | grep '^slurm_torus_jobs')"
	# Those of a while ago are not passed off as those of now.
	echo broken >>jobs
	sleep 1.1
	equal "$(status_of "${url}metrics")" 503
	ask "${url}metrics" | grep -q "job 'broken' without nodes"
}
