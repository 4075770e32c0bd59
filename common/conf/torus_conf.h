/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The reader of torus.conf and of the files it names.
 *
 *     # comment
 *     TorusName=main Dims=8x8x5 Wrap=xyz Nodes=n[000-319]
 *     Curve=hilbert
 *     Allocator=compact
 *
 * Keys in any case, several on a line, written Key=value or Key="value"; comments and
 * continued lines as in lines.h. A line with TorusName= is a torus; Dims, ChipDims,
 * NodeShape, Wrap, Cube, Links, Nodes, NodesPerRouter and Coords belong to the torus of
 * their line. Curve, Allocator, Span, Isolation, Racks, Patience and PatienceMax stand on
 * a torus's line for it alone, or on a line without TorusName= for all tori that do not
 * say otherwise, wherever in the file that line is. Contiguous, WaitForTorus and
 * TaskOrder are for the whole cluster and stand only on a line without TorusName=. The
 * file of Racks is not read here: see conf/racks.h.
 *
 * With Nodes=by_registration the map has places that nodes can come to: see
 * machine/registration.h. With Cube the machine is one of cubes (torus/cubes.h), and does
 * not wrap.
 *
 * Defaults: Wrap=none, NodesPerRouter=1, Curve=hilbert, Allocator=compact, Span=ring
 * where some dimension wraps, otherwise linear; Contiguous=curve; WaitForTorus=yes;
 * Patience=none; no PatienceMax; TaskOrder=all.
 */
#ifndef TORUS_CONF_TORUS_CONF_H
#define TORUS_CONF_TORUS_CONF_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "machine/cluster.h"

/*
 * Read the file [path]. A cluster has at most TORUS_MAX_TORI tori. Relative names of the
 * files it refers to (Coords=, Links=file:, Curve=file:) are taken from the directory of [path].
 * Returns the cluster, to be freed with torus_cluster_destroy(), or NULL with [err]
 * filled as "FILE:LINE: reason", FILE being the one with the fault: unknown key, key or
 * torus given twice, missing key, counts that do not match, coordinates outside the
 * dimensions, more than 64 positions for each node where there are more than 65,536, a
 * node in two places, no torus at all, a file that cannot be read; without
 * a line when it is [path] itself that cannot be read.
 */
torus_cluster_t *torus_conf_read(const char *path, torus_error_t *err);

/*
 * The same for callers that only need the places of nodes: no curve is made (which takes
 * a third of a second at 4,608 nodes) and no file of Curve=file: is read. Nodes are
 * ranked in the order in which the configuration names them, and every map has
 * TORUS_CURVE_FILE.
 */
torus_cluster_t *torus_conf_read_places(const char *path, torus_error_t *err);

/*
 * Whether reading [path] again would make the same cluster, so that the curves need not
 * be made again: [cluster] was read from [path], and it and every file that it names are
 * unchanged, byte for byte. False also when one of them cannot be read now.
 */
bool torus_conf_unchanged(const torus_cluster_t *cluster, const char *path);

/*
 * How the reader reads the files that the configuration names: as torus_textfile_read(),
 * with the caller's [context].
 */
typedef int torus_file_reader_t(void *context, const char *path, char **text,
				size_t *length, torus_error_t *err);

/* The reader of torus_conf_read(); it takes no context. */
torus_file_reader_t torus_file_from_disk;

/*
 * The same for text in memory ([length] bytes, no NUL needed), called [path] in messages
 * and for relative names; the files it names come from [reader], so that tests and
 * fuzzing need not touch the disk.
 */
torus_cluster_t *torus_conf_read_text(const char *text, size_t length, const char *path,
				      torus_file_reader_t *reader, void *context,
				      torus_error_t *err);

#endif
