/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * topology_eval SLURM_CONF STOCK_PLUGIN CASES SEED [ring]: Slurm's own topology plugin (a
 * file) and topology/torus, the TopologyPlugin of SLURM_CONF, are asked the same random
 * questions that select/cons_tres asks: which of these nodes, with so many processors
 * free on each, a job gets. What the one starts the other must start as well, on nodes
 * that hold the job. Where torus.conf has one ring of all nodes in the order of the
 * table, "ring", also what a job with --contiguous gets: some interval, if there is one.
 *
 * The program takes the place of slurmctld: it has its node table and what the plugins
 * want of it. No daemon runs.
 */
#include "topology/tori.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#include "src/slurmctld/locks.h"

#ifndef RESOURCES /* processors and GPUs of a node, as the release calls them */
#define RESOURCES avail_res_cnt
#endif
#define NODES 24 /* a ring */
#define CPUS 8	 /* of a node */

/* --- slurmctld ---------------------------------------------------------- */

#ifdef IS_SLURMCTLD /* releases that do not go by the name that begins the log */
uint32_t slurm_daemon = IS_SLURMCTLD;
#endif
slurm_list_t job_list;
time_t last_job_update;
slurmctld_config_t slurmctld_config; /* the plugin's thread ends when this says so */
bitstr_t *avail_node_bitmap, *idle_node_bitmap;

/* The plugin's thread counts itself among slurmctld's; there is none here. */
void server_thread_incr(void)
{
}

void server_thread_decr(void)
{
}

void lock_slurmctld(slurmctld_lock_t locks)
{
	(void)locks;
}

void unlock_slurmctld(slurmctld_lock_t locks)
{
	(void)locks;
}

uint16_t job_mgr_determine_cpus_per_core(job_details_t *details, int node)
{
	(void)details, (void)node;
	return 1;
}

/* --- cases -------------------------------------------------------------- */

static uint64_t random_state;

