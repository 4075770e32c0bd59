/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The symbols of a select plugin: result, name, parameters, arguments. FORWARD: passed to
 * Slurm's plugin as they are; HOOK and DECIDE: select_torus.c has a function of its own,
 * DECIDE being the one that chooses nodes. slurm/compat.h puts SELECT_SYMBOLS together
 * from those of every release and what the header of the release adds.
 */
#ifndef TORUS_COMPAT_SELECT_SYMBOLS_H
#define TORUS_COMPAT_SELECT_SYMBOLS_H

#define SELECT_SYMBOLS(FORWARD, HOOK, DECIDE)                                            \
	HOOK(int, select_p_node_init, (void), ())                                        \
	DECIDE(int, select_p_job_test,                                                   \
	       (job_record_t * job_ptr, bitstr_t * bitmap, uint32_t min_nodes,           \
		uint32_t max_nodes, uint32_t req_nodes, uint16_t mode,                   \
		slurm_list_t preemptee_candidates, slurm_list_t * preemptee_job_list,    \
		JOB_TEST_EXTRA_PARAMETERS),                                              \
	       (job_ptr, bitmap, min_nodes, max_nodes, req_nodes, mode,                  \
		preemptee_candidates, preemptee_job_list, JOB_TEST_EXTRA_ARGUMENTS))     \
	HOOK(int, select_p_job_begin, (job_record_t * job_ptr), (job_ptr))               \
	FORWARD(int, select_p_job_ready, (job_record_t * job_ptr), (job_ptr))            \
	HOOK(int, select_p_job_expand,                                                   \
	     (job_record_t * from_job_ptr, job_record_t * to_job_ptr),                   \
	     (from_job_ptr, to_job_ptr))                                                 \
	HOOK(int, select_p_job_resized,                                                  \
	     (job_record_t * job_ptr, node_record_t * node_ptr), (job_ptr, node_ptr))    \
	HOOK(int, select_p_job_fini, (job_record_t * job_ptr), (job_ptr))                \
	FORWARD(int, select_p_job_suspend, (job_record_t * job_ptr, bool indefinitely),  \
		(job_ptr, indefinitely))                                                 \
	FORWARD(int, select_p_job_resume, (job_record_t * job_ptr, bool indefinitely),   \
		(job_ptr, indefinitely))                                                 \
	FORWARD(int, select_p_select_nodeinfo_set_all, (void), ())                       \
	HOOK(int, select_p_select_nodeinfo_set, (job_record_t * job_ptr), (job_ptr))     \
	HOOK(int, select_p_reconfigure, (void), ())                                      \
	SELECT_SYMBOLS_OF_RELEASE(FORWARD, HOOK)

/* Until 24.11: what clients need to read about nodes and jobs. */
#define SELECT_SYMBOLS_OF_CLIENTS(FORWARD)                                               \
	FORWARD(int, select_p_state_save, (char *directory), (directory))                \
	FORWARD(int, select_p_state_restore, (char *directory), (directory))             \
	FORWARD(int, select_p_job_init, (slurm_list_t jobs), (jobs))                     \
	FORWARD(bitstr_t *, select_p_step_pick_nodes,                                    \
		(job_record_t * job_ptr, select_jobinfo_t * step_jobinfo,                \
		 uint32_t node_count, bitstr_t * *avail_nodes),                          \
		(job_ptr, step_jobinfo, node_count, avail_nodes))                        \
	FORWARD(int, select_p_step_start, (step_record_t * step_ptr), (step_ptr))        \
	FORWARD(int, select_p_step_finish,                                               \
		(step_record_t * step_ptr, bool killing_step), (step_ptr, killing_step)) \
	FORWARD(int, select_p_select_nodeinfo_pack,                                      \
		(select_nodeinfo_t * nodeinfo, buf_t * buffer,                           \
		 uint16_t protocol_version),                                             \
		(nodeinfo, buffer, protocol_version))                                    \
	FORWARD(int, select_p_select_nodeinfo_unpack,                                    \
		(select_nodeinfo_t * *nodeinfo, buf_t * buffer,                          \
		 uint16_t protocol_version),                                             \
		(nodeinfo, buffer, protocol_version))                                    \
	FORWARD(select_nodeinfo_t *, select_p_select_nodeinfo_alloc, (void), ())         \
	FORWARD(int, select_p_select_nodeinfo_free, (select_nodeinfo_t * nodeinfo),      \
		(nodeinfo))                                                              \
	FORWARD(int, select_p_select_nodeinfo_get,                                       \
		(select_nodeinfo_t * nodeinfo, enum select_nodedata_type info,           \
		 enum node_states state, void *data),                                    \
		(nodeinfo, info, state, data))                                           \
	FORWARD(select_jobinfo_t *, select_p_select_jobinfo_alloc, (void), ())           \
	FORWARD(int, select_p_select_jobinfo_free, (select_jobinfo_t * jobinfo),         \
		(jobinfo))                                                               \
	FORWARD(int, select_p_select_jobinfo_set,                                        \
		(select_jobinfo_t * jobinfo, enum select_jobdata_type type, void *data), \
		(jobinfo, type, data))                                                   \
	FORWARD(int, select_p_select_jobinfo_get,                                        \
		(select_jobinfo_t * jobinfo, enum select_jobdata_type type, void *data), \
		(jobinfo, type, data))                                                   \
	FORWARD(select_jobinfo_t *, select_p_select_jobinfo_copy,                        \
		(select_jobinfo_t * jobinfo), (jobinfo))                                 \
	FORWARD(int, select_p_select_jobinfo_pack,                                       \
		(select_jobinfo_t * jobinfo, buf_t * buffer, uint16_t protocol_version), \
		(jobinfo, buffer, protocol_version))                                     \
	FORWARD(int, select_p_select_jobinfo_unpack,                                     \
		(select_jobinfo_t * *jobinfo, buf_t * buffer,                            \
		 uint16_t protocol_version),                                             \
		(jobinfo, buffer, protocol_version))                                     \
	FORWARD(int, select_p_get_info_from_plugin,                                      \
		(enum select_plugindata_info info, job_record_t * job_ptr, void *data),  \
		(info, job_ptr, data))

#endif
