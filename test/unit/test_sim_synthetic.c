/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Synthetic workloads: texts accepted and rejected, distributions, and the same jobs for
 * the same seed with every compiler. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include "chi_square.h"
#include "no_memory.h"
#include "sim/swf_write.h"
#include "sim/synthetic/synthetic.h"

static torus_synthetic_machine_t machine_of(const char *dims, uint32_t nodes_per_router)
{
	torus_synthetic_machine_t machine;

	assert_int_equal(torus_geometry_parse(dims, NULL, &machine.geometry, NULL), 0);
	machine.nodes = torus_geometry_cells(&machine.geometry) * nodes_per_router;
	return machine;
}

static torus_workload_t generate(const char *text,
				 const torus_synthetic_machine_t *machine, uint64_t seed)
{
	torus_synthetic_t synthetic;
	torus_workload_t workload;
	torus_error_t err;

	if (torus_synthetic_parse(text, &synthetic, &err) ||
	    torus_synthetic_generate(&synthetic, machine, seed, &workload, &err))
		fail_msg("%s: %s", text, err.text);
	return workload;
}

static void reads_kinds_and_parameters(void **state)
{
	torus_synthetic_t synthetic;
	torus_error_t err;

	(void)state;
	assert_int_equal(torus_synthetic_parse("exponential", &synthetic, &err), 0);
	assert_string_equal(torus_synthetic_kind_name(synthetic.kind), "exponential");
	assert_true(synthetic.value[1] == 0.8 && !synthetic.given[1]);
	assert_true(synthetic.value[4] == 16);
	assert_int_equal(
		torus_synthetic_parse("exponential:mean=4.5,load=0.95", &synthetic, &err),
		0);
	assert_true(synthetic.value[1] == 0.95 && synthetic.given[1]);
	assert_true(synthetic.value[4] == 4.5 && synthetic.value[0] == 3600);
	assert_int_equal(
		torus_synthetic_parse("beta:sizes=large,shaped=yes", &synthetic, &err),
		0);
	assert_true(synthetic.value[4] == 2 && synthetic.value[5] == 1);
	/* Every kind is there and has its parameters' standards in their ranges. */
	for (int i = 0; torus_synthetic_kind(i); i++) {
		const torus_synthetic_kind_t *kind = torus_synthetic_kind(i);
		const torus_synthetic_parameter_t *parameter;

		assert_int_equal(torus_synthetic_parse(torus_synthetic_kind_name(kind),
						       &synthetic, &err),
				 0);
		assert_ptr_equal(synthetic.kind, kind);
		assert_true(strlen(torus_synthetic_kind_summary(kind)) > 10);
		for (int k = 0; (parameter = torus_synthetic_kind_parameter(kind, k));
		     k++) {
			assert_true(strlen(parameter->summary) > 4);
			assert_true(parameter->choices ||
				    (parameter->standard >= parameter->minimum &&
				     parameter->standard <= parameter->maximum));
		}
	}
}

