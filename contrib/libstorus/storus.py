# SPDX-License-Identifier: GPL-2.0-or-later
"""libstorus from Python, by ctypes: storus.h has the contracts.

    import storus
    machine = storus.Machine.read("/etc/slurm/torus.conf")
    job = storus.Job(machine, machine.find(os.environ["SLURM_JOB_NODELIST"]))
    pattern = storus.Pattern.grid([8, 8, 4], periodic=[1, 1, 1])
    node_of_task = job.map(pattern, seconds=0.5)
    average, longest = job.hops(pattern, node_of_task)

Errors of the library are storus.Error, with its text.
"""

import ctypes
import os

FACES, CORNERS = 0, 1
BLOCK, CYCLIC = 0, 1
MAX_DIMS = 6

_library = ctypes.CDLL(os.environ.get("LIBSTORUS", "libstorus.so.0"))
_ERROR_SIZE = 1024


class Error(Exception):
    """What the library said."""


def _declare(result, *names):
    for name in names:
        getattr(_library, name).restype = result


_declare(ctypes.c_char_p, "storus_version", "storus_node_name")
_declare(ctypes.c_uint32, "storus_machine_nodes", "storus_job_nodes", "storus_job_tasks",
         "storus_pattern_tasks")
_declare(ctypes.c_void_p, "storus_machine_read", "storus_machine_create", "storus_job_join",
         "storus_pattern_grid", "storus_pattern_weighted_grid", "storus_pattern_graph",
         "storus_pattern_any", "storus_pattern_locate", "storus_pattern_idle")
_declare(None, "storus_machine_free", "storus_job_free", "storus_pattern_free")


def _call(name, *arguments):
    """Call a function that takes a buffer for its error last."""
    text = ctypes.create_string_buffer(_ERROR_SIZE)
    function = getattr(_library, name)
    result = function(*arguments, text, ctypes.c_size_t(_ERROR_SIZE))
    if result is None or (function.restype is ctypes.c_int and result < 0):
        raise Error(text.value.decode(errors="replace"))
    return result


def _array(kind, values):
    return None if values is None else (kind * len(values))(*values)


def _lengths(lengths, wraps):
    if wraps is not None and len(wraps) != len(lengths):
        raise Error(f"{len(wraps)} values for {len(lengths)} dimensions")
    return _array(ctypes.c_int32, lengths), _array(ctypes.c_ubyte, wraps)


class _Object:
    """A pointer that the library frees."""

    _free = None

    def __init__(self, pointer):
        self._pointer = ctypes.c_void_p(pointer)

    def __del__(self):
        if getattr(self, "_pointer", None):
            getattr(_library, self._free)(self._pointer)
            self._pointer = None


