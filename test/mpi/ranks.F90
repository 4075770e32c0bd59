! SPDX-License-Identifier: GPL-2.0-or-later
! ranks.c in Fortran: with -DMPIF_H by mpif.h, with -DMPI_F08 by the module mpi_f08, else by
! the module mpi. What it prints must be what ranks.c prints.
#ifdef MPI_F08
#define COMM type(MPI_Comm)
#else
#define COMM integer
#endif

program ranks
#if defined(MPI_F08)
  use mpi_f08
#elif !defined(MPIF_H)
  use mpi
#endif
  implicit none
#ifdef MPIF_H
  include 'mpif.h'
#endif
  COMM :: new
  integer :: dims(1), nodes, rank, ierr, i
  integer :: from(1), to(1), own(1), one(1), indices(64), edges(64)
  logical :: periods(1)

  call MPI_Init(ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, nodes, ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  dims(1) = nodes
  periods(1) = .true.
  call MPI_Cart_create(MPI_COMM_WORLD, 1, dims, periods, .true., new, ierr)
  call print_ranks('cart')
  do i = 1, nodes
    indices(i) = i
    edges(i) = mod(i, nodes)
  end do
  call MPI_Graph_create(MPI_COMM_WORLD, nodes, indices, edges, .true., new, ierr)
  call print_ranks('graph')
  own(1) = rank
  one(1) = 1
  from(1) = mod(rank + nodes - 1, nodes)
  to(1) = mod(rank + 1, nodes)
  call MPI_Dist_graph_create(MPI_COMM_WORLD, 1, own, one, to, MPI_UNWEIGHTED, &
                             MPI_INFO_NULL, .true., new, ierr)
  call print_ranks('dist')
  call MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, from, MPI_UNWEIGHTED, 1, to, &
                                      MPI_UNWEIGHTED, MPI_INFO_NULL, .true., new, ierr)
  call print_ranks('adjacent')
  call MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, from, one, 1, to, &
                                      one, MPI_INFO_NULL, .true., new, ierr)
  call print_ranks('weighted')
  call MPI_Finalize(ierr)

contains

  subroutine print_ranks(what)
    character(len=*), intent(in) :: what
    integer :: mine(1), all(64)

    call MPI_Comm_rank(new, mine(1), ierr)
    call MPI_Gather(mine, 1, MPI_INTEGER, all, 1, MPI_INTEGER, 0, MPI_COMM_WORLD, ierr)
    if (rank == 0) then
      do i = 1, nodes
        print '(a,1x,i0,1x,i0)', what, i - 1, all(i)
      end do
    end if
  end subroutine print_ranks
end program ranks
