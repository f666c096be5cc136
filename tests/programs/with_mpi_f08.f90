! The same with the module mpi_f08, in which handles have types and errors are optional.
program with_mpi_f08
  use mpi_f08
  implicit none
  integer :: rank, other
  type(MPI_Request) :: requests(2)
  type(MPI_Status) :: status
  type(MPI_Comm) :: half, line
  real(8) :: values(10), room(10)
  logical :: is_there

  values = 1
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  other = 1 - rank

  if (rank == 0) then
    call MPI_Send(values, 3, MPI_DOUBLE_PRECISION, other, 1, MPI_COMM_WORLD)
    call MPI_Recv(room, 10, MPI_REAL8, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &
                  MPI_STATUS_IGNORE)
  else
    call MPI_Recv(room, 10, MPI_DOUBLE_PRECISION, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, status)
    call MPI_Ssend(values, 4, MPI_REAL8, status%MPI_SOURCE, 2, MPI_COMM_WORLD)
  end if

  call MPI_Irecv(room, 5, MPI_REAL8, MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, requests(1))
  call MPI_Isend(values, 5, MPI_REAL8, other, 3, MPI_COMM_WORLD, requests(2))
  call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE)

  ! Calls with logical arguments.
  call MPI_Cart_create(MPI_COMM_WORLD, 1, [2], [.true.], .false., line)
  call MPI_Irecv(room, 6, MPI_REAL8, MPI_ANY_SOURCE, 4, line, requests(1))
  call MPI_Send(values, 6, MPI_REAL8, other, 4, line)
  is_there = .false.
  do while (.not. is_there)
    call MPI_Test(requests(1), is_there, MPI_STATUS_IGNORE)
  end do
  call MPI_Irecv(room, 7, MPI_REAL8, other, MPI_ANY_TAG, line, requests(1))
  call MPI_Send(values, 7, MPI_REAL8, other, 5, line)
  is_there = .false.
  do while (.not. is_there)
    call MPI_Testall(1, requests, is_there, MPI_STATUSES_IGNORE)
  end do
  call MPI_Send(values, 8, MPI_REAL8, other, 6, line)
  is_there = .false.
  do while (.not. is_there)
    call MPI_Iprobe(MPI_ANY_SOURCE, 6, line, is_there, status)
  end do
  call MPI_Recv(room, 8, MPI_REAL8, status%MPI_SOURCE, 6, line, MPI_STATUS_IGNORE)
  call MPI_Comm_free(line)

  call MPI_Allreduce(MPI_IN_PLACE, values, 2, MPI_REAL8, MPI_SUM, MPI_COMM_WORLD)
  call MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, half)
  call MPI_Bcast(values, 9, MPI_REAL8, 1, half)
  call MPI_Comm_free(half)
  call MPI_Barrier(MPI_COMM_WORLD)
  call MPI_Finalize()
  print '(a,i0,a)', 'rank ', rank, ' is done'
end program with_mpi_f08
