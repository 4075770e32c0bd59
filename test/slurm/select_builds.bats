#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Plugins built with headers that are not those of the installed Slurm.

bats_require_minimum_version 1.5.0
load select_support

teardown() { [ -z "${CLUSTER-}" ] || minicluster down; }

# the plugin that decides, by the name of its file, and what Slurm says when it is refused;
# a slurmd wants its topology plugin, too, before slurmctld is started here
PLUGIN=${DECIDER/\//_}
REFUSED='fatal: .*select'
[ "$DECIDER" = select/torus ] || REFUSED="error: (_get_plugin_index_by_type: )?cannot create topo context for $DECIDER"
# From 26.11 on slurmd says no more than which plugin it is.
[ "$DECIDER" = select/torus ] || ! is_since 26.11 || REFUSED="Incompatible Slurm plugin .*$PLUGIN"

# build_with DIR: compile that plugin with the headers in DIR before Slurm's own
build_with()
{
	local sources
	mapfile -t sources < <(sources_of "$PLUGIN")
	mkdir "$BATS_TEST_TMPDIR/plugins"
	cp "${PLUGINS[@]/#/$TORUS_PLUGIN_DIR/}" "$BATS_TEST_TMPDIR/plugins/"
	compile_plugin "$BATS_TEST_TMPDIR/plugins/$PLUGIN.so" -I "$1" \
		-I "$TORUS_PLUGIN_DIR/.." -I "$TORUS_SRCDIR/common" -I "$TORUS_SRCDIR/plugin" \
		"${sources[@]}" "$TORUS_PLUGIN_DIR/libtorus.a" -lm
	TORUS_PLUGIN_DIR=$BATS_TEST_TMPDIR/plugins
}

# header NAME...: where the build found the first of them that is there
header()
{
	local flag name
	for name; do
		for flag in $(slurm_flags); do
			[ ! -e "${flag#-I}/$name" ] || { echo "${flag#-I}/$name"; return; }
		done
	done
	fail "no $*"
}

# header_of_marks: the header with the marks of records, by its name and where it is;
# newer releases have one for the records of jobs alone
header_of_marks()
{
	local file
	file=$(header src/common/job_record.h src/slurmctld/slurmctld.h) &&
		echo "src/${file##*/src/} $file"
}

@test "built for another micro release: Slurm refuses to load it, and says so" {
	other=$BATS_TEST_TMPDIR/include
	mkdir -p "$other/slurm"
	cp "$(header config.h)" "$other/"
	cp "$(header slurm/slurm_version.h)" "$other/slurm/"
	number=$(sed -n 's/.*SLURM_VERSION_NUMBER \(0x[0-9a-f]*\).*/\1/p' "$other/slurm/slurm_version.h")
	printf -v next '0x%06x' $((number + 1))
	sed -i "s/$number/$next/" "$other/slurm/slurm_version.h" "$other/config.h"
	build_with "$other"
	export CLUSTER=$BATS_TEST_TMPDIR/cluster
	run ! minicluster up --dims 2x2x2 "${VIA[@]}" --plugin-dir "$TORUS_PLUGIN_DIR"
	grep -hE "Incompatible Slurm plugin .*$PLUGIN.so version \([0-9]+\.[0-9]+\.[0-9]+\)" \
		"$CLUSTER"/log/*.log
	grep -hE "$REFUSED" "$CLUSTER"/log/*.log
}

@test "job records with another mark: the plugin does not act, and slurmctld lives" {
	other=$BATS_TEST_TMPDIR/include
	read -r name file < <(header_of_marks)
	mkdir -p "$other/${name%/*}"
	sed 's/\(define JOB_MAGIC\).*/\1 0x12345678/' "$file" >"$other/$name"
	run -1 cmp -s "$file" "$other/$name"
	build_with "$other"
	BATS_FILE_TMPDIR=$BATS_TEST_TMPDIR cluster_start --dims 2x2x2
	job=$(submit -N 2)
	if [ "$DECIDER" = select/torus ]; then
		wait_refused "$job"
		expect_equal "$(job_nodes "$job")" "" nodes
	else # Slurm's own plugin chooses, as if there were no other
		wait_running "$job"
		sleep 1
	fi
	scontrol ping | grep -q UP
	expect_equal "$(grep -c "error: $DECIDER: .*built with headers of another Slurm" "$CONTROLLER_LOG")" 1 "lines in the log"
	expect_equal "$(system_comment "$job")" "" comment
}

@test "a select/cons_tres without the records that are read: slurmctld refuses to start, and says so" {
	only_select "reads none of these records"
	plugins=$BATS_TEST_TMPDIR/plugins
	real=$(find "${SLURM_PREFIX:-/usr}"/lib* -name select_cons_tres.so -print -quit)
	mkdir -p "$plugins"
	{
		echo '#include <stdint.h>'
		echo '#include <slurm/slurm.h>'
		echo 'const char plugin_name[] = "bare", plugin_type[] = "select/cons_tres";'
		echo 'const uint32_t plugin_id = 109, plugin_version = SLURM_VERSION_NUMBER;'
		echo 'int init(void) { return 0; }'
		nm -D --defined-only "$real" | sed -n 's/.* T \(select_p_.*\)/int \1(void) { return 0; }/p'
	} >"$BATS_TEST_TMPDIR/bare.c"
	compile_plugin "$plugins/select_cons_tres.so" "$BATS_TEST_TMPDIR/bare.c"
	cp "${PLUGINS[@]/#/$TORUS_PLUGIN_DIR/}" "$plugins/"
	export CLUSTER=$BATS_TEST_TMPDIR/cluster
	run ! minicluster up --dims 2x2x2 "${VIA[@]}" --plugin-dir "$plugins"
	grep -hE "error: select/torus: select/cons_tres has no 'select_part_record': it is not that of Slurm [0-9]" \
		"$CLUSTER"/log/*.log
	grep -hE 'fatal: .*select' "$CLUSTER"/log/*.log
}
