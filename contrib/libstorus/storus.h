/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * libstorus: which node of a mesh or torus takes which task of a job, so that tasks that
 * communicate are few hops apart. The engine is that of the command storus and of
 * slurm-torus's plugins for Slurm; Slurm itself is not needed.
 *
 * Three kinds of objects, all opaque:
 *   a machine  the nodes of one or several tori, and where each of them is;
 *   a job      some nodes of a machine, on one torus, and how many tasks each takes;
 *   a pattern  a number of tasks, and which of them communicate.
 *
 * Errors. Functions that can fail return -1, or NULL where they return a pointer, and
 * then have written one line of text, without a newline, into the caller's
 * error[0 .. error_size-1], cut off if it does not fit, always ending in a NUL.
 * STORUS_ERROR_SIZE bytes hold every text. Control characters of quoted input are
 * escaped. [error] may be NULL (or [error_size] 0) for no text. On success it is left as
 * it was. NULL for anything but what is said to accept it, lengths of 0, numbers out of
 * range and a shortage of memory are errors like all others. After an error results are
 * unspecified.
 *
 * Ownership. What a function creates is the caller's, to be freed with the function of
 * its name, which accepts NULL. Arguments are copied where they are needed later: no
 * object refers to another one, nor to an array of the caller's.
 *
 * Threads. There is no global state. Objects do not change after their creation, so any
 * number of threads may use the same one, until one of them frees it. Nothing is printed,
 * no signal or locale is touched, and the process is never ended. Files are read by
 * storus_machine_read() only.
 *
 * Determinism. Results depend on the arguments alone and are the same on every host,
 * with one exception, noted at storus_map().
 *
 * Compatibility. Functions and values that are here stay in all releases with the same
 * number in the library's soname.
 */
#ifndef STORUS_H
#define STORUS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The most dimensions of a torus or of a grid of tasks. */
#define STORUS_MAX_DIMS 6
/* The most nodes of a job or torus, cells of a torus, and tasks. */
#define STORUS_MAX_NODES (UINT32_C(1) << 28)
#define STORUS_ERROR_SIZE 1024

/* The version of the library that is running, such as "0.4.0". Never fails. */
const char *storus_version(void);

/* --- machines ----------------------------------------------------------- */

/*
 * Nodes are numbered from 0 to storus_machine_nodes() - 1, those of all tori one after
 * the other, in the order in which torus.conf or the caller names them. Where this
 * header says "node", it is this number.
 */
typedef struct storus_machine storus_machine_t;

/*
 * The machine that the file [path] describes, in the form of torus.conf(5). Fails with
 * "FILE:LINE: reason" where the file is wrong. Curves are not computed, so that this
 * takes milliseconds for thousands of nodes.
 */
storus_machine_t *storus_machine_read(const char *path, char *error, size_t error_size);

/*
 * A machine of one torus of [dims] dimensions (1 .. STORUS_MAX_DIMS), lengths[dims] >= 1
 * each. wraps[dims] is not 0 for the dimensions that close to a ring; NULL: a mesh.
 *
 * Its [nodes] are at coordinates[nodes * dims], those of a node beside each other, each
 * from 0 to its length - 1; several nodes may be in one place, and places may be empty.
 * With [coordinates] NULL there is a node in each place, the first dimension running
 * fastest, and [nodes] must be their number or 0.
 *
 * names[nodes] are their names, all different, or it is NULL and they have none.
 */
storus_machine_t *storus_machine_create(int dims, const int32_t *lengths,
					const unsigned char *wraps, uint32_t nodes,
					const int32_t *coordinates,
					const char *const *names, char *error,
					size_t error_size);

/* Free a machine. NULL is accepted. */
void storus_machine_free(storus_machine_t *machine);

/* How many nodes it has; 0 for NULL. */
uint32_t storus_machine_nodes(const storus_machine_t *machine);

/*
 * Find the nodes of the [hostlist] ("n003", "n[000-003,007],login"; SLURM_JOB_NODELIST is
 * one). Fills *count with their number, and node[0 .. room-1] with as many of them as
 * there is room for, in the order of the list. To learn the number first, pass [room] 0,
 * with which [node] may be NULL. Returns 0, or -1: no hostlist, or a name that the
 * machine does not have.
 */
