/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How many tasks a step has by srun's options, and whether it is of several components.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "random.h"
#include "taskmap/step_options.h"

static void tasks_of_options(void **state)
{
	static const struct {
		torus_step_options_t options;
		uint32_t nodes, tasks;
		const char *says; /* NULL: both are known */
	} table[] = {
		{{.tasks_given = true, .tasks = 4},
		 .says = "the number of nodes is not given"},
		{{.nodes_given = true, .tasks_given = true, .tasks = 4},
		 .says = "the number of nodes is not given"},
		{{.nodes_given = true,
		  .least_nodes = -1,
		  .tasks_given = true,
		  .tasks = 4},
		 .says = "the number of nodes is not given"},
		/* a task a node */
		{{.nodes_given = true, .least_nodes = 3}, 3, 3, NULL},
		{{.nodes_given = true, .least_nodes = 3, .most_nodes = 3}, 3, 3, NULL},
		{{.nodes_given = true, .nodes_by_variable = true, .least_nodes = 3},
		 3,
		 3,
		 NULL},
		{{.nodes_given = true, .least_nodes = 3, .most_nodes = 4},
		 .says = "the number of tasks is not given"},
		{{.nodes_given = true, .least_nodes = 3, .by_cpus = true},
		 .says = "the number of tasks is not given"},
		{{.nodes_given = true, .least_nodes = 3, .by_gpus = true},
		 .says = "the number of tasks follows from the GPUs"},
		/* so many a node */
		{{.nodes_given = true, .least_nodes = 3, .per_node = 2}, 3, 6, NULL},
		{{.nodes_given = true, .least_nodes = 3, .per_node = 2, .by_cpus = true},
		 3,
		 6,
		 NULL},
		{{.nodes_given = true, .least_nodes = 3, .most_nodes = 5, .per_node = 2},
		 .says = "the number of tasks is not given"},
		/* so many in all */
		{{.nodes_given = true, .least_nodes = 3, .tasks_given = true, .tasks = 7},
		 3,
		 7,
		 NULL},
		{{.nodes_given = true,
		  .least_nodes = 3,
		  .most_nodes = 5,
		  .tasks_given = true,
		  .tasks = 7,
		  .by_cpus = true},
		 3,
		 7,
		 NULL},
		{{.nodes_given = true, .least_nodes = 3, .tasks_given = true, .tasks = 2},
		 .says = "fewer tasks than nodes"},
		{{.nodes_given = true,
		  .least_nodes = 3,
		  .tasks_given = true,
		  .tasks = 7,
		  .by_gpus = true},
		 .says = "the number of tasks follows from the GPUs"},
		/* that of a variable may be the job's, beside --ntasks-per-node */
		{{.nodes_given = true,
		  .least_nodes = 3,
		  .tasks_given = true,
		  .tasks_by_variable = true,
		  .tasks = 7,
		  .per_node = 3},
		 .says = "the number of tasks is not clear"},
		{{.nodes_given = true,
		  .nodes_by_variable = true,
		  .least_nodes = 3,
		  .tasks_given = true,
		  .tasks_by_variable = true,
		  .tasks = 7,
		  .per_node = 3},
		 3,
		 7,
		 NULL},
		{{.nodes_given = true,
		  .least_nodes = 3,
		  .tasks_given = true,
		  .tasks_by_variable = true,
		  .tasks = 7},
		 3,
		 7,
		 NULL},
		{{.nodes_given = true,
		  .least_nodes = 3,
		  .tasks_given = true,
		  .tasks = 7,
		  .per_node = 3},
		 3,
		 7,
		 NULL},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		uint32_t nodes = 0, tasks = 0;
		torus_error_t err = {""};

		assert_int_equal(
			torus_step_tasks(&table[i].options, &nodes, &tasks, &err),
			table[i].says ? -1 : 0);
		assert_string_equal(err.text, table[i].says ? table[i].says : "");
		if (table[i].says)
			continue;
		assert_int_equal(nodes, table[i].nodes);
		assert_int_equal(tasks, table[i].tasks);
	}
}

static void components_of_lines(void **state)
{
	static const struct {
		const char *line;
		bool several;
	} table[] = {
		{NULL, false},
		{"", false},
		{"srun -n 4 a.out", false},
		{"srun -n 4 a.out : -n 2 b.out", true},
		{"srun -n 4 a:b", false},
		{"srun --het-group=1 a.out", false},
		{"srun --het-group 1 a.out", false},
		{"srun --het-group=0,1 a.out", true},
		{"srun --het-group 0-1 a.out", true},
		{"srun --het-group=[0] a.out", true},
		{"srun --het-group=1 a.out 0,1", false},
		{"srun --het-group=1 --het-group=0-2 a.out", true},
		{"srun --het-group=1 --mpi=none a,b", false},
		{"srun --het-group", false},
		{"srun a.out --het-group=0,1", true},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		assert_int_equal(torus_line_has_components(table[i].line),
				 table[i].several);
}

/* Word by word: whether one is a colon, or a value of --het-group that is a list. */
static bool slow_components(const char *const *word, uint32_t words)
{
	static const char option[] = "--het-group";
	bool several = false;

	for (uint32_t i = 0; i < words; i++) {
		const char *value = NULL;

		if (strcmp(word[i], option) == 0 && i + 1 < words)
			value = word[i + 1];
		else if (strncmp(word[i], option, strlen(option)) == 0)
			value = word[i] + strlen(option);
		several = several || (value && strpbrk(value, ",-["));
		several = several || (!strcmp(word[i], ":") && i && i + 1 < words);
	}
	return several;
}

static void components_of_random_lines(void **state)
{
	static const char *const words[] = {"srun",
					    "a,b",
					    "c-d",
					    ":",
					    "--het-group=2",
					    "1",
					    "--mpi=x",
					    "--het-group=1",
					    "--het-group=1-2",
					    "--het-group=3,4",
					    "--het-group"};

	(void)state;
	for (int round = 0; round < RANDOM_CASES(20000); round++) {
		uint32_t count = random_in(1, 6);
		const char *word[6];
		char line[160] = "";

		for (uint32_t i = 0; i < count; i++) {
			word[i] = words[random_in(0, 10)];
			/* Of lists and colons there are few. */
			if (random_in(0, 2) && strpbrk(word[i], ",-:[") &&
			    strncmp(word[i], "--", 2) != 0)
				word[i] = "x";
			if (i)
				strcat(line, " ");
			strcat(line, word[i]);
		}
		reached("several components", slow_components(word, count));
		reached("one component", !slow_components(word, count));
		assert_int_equal(torus_line_has_components(line),
				 slow_components(word, count));
	}
	assert_true(reached_all(RANDOM_CASES(1000)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tasks_of_options),
		cmocka_unit_test(components_of_lines),
		cmocka_unit_test(components_of_random_lines),
	};

	random_begin();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
