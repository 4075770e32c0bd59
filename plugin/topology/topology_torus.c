/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * topology/torus: what Slurm sees. TOPOLOGY_SYMBOLS of compat/ lists, for each release, the
 * functions that Slurm asks for: those of our own, those passed on to Slurm's own plugin,
 * and the one that chooses a job's nodes.
 */
#include "slurm/aside.h"
#include "slurm/decisions.h"
#include "slurm/record.h"
#include "topology/address.h"
#include "topology/as_torus3d.h"
#include "topology/groups.h"
#include "topology/info.h"
#include "topology/place.h"
#include "topology/watch.h"

const char plugin_name[] = "Topology of torus and mesh networks";
const char plugin_type[] = "topology/torus";
const uint32_t plugin_version = SLURM_VERSION_NUMBER;

#ifdef TOPOLOGY_DELEGATE
const uint32_t plugin_id = TORUS_TOPOLOGY_PLUGIN_ID;
#endif
TOPOLOGY_VARIABLES

int init(void);
int fini(void);

/*
 * Whether slurmctld is to sort its table of nodes by ranks of ours: never. It keeps what
 * cores and GRES a running job holds in the order of that table, and after a change of
 * the order would count them on others of the job's nodes.
 */
#define NODES_ARE_RANKED false

/* slurmctld has made its table of nodes: at its start, and with 22.05 when it is
 * reconfigured. */
static int topology_build(void)
{
	if (running_in_slurmctld()) {
		topology_tori_renew();
		topology_begin_reading();
		topology_watch_forget();
		topology_watch_start(!select_torus_decides());
	}
	return SLURM_SUCCESS;
}

#ifdef TOPOLOGY_MOVES_NODES

/* The same, for the topology that Slurm makes of TopologyPlugin=. */
static int topology_build_context(topology_ctx_t *made)
{
	int rc = topology_build();

#ifdef TOPOLOGY_SHOWS_TORUS3D
	if (running_in_slurmctld())
		topology_show_as_torus3d(made);
#else
	(void)made;
#endif
	return rc;
}

#endif

#define NOTHING(...)

#ifdef TOPOLOGY_DELEGATE

#define MEMBER(result, name, parameters, ...) result(*name) parameters;
#define NAME_OF(result, name, parameters, ...) #name,

/* Slurm's own plugin. */
static struct {
	TOPOLOGY_SYMBOLS(MEMBER, MEMBER, NOTHING)
} delegate;
static const char *const delegate_names[] = {TOPOLOGY_SYMBOLS(NAME_OF, NAME_OF, NOTHING)};
static plugin_context_t *context;

_Static_assert(sizeof(delegate_names) == sizeof(delegate),
	       "one function pointer for each name");

#ifdef TOPOLOGY_CHOOSES

/* Slurm is asked about a job that we are about to place: the answer is its own. */
static __thread bool asks_slurm;

/*
 * The tori are locked here, and Slurm comes back to this plugin: select/cons_tres
 * chooses nodes for the question, too, by topology_p_eval_nodes() and, in 26.05, also
 * asks topology_p_allow_one_node() and topology_p_eval_node(). With asks_slurm the first
 * passes on, and the others never look at the tori. A question of what could ever run
 * ends there: fragmentation (topology_p_get_fragmentation()), which locks the tori, is
 * asked for by backfill. Should a release ask for it earlier, topology_tori_lock() says
 * so in the log and the answer is the one without tori; the tests look for that line
 * whenever they stop a cluster. Other threads do not matter: they have no decision to
 * make while this one holds slurmctld's locks.
 */
static bool could_ever_run(const topology_eval_t *asked, const bitstr_t *nodes)
{
	bitstr_t *copy = bit_copy((bitstr_t *)nodes);
	aside_t *aside = aside_begin(asked->job_ptr, nodes);
	bool can;

	asks_slurm = true;
	can = select_g_job_test(asked->job_ptr, copy, asked->min_nodes, asked->max_nodes,
				asked->req_nodes, SELECT_MODE_TEST_ONLY, NULL, NULL,
				JOB_TEST_EXTRA_NONE) == SLURM_SUCCESS;
	asks_slurm = false;
	aside_end(asked->job_ptr, nodes, aside);
	bit_free(copy);
	return can;
}

static int topology_decide(topology_eval_t *eval)
{
	const topology_slurm_t slurm = {
		.choose = delegate.topology_p_eval_nodes,
#ifdef TOPOLOGY_TEST_NODE
		.test_node = TOPOLOGY_TEST_NODE(delegate),
#endif
	};
	bool is_job = record_is_job(eval->job_ptr);
	tori_t *tori;
	int rc;

	if (asks_slurm || select_torus_decides() || !is_job)
		return delegate.topology_p_eval_nodes(eval);
	tori = topology_tori_lock();
	if (!tori)
		return delegate.topology_p_eval_nodes(eval);
	rc = topology_place(tori, &slurm, could_ever_run, eval);
	topology_tori_unlock();
	return rc;
}

#endif

static int load_delegate(void)
{
	context = plugin_context_create("topo", TOPOLOGY_DELEGATE, (void **)&delegate,
					(const char **)delegate_names,
					sizeof(delegate_names));
	return context ? SLURM_SUCCESS : SLURM_ERROR;
}

static void unload_delegate(void)
{
	if (context)
		plugin_context_destroy(context);
	context = NULL;
}

#else /* there is nothing for which Slurm's own plugin would be asked */

static int load_delegate(void)
{
	return SLURM_SUCCESS;
}

static void unload_delegate(void)
{
}

#endif

#define FORWARD(result, name, parameters, arguments)                                     \
	result name parameters;                                                          \
	result name parameters                                                           \
	{                                                                                \
		return delegate.name arguments;                                          \
	}
#define DECIDE(result, name, parameters, arguments)                                      \
	result name parameters;                                                          \
	result name parameters                                                           \
	{                                                                                \
		return topology_decide arguments;                                        \
	}
#define OWN(result, name, parameters, call)                                              \
	result name parameters;                                                          \
	result name parameters                                                           \
	{                                                                                \
		return call;                                                             \
	}

TOPOLOGY_SYMBOLS(FORWARD, DECIDE, OWN)

int init(void)
{
	record_warn_if_untested();
	return load_delegate();
}

int fini(void)
{
	topology_watch_end();
#ifdef TOPOLOGY_CHOOSES
	topology_place_forget();
#endif
	topology_tori_forget();
	decisions_end();
	unload_delegate();
	return SLURM_SUCCESS;
}