int storus_machine_find(const storus_machine_t *machine, const char *hostlist,
			uint32_t *node, uint32_t room, uint32_t *count, char *error,
			size_t error_size);

/* The name of a node, owned by the machine; NULL if it has none or there is no such node
 * (or machine). */
const char *storus_node_name(const storus_machine_t *machine, uint32_t node);

/*
 * Where a node is: fills the first of coordinates[STORUS_MAX_DIMS], the others with 0.
 * Returns the number of dimensions of its torus, or -1: no such node.
 */
int storus_node_coordinates(const storus_machine_t *machine, uint32_t node,
			    int32_t coordinates[STORUS_MAX_DIMS], char *error,
			    size_t error_size);

/*
 * The torus that a node is on: fills lengths[STORUS_MAX_DIMS] (1 in the dimensions that
 * it does not have), wraps[STORUS_MAX_DIMS] (1 or 0), and *name, which the machine owns;
 * each of the three may be NULL. Returns its number of dimensions, or -1: no such node.
 */
int storus_node_torus(const storus_machine_t *machine, uint32_t node,
		      int32_t lengths[STORUS_MAX_DIMS],
		      unsigned char wraps[STORUS_MAX_DIMS], const char **name,
		      char *error, size_t error_size);

/*
 * The hops between two nodes of the machine (the nodes of a job on a machine of cubes may
 * be joined another way: storus_job_join()): in each dimension as many as their
 * coordinates differ, or the shorter way round where it wraps. Fills *hops. Returns 0, or
 * -1: no such nodes, or nodes of different tori.
 */
int storus_distance(const storus_machine_t *machine, uint32_t a, uint32_t b,
		    uint32_t *hops, char *error, size_t error_size);

/* --- jobs --------------------------------------------------------------- */

typedef struct storus_job storus_job_t;

/*
 * A job on node[0 .. nodes-1] of [machine], all different, on one torus, in the order in
 * which its launcher has them. tasks_on_node[nodes] says how many tasks each takes (>= 1,
 * STORUS_MAX_NODES in all); NULL: one. O(nodes log nodes).
 */
storus_job_t *storus_job_create(const storus_machine_t *machine, uint32_t nodes,
				const uint32_t *node, const uint32_t *tasks_on_node,
				char *error, size_t error_size);

/*
 * The same for a job that asked Slurm for [network], the text of its --network, such as
 * "torus:shape=4x4x8,twist". It counts on a machine of cubes (Cube= in torus.conf), where
 * optical switches join the job's nodes to a torus of its own: whole cubes to one of that
 * shape, or the most compact one where [network] is NULL or names none. Mappings, orders
 * and hops are those of that torus.
 */
storus_job_t *storus_job_join(const storus_machine_t *machine, uint32_t nodes,
			      const uint32_t *node, const uint32_t *tasks_on_node,
			      const char *network, char *error, size_t error_size);

/*
 * The torus of the job, on a machine of cubes its own: fills lengths[STORUS_MAX_DIMS] and
 * wraps[STORUS_MAX_DIMS] as storus_node_torus() does; twists[STORUS_MAX_DIMS] are 1 for
 * the sides of 2k of a twisted torus, whose other sides are k: who goes once around one
 * of these comes back shifted by k along all of those. Each of the three may be NULL.
 * Returns its number of dimensions, or -1.
 */
int storus_job_torus(const storus_job_t *job, int32_t lengths[STORUS_MAX_DIMS],
		     unsigned char wraps[STORUS_MAX_DIMS],
		     unsigned char twists[STORUS_MAX_DIMS], char *error,
		     size_t error_size);

/*
 * Where a node of the job is on that torus: fills the first of
 * coordinates[STORUS_MAX_DIMS], the others with 0. Returns the number of dimensions, or
 * -1: it is not in the job.
 */
int storus_job_coordinates(const storus_job_t *job, uint32_t node,
			   int32_t coordinates[STORUS_MAX_DIMS], char *error,
			   size_t error_size);

/* Free a job. NULL is accepted. */
void storus_job_free(storus_job_t *job);

