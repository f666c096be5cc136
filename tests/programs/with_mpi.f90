! Arguments that differ between Fortran and C: statuses, indices from 1, MPI_IN_PLACE. Two ranks, with
! the module mpi.
program with_mpi
  use mpi
  implicit none
  integer :: rank, other, error, place, many
  integer :: requests(2), status(MPI_STATUS_SIZE), places(2), half
  integer :: statuses(MPI_STATUS_SIZE, 2)
  logical :: flag
  real(8) :: values(10), room(10)
  integer :: counts(2), from(2)

  values = 1
  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  other = 1 - rank

  if (rank == 0) then
    call MPI_Send(values, 3, MPI_DOUBLE_PRECISION, other, 1, MPI_COMM_WORLD, error)
    call MPI_Recv(room, 10, MPI_REAL8, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &
                  MPI_STATUS_IGNORE, error)
  else
    call MPI_Recv(room, 10, MPI_DOUBLE_PRECISION, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, status, error)
    call MPI_Ssend(values, 4, MPI_REAL8, status(MPI_SOURCE), 2, MPI_COMM_WORLD, error)
  end if

  call MPI_Irecv(room, 5, MPI_REAL8, MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, requests(1), error)
  call MPI_Isend(values, 5, MPI_REAL8, other, 3, MPI_COMM_WORLD, requests(2), error)
  call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, error)

  call MPI_Irecv(room, 6, MPI_REAL8, other, MPI_ANY_TAG, MPI_COMM_WORLD, requests(1), error)
  call MPI_Send(values, 6, MPI_REAL8, other, 4, MPI_COMM_WORLD, error)
  call MPI_Waitany(1, requests, place, MPI_STATUS_IGNORE, error)

  call MPI_Irecv(room, 7, MPI_REAL8, MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, requests(1), error)
  call MPI_Send(values, 7, MPI_REAL8, other, 5, MPI_COMM_WORLD, error)
  call MPI_Waitsome(1, requests, many, places, statuses, error)

  call MPI_Irecv(room, 8, MPI_REAL8, MPI_ANY_SOURCE, 6, MPI_COMM_WORLD, requests(1), error)
  call MPI_Send(values, 8, MPI_REAL8, other, 6, MPI_COMM_WORLD, error)
  flag = .false.
  do while (.not. flag)
    call MPI_Test(requests(1), flag, MPI_STATUS_IGNORE, error)
  end do

  call MPI_Allreduce(MPI_IN_PLACE, values, 2, MPI_REAL8, MPI_SUM, MPI_COMM_WORLD, error)
  counts = (/ 1, 2 /)
  from = (/ 0, 4 /)
  call MPI_Allgatherv(values, counts(rank + 1), MPI_REAL8, room, counts, from, MPI_REAL8, &
                      MPI_COMM_WORLD, error)
  call MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, half, error)
  call MPI_Bcast(values, 9, MPI_REAL8, 1, half, error)
  call MPI_Comm_free(half, error)
  call MPI_Barrier(MPI_COMM_WORLD, error)
  call MPI_Finalize(error)
  print '(a,i0,a)', 'rank ', rank, ' is done'
end program with_mpi
