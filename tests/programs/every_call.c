/* Makes every traced call once, with numbers that the test expects. Two ranks. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef LARGE_COUNTS
typedef int Count;
typedef int Place;
#endif

static int rank, other;

static void point_to_point(void) {
  char buffer[2048] = {0}, room[2048];
  MPI_Status status;
  MPI_Request requests[4];
  int flag, index, many, indices[4];
  int big = 65536;
  char *attached = malloc(big);
  MPI_Buffer_attach(attached, big);

  /* Every mode, blocking: 10, 20, 30, 40 bytes with tags 1 to 4. */
  if (rank == 0) {
    MPI_Send(buffer, 10, MPI_CHAR, other, 1, MPI_COMM_WORLD);
    MPI_Bsend(buffer, 5, MPI_INT, other, 2, MPI_COMM_WORLD);
    MPI_Ssend(buffer, 30, MPI_CHAR, other, 3, MPI_COMM_WORLD);
    MPI_Recv(room, 1, MPI_CHAR, other, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Rsend(buffer, 5, MPI_DOUBLE, other, 4, MPI_COMM_WORLD);
  } else {
    MPI_Recv(room, 100, MPI_CHAR, other, 1, MPI_COMM_WORLD, &status);
    MPI_Recv(room, 25, MPI_INT, MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(room, 100, MPI_CHAR, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    MPI_Irecv(room, 10, MPI_DOUBLE, other, 4, MPI_COMM_WORLD, &requests[0]);
    MPI_Send(buffer, 1, MPI_CHAR, other, 9, MPI_COMM_WORLD);
    MPI_Wait(&requests[0], &status);
  }

  /* Every mode, nonblocking: 50, 60, 70, 80 bytes with tags 11 to 14, some with any source or tag. */
  if (rank == 0) {
    MPI_Isend(buffer, 50, MPI_CHAR, other, 11, MPI_COMM_WORLD, &requests[0]);
    MPI_Ibsend(buffer, 60, MPI_CHAR, other, 12, MPI_COMM_WORLD, &requests[1]);
    MPI_Issend(buffer, 70, MPI_CHAR, other, 13, MPI_COMM_WORLD, &requests[2]);
    MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
    MPI_Recv(room, 1, MPI_CHAR, other, 19, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Irsend(buffer, 80, MPI_CHAR, other, 14, MPI_COMM_WORLD, &requests[3]);
    MPI_Wait(&requests[3], MPI_STATUS_IGNORE);
  } else {
    MPI_Irecv(room, 100, MPI_CHAR, other, 11, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(room + 100, 100, MPI_CHAR, MPI_ANY_SOURCE, 12, MPI_COMM_WORLD, &requests[1]);
    MPI_Irecv(room + 200, 100, MPI_CHAR, other, MPI_ANY_TAG, MPI_COMM_WORLD, &requests[2]);
    MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
    MPI_Irecv(room, 100, MPI_CHAR, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &requests[3]);
    MPI_Send(buffer, 1, MPI_CHAR, other, 19, MPI_COMM_WORLD);
    MPI_Waitany(1, &requests[3], &index, MPI_STATUS_IGNORE);
  }

  /* All kinds of completion, the same on both sides: 4 bytes, tags 21 to 26. */
  for (int kind = 0; kind < 6; kind++) {
    MPI_Irecv(room, 1, MPI_INT, MPI_ANY_SOURCE, 21 + kind, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(buffer, 1, MPI_INT, other, 21 + kind, MPI_COMM_WORLD, &requests[1]);
    int left = 2;
    while (left > 0) {
      flag = many = 0;
      if (kind == 0) {
        MPI_Waitany(2, requests, &index, &status);
        left--;
      } else if (kind == 1) {
        MPI_Waitsome(2, requests, &many, indices, MPI_STATUSES_IGNORE);
        left -= many;
      } else if (kind == 2) {
        MPI_Test(&requests[2 - left], &flag, MPI_STATUS_IGNORE);
        left -= flag ? 1 : 0;
      } else if (kind == 3) {
        MPI_Testall(2, requests, &flag, MPI_STATUSES_IGNORE);
        left -= flag ? 2 : 0;
      } else if (kind == 4) {
        MPI_Testany(2, requests, &index, &flag, MPI_STATUS_IGNORE);
        left -= flag ? 1 : 0;
      } else {
        MPI_Testsome(2, requests, &many, indices, MPI_STATUSES_IGNORE);
        left -= many > 0 ? many : 0;
      }
    }
  }

  /* Persistent requests, started twice, together and one by one: 16 bytes, tag 31. */
  MPI_Send_init(buffer, 4, MPI_INT, other, 31, MPI_COMM_WORLD, &requests[0]);
  MPI_Recv_init(room, 4, MPI_INT, MPI_ANY_SOURCE, 31, MPI_COMM_WORLD, &requests[1]);
  MPI_Startall(2, requests);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  MPI_Start(&requests[1]);
  MPI_Start(&requests[0]);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  MPI_Request_free(&requests[0]);
  MPI_Request_free(&requests[1]);
  MPI_Ssend_init(buffer, 1, MPI_INT, other, 32, MPI_COMM_WORLD, &requests[0]);
  MPI_Bsend_init(buffer, 1, MPI_INT, other, 32, MPI_COMM_WORLD, &requests[1]);
  MPI_Rsend_init(buffer, 1, MPI_INT, other, 32, MPI_COMM_WORLD, &requests[2]);
  for (int i = 0; i < 3; i++)
    MPI_Request_free(&requests[i]);

  /* Exchanges: 12 and 24 bytes; with MPI_PROC_NULL. */
  MPI_Sendrecv(buffer, 3, MPI_INT, other, 41, room, 8, MPI_INT, other, 41, MPI_COMM_WORLD, &status);
  MPI_Sendrecv_replace(buffer, 6, MPI_INT, other, 42, MPI_ANY_SOURCE, 42, MPI_COMM_WORLD,
                       MPI_STATUS_IGNORE);
  MPI_Sendrecv(buffer, 1, MPI_INT, MPI_PROC_NULL, 43, room, 1, MPI_INT, MPI_PROC_NULL, 43,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);

  /* Probes: 7 bytes with tags 51 to 54. */
  if (rank == 0) {
    for (int tag = 51; tag <= 54; tag++)
      MPI_Send(buffer, 7, MPI_CHAR, other, tag, MPI_COMM_WORLD);
  } else {
    MPI_Message message;
    MPI_Probe(MPI_ANY_SOURCE, 51, MPI_COMM_WORLD, &status);
    MPI_Recv(room, 7, MPI_CHAR, status.MPI_SOURCE, 51, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    do
      MPI_Iprobe(other, 52, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
    while (!flag);
    MPI_Recv(room, 7, MPI_CHAR, other, 52, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Mprobe(other, 53, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
    MPI_Mrecv(room, 7, MPI_CHAR, &message, MPI_STATUS_IGNORE);
    do
      MPI_Improbe(other, 54, MPI_COMM_WORLD, &flag, &message, MPI_STATUS_IGNORE);
    while (!flag);
    MPI_Imrecv(room, 7, MPI_CHAR, &message, &requests[0]);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  }

  /* A cancelled receive. */
  MPI_Irecv(room, 1, MPI_INT, other, 99, MPI_COMM_WORLD, &requests[0]);
  MPI_Cancel(&requests[0]);
  MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  MPI_Buffer_detach(&attached, &big);
  free(attached);
}

/* On a periodic grid, on a non-periodic grid, and on graphs. */
static void neighbours(void) {
  int send[64] = {0}, recv[64], size = 2, one = 1, degrees[2] = {1, 2};
  int edges[2] = {1, 0}, closed[1] = {1}, open[1] = {0};
  Count mine[2] = {2, 3}, theirs[2] = {3, 2}, all[1] = {4};
  Place at[2] = {0, 8};
  MPI_Aint bytes_at[2] = {0, 32};
  MPI_Datatype types[2] = {MPI_INT, MPI_DOUBLE}, their_types[2] = {MPI_DOUBLE, MPI_INT};
  MPI_Comm among;
  MPI_Request request;
#define BOTH(blocking, other_one, ...)                                                             \
  blocking(__VA_ARGS__);                                                                           \
  other_one(__VA_ARGS__, &request);                                                                \
  MPI_Wait(&request, MPI_STATUS_IGNORE)
  MPI_Cart_create(MPI_COMM_WORLD, 1, &size, closed, 0, &among);
  BOTH(MPI_Neighbor_allgather, MPI_Ineighbor_allgather, send, 3, MPI_INT, recv, 3, MPI_INT, among);
  MPI_Comm_free(&among);
  MPI_Cart_create(MPI_COMM_WORLD, 1, &size, open, 0, &among);
  BOTH(MPI_Neighbor_alltoallv, MPI_Ineighbor_alltoallv, send, mine, at, MPI_INT, recv, theirs, at,
       MPI_INT, among);
  BOTH(MPI_Neighbor_alltoallw, MPI_Ineighbor_alltoallw, send, mine, bytes_at, types, recv, theirs,
       bytes_at, their_types, among);
  BOTH(MPI_Neighbor_alltoall, MPI_Ineighbor_alltoall, send, 5, MPI_INT, recv, 5, MPI_INT, among);
  MPI_Comm_free(&among);
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &other, &one, 1, &other, &one, MPI_INFO_NULL, 0,
                                 &among);
  BOTH(MPI_Neighbor_allgatherv, MPI_Ineighbor_allgatherv, send, 4, MPI_INT, recv, all, at, MPI_INT,
       among);
  MPI_Comm_free(&among);
  MPI_Graph_create(MPI_COMM_WORLD, 2, degrees, edges, 0, &among);
  BOTH(MPI_Neighbor_alltoall, MPI_Ineighbor_alltoall, send, 1, MPI_CHAR, recv, 1, MPI_CHAR, among);
  MPI_Comm_free(&among);
}

static void collectives(void) {
  int send[64] = {0}, recv[64];
  Count counts[2] = {1, 3}, mine[2], theirs[2];
  Place gaps[2] = {0, 4}, ends[2] = {0, 1}, mine_at[2] = {0, 8}, theirs_at[2] = {0, 8};
  MPI_Datatype types[2] = {MPI_INT, MPI_INT};
  Place bytes_at[2] = {0, 64};
  MPI_Request request;
  for (int i = 0; i < 2; i++) {
    mine[i] = rank + 2 * i + 1;
    theirs[i] = i + 2 * rank + 1;
  }
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Ibarrier(MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
#define TWICE(blocking, other_one, ...)                                                            \
  blocking(__VA_ARGS__);                                                                           \
  other_one(__VA_ARGS__, &request);                                                                \
  MPI_Wait(&request, MPI_STATUS_IGNORE)
  TWICE(MPI_Bcast, MPI_Ibcast, send, 5, MPI_INT, 1, MPI_COMM_WORLD);
  TWICE(MPI_Gather, MPI_Igather, send, 2, MPI_INT, recv, 2, MPI_INT, 0, MPI_COMM_WORLD);
  TWICE(MPI_Gatherv, MPI_Igatherv, send, counts[rank], MPI_INT, recv, counts, gaps, MPI_INT, 1,
        MPI_COMM_WORLD);
  TWICE(MPI_Scatter, MPI_Iscatter, send, 3, MPI_INT, recv, 3, MPI_INT, 0, MPI_COMM_WORLD);
  TWICE(MPI_Scatterv, MPI_Iscatterv, send, counts, ends, MPI_INT, recv, counts[rank], MPI_INT, 0,
        MPI_COMM_WORLD);
  TWICE(MPI_Allgather, MPI_Iallgather, send, 4, MPI_INT, recv, 4, MPI_INT, MPI_COMM_WORLD);
  TWICE(MPI_Allgatherv, MPI_Iallgatherv, send, counts[rank], MPI_INT, recv, counts, ends, MPI_INT,
        MPI_COMM_WORLD);
  TWICE(MPI_Alltoall, MPI_Ialltoall, send, 5, MPI_INT, recv, 5, MPI_INT, MPI_COMM_WORLD);
  TWICE(MPI_Alltoallv, MPI_Ialltoallv, send, mine, mine_at, MPI_INT, recv, theirs, theirs_at,
        MPI_INT, MPI_COMM_WORLD);
  TWICE(MPI_Alltoallw, MPI_Ialltoallw, send, mine, bytes_at, types, recv, theirs, bytes_at, types,
        MPI_COMM_WORLD);
  TWICE(MPI_Reduce, MPI_Ireduce, send, recv, 6, MPI_INT, MPI_SUM, 1, MPI_COMM_WORLD);
  TWICE(MPI_Allreduce, MPI_Iallreduce, send, recv, 7, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  TWICE(MPI_Reduce_scatter, MPI_Ireduce_scatter, send, recv, counts, MPI_INT, MPI_SUM,
        MPI_COMM_WORLD);
  TWICE(MPI_Reduce_scatter_block, MPI_Ireduce_scatter_block, send, recv, 2, MPI_INT, MPI_BOR,
        MPI_COMM_WORLD);
  TWICE(MPI_Scan, MPI_Iscan, send, recv, 8, MPI_INT, MPI_PROD, MPI_COMM_WORLD);
  TWICE(MPI_Exscan, MPI_Iexscan, send, recv, 9, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  /* With MPI_IN_PLACE, the send count is ignored. */
  MPI_Allgather(MPI_IN_PLACE, 77, MPI_DATATYPE_NULL, recv, 4, MPI_INT, MPI_COMM_WORLD);
}

static void communicators(void) {
  int value = rank, result, dims[1] = {2}, periods[1] = {1}, keep[1] = {1};
  MPI_Comm turned, same, grid, line, none, pair;
  MPI_Group all;
  /* Reversed order of ranks: rank 0 has rank 1 in it. */
  MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &turned);
  MPI_Send(&value, 1, MPI_INT, MPI_PROC_NULL, 0, turned);
  if (rank == 0)
    MPI_Send(&value, 1, MPI_INT, 0, 61, turned);
  else
    MPI_Recv(&result, 1, MPI_INT, 1, 61, turned, MPI_STATUS_IGNORE);
  MPI_Comm_dup(turned, &same);
  MPI_Bcast(&value, 1, MPI_INT, 0, same);
  MPI_Cart_create(MPI_COMM_WORLD, 1, dims, periods, 0, &grid);
  MPI_Cart_sub(grid, keep, &line);
  MPI_Comm_group(MPI_COMM_WORLD, &all);
  MPI_Comm_create(MPI_COMM_WORLD, all, &pair);
  MPI_Comm_split(MPI_COMM_WORLD, rank == 0 ? 1 : MPI_UNDEFINED, 0, &none);
  MPI_Allreduce(&value, &result, 1, MPI_INT, MPI_SUM, MPI_COMM_SELF);
  if (none != MPI_COMM_NULL)
    MPI_Comm_free(&none);
  MPI_Comm_free(&turned);
  MPI_Comm_free(&same);
  MPI_Comm_free(&line);
  MPI_Comm_free(&grid);
  MPI_Comm_free(&pair);
  MPI_Group_free(&all);
}

static void one_sided(void) {
  static int memory[16];
  int value = rank, got;
  MPI_Win window;
  MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  MPI_Win_fence(0, window);
  MPI_Put(&value, 1, MPI_INT, other, 0, 1, MPI_INT, window);
  MPI_Win_fence(0, window);
  MPI_Get(&got, 1, MPI_INT, other, 0, 1, MPI_INT, window);
  MPI_Accumulate(&value, 1, MPI_INT, other, 4, 1, MPI_INT, MPI_SUM, window);
  MPI_Win_fence(0, window);
  /* This kind of synchronisation is not replayed, but counted and named. */
  MPI_Win_lock(MPI_LOCK_SHARED, other, 0, window);
  MPI_Win_unlock(other, window);
  MPI_Win_free(&window);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  other = 1 - rank;
  MPI_Pcontrol(1);
  point_to_point();
  MPI_Pcontrol(2);
  collectives();
  MPI_Pcontrol(3);
  communicators();
  neighbours();
  MPI_Pcontrol(4);
  if (argc < 2)
    one_sided();
  MPI_Finalize();
  printf("rank %d is done\n", rank);
  return 0;
}