/* How many nodes it has, and how many tasks they take; 0 for NULL. */
uint32_t storus_job_nodes(const storus_job_t *job);
uint32_t storus_job_tasks(const storus_job_t *job);

/* --- patterns ----------------------------------------------------------- */

typedef struct storus_pattern storus_pattern_t;

/* Which tasks of a grid are neighbours. */
typedef enum storus_stencil {
	STORUS_FACES = 0,  /* one step along one axis: 5 points in 2D, 7 in 3D */
	STORUS_CORNERS = 1 /* one step along any set of axes: 9 in 2D, 27 in 3D */
} storus_stencil_t;

/*
 * Tasks on a grid of [dims] dimensions (1 .. STORUS_MAX_DIMS), lengths[dims] >= 1 each.
 * The first dimension runs fastest: of an AxBxC grid, task t is at (t mod A, t/A mod B,
 * t/(AB)). (The last one does in MPI_Cart_create(3) and in arrays of C: pass their
 * lengths in reverse.) periodic[dims] is not 0 where the last task is the first one's
 * neighbour; NULL: nowhere.
 */
storus_pattern_t *storus_pattern_grid(int dims, const int32_t *lengths,
				      const unsigned char *periodic,
				      storus_stencil_t stencil, char *error,
				      size_t error_size);

/*
 * The same with STORUS_FACES, and weight[dims] (from 0 to 1e15 each, such as bytes): what
 * an edge along each dimension counts.
 */
storus_pattern_t *storus_pattern_weighted_grid(int dims, const int32_t *lengths,
					       const unsigned char *periodic,
					       const double *weight, char *error,
					       size_t error_size);

/*
 * [tasks] tasks, and [edges] (1 .. 2^31) edges from[i] -- to[i] between them, in either
 * direction, of weight[i] (from 0 to 1e15, such as bytes; NULL: 1). Edges given several
 * times add up; those from a task to itself, and those of weight 0, count for nothing,
 * and at least one must remain.
 */
storus_pattern_t *storus_pattern_graph(uint32_t tasks, uint64_t edges,
				       const uint32_t *from, const uint32_t *to,
				       const double *weight, char *error,
				       size_t error_size);

/*
 * [tasks] tasks of which nobody knows who communicates with whom: an order for them is
 * good for a ring, and for grids of two and of three dimensions.
 */
storus_pattern_t *storus_pattern_any(uint32_t tasks, char *error, size_t error_size);

/*
 * The same pattern, whose tasks are at coordinates[tasks * dims] (1 .. STORUS_MAX_DIMS),
 * those of a task beside each other, in any unit: finite numbers. storus_map() then tries
 * what recursive bisection of tasks and nodes gives, too, improved by half of its search.
 * Worth it for graphs whose tasks have a place, such as the parts of a mesh; a grid's
 * tasks have theirs anyway. Other functions take the pattern as it was, and so does
 * storus_map() where each chip of the nodes takes a task (ChipDims= in torus.conf).
 * Refuses storus_pattern_any() and patterns with idle tasks.
 */
storus_pattern_t *storus_pattern_locate(const storus_pattern_t *pattern, int dims,
					const double *coordinates, char *error,
					size_t error_size);

/*
 * The same pattern with so many tasks more, which communicate with nobody, that it has
 * [tasks]: for a job that takes more tasks than there are. The tasks of [pattern] keep
 * their numbers, and the others come behind: in a mapping these are the places that stay
 * free. Refuses storus_pattern_any().
 */
storus_pattern_t *storus_pattern_idle(const storus_pattern_t *pattern, uint32_t tasks,
				      char *error, size_t error_size);

/* Free a pattern. NULL is accepted. */
void storus_pattern_free(storus_pattern_t *pattern);

/* How many tasks it has; 0 for NULL. */
uint32_t storus_pattern_tasks(const storus_pattern_t *pattern);

/* --- results ------------------------------------------------------------ */

/* How a launcher deals tasks out to nodes. */
typedef enum storus_distribution {
	STORUS_BLOCK = 0, /* consecutive tasks on a node */
	STORUS_CYCLIC = 1 /* one task a node in turn, passing over nodes that are full */
} storus_distribution_t;

