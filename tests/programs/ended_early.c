/* Ends without MPI_Finalize after a hundred messages; the first argument selects how. */
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv) {
  int rank, value = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < 100; i++) {
    if (rank == 0)
      MPI_Send(&value, 1, MPI_INT, 1, i, MPI_COMM_WORLD);
    else
      MPI_Recv(&value, 1, MPI_INT, 0, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  /* Rank 0 waits for a message that rank 1 never sends; rank 1 pauses until this wait has begun. */
  if (rank == 0)
    MPI_Recv(&value, 1, MPI_INT, 1, 1000, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  usleep(300000);
  if (!strcmp(argv[1], "kill"))
    raise(SIGKILL);
  if (!strcmp(argv[1], "segv"))
    raise(SIGSEGV);
  if (!strcmp(argv[1], "stay")) {
    fprintf(stderr, "rank 1 stays\n");
    pause();
  }
  if (!strcmp(argv[1], "abort"))
    MPI_Abort(MPI_COMM_WORLD, 7);
  _exit(3);
}
