! SPDX-License-Identifier: GPL-2.0-or-later
!
! libstorus from Fortran 2003 and later: storus.h has the contracts. Compile this file
! with the program, and link with -lstorus.
!
! Objects are of type(c_ptr); c_associated() tells whether a function made one. Numbers of
! nodes and tasks begin at 0, as in C, and unsigned ones are signed of the same size, which
! hold all numbers that there are. Arguments that may be NULL are type(c_ptr): c_null_ptr,
! or c_loc() of a target of the kind that the comment beside them names. Texts go in as
! storus_text("name"), and come out by storus_string().
module storus
  use, intrinsic :: iso_c_binding
  implicit none

  integer(c_int), parameter :: storus_max_dims = 6
  integer(c_size_t), parameter :: storus_error_size = 1024
  integer(c_int), parameter :: storus_faces = 0, storus_corners = 1
  integer(c_int), parameter :: storus_block = 0, storus_cyclic = 1

  interface
    function storus_version() bind(c, name="storus_version")
      import
      type(c_ptr) :: storus_version
    end function

    function storus_machine_read(path, error, error_size) &
      bind(c, name="storus_machine_read")
      import
      character(kind=c_char), intent(in) :: path(*)
      character(kind=c_char), intent(inout) :: error(*)
      integer(c_size_t), value :: error_size
      type(c_ptr) :: storus_machine_read
    end function

    function storus_machine_create(dims, lengths, wraps, nodes, coordinates, &
      names, error, error_size) bind(c, name="storus_machine_create")
      import
      integer(c_int), value :: dims
      integer(c_int32_t), intent(in) :: lengths(*)
      type(c_ptr), value :: wraps ! integer(c_signed_char), or NULL
      integer(c_int32_t), value :: nodes
      type(c_ptr), value :: coordinates ! integer(c_int32_t), or NULL
      type(c_ptr), value :: names ! type(c_ptr), or NULL
      character(kind=c_char), intent(inout) :: error(*)
      integer(c_size_t), value :: error_size
      type(c_ptr) :: storus_machine_create
    end function

    subroutine storus_machine_free(machine) bind(c, name="storus_machine_free")
      import
      type(c_ptr), value :: machine
    end subroutine

    function storus_machine_nodes(machine) bind(c, name="storus_machine_nodes")
      import
      type(c_ptr), value :: machine
      integer(c_int32_t) :: storus_machine_nodes
    end function

    function storus_machine_find(machine, hostlist, node, room, count, error, &
      error_size) bind(c, name="storus_machine_find")
      import
      type(c_ptr), value :: machine
      character(kind=c_char), intent(in) :: hostlist(*)
      integer(c_int32_t), intent(inout) :: node(*)
      integer(c_int32_t), value :: room
      integer(c_int32_t), intent(out) :: count
      character(kind=c_char), intent(inout) :: error(*)
      integer(c_size_t), value :: error_size
      integer(c_int) :: storus_machine_find
    end function

    function storus_node_name(machine, node) bind(c, name="storus_node_name")
      import
      type(c_ptr), value :: machine
      integer(c_int32_t), value :: node
      type(c_ptr) :: storus_node_name
    end function

    function storus_node_coordinates(machine, node, coordinates, error, &
      error_size) bind(c, name="storus_node_coordinates")
      import
      type(c_ptr), value :: machine
      integer(c_int32_t), value :: node
      integer(c_int32_t), intent(out) :: coordinates(6)
      character(kind=c_char), intent(inout) :: error(*)
      integer(c_size_t), value :: error_size
      integer(c_int) :: storus_node_coordinates
    end function

    function storus_node_torus(machine, node, lengths, wraps, name, error, &
      error_size) bind(c, name="storus_node_torus")
      import
      type(c_ptr), value :: machine
      integer(c_int32_t), value :: node
      integer(c_int32_t), intent(out) :: lengths(6)
      integer(c_signed_char), intent(out) :: wraps(6)
      type(c_ptr), intent(out) :: name
      character(kind=c_char), intent(inout) :: error(*)
      integer(c_size_t), value :: error_size
      integer(c_int) :: storus_node_torus
    end function

    function storus_distance(machine, a, b, hops, error, error_size) &
      bind(c, name="storus_distance")
      import
      type(c_ptr), value :: machine
      integer(c_int32_t), value :: a, b
      integer(c_int32_t), intent(out) :: hops
      character(kind=c_char), intent(inout) :: error(*)
      integer(c_size_t), value :: error_size
      integer(c_int) :: storus_distance
    end function

    function storus_job_create(machine, nodes, node, tasks_on_node, error, &
      error_size) bind(c, name="storus_job_create")
      import
      type(c_ptr), value :: machine
      integer(c_int32_t), value :: nodes
      integer(c_int32_t), intent(in) :: node(*)
      type(c_ptr), value :: tasks_on_node ! integer(c_int32_t), or NULL
      character(kind=c_char), intent(inout) :: error(*)
      integer(c_size_t), value :: error_size
      type(c_ptr) :: storus_job_create
    end function

    function storus_job_join(machine, nodes, node, tasks_on_node, network, &
      error, error_size) bind(c, name="storus_job_join")
      import
      type(c_ptr), value :: machine
      integer(c_int32_t), value :: nodes
      integer(c_int32_t), intent(in) :: node(*)
      type(c_ptr), value :: tasks_on_node ! integer(c_int32_t), or NULL
      character(kind=c_char), intent(in) :: network(*)
      character(kind=c_char), intent(inout) :: error(*)
      integer(c_size_t), value :: error_size
      type(c_ptr) :: storus_job_join
    end function

    function storus_job_torus(job, lengths, wraps, twists, error, error_size) &
      bind(c, name="storus_job_torus")
      import
      type(c_ptr), value :: job
      integer(c_int32_t), intent(out) :: lengths(6)
      integer(c_signed_char), intent(out) :: wraps(6), twists(6)
      character(kind=c_char), intent(inout) :: error(*)
      integer(c_size_t), value :: error_size
      integer(c_int) :: storus_job_torus
    end function

    function storus_job_coordinates(job, node, coordinates, error, error_size) &
      bind(c, name="storus_job_coordinates")
      import
      type(c_ptr), value :: job
      integer(c_int32_t), value :: node
      integer(c_int32_t), intent(out) :: coordinates(6)
      character(kind=c_char), intent(inout) :: error(*)
      integer(c_size_t), value :: error_size
      integer(c_int) :: storus_job_coordinates
    end function

    subroutine storus_job_free(job) bind(c, name="storus_job_free")
      import
      type(c_ptr), value :: job
    end subroutine

    function storus_job_nodes(job) bind(c, name="storus_job_nodes")
      import
      type(c_ptr), value :: job
      integer(c_int32_t) :: storus_job_nodes
    end function

    function storus_job_tasks(job) bind(c, name="storus_job_tasks")
      import
      type(c_ptr), value :: job
      integer(c_int32_t) :: storus_job_tasks
    end function

    function storus_pattern_grid(dims, lengths, periodic, stencil, error, &
      error_size) bind(c, name="storus_pattern_grid")
      import
      integer(c_int), value :: dims
      integer(c_int32_t), intent(in) :: lengths(*)
      type(c_ptr), value :: periodic ! integer(c_signed_char), or NULL
      integer(c_int), value :: stencil
      character(kind=c_char), intent(inout) :: error(*)
      integer(c_size_t), value :: error_size
      type(c_ptr) :: storus_pattern_grid
    end function

    function storus_pattern_weighted_grid(dims, lengths, periodic, weight, &
      error, error_size) bind(c, name="storus_pattern_weighted_grid")
      import
      integer(c_int), value :: dims
      integer(c_int32_t), intent(in) :: lengths(*)
      type(c_ptr), value :: periodic ! integer(c_signed_char), or NULL
      real(c_double), intent(in) :: weight(*)
      character(kind=c_char), intent(inout) :: error(*)
      integer(c_size_t), value :: error_size
      type(c_ptr) :: storus_pattern_weighted_grid
    end function

    function storus_pattern_graph(tasks, edges, from, to, weight, error, &
      error_size) bind(c, name="storus_pattern_graph")
      import
      integer(c_int32_t), value :: tasks
      integer(c_int64_t), value :: edges
      integer(c_int32_t), intent(in) :: from(*), to(*)
      type(c_ptr), value :: weight ! real(c_double), or NULL
      character(kind=c_char), intent(inout) :: error(*)
      integer(c_size_t), value :: error_size
      type(c_ptr) :: storus_pattern_graph
    end function

    function storus_pattern_any(tasks, error, error_size) &
      bind(c, name="storus_pattern_any")
      import
      integer(c_int32_t), value :: tasks
      character(kind=c_char), intent(inout) :: error(*)
      integer(c_size_t), value :: error_size
      type(c_ptr) :: storus_pattern_any
    end function

    function storus_pattern_locate(pattern, dims, coordinates, error, &
      error_size) bind(c, name="storus_pattern_locate")
      import
      type(c_ptr), value :: pattern
      integer(c_int), value :: dims
      real(c_double), intent(in) :: coordinates(*) ! (dims, tasks)
      character(kind=c_char), intent(inout) :: error(*)
      integer(c_size_t), value :: error_size
      type(c_ptr) :: storus_pattern_locate
    end function

    function storus_pattern_idle(pattern, tasks, error, error_size) &
      bind(c, name="storus_pattern_idle")
      import
      type(c_ptr), value :: pattern
      integer(c_int32_t), value :: tasks
      character(kind=c_char), intent(inout) :: error(*)
      integer(c_size_t), value :: error_size
      type(c_ptr) :: storus_pattern_idle
    end function

    subroutine storus_pattern_free(pattern) bind(c, name="storus_pattern_free")
      import
      type(c_ptr), value :: pattern
    end subroutine

    function storus_pattern_tasks(pattern) bind(c, name="storus_pattern_tasks")
      import
      type(c_ptr), value :: pattern
      integer(c_int32_t) :: storus_pattern_tasks
    end function

    function storus_map(job, pattern, seconds, node_of_task, error, error_size) &
      bind(c, name="storus_map")
      import
      type(c_ptr), value :: job, pattern
      real(c_double), value :: seconds
      integer(c_int32_t), intent(out) :: node_of_task(*)
      character(kind=c_char), intent(inout) :: error(*)
      integer(c_size_t), value :: error_size
      integer(c_int) :: storus_map
    end function

    function storus_remap(job, pattern, stays, seconds, node_of_task, error, &
      error_size) bind(c, name="storus_remap")
      import
      type(c_ptr), value :: job, pattern
      type(c_ptr), value :: stays ! integer(c_signed_char), or NULL
      real(c_double), value :: seconds
      integer(c_int32_t), intent(inout) :: node_of_task(*)
      character(kind=c_char), intent(inout) :: error(*)
      integer(c_size_t), value :: error_size
      integer(c_int) :: storus_remap
    end function

    function storus_lighten(job, pattern, stays, seconds, node_of_task, error, &
      error_size) bind(c, name="storus_lighten")
      import
      type(c_ptr), value :: job, pattern
      type(c_ptr), value :: stays ! integer(c_signed_char), or NULL
      real(c_double), value :: seconds
      integer(c_int32_t), intent(inout) :: node_of_task(*)
      character(kind=c_char), intent(inout) :: error(*)
      integer(c_size_t), value :: error_size
      integer(c_int) :: storus_lighten
    end function

    function storus_order(job, pattern, distribution, seconds, order, error, &
      error_size) bind(c, name="storus_order")
      import
      type(c_ptr), value :: job, pattern
      integer(c_int), value :: distribution
      real(c_double), value :: seconds
      integer(c_int32_t), intent(out) :: order(*)
      character(kind=c_char), intent(inout) :: error(*)
      integer(c_size_t), value :: error_size
      integer(c_int) :: storus_order
    end function

    function storus_deal(job, order, distribution, node_of_task, error, &
      error_size) bind(c, name="storus_deal")
      import
      type(c_ptr), value :: job
      integer(c_int32_t), intent(in) :: order(*)
      integer(c_int), value :: distribution
      integer(c_int32_t), intent(out) :: node_of_task(*)
      character(kind=c_char), intent(inout) :: error(*)
      integer(c_size_t), value :: error_size
      integer(c_int) :: storus_deal
    end function

    function storus_hops(job, pattern, node_of_task, average, maximum, error, &
      error_size) bind(c, name="storus_hops")
      import
      type(c_ptr), value :: job, pattern
      integer(c_int32_t), intent(in) :: node_of_task(*)
      real(c_double), intent(out) :: average
      integer(c_int32_t), intent(out) :: maximum
      character(kind=c_char), intent(inout) :: error(*)
      integer(c_size_t), value :: error_size
      integer(c_int) :: storus_hops
    end function

    function storus_link_load(job, pattern, node_of_task, most, mean, error, &
      error_size) bind(c, name="storus_link_load")
      import
      type(c_ptr), value :: job, pattern
      integer(c_int32_t), intent(in) :: node_of_task(*)
      real(c_double), intent(out) :: most, mean
      character(kind=c_char), intent(inout) :: error(*)
      integer(c_size_t), value :: error_size
      integer(c_int) :: storus_link_load
    end function
  end interface

contains
  ! [text] without the blanks at its end, as C has texts.
  function storus_text(text)
    character(len=*), intent(in) :: text
    character(kind=c_char) :: storus_text(len_trim(text) + 1)
    integer :: i

    do i = 1, len_trim(text)
      storus_text(i) = text(i:i)
    end do
    storus_text(len_trim(text) + 1) = c_null_char
  end function

  ! What C has at [text]; empty for NULL.
  function storus_string(text)
    type(c_ptr), intent(in) :: text
    character(len=:), allocatable :: storus_string
    character(kind=c_char), pointer :: there(:)
    integer :: i
    interface
      function c_strlen(text) bind(c, name="strlen")
        import
        type(c_ptr), value :: text
        integer(c_size_t) :: c_strlen
      end function
    end interface

    storus_string = ""
    if (.not. c_associated(text)) return
    call c_f_pointer(text, there, [c_strlen(text)])
    do i = 1, size(there)
      storus_string = storus_string // there(i)
    end do
  end function

  ! The text of an error buffer.
  function storus_said(error)
    character(kind=c_char), intent(in), target :: error(*)
    character(len=:), allocatable :: storus_said

    storus_said = storus_string(c_loc(error))
  end function
end module
