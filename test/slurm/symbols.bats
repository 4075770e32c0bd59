#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What the plugins offer to Slurm and take from it is what this Slurm asks for and has.
#
# Environment: that of build_support.bash.

load support
load build_support

# of_its_kind: without the symbols that plugins of every kind have
of_its_kind() { grep -vxE 'plugin_(name|type|version)|init|fini' | sort; }

# asked_for FILE...: the symbols that Slurm looks for in a plugin, by its source
asked_for()
{
	sed -nE '/^(static )?const char \*.*syms\[\]/,/^};/s/.*"(.*)".*/\1/p' "$@" 2>/dev/null |
		of_its_kind
}

# offered FILE: the symbols that a plugin exports
offered() { nm -D --defined-only "$1" | cut -d' ' -f3 | of_its_kind; }

@test "every symbol that this Slurm looks for in a select plugin is there, and no other" {
	tree=$(source_tree)
	wanted=$(asked_for "$tree"/src/{common,interfaces}/select.c)
	[[ $wanted == *select_p_job_test* ]]
	diff <(echo "$wanted") <(offered "$TORUS_PLUGIN_DIR/select_torus.so")
	diff <(echo "$wanted") <(offered "$TORUS_PLUGIN_DIR/select_cons_tres_torus.so")
}

@test "every symbol that this Slurm looks for in a topology plugin is there, and no other" {
	tree=$(source_tree)
	wanted=$(asked_for "$tree"/src/common/slurm_topology.c "$tree"/src/interfaces/topology.c)
	[[ $wanted == *topo*_get_node_addr* ]]
	diff <(echo "$wanted") <(offered "$TORUS_PLUGIN_DIR/topology_torus.so")
}

@test "every symbol that this Slurm looks for in a cli_filter plugin is there, and no other" {
	tree=$(source_tree)
	wanted=$(asked_for "$tree"/src/{common,interfaces}/cli_filter.c)
	[[ $wanted == *cli_filter_p_pre_submit* ]]
	diff <(echo "$wanted") <(offered "$TORUS_PLUGIN_DIR/cli_filter_torus.so")
}

@test "srun's plugin needs nothing of slurmctld" {
	plugin=$TORUS_PLUGIN_DIR/cli_filter_torus.so
	missing=$(nm -D -u "$plugin" | awk '$1 == "U" { print $2 }' | grep -v @GLIBC |
		grep -vxFf <(nm -D --defined-only "$(command -v srun)" "$(library libslurmfull)" |
			awk '{ print $3 }') || true)
	[ -z "$missing" ] || fail "$missing"
}

@test "every symbol that the plugins need is in this Slurm" {
	for plugin in "$TORUS_PLUGIN_DIR"/{select,select_cons_tres,topology,cli_filter}_torus.so; do
		[ -e "$plugin" ] || continue
		missing=$(nm -D -u "$plugin" | awk '$1 == "U" { print $2 }' | grep -v @GLIBC |
			grep -vxFf <(nm -D --defined-only "$(command -v slurmctld)" \
				"$(library libslurmfull)" | awk '{ print $3 }') || true)
		[ -z "$missing" ] || fail "$plugin: $missing"
	done
}
