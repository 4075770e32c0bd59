#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What Prometheus makes of storus metrics: promtool, a server that scrapes the text as
# OpenMetrics, another text that is not OpenMetrics, and node_exporter's textfile
# collector; and whether all queries of the dashboard in docs/examples/grafana have an
# answer. All on loopback.
# shellcheck disable=SC2154 # output is set by run

load support

dashboard=$(realpath "$BATS_TEST_DIRNAME/../../docs/examples/grafana/torus.json")

# free_ports COUNT: that many, one a line
free_ports() {
	python3 - "$1" <<-'END'
		import socket, sys
		held = [socket.create_server(("127.0.0.1", 0)) for _ in range(int(sys.argv[1]))]
		for s in held:
		    print(s.getsockname()[1])
	END
}

# in_background NAME COMMAND...: its output goes to NAME.log
in_background() {
	"${@:2}" >"$1.log" 2>&1 3>&- &
	echo $! >>pids
}

# ask QUERY: Prometheus's answer, the array of results
ask() {
	local answer
	answer=$(curl -sf --max-time 10 --data-urlencode "query=$1" "http://127.0.0.1:$(<port)/api/v1/query") ||
		return
	jq -c '.data.result' <<<"$answer"
}

# until_asked QUERY JQ: until the answer makes JQ true, at most a minute
until_asked() {
	local deadline=$((SECONDS + 60)) answer
	until answer=$(ask "$1") && [[ $(jq "$2" <<<"$answer") == true ]]; do
		((SECONDS < deadline)) || {
			ask "$1"
			tail -n 5 prometheus.log >&2
			return 1
		}
		sleep 0.3
	done
}

# decisions COUNT: the file in which the plugin counts, with so many starts by the engine, half
# a millisecond each
decisions() {
	local mode by count
	echo "torus_decisions 1"
	for mode in start plan check any; do
		for by in engine "engine after slurm" "engine, preempting" slurm nobody; do
			count=0
			[[ $mode != start || $by != engine ]] || count=$1
			printf '%-223s\n' "$(printf '%020d ' "$count" "$((count * 500000))" 0 "$count" 0 0 0 0 0)$mode by $by"
		done
	done
}

start_all() {
	local ports text_port exporter_port
	readarray -t ports < <(free_ports 3)
	text_port=${ports[1]} exporter_port=${ports[2]}
	echo "${ports[0]}" >port
	mkdir text broken
	cp torus.prom text/metrics
	sed '$d' torus.prom >broken/metrics
	cat >serve.py <<-'END'
		import functools, http.server, sys
		class Handler(http.server.SimpleHTTPRequestHandler):
		    def guess_type(self, path):
		        return "application/openmetrics-text; version=1.0.0; charset=utf-8"
		http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
	END
	cat >prometheus.yml <<-END
		global: {scrape_interval: 1s}
		scrape_configs:
		  - {job_name: direct, metrics_path: /text/metrics, static_configs: [{targets: ['127.0.0.1:$text_port']}]}
		  - {job_name: broken, metrics_path: /broken/metrics, static_configs: [{targets: ['127.0.0.1:$text_port']}]}
		  - {job_name: node, static_configs: [{targets: ['127.0.0.1:$exporter_port']}]}
	END
	in_background serve python3 serve.py "$text_port"
	in_background node_exporter prometheus-node-exporter --web.listen-address="127.0.0.1:$exporter_port" \
		--collector.disable-defaults --collector.textfile --collector.textfile.directory="$PWD"
	in_background prometheus prometheus --config.file=prometheus.yml --storage.tsdb.path="$PWD/data" \
		--web.listen-address="127.0.0.1:${ports[0]}" --log.level=warn
}

setup_file() {
	local binary tool
	binary=$(realpath "${STORUS:-$PWD/storus}")
	cd "$BATS_FILE_TMPDIR" || return
	for tool in promtool prometheus prometheus-node-exporter curl python3; do
		command -v "$tool" >/dev/null || {
			echo "no $tool (see contrib/deps prometheus)" >skip
			return 0
		}
	done
	printf '%s\n' "TorusName=main Dims=6x3x2 Wrap=x Nodes=n[00-35] Curve=row_major" \
		"TorusName=west Dims=4 Nodes=w[0-3]" >torus.conf
	printf '%s\n' "1 n[00-03,18-21]" "2 n[04-05,22-30]" "3 n[10,31],w0" "4 n35" "m w3 reservation=yes" >jobs
	decisions 7 >decided
	"$binary" metrics --conf torus.conf --jobs jobs --decisions decided --output torus.prom
	start_all
}