static void rejects_bad_texts(void **state)
{
	static const struct {
		const char *text, *says;
	} table[] = {
		{"", "unknown workload ''; known are cplant-stream, beta, exponential, "
		     "log-uniform"},
		{"exponentia", "unknown workload 'exponentia'"},
		{"Exponential", "unknown workload"},
		{"exponential:", "exponential: '' is not of the form name=value"},
		{"exponential:mean", "'mean' is not of the form"},
		{"exponential:mean=16,", "'' is not of the form"},
		{"exponential:sizes=small", "exponential: unknown parameter 'sizes'; it "
					    "has run, load, times, f, mean, jobs"},
		{"exponential:mean=1,mean=1", "exponential: mean= is given twice"},
		{"exponential:mean=", "mean='' is not a number"},
		{"exponential:mean=.", "mean='.' is not a number"},
		{"exponential:mean=1.2.3", "is not a number"},
		{"exponential:mean=-1", "is not a number"},
		{"exponential:mean=1e3", "is not a number"},
		{"exponential:mean=nan", "is not a number"},
		{"exponential:mean=0.9", "mean=0.9 is not in 1 to 268435456"},
		{"exponential:jobs=1.5", "jobs='1.5' is not a whole number"},
		{"exponential:jobs=0", "jobs=0 is not in 1 to 100000000"},
		{"exponential:load=101", "load=101 is not in 0 to 100"},
		{"exponential:run=0", "run=0 is not in 1 to 100000000"},
		{"exponential:f=101", "f=101 is not in 0 to 100"},
		{"beta:sizes=tiny", "sizes='tiny' is not one of small|medium|large"},
		{"beta:shaped=1", "shaped='1' is not one of no|yes"},
		{"cplant-stream:jobs=3", "unknown parameter 'jobs'; it has run, load, "
					 "times, f, streams, vary, fill"},
		{"cplant-stream:streams=0", "streams=0 is not in 1 to 100000"},
		{"cplant-stream:vary=2", "vary='2' is not one of no|yes"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		torus_synthetic_t synthetic;
		torus_error_t err = {""};

		assert_int_equal(torus_synthetic_parse(table[i].text, &synthetic, &err),
				 -1);
		if (!strstr(err.text, table[i].says))
			fail_msg("'%s': '%s' does not say '%s'", table[i].text, err.text,
				 table[i].says);
	}
}

static void a_parameter_is_set_once(void **state)
{
	torus_synthetic_t synthetic;
	torus_error_t err;

	(void)state;
	assert_int_equal(torus_synthetic_parse("log-uniform:max=9", &synthetic, &err), 0);
	assert_int_equal(torus_synthetic_set(&synthetic, "load", "0.5", &err), 0);
	assert_true(synthetic.value[1] == 0.5);
	assert_int_equal(torus_synthetic_set(&synthetic, "max", "9", &err), -1);
	assert_string_equal(err.text, "log-uniform: max= is given twice");
}

static void rejects_machines_that_are_too_small(void **state)
{
	static const struct {
		const char *text, *dims, *says;
	} table[] = {
		{"cplant-stream", "5x5", "jobs of 30 nodes, the machine has 25"},
		{"beta:shaped=yes,most=9", "5x5", "most= is not for boxes of sides=beta"},
		{"exponential:mean=17", "4x4",
		 "a mean of 17 nodes is more than the "
		 "machine's 16"},
		{"log-uniform:max=17", "4x4", "max=17 is more than the machine's 16"},
		{"log-uniform:min=5", "4x4", "min=5 is more than max=4"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		torus_synthetic_machine_t machine = machine_of(table[i].dims, 1);
		torus_synthetic_t synthetic;
		torus_workload_t workload;
		torus_error_t err = {""};

		assert_int_equal(torus_synthetic_parse(table[i].text, &synthetic, &err),
				 0);
		assert_int_equal(torus_synthetic_generate(&synthetic, &machine, 1,
							  &workload, &err),
				 -1);
		if (!strstr(err.text, table[i].says))
			fail_msg("'%s' does not say '%s'", err.text, table[i].says);
		torus_workload_clear(&workload);
	}
}

/* Leung et al., "Processor Allocation on Cplant" (2002): the test stream. */
static void the_cplant_stream_is_that_of_the_paper(void **state)
{
	torus_synthetic_machine_t machine = machine_of("8x8", 4);
	torus_workload_t workload = generate("cplant-stream", &machine, 1);
	torus_workload_t other = generate("cplant-stream", &machine, 2);
	uint32_t of_size[31] = {0}, moved = 0;

	(void)state;
	assert_int_equal(workload.count, 188);
	for (size_t i = 0; i < workload.count; i++) {
		of_size[workload.job[i].nodes]++;
		assert_int_equal(workload.job[i].submit, 0);
		assert_int_equal(workload.job[i].run_time, 900 * TORUS_SECOND);
		moved += workload.job[i].nodes != other.job[i].nodes;
	}
	assert_int_equal(of_size[2], 91);
	assert_int_equal(of_size[5], 33);
	assert_int_equal(of_size[25], 31);
	assert_int_equal(of_size[30], 33);
	assert_in_range(moved, 80, 188);
	torus_workload_clear(&workload);
	torus_workload_clear(&other);
}

/* Its proportions, in one random order, with run times of the mean asked for. */
static void cplant_streams_may_be_many_and_varied(void **state)
{
	enum { STREAMS = 100 };
	torus_synthetic_machine_t machine = machine_of("8x8x5", 1);
	torus_workload_t workload = generate(
		"cplant-stream:streams=100,vary=yes,run=3600,load=0.5", &machine, 1);
	uint32_t of_size[31] = {0}, first_half = 0;
	double sum = 0;

	(void)state;
	assert_int_equal(workload.count, STREAMS * 188);
	for (size_t i = 0; i < workload.count; i++) {
		of_size[workload.job[i].nodes]++;
		first_half += workload.job[i].nodes == 2 && i < workload.count / 2;
		sum += (double)workload.job[i].run_time / TORUS_SECOND;
	}
	assert_int_equal(of_size[2], STREAMS * 91);
	assert_int_equal(of_size[5], STREAMS * 33);
	assert_int_equal(of_size[25], STREAMS * 31);
	assert_int_equal(of_size[30], STREAMS * 33);
	/* Standard deviations: 34 jobs; 3600 s a job, that is 26 s of the mean. Rounding
	 * up adds half a second. */
	assert_in_range(first_half, STREAMS * 91 / 2 - 140, STREAMS * 91 / 2 + 140);
	assert_true(fabs(sum / (double)workload.count - 3600.5) < 105);
	torus_workload_clear(&workload);
}

/* As the paper says of the order: the machine is filled first, a small job ends it. */
static void the_cplant_stream_may_fill_the_machine_first(void **state)
{
	torus_synthetic_machine_t machine = machine_of("8x8", 2);
	uint32_t of_size[31] = {0}, moved = 0;

	(void)state;
	for (uint64_t seed = 1; seed <= 20; seed++) {
		torus_workload_t workload =
			generate("cplant-stream:fill=yes", &machine, seed);
		torus_workload_t other =
			generate("cplant-stream:fill=yes", &machine, seed + 100);

		memset(of_size, 0, sizeof(of_size));
		for (size_t i = 0; i < workload.count; i++) {
			of_size[workload.job[i].nodes]++;
			moved += workload.job[i].nodes != other.job[i].nodes;
		}
		/* 128 nodes hold four jobs of 30. */
		for (size_t i = 0; i < 4; i++)
			assert_int_equal(workload.job[i].nodes, 30);
		assert_int_equal(workload.job[187].nodes, 2);
		assert_int_equal(of_size[2], 91);
		assert_int_equal(of_size[5], 33);
		assert_int_equal(of_size[25], 31);
		assert_int_equal(of_size[30], 33);
		torus_workload_clear(&workload);
		torus_workload_clear(&other);
	}
	assert_in_range(moved, 20 * 80, 20 * 183);
}

/* The same sizes in the same order, under run times and arrivals of their own. */
static void sets_of_times_are_of_the_same_jobs(void **state)
{
	static const char *const kinds[] = {
		"cplant-stream:vary=yes,load=1", "beta:shaped=yes,load=1",
		"exponential:jobs=150", "log-uniform:jobs=150"};
	torus_synthetic_machine_t machine = machine_of("8x8x8", 1);

	(void)state;
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		char text[3][80];
		torus_workload_t workload[3];
		uint32_t run_times = 0, arrivals = 0;

		for (int k = 0; k < 3; k++) {
			snprintf(text[k], sizeof(text[k]), "%s%s", kinds[i],
				 k == 0	  ? ""
				 : k == 1 ? ",times=0"
					  : ",times=7");
			workload[k] = generate(text[k], &machine, 3);
			assert_int_equal(workload[k].count, workload[0].count);
		}
		for (size_t j = 0; j < workload[0].count; j++) {
			assert_memory_equal(&workload[1].job[j], &workload[0].job[j],
					    sizeof(torus_sim_job_t));
			assert_int_equal(workload[2].job[j].nodes,
					 workload[0].job[j].nodes);
			assert_memory_equal(&workload[2].job[j].shape,
					    &workload[0].job[j].shape,
					    sizeof(torus_shape_t));
			run_times += workload[2].job[j].run_time !=
				     workload[0].job[j].run_time;
			arrivals +=
				workload[2].job[j].submit != workload[0].job[j].submit;
		}
		assert_in_range(run_times, 130, 188);
		assert_in_range(arrivals, 130, 188);
		for (int k = 0; k < 3; k++)
			torus_workload_clear(&workload[k]);
	}
}

/* As large on a machine of other dimensions. */
static void the_largest_job_may_be_given_by_its_cells(void **state)
{
	static const char *const dims[] = {"32x32x32", "8x8x8x8x8"};
	torus_workload_t workload[2];

	(void)state;
	for (int k = 0; k < 2; k++) {
		torus_synthetic_machine_t machine = machine_of(dims[k], 1);

		workload[k] = generate("beta:most=2744,jobs=1000", &machine, 1);
	}
	for (size_t i = 0; i < 1000; i++) {
		assert_int_equal(workload[0].job[i].nodes, workload[1].job[i].nodes);
		assert_in_range(workload[0].job[i].nodes, 1, 2744);
	}
	torus_workload_clear(&workload[0]);
	torus_workload_clear(&workload[1]);
}

/* Of the size of an unshaped job or a few cells more, and of every form. */
static void boxes_may_have_any_sides(void **state)
{
	static const char *const dims[] = {"32x32x32", "8x8x8x8x8", "5x40x7", "64"};

	(void)state;
	for (size_t k = 0; k < sizeof(dims) / sizeof(dims[0]); k++) {
		torus_synthetic_machine_t machine = machine_of(dims[k], 2);
		torus_workload_t workload = generate(
			"beta:shaped=yes,sides=any,largest=0.6,jobs=3000", &machine, 1);
		uint32_t flat = 0, long_ones = 0;
		double sum = 0, most = machine.nodes;

		for (int axis = 0; axis < machine.geometry.dims; axis++)
			most *= (double)(int32_t)(machine.geometry.length[axis] * 0.6) /
				machine.geometry.length[axis];
		for (size_t i = 0; i < workload.count; i++) {
			const torus_sim_job_t *job = &workload.job[i];
			uint32_t cells = 1;
			bool is_flat = false, is_long = false;

			assert_true(job->has_shape);
			assert_int_equal(job->shape.dims, machine.geometry.dims);
			for (int axis = 0; axis < job->shape.dims; axis++) {
				assert_in_range(job->shape.side[axis], 1,
						machine.geometry.length[axis]);
				cells *= (uint32_t)job->shape.side[axis];
				is_flat |=
					job->shape.side[axis] <= job->shape.side[0] / 3;
				is_long |= job->shape.side[axis] >
					   machine.geometry.length[axis] * 0.6;
			}
			assert_int_equal(job->nodes, 2 * cells);
			sum += job->nodes;
			flat += is_flat;
			long_ones += is_long;
		}
		/* The mean is half of the largest, and what rounding adds. */
		assert_true(sum / 3000 > 0.48 * most && sum / 3000 < 0.62 * most);
		if (machine.geometry.dims > 1)
			assert_true(flat > 300 && flat < 2900 && long_ones > 300);
		torus_workload_clear(&workload);
	}
}

/* Every job is at each place of the order as often. */
static void the_cplant_stream_is_shuffled_evenly(void **state)
{
	enum { STREAMS = 4000 };
	torus_synthetic_machine_t machine = machine_of("8x8", 4);
	double expected[188];
	uint32_t counted[188] = {0};

	(void)state;
	for (uint64_t seed = 0; seed < STREAMS; seed++) {
		torus_workload_t workload = generate("cplant-stream", &machine, seed);

		for (size_t i = 0; i < 188; i++)
			counted[i] += workload.job[i].nodes == 30;
		torus_workload_clear(&workload);
	}
	for (size_t i = 0; i < 188; i++)
		expected[i] = STREAMS * 33. / 188;
	/* Places without replacement vary less: a fit is all the likelier. */
	assert_true(chi_square_fits(counted, expected, 188));
}

/* Geometric, so that the mean is the one asked for. */
static void exponential_sizes_have_their_distribution(void **state)
{
	enum { JOBS = 100000, SIZES = 64 };
	torus_synthetic_machine_t machine = machine_of("32x32", 1);
	torus_workload_t workload =
		generate("exponential:mean=16,jobs=100000", &machine, 7);
	uint32_t counted[SIZES + 1] = {0};
	double expected[SIZES + 1], sum = 0, tail = 1;

	(void)state;
	assert_int_equal(workload.count, JOBS);
	for (size_t i = 0; i < JOBS; i++) {
		uint32_t nodes = workload.job[i].nodes;

		assert_in_range(nodes, 1, 1024);
		sum += nodes;
		counted[nodes <= SIZES ? nodes - 1 : SIZES]++;
	}
	/* Standard deviation 15.5 a job: three of the mean. */
	assert_true(fabs(sum / JOBS - 16) < 3 * 15.5 / sqrt(JOBS));
	for (int size = 1; size <= SIZES; size++) {
		expected[size - 1] = JOBS * tail / 16;
		tail *= 15. / 16;
	}
	expected[SIZES] = JOBS * tail;
	assert_true(chi_square_fits(counted, expected, SIZES + 1));
	torus_workload_clear(&workload);
	workload = generate("exponential:mean=1", &machine, 7);
	for (size_t i = 0; i < workload.count; i++)
		assert_int_equal(workload.job[i].nodes, 1);
	torus_workload_clear(&workload);
}

static void log_uniform_sizes_have_their_distribution(void **state)
{
	enum { JOBS = 100000 };
	torus_synthetic_machine_t machine = machine_of("8x8x5", 1);
	torus_workload_t workload = generate("log-uniform:jobs=100000", &machine, 3);
	uint32_t counted[80] = {0};
	double expected[80];

	(void)state;
	/* Up to a quarter of the machine. */
	for (size_t i = 0; i < JOBS; i++) {
		assert_in_range(workload.job[i].nodes, 1, 80);
		counted[workload.job[i].nodes - 1]++;
	}
	for (int n = 1; n <= 80; n++)
		expected[n - 1] = JOBS * log((n + 1.) / n) / log(81);
	assert_true(chi_square_fits(counted, expected, 80));
	torus_workload_clear(&workload);
}

/* Means of 1 + floor(x * most): x has mean 1/4, 1/2, 3/4; the floor takes half a step. */
static void beta_sizes_have_their_means(void **state)
{
	static const struct {
		const char *sizes;
		double mean;
	} table[] = {{"small", 0.25}, {"medium", 0.5}, {"large", 0.75}};
	torus_synthetic_machine_t machine = machine_of("32x32x32", 1);

	(void)state;
	for (size_t row = 0; row < 3; row++) {
		char text[80];
		torus_workload_t workload;
		double sum = 0, sides[3] = {0}, slack = 4 * 0.17 / sqrt(20000);

		snprintf(text, sizeof(text), "beta:sizes=%s,jobs=20000",
			 table[row].sizes);
		workload = generate(text, &machine, 11);
		for (size_t i = 0; i < workload.count; i++) {
			assert_false(workload.job[i].has_shape);
			assert_int_equal(workload.job[i].submit, 0);
			assert_in_range(workload.job[i].nodes, 1, 4096);
			sum += workload.job[i].nodes;
		}
		assert_true(fabs((sum / 20000 - 0.5) / 4096 - table[row].mean) < slack);
		torus_workload_clear(&workload);

		strcat(text, ",shaped=yes");
		workload = generate(text, &machine, 11);
		for (size_t i = 0; i < workload.count; i++) {
			const torus_sim_job_t *job = &workload.job[i];
			uint32_t volume = 1;

			assert_true(job->has_shape && job->shape.dims == 3);
			for (int axis = 0; axis < 3; axis++) {
				assert_in_range(job->shape.side[axis], 1, 16);
				volume *= (uint32_t)job->shape.side[axis];
				sides[axis] += job->shape.side[axis];
			}
			assert_int_equal(job->nodes, volume);
		}
		for (int axis = 0; axis < 3; axis++)
			assert_true(fabs((sides[axis] / 20000 - 0.5) / 16 -
					 table[row].mean) < slack);
		torus_workload_clear(&workload);
	}
}

static void boxes_count_the_nodes_of_their_routers(void **state)
{
	torus_synthetic_machine_t machine = machine_of("6x4", 3);
	torus_workload_t workload =
		generate("beta:shaped=yes,largest=1,jobs=500", &machine, 1);
	int32_t longest[2] = {0};

	(void)state;
	for (size_t i = 0; i < workload.count; i++) {
		const torus_shape_t *box = &workload.job[i].shape;

		for (int axis = 0; axis < 2; axis++) {
			if (box->side[axis] > longest[axis])
				longest[axis] = box->side[axis];
		}
		assert_int_equal(workload.job[i].nodes, 3 * box->side[0] * box->side[1]);
	}
	assert_int_equal(longest[0], 6);
	assert_int_equal(longest[1], 4);
	torus_workload_clear(&workload);
}

static double exponential(double x, const void *mean)
{
	return 1 - exp(-x / *(const double *)mean);
}

static void run_times_and_gaps_are_exponential(void **state)
{
	enum { JOBS = 20000 };
	torus_synthetic_machine_t machine = machine_of("8x8x5", 1);
	torus_workload_t workload =
		generate("exponential:jobs=20000,run=1000000,load=0.7", &machine, 5);
	static double run[JOBS], gap[JOBS];
	double work = 0, span, mean_run = 1e6, mean_gap;
	int64_t before = 0;

	(void)state;
	for (size_t i = 0; i < JOBS; i++) {
		const torus_sim_job_t *job = &workload.job[i];

		assert_true(job->submit >= before && job->run_time >= TORUS_SECOND);
		assert_true(job->submit % TORUS_SECOND == 0 &&
			    job->run_time % TORUS_SECOND == 0);
		assert_true(job->estimate == job->run_time && job->wait == -1 &&
			    job->number == i + 1);
		run[i] = (double)(job->run_time / TORUS_SECOND);
		gap[i] = (double)((job->submit - before) / TORUS_SECOND);
		before = job->submit;
		work += run[i] * job->nodes;
	}
	/* So much work in so much time: the load; the time varies by 1/sqrt(jobs). */
	span = (double)(before / TORUS_SECOND);
	assert_true(fabs(work / span / machine.nodes / 0.7 - 1) < 4 / sqrt(JOBS));
	mean_gap = work / JOBS / machine.nodes / 0.7;
	assert_true(kolmogorov_fits(run, JOBS, exponential, &mean_run));
	assert_true(kolmogorov_fits(gap, JOBS, exponential, &mean_gap));
	torus_workload_clear(&workload);
}

static void another_load_has_the_same_jobs(void **state)
{
	torus_synthetic_machine_t machine = machine_of("8x8x5", 1);
	torus_workload_t low = generate("log-uniform:load=0.5", &machine, 9);
	torus_workload_t high = generate("log-uniform:load=0.9", &machine, 9);
	torus_workload_t other = generate("log-uniform:load=0.9", &machine, 10);
	size_t same = 0;

	(void)state;
	for (size_t i = 0; i < low.count; i++) {
		assert_int_equal(low.job[i].nodes, high.job[i].nodes);
		assert_int_equal(low.job[i].run_time, high.job[i].run_time);
		assert_true(low.job[i].submit >= high.job[i].submit);
		same += low.job[i].run_time == other.job[i].run_time;
	}
	assert_in_range(same, 0, low.count / 50);
	torus_workload_clear(&low);
	torus_workload_clear(&high);
	torus_workload_clear(&other);
}

/* The f-model: the jobs stay the same, and estimates are spread evenly over 1 .. 1 + f.
 */
static void estimates_are_those_of_the_f_model(void **state)
{
	torus_synthetic_machine_t machine = machine_of("8x8x8", 1);
	torus_workload_t exact =
		generate("exponential:jobs=20000,run=86400", &machine, 5);
	torus_workload_t inexact =
		generate("exponential:jobs=20000,run=86400,f=4", &machine, 5);
	torus_workload_t other =
		generate("exponential:jobs=20000,run=86400,f=4,times=1", &machine, 5);
	uint32_t in_quarter[4] = {0}, alike = 0;

	(void)state;
	assert_int_equal(exact.count, inexact.count);
	for (size_t i = 0; i < exact.count; i++) {
		const torus_sim_job_t *job = &inexact.job[i];
		/* In quarters of the run time times 4. */
		double more =
			(double)(job->estimate - job->run_time) / (double)job->run_time;

		assert_int_equal(exact.job[i].estimate, exact.job[i].run_time);
		assert_int_equal(job->run_time, exact.job[i].run_time);
		assert_int_equal(job->submit, exact.job[i].submit);
		assert_int_equal(job->nodes, exact.job[i].nodes);
		assert_int_equal(job->estimate % TORUS_SECOND, 0);
		assert_true(job->estimate >= job->run_time);
		/* Rounded up to whole seconds. */
		assert_true(job->estimate <= 5 * job->run_time);
		in_quarter[more < 4 ? (int)more : 3]++;
		alike += (double)(other.job[i].estimate - other.job[i].run_time) /
				 (double)other.job[i].run_time ==
			 more;
	}
	for (int i = 0; i < 4; i++)
		assert_in_range(in_quarter[i], 4700, 5300);
	assert_true(alike < 100);
	torus_workload_clear(&exact);
	torus_workload_clear(&inexact);
	torus_workload_clear(&other);
}

static void out_of_memory_is_an_error(void **state)
{
	static const char *const table[] = {
		"cplant-stream:run=5",
		"beta:shaped=yes",
		"exponential:jobs=200",
		"log-uniform:jobs=200",
	};
	torus_synthetic_machine_t machine = machine_of("8x8", 1);

	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		bool done = false;

		for (long count = 0; !done; count++) {
			torus_workload_t workload = {0};
			torus_synthetic_t synthetic;
			torus_error_t err = {""};
			int rc;

			allow(count);
			rc = torus_synthetic_parse(table[i], &synthetic, &err) ||
			     torus_synthetic_generate(&synthetic, &machine, 1, &workload,
						      &err);
			done = !allow_all();
			assert_int_equal(rc, !done);
			if (!done)
				assert_non_null(strstr(err.text, "out of memory"));
			assert_in_range(count, 0, 50);
			torus_workload_clear(&workload);
		}
	}
}

