/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tenstorrent's mesh graph descriptors, in the text format of protocol buffers. */
#ifndef STORUS_CONVERT_MESH_DESCRIPTOR_H
#define STORUS_CONVERT_MESH_DESCRIPTOR_H

#include "base/error.h"
#include "storus/convert/converted.h"

/*
 * Add a torus by registration for each mesh that an instance in [text], called [path],
 * names: host_topology are its sides, device_topology those in chips, with the dimensions
 * that are rings, and express_connections the links between chips, which are numbered
 * with the last dimension fastest. A single mesh is called main, one of several mesh and
 * its mesh_id. Links that the mesh has already are told to [remark] with [context] and
 * left out. Returns 0, or -1 with [err] filled as "[path]:LINE: reason" or "[path]:
 * reason": not of that form, sides that chips and hosts do not share, a chip that there
 * is not, graphs within graphs, no mesh, two with the same mesh_id, memory.
 */
int storus_mesh_descriptor_read(const char *text, const char *path,
				storus_converted_t *machine, storus_remark_t *remark,
				void *context, torus_error_t *err);

#endif
