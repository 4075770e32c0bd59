#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# storus reserve: what it refuses without asking Slurm. A live cluster is
# test/slurm/reserve.bats.

load support

@test "times, durations, shapes, corners and flags that are none are refused" {
	storus reserve --shape 2 --start now --duration 1 --flags none 2>&1 | grep -q "without Slurm" &&
		skip "built without Slurm's library"
	refuses reserve <<-'END'
		                                                | Give --shape or --chips, --start and --duration
		--shape 2x2 --start now                         | Give --shape or --chips, --start and --duration
		--shape 2 --chips 2 --start now --duration 1    | --shape and --chips exclude each other
		--chips 2y2 --start now --duration 1            | --chips: '2y2'
		--shape 2y2 --start now --duration 1            | --shape: '2y2'
		--shape 2x2 --start soon --duration 1           | --start: 'soon' is no time
		--shape 2x2 --start now1 --duration 1           | --start: 'now1' is no time
		--shape 2x2 --start now+ --duration 1           | --start: 'now+' is no time
		--shape 2x2 --start now+2years --duration 1     | --start: 'now+2years' is no time
		--shape 2x2 --start now+1234567 --duration 1    | --start: 'now+1234567' is no time
		--shape 2x2 --start 2037-02-30 --duration 1     | --start: '2037-02-30' is no time
		--shape 2x2 --start 2037-02-03T25:00 --duration 1 | --start: '2037-02-03T25:00' is no time
		--shape 2x2 --start 2037-02-03T08 --duration 1  | --start: '2037-02-03T08' is no time
		--shape 2x2 --start 2001-02-03 --duration 1     | --start: '2001-02-03' is past
		--shape 2x2 --start now --duration 0            | --duration: '0' is no duration
		--shape 2x2 --start now --duration 1-           | --duration: '1-' is no duration
		--shape 2x2 --start now --duration 1-2-3        | --duration: '1-2-3' is no duration
		--shape 2x2 --start now --duration 1:2:3:4      | --duration: '1:2:3:4' is no duration
		--shape 2x2 --start now --duration 1-2:3:4:5    | --duration: '1-2:3:4:5' is no duration
		--shape 2x2 --start now --duration 1h           | --duration: '1h' is no duration
		--shape 2x2 --start now --duration -1           | --duration: '-1' is no duration
		--shape 2x2 --start now --duration 1 --corner 0,  | --corner: '0,' is no coordinate
		--shape 2x2 --start now --duration 1 --corner 0x1 | --corner: '0x1' is no coordinate
		--shape 2x2 --start now --duration 1 --corner 0,0,0,0,0,0,0 | is no coordinate
		--shape 2x2 --start now --duration 1 --flags maint,any | --flags: unknown 'any'; known are MAINT
	END
}