static uint64_t hash(const char *text)
{
	uint64_t value = UINT64_C(14695981039346656037);

	for (; *text; text++)
		value = (value ^ (unsigned char)*text) * UINT64_C(1099511628211);
	return value;
}

/* As gcc and clang build it, optimised or not. */
static void workloads_are_the_same_with_every_compiler(void **state)
{
	static const struct {
		const char *text;
		uint64_t hash;
	} table[] = {
		{"cplant-stream:load=0.9", UINT64_C(0x28892d3b4c5175aa)},
		{"beta:sizes=small,shaped=yes", UINT64_C(0xe4c7787bae8cbb98)},
		{"beta:sizes=large", UINT64_C(0x390fb0f1d347269e)},
		{"exponential:jobs=20000", UINT64_C(0x96fc63761e9d4d52)},
		{"log-uniform:jobs=20000", UINT64_C(0x089a90720dcb7d60)},
	};
	torus_synthetic_machine_t machine = machine_of("16x16x16", 1);

	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		torus_workload_t workload = generate(table[i].text, &machine, 12345);
		char *text = torus_swf_format(&workload, machine.nodes, "", NULL);

		assert_non_null(text);
		if (hash(text) != table[i].hash)
			fail_msg("%s: 0x%016llx", table[i].text,
				 (unsigned long long)hash(text));
		free(text);
		torus_workload_clear(&workload);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_kinds_and_parameters),
		cmocka_unit_test(rejects_bad_texts),
		cmocka_unit_test(a_parameter_is_set_once),
		cmocka_unit_test(rejects_machines_that_are_too_small),
		cmocka_unit_test(the_cplant_stream_is_that_of_the_paper),
		cmocka_unit_test(cplant_streams_may_be_many_and_varied),
		cmocka_unit_test(the_cplant_stream_may_fill_the_machine_first),
		cmocka_unit_test(sets_of_times_are_of_the_same_jobs),
		cmocka_unit_test(the_largest_job_may_be_given_by_its_cells),
		cmocka_unit_test(boxes_may_have_any_sides),
		cmocka_unit_test(the_cplant_stream_is_shuffled_evenly),
		cmocka_unit_test(exponential_sizes_have_their_distribution),
		cmocka_unit_test(log_uniform_sizes_have_their_distribution),
		cmocka_unit_test(beta_sizes_have_their_means),
		cmocka_unit_test(boxes_count_the_nodes_of_their_routers),
		cmocka_unit_test(run_times_and_gaps_are_exponential),
		cmocka_unit_test(another_load_has_the_same_jobs),
		cmocka_unit_test(estimates_are_those_of_the_f_model),
		cmocka_unit_test(out_of_memory_is_an_error),
		cmocka_unit_test(workloads_are_the_same_with_every_compiler),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