class Machine(_Object):
    """The nodes of one or several tori, numbered from 0."""

    _free = "storus_machine_free"

    @classmethod
    def read(cls, path):
        """Of a torus.conf."""
        return cls(_call("storus_machine_read", os.fsencode(path)))

    @classmethod
    def create(cls, lengths, wraps=None, coordinates=None, names=None):
        """One torus, with a node in each place, or at coordinates [(x, y, z), ...]."""
        given, closed = _lengths(lengths, wraps)
        flat = None
        nodes = 0
        if coordinates is not None:
            nodes = len(coordinates)
            if any(len(one) != len(lengths) for one in coordinates):
                raise Error(f"coordinates are not of {len(lengths)} dimensions")
            flat = _array(ctypes.c_int32, [axis for one in coordinates for axis in one])
        elif names is not None:
            nodes = len(names)
        if names is not None and len(names) != nodes:
            raise Error(f"{len(names)} names for {nodes} nodes")
        named = None if names is None else _array(ctypes.c_char_p,
                                                  [name.encode() for name in names])
        return cls(_call("storus_machine_create", ctypes.c_int(len(lengths)), given, closed,
                         ctypes.c_uint32(nodes), flat, named))

    def __len__(self):
        return _library.storus_machine_nodes(self._pointer)

    def find(self, hostlist):
        """The numbers of the nodes of a hostlist, such as SLURM_JOB_NODELIST."""
        count = ctypes.c_uint32()
        text = hostlist.encode()
        _call("storus_machine_find", self._pointer, text, None, ctypes.c_uint32(0),
              ctypes.byref(count))
        node = (ctypes.c_uint32 * count.value)()
        _call("storus_machine_find", self._pointer, text, node, count, ctypes.byref(count))
        return list(node)

    def name(self, node):
        """Of a node; None: it has none."""
        name = _library.storus_node_name(self._pointer, ctypes.c_uint32(node))
        return None if name is None else name.decode()

    def coordinates(self, node):
        at = (ctypes.c_int32 * MAX_DIMS)()
        dims = _call("storus_node_coordinates", self._pointer, ctypes.c_uint32(node), at)
        return tuple(at[:dims])

    def torus(self, node):
        """Lengths, wraps and name of the torus that a node is on."""
        lengths, wraps = (ctypes.c_int32 * MAX_DIMS)(), (ctypes.c_ubyte * MAX_DIMS)()
        name = ctypes.c_char_p()
        dims = _call("storus_node_torus", self._pointer, ctypes.c_uint32(node), lengths, wraps,
                     ctypes.byref(name))
        return (tuple(lengths[:dims]), tuple(map(bool, wraps[:dims])),
                None if name.value is None else name.value.decode())

    def distance(self, one, other):
        """Hops between two nodes."""
        hops = ctypes.c_uint32()
        _call("storus_distance", self._pointer, ctypes.c_uint32(one), ctypes.c_uint32(other),
              ctypes.byref(hops))
        return hops.value


class Pattern(_Object):
    """Which tasks communicate."""

    _free = "storus_pattern_free"

    @classmethod
    def grid(cls, lengths, periodic=None, stencil=FACES, weights=None):
        """Neighbours on a grid, the first dimension fastest; with weights, one for each
        dimension, those along it count so much."""
        given, closed = _lengths(lengths, periodic)
        if weights is None:
            return cls(_call("storus_pattern_grid", ctypes.c_int(len(lengths)), given, closed,
                             ctypes.c_int(stencil)))
        if stencil != FACES or len(weights) != len(lengths):
            raise Error("weights are for a grid with FACES, one for each dimension")
        return cls(_call("storus_pattern_weighted_grid", ctypes.c_int(len(lengths)), given,
                         closed, _array(ctypes.c_double, weights)))

    @classmethod
    def graph(cls, tasks, edges):
        """Edges are (task, task) or (task, task, weight)."""
        edges = list(edges)
        weight = [edge[2] if len(edge) > 2 else 1 for edge in edges]
        return cls(_call("storus_pattern_graph", ctypes.c_uint32(tasks),
                         ctypes.c_uint64(len(edges)),
                         _array(ctypes.c_uint32, [edge[0] for edge in edges]),
                         _array(ctypes.c_uint32, [edge[1] for edge in edges]),
                         _array(ctypes.c_double, weight)))

    @classmethod
    def any(cls, tasks):
        """Nobody knows."""
        return cls(_call("storus_pattern_any", ctypes.c_uint32(tasks)))

    def locate(self, coordinates):
        """The same pattern, whose tasks are at coordinates [(x, y), ...]."""
        coordinates = list(coordinates)
        if len(coordinates) != len(self):
            raise Error(f"coordinates of {len(coordinates)} tasks for {len(self)}")
        dims = len(coordinates[0])
        if any(len(one) != dims for one in coordinates):
            raise Error(f"coordinates are not of {dims} dimensions")
        flat = _array(ctypes.c_double, [axis for one in coordinates for axis in one])
        return type(self)(_call("storus_pattern_locate", self._pointer, ctypes.c_int(dims),
                                flat))

    def idle(self, tasks):
        """The same pattern with so many idle tasks behind that it has tasks."""
        return type(self)(_call("storus_pattern_idle", self._pointer,
                                ctypes.c_uint32(tasks)))

    def __len__(self):
        return _library.storus_pattern_tasks(self._pointer)


