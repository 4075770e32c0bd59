# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# What the tests of contrib/studies/results share. After support.bash.
# shellcheck disable=SC2154 # storus_binary is of support.bash

top=$(realpath "$BATS_TEST_DIRNAME/../../..")
results=$top/contrib/studies/results

results() {
	env -u TORUS_SWF_LOGS STORUS="$storus_binary" "$results" "$@"
}

studies() {
	results --list | awk '{ print $1 }'
}