/*
 * Map the tasks of [pattern], as many as [job] takes, freely: fills
 * node_of_task[storus_job_tasks()] with nodes, each as often as it takes tasks. For
 * launchers that take a node for each task (rank files, SLURM_HOSTFILE) and for programs
 * that renumber their own tasks.
 *
 * [seconds] (0 .. 1e6) is how long to search. It is counted in steps that take about as
 * long on a processor of today, not by the clock, for the result to be the same on every
 * host; only where ten times as much processor time has gone does the clock end the
 * search, and then the result may differ. 0 takes what can be had without a search, for
 * programs in which many tasks call this at the same time. The default of the command
 * storus map is 0.5. For storus_pattern_any() it does not count, and the mapping is
 * storus_order() with STORUS_BLOCK.
 */
int storus_map(const storus_job_t *job, const storus_pattern_t *pattern, double seconds,
	       uint32_t *node_of_task, char *error, size_t error_size);

/*
 * Improve the mapping node_of_task[storus_job_tasks()], for a program that moves its data
 * to where tasks go, or that knows a good beginning: never to more hops by weight. The
 * tasks for which stays[storus_job_tasks()] is not 0 keep their nodes; NULL: none has to.
 * [seconds] as above; with 0 nothing changes. Refuses storus_pattern_any(), and mappings
 * that put more or fewer tasks on a node than it takes.
 */
int storus_remap(const storus_job_t *job, const storus_pattern_t *pattern,
		 const unsigned char *stays, double seconds, uint32_t *node_of_task,
		 char *error, size_t error_size);

/*
 * Order the nodes of [job] for a launcher that deals the tasks of [pattern] out to them
 * by itself, as [distribution] says: fills order[storus_job_nodes()] with its nodes, the
 * first one to get the first tasks. [seconds] as above.
 */
int storus_order(const storus_job_t *job, const storus_pattern_t *pattern,
		 storus_distribution_t distribution, double seconds, uint32_t *order,
		 char *error, size_t error_size);

/*
 * Deal the tasks of [job] out to its nodes in [order] (each of them once, such as from
 * storus_order()): fills node_of_task[storus_job_tasks()].
 */
int storus_deal(const storus_job_t *job, const uint32_t *order,
		storus_distribution_t distribution, uint32_t *node_of_task, char *error,
		size_t error_size);

/*
 * The hops between communicating tasks under a mapping node_of_task[storus_job_tasks()]:
 * their average, weighted by the weights of the pattern's edges, and their maximum. Each
 * of the two may be NULL. Refuses storus_pattern_any(), and mappings that put more or
 * fewer tasks on a node than it takes.
 */
int storus_hops(const storus_job_t *job, const storus_pattern_t *pattern,
		const uint32_t *node_of_task, double *average, uint32_t *maximum,
		char *error, size_t error_size);

/*
 * What the links between routers carry under a mapping, when each edge of the pattern
 * sends its weight both ways, dimension by dimension (the first one first), the shorter
 * way round where the dimension wraps, and half each way where both are as short: *most
 * on one link in one direction, *mean over those that carry any. Each of the two may be
 * NULL. Refuses what storus_hops() does, twisted tori, and those with Links= in
 * torus.conf.
 */
int storus_link_load(const storus_job_t *job, const storus_pattern_t *pattern,
		     const uint32_t *node_of_task, double *most, double *mean,
		     char *error, size_t error_size);

/*
 * Improve the mapping node_of_task[storus_job_tasks()], such as from storus_map(), for
 * the busiest link: never to more on it, as storus_link_load() has it. Hops may become
 * more. The tasks for which stays[storus_job_tasks()] is not 0 keep their nodes (task 0,
 * say, which storus_map() puts on the first node); NULL: none has to. [seconds] as above;
 * with 0 nothing changes. Refuses what storus_link_load() does.
 */
int storus_lighten(const storus_job_t *job, const storus_pattern_t *pattern,
		   const unsigned char *stays, double seconds, uint32_t *node_of_task,
		   char *error, size_t error_size);

#ifdef __cplusplus
}
#endif

#endif
