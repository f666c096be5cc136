/* Makes the number of calls in its first argument, to itself. Prints the memory in KiB and the time per
   call in ns. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

int main(int argc, char **argv) {
  long calls = atol(argv[1]);
  int rank, sent = 1, received;
  MPI_Request request;
  struct rusage usage;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int warm = 1; warm >= 0; warm--) {
    long rounds = (warm ? calls / 10 : calls) / 3;
    double begin = MPI_Wtime();
    for (long i = 0; i < rounds; i++) {
      MPI_Isend(&sent, 1, MPI_INT, rank, 6, MPI_COMM_WORLD, &request);
      MPI_Recv(&received, 1, MPI_INT, rank, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    double took = MPI_Wtime() - begin;
    getrusage(RUSAGE_SELF, &usage);
    if (!warm)
      printf("%ld %.2f\n", usage.ru_maxrss, took / rounds / 3 * 1e9);
  }
  MPI_Finalize();
  return 0;
}