/* splitmix64 */
static uint64_t random_bits(void)
{
	uint64_t z = random_state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

/* From 0 to [count] - 1. */
static uint32_t below(uint32_t count)
{
	return (uint32_t)(random_bits() % count);
}

static bool one_in(uint32_t count)
{
	return below(count) == 0;
}

/* A question. */
typedef struct question {
	uint32_t min_nodes, req_nodes, max_nodes;
	uint32_t tasks, tasks_per_node, cpus_per_task;
	bool whole, overcommit, contiguous, lln, spread;
	uint16_t *cpus;	    /* [NODES] that the job could have there, 0: none */
	bitstr_t *required; /* or NULL */
} question_t;

/* What a plugin has answered. */
typedef struct answer {
	bool starts;
	bitstr_t *nodes;
	uint32_t cpus;
} answer_t;

static void random_nodes(question_t *q)
{
	uint32_t most = 1 + below(CPUS), idle = below(4);

	for (int i = 0; i < NODES; i++) {
		uint32_t cpus = below(4) < idle ? CPUS : below(most + 1);
		uint32_t unit = q->cpus_per_task;

		if (q->whole)
			cpus = cpus == CPUS ? CPUS : 0;
		else if (q->tasks_per_node)
			cpus = cpus >= q->tasks_per_node * unit ? q->tasks_per_node * unit
								: 0;
		else
			cpus -= cpus % unit;
		q->cpus[i] = (uint16_t)cpus;
	}
}

static void random_weights(void)
{
	uint32_t weights = 1 + below(3);

	for (int i = 0; i < NODES; i++) {
		node_record_t *node = node_record_table_ptr[i];

		node->sched_weight = (uint64_t)(1 + below(weights)) << 8;
		node->config_ptr->weight = (uint32_t)(node->sched_weight >> 8);
	}
}

/* Node counts as Slurm makes them of -N, -n and --ntasks-per-node. */
static void random_counts(question_t *q)
{
	uint32_t least;

	q->min_nodes = q->req_nodes = 1;
	q->max_nodes = 500000;
	if (!one_in(3)) {
		q->min_nodes = 1 + below(NODES / (1 + below(4)));
		q->max_nodes = q->min_nodes + (one_in(3) ? below(6) : 0);
		q->req_nodes = q->max_nodes;
	}
	if (one_in(3))
		q->tasks_per_node = 1 + below(4);
	q->tasks = one_in(4) ? 0 : 1 + below(40);
	if (q->tasks_per_node)
		q->tasks = q->tasks_per_node * q->min_nodes;
	else if (q->tasks && q->tasks < q->min_nodes)
		q->tasks = q->min_nodes;
	least = q->tasks_per_node ? (q->tasks + q->tasks_per_node - 1) / q->tasks_per_node
				  : 0;
	if (q->min_nodes < least)
		q->min_nodes = least;
}

static void random_question(question_t *q)
{
	uint16_t *cpus = q->cpus;

	*q = (question_t){.cpus = cpus, .cpus_per_task = one_in(3) ? 1 + below(4) : 1};
	q->whole = one_in(4);
	q->overcommit = one_in(12);
	q->spread = one_in(20);
	q->lln = one_in(20);
	random_counts(q);
	random_nodes(q);
	random_weights();
	if (one_in(4)) {
		q->required = bit_alloc(NODES);
		for (uint32_t i = below(q->min_nodes < 4 ? q->min_nodes + 1 : 4); i > 0;
		     i--)
			bit_set(q->required, below(NODES));
	}
}

/* --- asking ------------------------------------------------------------- */

typedef int choose_t(topology_eval_t *eval);

/* The processors that the job needs. */
static uint32_t least_cpus(const question_t *q)
{
	return q->tasks && !q->overcommit ? q->tasks * q->cpus_per_task : q->min_nodes;
}

/* The cores of a node of which so many are free: the last ones. */
static bitstr_t *free_cores(uint32_t cpus)
{
	bitstr_t *cores = bit_alloc(CPUS);

	if (cpus)
		bit_nset(cores, CPUS - cpus, CPUS - 1);
	return cores;
}

static answer_t ask(choose_t *choose, const question_t *q)
{
	static part_record_t part;
	gres_mc_data_t gres_mc = {.cpus_per_task = (uint16_t)q->cpus_per_task};
	multi_core_data_t mc = {0};
	job_details_t details = {
		.magic = DETAILS_MAGIC,
		.mc_ptr = &mc,
		.min_nodes = q->min_nodes,
		.max_nodes = q->max_nodes == 500000 ? 0 : q->max_nodes,
		.num_tasks = q->tasks,
		.ntasks_per_node = (uint16_t)q->tasks_per_node,
		.cpus_per_task = (uint16_t)q->cpus_per_task,
		.min_cpus = least_cpus(q),
		.max_cpus = NO_VAL,
		.pn_min_cpus = (uint16_t)q->cpus_per_task,
		.whole_node = q->whole ? WHOLE_NODE_REQUIRED : 0,
		.overcommit = q->overcommit,
		.contiguous = q->contiguous,
		.req_node_bitmap = q->required,
	};
	job_record_t job = {
		.magic = JOB_MAGIC,
		.job_id = 0, /* as for a reservation: it need not wait for a torus */
		.details = &details,
		.part_ptr = &part,
		.bit_flags = q->spread ? SPREAD_JOB : 0,
		.best_switch = true,
	};
	topology_eval_t eval = {
		.avail_core = xcalloc(NODES, sizeof(bitstr_t *)),
		.avail_res_array = xcalloc(NODES, sizeof(avail_res_t *)),
		.cr_type = q->lln ? SELECT_CORE | SELECT_LLN : SELECT_CORE,
		.first_pass = true,
		.job_ptr = &job,
		.mc_ptr = &gres_mc,
		.min_nodes = q->min_nodes,
		.req_nodes = q->req_nodes,
		.max_nodes = q->max_nodes,
		.node_map = bit_alloc(NODES),
	};
	answer_t answer = {.nodes = eval.node_map};

	gres_mc.ntasks_per_node = (uint16_t)q->tasks_per_node;
	gres_mc.ntasks_per_job = q->tasks;
	part.max_share = 1;
	part.node_bitmap = bit_alloc(NODES);
	bit_set_all(part.node_bitmap);
	for (int i = 0; i < NODES; i++) {
		avail_res_t *free = eval.avail_res_array[i] = xcalloc(1, sizeof(*free));

		free->avail_cpus = free->max_cpus = q->cpus[i];
		free->RESOURCES = q->cpus[i];
		free->sock_cnt = 1;
		free->tpc = 1;
		free->avail_cores_per_sock = xcalloc(1, sizeof(uint16_t));
		free->avail_cores_per_sock[0] = q->cpus[i];
		eval.avail_core[i] = free_cores(q->cpus[i]);
		if (q->cpus[i])
			bit_set(eval.node_map, i);
	}
	/* As select/cons_tres does before it asks. */
	if ((uint32_t)bit_set_count(eval.node_map) >= q->min_nodes &&
	    (!q->required || bit_super_set(q->required, eval.node_map)))
		answer.starts = choose(&eval) == SLURM_SUCCESS;
	for (int i = 0; i < NODES; i++) {
		if (bit_test(eval.node_map, i))
			answer.cpus += eval.avail_res_array[i]->avail_cpus;
		xfree(eval.avail_res_array[i]->avail_cores_per_sock);
		xfree(eval.avail_res_array[i]);
		FREE_NULL_BITMAP(eval.avail_core[i]);
	}
	xfree(eval.avail_res_array);
	xfree(eval.avail_core);
	FREE_NULL_BITMAP(part.node_bitmap);
	return answer;
}

/* --- judging ------------------------------------------------------------ */

static void print_question(const question_t *q)
{
	printf("nodes %u-%u-%u tasks %u a node %u cpus %u%s%s%s%s%s free", q->min_nodes,
	       q->req_nodes, q->max_nodes, q->tasks, q->tasks_per_node, q->cpus_per_task,
	       q->whole ? " whole" : "", q->overcommit ? " overcommit" : "",
	       q->contiguous ? " contiguous" : "", q->lln ? " lln" : "",
	       q->spread ? " spread" : "");
	for (int i = 0; i < NODES; i++)
		printf(" %u%s", q->cpus[i],
		       q->required && bit_test(q->required, i) ? "r" : "");
	printf("\n");
}

static void print_answer(const char *who, const answer_t *answer)
{
	char *names = answer->starts ? bitmap2node_name(answer->nodes) : NULL;

	printf("%s: %s, %u processors\n", who, names ? names : "no", answer->cpus);
	xfree(names);
}

/* Whether the job fits on the nodes that it got. */
static bool holds(const question_t *q, const answer_t *answer)
{
	uint32_t nodes = (uint32_t)bit_set_count(answer->nodes);

	for (int i = 0; i < NODES; i++) {
		if (bit_test(answer->nodes, i) && !q->cpus[i])
			return false;
	}
	return nodes >= q->min_nodes && nodes <= q->max_nodes &&
	       (!q->required || bit_super_set(q->required, answer->nodes)) &&
	       answer->cpus >= least_cpus(q);
}

/* Whether Slurm's plugin would start the contiguous job on some interval of the curve,
 * all of it and no node besides: the slow twin of how one is looked for. The curve is the
 * order of the table, and a ring. */
static bool fits_an_interval(choose_t *stock, const question_t *asked)
{
	uint32_t all = NODES, most = asked->max_nodes;
	bool fits = false;

	most = most < all ? most : all;
	if (asked->tasks && !asked->tasks_per_node && most > asked->tasks)
		most = asked->tasks > asked->min_nodes ? asked->tasks : asked->min_nodes;
	for (uint32_t count = asked->min_nodes; count <= most && !fits; count++) {
		for (uint32_t first = 0; first < all && !fits; first++) {
			uint16_t cpus[all];
			question_t q = *asked;
			answer_t answer;

			memset(cpus, 0, sizeof(cpus));
			for (uint32_t i = 0; i < count; i++)
				cpus[(first + i) % all] = asked->cpus[(first + i) % all];
			q.cpus = cpus;
			q.contiguous = false;
			q.min_nodes = q.req_nodes = q.max_nodes = count;
			answer = ask(stock, &q);
			fits = answer.starts;
			FREE_NULL_BITMAP(answer.nodes);
		}
	}
	return fits;
}

typedef struct counts {
	unsigned long started, refused, more, strict;
} counts_t;

static bool judge(choose_t *stock, choose_t *torus, const question_t *q, counts_t *counts)
{
	answer_t theirs = ask(stock, q), ours = ask(torus, q);
	bool good = !theirs.starts;

	/* Slurm's own choice may have more nodes than it should (26.05, --spread-job). */
	if (ours.starts)
		good = holds(q, &ours) ||
		       (theirs.starts && bit_equal(ours.nodes, theirs.nodes));

	counts->started += ours.starts;
	counts->refused += !ours.starts;
	counts->more += ours.starts && !theirs.starts;
	if (!good) {
		print_question(q);
		print_answer("stock", &theirs);
		print_answer("torus", &ours);
	}
	FREE_NULL_BITMAP(theirs.nodes);
	FREE_NULL_BITMAP(ours.nodes);
	return good;
}

static bool judge_contiguous(choose_t *stock, choose_t *torus, const question_t *q,
			     counts_t *counts)
{
	answer_t ours = ask(torus, q);
	bool fits = fits_an_interval(stock, q);
	bool good = ours.starts == fits && (!fits || holds(q, &ours));

	counts->strict += ours.starts;
	if (!good) {
		print_question(q);
		print_answer("torus", &ours);
		printf("an interval: %s\n", fits ? "yes" : "no");
	}
	FREE_NULL_BITMAP(ours.nodes);
	return good;
}

/* --- the plugins -------------------------------------------------------- */

static void *must(void *result, const char *what)
{
	if (!result) {
		fprintf(stderr, "topology_eval: %s: %s\n", what, dlerror());
		exit(2);
	}
	return result;
}

static void *load(const char *file)
{
	return must(dlopen(file, RTLD_LAZY | RTLD_LOCAL), file);
}

static choose_t *choose_of(void *plugin)
{
	return (choose_t *)must(dlsym(plugin, "topology_p_eval_nodes"), "eval_nodes");
}

/* The node table: n000, n001 and so on, all alike. */
static void make_nodes(void)
{
	static config_record_t configs[NODES];

	node_record_count = NODES;
	node_record_table_ptr = xcalloc(NODES, sizeof(*node_record_table_ptr));
	for (int i = 0; i < NODES; i++) {
		node_record_t *node = xcalloc(1, sizeof(*node));

		configs[i].magic = CONFIG_MAGIC;
		node->magic = NODE_MAGIC;
		node->config_ptr = &configs[i];
		node->index = i;
		node->name = xstrdup_printf("n%03d", i);
		node->cpus = node->tot_cores = node->cores = CPUS;
		node->tot_sockets = 1;
		node->tpc = 1;
		node_record_table_ptr[i] = node;
	}
	rehash_node();
	avail_node_bitmap = bit_alloc(NODES);
	idle_node_bitmap = bit_alloc(NODES);
	bit_set_all(avail_node_bitmap);
	bit_set_all(idle_node_bitmap);
}

int main(int argc, char **argv)
{
	log_options_t options = LOG_OPTS_STDERR_ONLY;
	counts_t counts = {0};
	choose_t *stock, *torus;
	question_t q = {0};
	unsigned long bad = 0;
	char *file;

	if (argc < 5)
		return 2;
	log_init((char *)"slurmctld", options, 0, NULL);
	slurm_conf_init(argv[1]);
	make_nodes();
	stock = choose_of(load(argv[2]));
	file = xstrdup_printf("%.*s/topology_torus.so",
			      (int)strcspn(slurm_conf.plugindir, ":"),
			      slurm_conf.plugindir);
	torus = choose_of(load(file));
	xfree(file);
	if (topology_g_init() != SLURM_SUCCESS)
		return 2;
	if (topology_g_generate_node_ranking())
		return 2; /* the order of the nodes is not the plugin's to change */
	topology_g_build_config();
	random_state = strtoull(argv[4], NULL, 10);
	q.cpus = xcalloc(NODES, sizeof(*q.cpus));
	for (unsigned long i = strtoul(argv[3], NULL, 10); i > 0; i--) {
		random_question(&q);
		bad += !judge(stock, torus, &q, &counts);
		if (argc > 5 && !q.lln && !q.spread && one_in(10)) {
			q.contiguous = true;
			bad += !judge_contiguous(stock, torus, &q, &counts);
		}
		FREE_NULL_BITMAP(q.required);
	}
	printf("%lu started, %lu of them not by Slurm's own plugin, %lu refused by both; %lu "
	       "--contiguous\n",
	       counts.started, counts.more, counts.refused, counts.strict);
	return bad ? 1 : 0;
}
