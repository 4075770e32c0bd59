/* SPDX-License-Identifier: GPL-2.0-or-later */
/* storus convert: torus.conf from the configuration of Slurm's own torus plugins. */
#include "torus_config.h"

#include <err.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/textfile.h"
#include "storus/cli/options.h"
#include "storus/cli/replace_file.h"
#include "storus/commands.h"
#include "storus/convert/converted.h"
#include "storus/convert/mesh_descriptor.h"
#include "storus/convert/names.h"
#include "storus/convert/slurm_conf.h"
#include "storus/convert/topology_conf.h"
#include "storus/convert/topology_yaml.h"
#include "storus/convert/tpu_conf.h"
#include "storus/convert/write.h"

typedef struct convert_options {
	const char *slurm_conf;
	const char *nodelist;
	const char *topology_yaml;
	const char *topology_conf;
	const char *block_dims;
	const char *tpu_conf;
	const char *tpu_type;
	const char *mesh_descriptor;
	const char *output;
} convert_options_t;

static int read_file(void *context, const char *path, char **text, size_t *length,
		     torus_error_t *err)
{
	(void)context;
	return torus_textfile_read(path, text, length, err);
}

/* Find out what a block is, if the options say it: *said. Returns 0, or -1. */
static int read_block(const convert_options_t *options, storus_block_t *block,
		      bool *said, torus_error_t *err)
{
	char *text;
	size_t length;
	int rc;

	*said = options->block_dims || options->tpu_conf;
	if (options->block_dims) {
		*block = (storus_block_t){0};
		rc = torus_geometry_parse(options->block_dims, NULL, &block->box, err);
		return rc ? torus_fail_prefix(err, "--block-dims: ") : 0;
	}
	if (!options->tpu_conf)
		return 0;
	if (torus_textfile_read(options->tpu_conf, &text, &length, err) != 0)
		return -1;
	rc = storus_tpu_conf_read(text, length, options->tpu_conf, options->tpu_type,
				  block, err);
	free(text);
	return rc;
}

static void remark(void *context, const char *text)
{
	(void)context;
	warnx("%s", text);
}

/* The file that is converted; NULL: the options have the nodes' names. */
static const char *file_of(const convert_options_t *options)
{
	return options->slurm_conf	? options->slurm_conf
	       : options->topology_yaml ? options->topology_yaml
	       : options->topology_conf ? options->topology_conf
					: options->mesh_descriptor;
}

/* Read the machine from what the options name. Returns 0, or -1 with [err] filled. */
static int read_machine(const convert_options_t *options, storus_converted_t *machine,
			torus_error_t *err)
{
	const char *path = file_of(options);
	storus_converted_torus_t *torus = NULL;
	char *text = NULL;
	size_t length = 0;
	storus_block_t block;
	bool said;
	int rc = -1;

	if (read_block(options, &block, &said, err) != 0)
		return -1;
	if (path && torus_textfile_read(path, &text, &length, err) != 0)
		return -1;
	if (!options->topology_yaml && !options->topology_conf &&
	    !options->mesh_descriptor) {
		torus = storus_names_begin(machine, err);
		if (!torus)
			goto done;
	}
	if (options->topology_yaml)
		rc = storus_topology_yaml_read(text, length, path, said ? &block : NULL,
					       machine, remark, NULL, err);
	else if (options->topology_conf)
		rc = storus_topology_conf_read(text, length, path, &block, machine,
					       remark, NULL, err);
	else if (options->mesh_descriptor)
		rc = storus_mesh_descriptor_read(text, path, machine, remark, NULL, err);
	else if (options->slurm_conf)
		rc = storus_slurm_conf_read(text, length, path, read_file, NULL, torus,
					    err);
	else
		rc = storus_names_add(torus, options->nodelist, err);
	if (rc != 0)
		goto done;
	if (torus)
		storus_names_fit(torus);
	rc = storus_converted_finish(machine, err);
	if (rc != 0)
		torus_fail_prefix(err, "%s: ", path ? path : "--nodelist");
done:
	free(text);
	return rc;
}

/* Write the file of coordinates of [torus] beside [output]. Returns 0, or -1. */
static int write_coords(const storus_converted_torus_t *torus, const char *output,
			torus_error_t *err)
{
	storus_replacement_t replacement;
	char *name = NULL, *path = NULL;
	int rc = -1;

	if (asprintf(&name, STORUS_CONVERTED_COORDS, torus->name) < 0)
		name = NULL;
	if (name)
		path = torus_textfile_beside(output, name);
	if (!path)
		torus_fail(err, "out of memory");
	else if (storus_replacement_begin(&replacement, path, err) == 0) {
		rc = storus_converted_write_coords(replacement.file, torus, err);
		if (rc == 0)
			rc = storus_replacement_commit(&replacement, err);
		else
			storus_replacement_abandon(&replacement);
	}
	free(path);
	free(name);
	return rc;
}

/*
 * Write all files: torus.conf is complete last, as it names the others, but is begun
 * first, so that none of them can have its name.
 */
