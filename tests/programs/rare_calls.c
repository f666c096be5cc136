/* Rare calls, selected by the first argument; two ranks. Prints the results. */
#include <mpi.h>
#ifdef OPEN_MPI
#include <mpi-ext.h>
#endif
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Open MPI 4 has these calls under another name, which the tracer does not record. */
#if MPI_VERSION < 4
#define MPI_Bcast_init MPIX_Bcast_init
#define MPI_Allreduce_init MPIX_Allreduce_init
#endif

static int rank;

static void persistent(void) {
  int shared[16] = {0}, one = rank + 1, sum;
  MPI_Request both[2];
  MPI_Bcast_init(shared, 16, MPI_INT, 1, MPI_COMM_WORLD, MPI_INFO_NULL, &both[0]);
  MPI_Allreduce_init(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &both[1]);
  for (int round = 1; round <= 3; round++) {
    if (rank == 1)
      shared[7] = round;
    MPI_Startall(2, both);
    usleep(20000);
    MPI_Waitall(2, both, MPI_STATUSES_IGNORE);
    printf("rank %d: round %d, %d of 3\n", rank, shared[7], sum);
  }
  MPI_Request_free(&both[0]);
  MPI_Request_free(&both[1]);
}

static void duplicate(void) {
  MPI_Comm copies[2];
  MPI_Request made[2];
  int value = 10 * rank;
  MPI_Comm_idup(MPI_COMM_WORLD, &copies[0], &made[0]);
  usleep(20000);
  MPI_Wait(&made[0], MPI_STATUS_IGNORE);
  MPI_Comm_idup(copies[0], &copies[1], &made[1]);
  MPI_Wait(&made[1], MPI_STATUS_IGNORE);
  MPI_Bcast(&value, 1, MPI_INT, 1, copies[1]);
  if (rank == 0)
    MPI_Send(&value, 1, MPI_INT, 1, 5, copies[0]);
  else
    MPI_Recv(&value, 1, MPI_INT, 0, 5, copies[0], MPI_STATUS_IGNORE);
  printf("rank %d: the other's is %d\n", rank, value);
  MPI_Comm_free(&copies[1]);
  MPI_Comm_free(&copies[0]);
}

static void partitioned(void) {
#if MPI_VERSION >= 4
  double data[8] = {0};
  MPI_Request request;
  if (rank == 0)
    MPI_Psend_init(data, 2, 4, MPI_DOUBLE, 1, 3, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
  else
    MPI_Precv_init(data, 2, 4, MPI_DOUBLE, 0, 3, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
  MPI_Start(&request);
  if (rank == 0)
    MPI_Pready_range(0, 1, request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Request_free(&request);
#endif
}

static void between(void) {
  MPI_Comm own, both;
  int value = rank, other = -1;
  MPI_Comm_split(MPI_COMM_WORLD, rank, 0, &own);
  MPI_Intercomm_create(own, 0, MPI_COMM_WORLD, 1 - rank, 9, &both);
  MPI_Sendrecv(&value, 1, MPI_INT, 0, 1, &other, 1, MPI_INT, 0, 1, both, MPI_STATUS_IGNORE);
  MPI_Barrier(both);
  printf("rank %d: met %d\n", rank, other);
  MPI_Comm_free(&both);
  MPI_Comm_free(&own);
}

static void locked(void) {
  int *memory, value = 7;
  MPI_Win window;
  MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
  MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1 - rank, 0, window);
  MPI_Put(&value, 1, MPI_INT, 1 - rank, 0, 1, MPI_INT, window);
  MPI_Win_flush(1 - rank, window);
  MPI_Win_unlock(1 - rank, window);
  MPI_Win_free(&window);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Barrier(MPI_COMM_WORLD);
  if (!strcmp(argv[1], "persistent"))
    persistent();
  if (!strcmp(argv[1], "duplicate"))
    duplicate();
  if (!strcmp(argv[1], "partitioned"))
    partitioned();
  if (!strcmp(argv[1], "between"))
    between();
  if (!strcmp(argv[1], "locked"))
    locked();
  printf("rank %d: is done\n", rank);
  MPI_Finalize();
  return 0;
}
