/* A program that loads MPI with a module, as scripting languages do, and tests whether the library has
 * optional functions. Compiled twice: the module with MPI, the program without. */
#ifdef MODULE
#include <mpi.h>
#include <stdio.h>

#define WEAK __attribute__((weak))
int MPI_Isend_c(const void *, MPI_Count, MPI_Datatype, int, int, MPI_Comm, MPI_Request *) WEAK;
int MPI_Pready(int, MPI_Request) WEAK;

void run(void) {
  int rank, sent = 1, received = 0;
  MPI_Request requests[2];
  MPI_Init(NULL, NULL);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Irecv(&received, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &requests[0]);
  if (MPI_Isend_c)
    MPI_Isend_c(&sent, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &requests[1]);
  else
    MPI_Isend(&sent, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &requests[1]);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  printf("rank %d is done: %d, large counts: %d, parts: %d\n", rank, received, !!MPI_Isend_c,
         !!MPI_Pready);
  MPI_Finalize();
}
#else
#include <dlfcn.h>
#include <stdio.h>

int main(void) {
  void *module = dlopen("./module.so", RTLD_NOW | RTLD_LOCAL);
  void (*run)(void) = module ? (void (*)(void))dlsym(module, "run") : 0;
  if (!run) {
    fprintf(stderr, "%s\n", dlerror());
    return 1;
  }
  run();
  return 0;
}
#endif