static int write_files(const storus_converted_t *machine, const char *output,
		       const char *source, bool knows_rings, torus_error_t *err)
{
	storus_replacement_t replacement;

	if (storus_replacement_begin(&replacement, output, err) != 0)
		return -1;
	for (int t = 0; t < machine->tori; t++) {
		if (!machine->torus[t].list &&
		    write_coords(&machine->torus[t], output, err) != 0) {
			storus_replacement_abandon(&replacement);
			return -1;
		}
	}
	storus_converted_write_conf(replacement.file, machine, source, knows_rings);
	return storus_replacement_commit(&replacement, err);
}

/* Print torus.conf, if it needs no other file. Returns 0, or -1. */
static int print(const storus_converted_t *machine, const char *source, bool knows_rings,
		 torus_error_t *err)
{
	for (int t = 0; t < machine->tori; t++) {
		if (!machine->torus[t].list)
			return torus_fail(err,
					  "torus '%s' needs a file of coordinates, as it "
					  "has holes or names in another order: give "
					  "--output",
					  machine->torus[t].name);
	}
	storus_converted_write_conf(stdout, machine, source, knows_rings);
	return 0;
}

static int read_options(int argc, char **argv, convert_options_t *options, int *status)
{
	const storus_option_t table[] = {
		{.help = "topology/3d_torus, where node names end in three coordinates:"},
		{"slurm-conf", "FILE",
		 "the nodes of a slurm.conf and of what it includes",
		 .text = &options->slurm_conf},
		{"nodelist", "HOSTS", "these nodes, such as n[000x733]",
		 .text = &options->nodelist},
		{.help = "topology/torus3d and topology/block:"},
		{"topology-yaml", "FILE", "the tori of a topology.yaml",
		 .text = &options->topology_yaml},
		{"topology-conf", "FILE",
		 "the blocks of a topology.conf, with one of the next two",
		 .text = &options->topology_conf},
		{"block-dims", "AxBxC",
		 "and each of its blocks, whose nodes fill a box of these sides, x fastest",
		 .text = &options->block_dims},
		{"tpu-conf", "FILE",
		 "the same for sub-blocks of TPUs, with the sides that follow from a "
		 "tpu.conf",
		 .text = &options->tpu_conf},
		{"tpu-type", "TYPE", "the TPUType= of its line, such as v5p",
		 .text = &options->tpu_type},
		{.help = "Tenstorrent:"},
		{"mesh-descriptor", "FILE",
		 "the meshes of a mesh graph descriptor, with hosts that say where they are",
		 .text = &options->mesh_descriptor},
		{.help = "\nOutput:"},
		{"output", "FILE",
		 "write torus.conf there, and beside it torus-NAME.coords for each torus "
		 "with holes or with names in another order; without it print torus.conf, "
		 "which such a torus does not allow",
		 .text = &options->output},
		{0},
	};
	const storus_usage_t usage = {
		.begin = "Usage: storus convert (--slurm-conf FILE | --nodelist HOSTS |\n"
			 "                       --topology-yaml FILE | --topology-conf "
			 "FILE |\n"
			 "                       --mesh-descriptor FILE)\n"
			 "                      [--block-dims AxBxC | --tpu-conf FILE "
			 "--tpu-type TYPE]\n"
			 "                      [--output FILE]\n"
			 "Make a torus.conf of the configuration of one of Slurm's own "
			 "plugins, or of\nTenstorrent's meshes.\n\n",
		.options = table,
		.end = "Exit status: 0 converted, 2 bad usage or input.\n",
	};

	*options = (convert_options_t){0};
	if (storus_options_read(argc, argv, &usage, status) != 0)
		return -1;
	*status = STORUS_BAD;
	if (storus_no_arguments(argc, argv) != 0)
		return -1;
	if (!!options->slurm_conf + !!options->nodelist + !!options->topology_yaml +
		    !!options->topology_conf + !!options->mesh_descriptor !=
	    1) {
		storus_misuse("from what? Give one of --slurm-conf, --nodelist, "
			      "--topology-yaml, --topology-conf and --mesh-descriptor");
		return -1;
	}
	if ((options->block_dims || options->tpu_conf) && !options->topology_yaml &&
	    !options->topology_conf) {
		storus_misuse("blocks are those of --topology-yaml or --topology-conf");
		return -1;
	}
	if (options->topology_conf && !options->block_dims && !options->tpu_conf) {
		storus_misuse("what is a block of --topology-conf? Give --block-dims or "
			      "--tpu-conf");
		return -1;
	}
	if (options->block_dims && options->tpu_conf) {
		storus_misuse("--block-dims and --tpu-conf exclude each other");
		return -1;
	}
	if (!options->tpu_conf != !options->tpu_type) {
		storus_misuse("--tpu-conf and --tpu-type go together");
		return -1;
	}
	return 0;
}

int storus_convert(int argc, char **argv)
{
	convert_options_t options;
	storus_converted_t machine = {0};
	torus_error_t error;
	int rc, status;

	if (read_options(argc, argv, &options, &status) != 0)
		return status;
	const char *source = file_of(&options) ? file_of(&options) : options.nodelist;

	rc = read_machine(&options, &machine, &error);
	if (rc == 0)
		rc = options.output
			     ? write_files(&machine, options.output, source,
					   options.mesh_descriptor, &error)
			     : print(&machine, source, options.mesh_descriptor, &error);
	storus_converted_clear(&machine);
	if (rc != 0)
		warnx("%s", error.text);
	return rc == 0 ? STORUS_OK : STORUS_BAD;
}
