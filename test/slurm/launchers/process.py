# SPDX-License-Identifier: GPL-2.0-or-later
"""One process of a job, by the rules of a launcher: says its rank, its node, and a sum over
all processes, of which rank 0 is at the address that the rule names.

process.py RULE. Rules whose package is not installed are re-enacted: the same variables are
read in the same way, and the processes meet over TCP at the address that comes out. All nodes
are this host, so a node is told by SLURMD_NODENAME: rank 0 refuses to serve on another node
than the one that the others look for, which is what hangs on a real machine."""
import os
import re
import socket
import subprocess
import sys
import time

NODE = os.environ["SLURMD_NODENAME"]
PORT = int(os.environ["LAUNCHER_PORT"])


def env(name):
    return os.environ[name]


def hostnames(nodelist):
    return subprocess.run(["scontrol", "show", "hostnames", nodelist], check=True,
                          capture_output=True, text=True).stdout.split()


def first_by_regex(nodelist):
    """What jax and Lightning do in place of scontrol: the first name of the list."""
    ranges = re.search(r"^([^,\[]+)\[(\d+)", nodelist)
    return ranges.group(1) + ranges.group(2) if ranges else nodelist.split(",")[0]


def gather(rank, size, head):
    """A sum over all, at [head]."""
    mine = rank * rank
    if rank == 0:
        if NODE != head:
            sys.exit(f"rank 0 is on {NODE}, and is looked for on {head}")
        server = socket.create_server(("127.0.0.1", PORT))
        server.settimeout(60)
        others = [server.accept()[0] for _ in range(size - 1)]
        total = mine + sum(int(other.makefile().readline()) for other in others)
        for other in others:
            other.sendall(f"{total}\n".encode())
        return total
    for attempt in range(600):
        try:
            peer = socket.create_connection(("127.0.0.1", PORT), timeout=60)
            break
        except ConnectionRefusedError:
            time.sleep(0.1)
    peer.sendall(f"{mine}\n".encode())
    return int(peer.makefile().readline())


def torch_sum(rank, size, head):
    import torch
    import torch.distributed as dist
    if rank == 0 and NODE != head:
        sys.exit(f"rank 0 is on {NODE}, and is looked for on {head}")
    os.environ["GLOO_SOCKET_IFNAME"] = "lo"
    torch.set_num_threads(1)
    dist.init_process_group("gloo", init_method=f"tcp://127.0.0.1:{PORT}", rank=rank, world_size=size)
    total = torch.tensor([rank * rank])
    dist.all_reduce(total)
    dist.destroy_process_group()
    return int(total)


def main(rule):
    rank, size = int(os.environ.get("SLURM_PROCID", 0)), int(os.environ.get("SLURM_NTASKS", 1))
    head = hostnames(env("SLURM_JOB_NODELIST"))[0]
    if rule == "torch":  # MASTER_ADDR=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)
        total = torch_sum(rank, size, head)
    elif rule == "torchrun":  # which has set these
        rank, size = int(env("RANK")), int(env("WORLD_SIZE"))
        import torch
        import torch.distributed as dist
        os.environ["GLOO_SOCKET_IFNAME"] = "lo"
        torch.set_num_threads(1)
        if rank == 0 and NODE != head:
            sys.exit(f"rank 0 is on {NODE}, and is looked for on {head}")
        dist.init_process_group("gloo")
        total = torch.tensor([rank * rank])
        dist.all_reduce(total)
        total = int(total)
    elif rule in ("jax", "rest"):  # jax.distributed.initialize(): the first of the step's nodes
        total = gather(rank, size, first_by_regex(env("SLURM_STEP_NODELIST")))
    elif rule == "lightning":  # SLURMEnvironment: SLURM_NODELIST, SLURM_PROCID
        total = gather(rank, size, first_by_regex(env("SLURM_NODELIST")))
    elif rule == "nemo":  # MASTER_ADDR of the batch script, rank by node and local number
        per_node = size // int(env("SLURM_JOB_NUM_NODES"))
        total = gather(int(env("SLURM_NODEID")) * per_node + int(env("SLURM_LOCALID")), size, head)
        rank = int(env("SLURM_NODEID")) * per_node + int(env("SLURM_LOCALID"))
    elif rule == "dask":  # SLURMRunner: 0 is the scheduler, and says in a shared file where it is
        path = env("LAUNCHER_FILE")
        if rank == 0:
            with open(path + ".new", "w") as out:
                out.write(NODE)
            os.rename(path + ".new", path)
        while not os.path.exists(path):
            time.sleep(0.1)
        with open(path) as said:
            total = gather(rank, size, said.read())
    elif rule == "ray":  # the batch script has started the head on the first node, the others after it
        rank, size = int(env("RAY_NUMBER")), int(env("RAY_NODES"))
        total = gather(rank, size, env("RAY_HEAD"))
    elif rule == "mpi4py":
        from mpi4py import MPI
        dims = MPI.Compute_dims(MPI.COMM_WORLD.size, 2)
        cart = MPI.COMM_WORLD.Create_cart(dims, periods=[True, True], reorder=True)
        left, right = cart.Shift(1, 1)
        got = cart.sendrecv(cart.rank, dest=right, source=left)
        total = cart.allreduce(MPI.COMM_WORLD.rank ** 2) if got == left else -1
        rank = MPI.COMM_WORLD.rank
    else:
        sys.exit(f"no such rule: {rule}")
    os.write(1, f"{rank} {NODE} {total}\n".encode())  # in one piece, whoever else writes


main(sys.argv[1])