class Job(_Object):
    """Nodes of a machine, and how many tasks each takes."""

    _free = "storus_job_free"

    def __init__(self, machine, nodes, tasks_on_node=None, network=None):
        if tasks_on_node is not None and len(tasks_on_node) != len(nodes):
            raise Error(f"{len(tasks_on_node)} numbers of tasks for {len(nodes)} nodes")
        super().__init__(_call("storus_job_join", machine._pointer,
                               ctypes.c_uint32(len(nodes)), _array(ctypes.c_uint32, nodes),
                               _array(ctypes.c_uint32, tasks_on_node),
                               None if network is None else network.encode()))

    def __len__(self):
        return _library.storus_job_nodes(self._pointer)

    @property
    def tasks(self):
        return _library.storus_job_tasks(self._pointer)

    def torus(self):
        """Lengths, wraps and twists of the job's torus."""
        lengths = (ctypes.c_int32 * MAX_DIMS)()
        wraps, twists = (ctypes.c_ubyte * MAX_DIMS)(), (ctypes.c_ubyte * MAX_DIMS)()
        dims = _call("storus_job_torus", self._pointer, lengths, wraps, twists)
        return (tuple(lengths[:dims]), tuple(map(bool, wraps[:dims])),
                tuple(map(bool, twists[:dims])))

    def coordinates(self, node):
        """Of a node of the job, on that torus."""
        at = (ctypes.c_int32 * MAX_DIMS)()
        dims = _call("storus_job_coordinates", self._pointer, ctypes.c_uint32(node), at)
        return tuple(at[:dims])

    def map(self, pattern, seconds=0.5):
        """The node of each task."""
        node = (ctypes.c_uint32 * self.tasks)()
        _call("storus_map", self._pointer, pattern._pointer, ctypes.c_double(seconds), node)
        return list(node)

    def _mapping(self, node_of_task):
        if len(node_of_task) != self.tasks:
            raise Error(f"a mapping of {len(node_of_task)} tasks for {self.tasks}")
        return _array(ctypes.c_uint32, node_of_task)

    def _improve(self, name, pattern, node_of_task, stays, seconds):
        node = self._mapping(node_of_task)
        kept = None
        if stays is not None:
            kept = (ctypes.c_ubyte * self.tasks)()
            for task in stays:
                kept[task] = 1
        _call(name, self._pointer, pattern._pointer, kept, ctypes.c_double(seconds), node)
        return list(node)

    def remap(self, pattern, node_of_task, stays=None, seconds=0.5):
        """A better mapping, from this one; the tasks in stays keep their nodes."""
        return self._improve("storus_remap", pattern, node_of_task, stays, seconds)

    def lighten(self, pattern, node_of_task, stays=None, seconds=0.5):
        """A mapping whose busiest link carries less, from this one."""
        return self._improve("storus_lighten", pattern, node_of_task, stays, seconds)

    def order(self, pattern, distribution=BLOCK, seconds=0.5):
        """The nodes in the order in which a launcher is to deal tasks out to them."""
        order = (ctypes.c_uint32 * len(self))()
        _call("storus_order", self._pointer, pattern._pointer, ctypes.c_int(distribution),
              ctypes.c_double(seconds), order)
        return list(order)

    def deal(self, order, distribution=BLOCK):
        """The node of each task, dealt out along an order."""
        if len(order) != len(self):
            raise Error(f"an order of {len(order)} nodes for {len(self)}")
        node = (ctypes.c_uint32 * self.tasks)()
        _call("storus_deal", self._pointer, _array(ctypes.c_uint32, order),
              ctypes.c_int(distribution), node)
        return list(node)

    def hops(self, pattern, node_of_task):
        """Average by weight, and maximum."""
        average, most = ctypes.c_double(), ctypes.c_uint32()
        _call("storus_hops", self._pointer, pattern._pointer, self._mapping(node_of_task),
              ctypes.byref(average), ctypes.byref(most))
        return average.value, most.value

    def link_load(self, pattern, node_of_task):
        """What goes over the busiest link, and over a link that is used on average."""
        most, mean = ctypes.c_double(), ctypes.c_double()
        _call("storus_link_load", self._pointer, pattern._pointer,
              self._mapping(node_of_task), ctypes.byref(most), ctypes.byref(mean))
        return most.value, mean.value


def version():
    """Of the library."""
    return _library.storus_version().decode()
