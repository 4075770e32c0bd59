/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The table of storus's subcommands, and their exit statuses. To add one: a line here,
 * and the file that defines `int storus_NAME(int argc, char **argv)`, listed in
 * Makefile.inc.
 */
#ifndef STORUS_COMMANDS_H
#define STORUS_COMMANDS_H

/* X(name, what it does, for `storus --help`) */
#define STORUS_COMMANDS(X)                                                               \
	X(curve, "number a machine along a curve, or score the curve")                   \
	X(place, "choose nodes for a job and measure the choice")                        \
	X(capacity, "what there is room for, and which jobs are in the way of it")       \
	X(map, "put neighbouring tasks of a job on neighbouring nodes")                  \
	X(sim, "replay a workload on a machine and measure what each job gets")          \
	X(reserve, "reserve a box of nodes that are free then")                          \
	X(order, "order the nodes of an irregular network")                              \
	X(convert, "make torus.conf of the configuration of Slurm's torus plugins")      \
	X(locate, "on a node, print where in a torus it is")                             \
	X(show, "print the running jobs' compactness and draw the machine")              \
	X(view, "write a page that shows the machine in three dimensions")               \
	X(metrics, "print the state of the machine for Prometheus")                      \
	X(report, "tell from the accounts how compact jobs were")                        \
	X(token, "print what the plugin wrote into a job's SystemComment")

enum {
	STORUS_OK = 0,
	STORUS_NO = 1,	/* nothing fits, or a check failed */
	STORUS_BAD = 2, /* bad usage or input, or output that cannot be written */
};

/*
 * Each runs its subcommand and returns one of the statuses above, messages already
 * printed. argv[0] is "storus NAME", which is also the prefix of warnx(). Output goes to
 * stdout unchecked: main() finds out whether it could be written.
 */
#define STORUS_DECLARE(name, summary) int storus_##name(int argc, char **argv);
STORUS_COMMANDS(STORUS_DECLARE)
#undef STORUS_DECLARE

#endif
