! SPDX-License-Identifier: GPL-2.0-or-later
!
! Put a grid of 4x4 tasks on the nodes of a job, lighten the busiest link, and say what it
! comes to:
!
!   gfortran storus.f90 grid.f90 $(pkg-config --libs storus) -o grid
!   ./grid torus.conf "$SLURM_JOB_NODELIST"
program grid
  use storus
  implicit none
  character(kind=c_char), target :: error(storus_error_size)
  character(len=4096) :: conf, hostlist
  integer(c_int32_t) :: node(16), node_of_task(16), count, longest
  integer(c_signed_char), target :: stays(16)
  real(c_double) :: average, most, mean
  type(c_ptr) :: machine, job, pattern
  integer :: task

  call get_command_argument(1, conf)
  call get_command_argument(2, hostlist)
  machine = storus_machine_read(storus_text(conf), error, storus_error_size)
  call check(c_associated(machine))
  call check(storus_machine_find(machine, storus_text(hostlist), node, 16, count, error, &
    storus_error_size) == 0)
  job = storus_job_create(machine, min(count, 16), node, c_null_ptr, error, &
    storus_error_size)
  call check(c_associated(job))
  pattern = storus_pattern_grid(2, [4, 4], c_null_ptr, storus_faces, error, &
    storus_error_size)
  call check(c_associated(pattern))
  call check(storus_map(job, pattern, 0.5d0, node_of_task, error, storus_error_size) == 0)
  stays = 0
  stays(1) = 1 ! task 0 is on the first node
  call check(storus_lighten(job, pattern, c_loc(stays), 0.1d0, node_of_task, error, &
    storus_error_size) == 0)
  call check(storus_hops(job, pattern, node_of_task, average, longest, error, &
    storus_error_size) == 0)
  call check(storus_link_load(job, pattern, node_of_task, most, mean, error, &
    storus_error_size) == 0)
  do task = 1, 16
    print '(i0, 1x, a)', task - 1, &
      storus_string(storus_node_name(machine, node_of_task(task)))
  end do
  print '(a, f0.2, a, i0, a, f0.2)', "average ", average, " hops, maximum ", longest, &
    ", busiest link ", most
  call storus_pattern_free(pattern)
  call storus_job_free(job)
  call storus_machine_free(machine)
contains
  subroutine check(worked)
    logical, intent(in) :: worked

    if (worked) return
    write (*, '(a)') storus_said(error)
    stop 1
  end subroutine
end program