teardown_file() {
	[[ -e $BATS_FILE_TMPDIR/pids ]] || return 0
	xargs kill <"$BATS_FILE_TMPDIR/pids"
}

setup() {
	cd "$BATS_FILE_TMPDIR" || return
	[[ ! -e skip ]] || skip "$(<skip)"
}

@test "promtool has no complaints" {
	run -0 promtool check metrics <torus.prom
	equal "$output" ""
}

@test "Prometheus reads it as OpenMetrics, every sample" {
	until_asked 'up{job="direct"}' '.[0].value[1] == "1"'
	samples=$(grep -vc '^#' torus.prom)
	until_asked 'scrape_samples_scraped{job="direct"}' ".[0].value[1] == \"$samples\""
	equal "$(ask 'slurm_torus_nodes{job="direct",torus="west",state="reserved"}' | jq -r '.[0].value[1]')" 1
	# that was not for want of strictness: without "# EOF" it takes none
	until_asked 'up{job="broken"}' '.[0].value[1] == "0"'
	equal "$(ask 'count({job="broken",__name__=~"slurm.*"})')" "[]"
}

@test "node_exporter passes every sample on" {
	until_asked 'up{job="node"}' '.[0].value[1] == "1"'
	equal "$(ask 'node_textfile_scrape_error' | jq -r '.[0].value[1]')" 0
	equal "$(ask 'count({job="node",__name__=~"slurm_torus.*"})' | jq -r '.[0].value[1]')" \
		"$(grep -vc '^#' torus.prom)"
}

@test "each query of the dashboard has an answer" {
	# a rate needs two different counts
	until_asked 'count_over_time(up{job="direct"}[1m])' '(.[0].value[1] | tonumber) > 1'
	decisions 19 >decided
	storus metrics --conf torus.conf --jobs jobs --decisions decided --output text/metrics
	until_asked 'slurm_torus_decision_seconds_count{job="direct"}' '.[0].value[1] == "19"'
	equal "$(ask 'slurm_torus_decision_seconds_sum{job="direct",by="engine"}' | jq -r '.[0].value[1]')" 0.0095
	equal "$(ask 'slurm_torus_decision_seconds_bucket{job="direct",le="0.001"}' | jq -r '.[0].value[1]')" 19
	jq -r '.panels[].targets[].expr' "$dashboard" >queries
	(($(wc -l <queries) > 5))
	while read -r query; do
		query=${query//\$torus/main|west}
		query=${query//\$__rate_interval/1m}
		run -0 ask "$query"
		[[ $output != "[]" ]] || { echo "no answer: $query" >&2; return 1; }
		# not what is no number
		run -0 jq -r '.[].value[1]' <<<"$output"
		[[ $output != *NaN* ]] || { echo "not a number: $query" >&2; return 1; }
	done <queries
}

@test "the dashboard names only metrics that there are, and Grafana's parts of a panel are whole" {
	jq -r '.panels[].targets[].expr' "$dashboard" | grep -oE 'slurm_torus_[a-z_]+' |
		sed -E 's/_(bucket|count|sum)$//' | sort -u >named
	sed -n 's/^# TYPE \([^ ]*\) .*/\1/p' torus.prom | sort -u >printed
	equal "$(comm -23 named printed)" ""
	# ids differ, panels do not overlap in the 24 columns, each target has a letter of its own
	run -0 jq -e '
		([.panels[].id] | length == (unique | length)) and
		all(.panels[]; .gridPos.x + .gridPos.w <= 24 and (.title | length > 0) and
			.datasource.uid == "${datasource}" and
			([.targets[].refId] | length == (unique | length))) and
		([.panels[].gridPos] | [combinations(2) | select(
			.[0] != .[1] and .[0].x < .[1].x + .[1].w and .[1].x < .[0].x + .[0].w and
			.[0].y < .[1].y + .[1].h and .[1].y < .[0].y + .[0].h)] == []) and
		([.panels[].gridPos] | length == (unique | length)) and
		(.templating.list | map(.name) == ["datasource", "torus"]) and
		all(.templating.list[]; (.query | type == "string") and
			(.current == null or (.current | has("text") and has("value")))) and
		.schemaVersion > 30 and (.uid | test("^[a-z-]{1,40}$"))' "$dashboard"
}
