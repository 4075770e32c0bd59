#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""The order of a job's nodes for a mesh of devices, by libstorus and ctypes.

    device_mesh.py TORUS.CONF HOSTLIST DEVICES_A_NODE LENGTH...

The mesh has LENGTH... devices, the last dimension fastest, as in numpy, JAX and PyTorch
(jax.sharding.Mesh, torch.distributed.init_device_mesh). Each node has DEVICES_A_NODE of
them, consecutive ones. Prints the nodes in the order in which they are to be numbered:
the first one is process 0, or --node_rank=0.
"""
import ctypes
import sys

storus = ctypes.CDLL("libstorus.so.0")
ERROR = ctypes.create_string_buffer(1024)
pointer, uint32 = ctypes.c_void_p, ctypes.c_uint32
for name in ("machine_read", "job_create", "pattern_grid"):
    getattr(storus, "storus_" + name).restype = pointer
storus.storus_node_name.restype = ctypes.c_char_p


def call(name, *arguments):
    """Call storus_NAME with room for an error, which becomes an exception."""
    function = getattr(storus, "storus_" + name)
    result = function(*arguments, ERROR, ctypes.c_size_t(len(ERROR)))
    if result is None or (function.restype is ctypes.c_int and result < 0):
        raise ValueError(ERROR.value.decode())
    return result


def order(conf, hostlist, devices, lengths):
    """The names of the nodes, the first one to have the first devices."""
    machine = job = mesh = None
    try:
        machine = pointer(call("machine_read", conf.encode()))
        count = uint32()
        call("machine_find", machine, hostlist.encode(), None, uint32(0), ctypes.byref(count))
        nodes, result = (uint32 * count.value)(), (uint32 * count.value)()
        call("machine_find", machine, hostlist.encode(), nodes, count, ctypes.byref(count))
        tasks = (uint32 * count.value)(*[devices] * count.value)
        job = pointer(call("job_create", machine, count, nodes, tasks))
        lengths = lengths[::-1]  # the library's first dimension is the fastest
        mesh = pointer(call("pattern_grid", len(lengths),
                            (ctypes.c_int32 * len(lengths))(*lengths), None, 0))
        call("order", job, mesh, 0, ctypes.c_double(0.5), result)
        return [storus.storus_node_name(machine, uint32(node)).decode() for node in result]
    finally:
        storus.storus_pattern_free(mesh)
        storus.storus_job_free(job)
        storus.storus_machine_free(machine)


if __name__ == "__main__":
    if len(sys.argv) < 5:
        sys.exit(__doc__)
    try:
        print("\n".join(order(*sys.argv[1:3], int(sys.argv[3]), list(map(int, sys.argv[4:])))))
    except ValueError as fault:
        sys.exit(str(fault))
