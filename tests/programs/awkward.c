/* Correct programs that a tracer could break; the first argument selects one. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static int rank, ranks;

/* Rank 0 receives a result of each other rank, with any source and any tag; the other ranks end. */
static void wildcards(void) {
    for (int i = 1; rank == 0 && i < ranks; i++) {
        int result = 0, bytes;
        MPI_Status status;
        MPI_Recv(&result, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
        MPI_Get_count(&status, MPI_BYTE, &bytes);
        printf("%d bytes: %d with tag %d\n", bytes, result - status.MPI_SOURCE, status.MPI_TAG);
    }
    if (rank > 0) {
        usleep(50000 * rank);
        MPI_Send(&rank, 1, MPI_INT, 0, 7, MPI_COMM_WORLD);
    }
}

static MPI_Comm of_thread[2];

static void *splits(void *argument) {
    long thread = (long)argument;
    for (int i = 0; i < 100; i++) {
        MPI_Comm made;
        MPI_Comm_split(of_thread[thread], 0, thread ? -rank : rank, &made);
        MPI_Barrier(made);
        MPI_Comm_free(&made);
    }
    return NULL;
}

/* Two threads split their own communicators, which have different orders of ranks. */
static void threads(void) {
    pthread_t other;
    MPI_Comm_dup(MPI_COMM_WORLD, &of_thread[0]);
    MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &of_thread[1]);
    pthread_create(&other, NULL, splits, (void *)1);
    splits(NULL);
    pthread_join(other, NULL);
}

/* A name that the program may use for its own function. */
static void names(void) {
    printf("mpi_barrier is %s\n", dlsym(RTLD_DEFAULT, "mpi_barrier") ? "taken" : "free");
}

static void errors(void) {
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    int sent = MPI_Send(&rank, 1, MPI_INT, ranks + 5, 0, MPI_COMM_WORLD);
    printf("the send has %s\n", sent == MPI_SUCCESS ? "succeeded" : "failed");
}

static void disconnects(void) {
    MPI_Comm made;
    for (int i = 0; i < 3; i++) {
        MPI_Comm_dup(MPI_COMM_WORLD, &made);
        MPI_Barrier(made);
        MPI_Comm_disconnect(&made);
    }
}

/* After some time, rank 1 can no longer write to files. */
static void full(void) {
    char sent = 1, received;
    struct rlimit limit = {1 << 16, 1 << 16};
    signal(SIGXFSZ, SIG_IGN);
    if (rank == 1)
        setrlimit(RLIMIT_FSIZE, &limit);
    for (int i = 0; i < 600000; i++)
        MPI_Sendrecv(&sent, 1, MPI_CHAR, 0, 0, &received, 1, MPI_CHAR, 0, 0, MPI_COMM_SELF,
                     MPI_STATUS_IGNORE);
}

/* Rank 1 waits for a message, probes it twice, and receives it later; another message overtakes it. */
static void probes(void) {
    char buffer[4000] = {0};
    MPI_Message message;
    MPI_Status status;
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        usleep(200000);
        MPI_Send(buffer, 10, MPI_CHAR, 1, 5, MPI_COMM_WORLD);
        MPI_Send(buffer, 20, MPI_CHAR, 1, 5, MPI_COMM_WORLD);
        MPI_Send(buffer, 30, MPI_CHAR, 1, 5, MPI_COMM_WORLD);
    } else {
        int there = 0;
        MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
        MPI_Iprobe(0, 5, MPI_COMM_WORLD, &there, &status);
        usleep(100000);
        MPI_Recv(buffer, 4000, MPI_CHAR, 0, 5, MPI_COMM_WORLD, &status);
        MPI_Mprobe(0, MPI_ANY_TAG, MPI_COMM_WORLD, &message, &status);
        MPI_Recv(buffer, 4000, MPI_CHAR, 0, 5, MPI_COMM_WORLD, &status);
        MPI_Mrecv(buffer, 4000, MPI_CHAR, &message, &status);
    }
}

/* Rank 0's message is small, and its synchronous send waits until rank 1 receives it. */
static void waits(void) {
    int sent = 1;
    MPI_Request request;
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < 2; i++) {
        if (rank == 1) {
            usleep(100000);
            MPI_Recv(&sent, 1, MPI_INT, 0, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        } else if (i == 0) {
            MPI_Ssend(&sent, 1, MPI_INT, 1, i, MPI_COMM_WORLD);
        } else {
            MPI_Issend(&sent, 1, MPI_INT, 1, i, MPI_COMM_WORLD, &request);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
        }
        if (rank == 0)
            usleep(100000);
    }
}

/* Rank 0 cancels two receives: one too late, one without a matching send. */
static void cancels(void) {
    static char large[1 << 20];
    char small = 0;
    MPI_Request late, never, sent;
    MPI_Status status;
    int flag;
    if (rank == 0) {
        MPI_Irecv(large, 1 << 20, MPI_CHAR, 1, 5, MPI_COMM_WORLD, &late);
        MPI_Irecv(large, 1, MPI_CHAR, MPI_ANY_SOURCE, 9, MPI_COMM_WORLD, &never);
        MPI_Recv(&small, 1, MPI_CHAR, 1, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Cancel(&late);
        MPI_Cancel(&never);
        MPI_Wait(&never, &status);
        MPI_Test_cancelled(&status, &flag);
        printf("the first is %s\n", flag ? "cancelled" : "received");
        MPI_Wait(&late, &status);
        MPI_Test_cancelled(&status, &flag);
        printf("the second is %s\n", flag ? "cancelled" : "received");
        MPI_Recv(large, 1 << 20, MPI_CHAR, 1, 7, MPI_COMM_WORLD, &status);
    } else {
        MPI_Isend(large, 1 << 20, MPI_CHAR, 0, 5, MPI_COMM_WORLD, &sent);
        MPI_Send(&small, 1, MPI_CHAR, 0, 6, MPI_COMM_WORLD);
        MPI_Wait(&sent, MPI_STATUS_IGNORE);
        MPI_Send(large, 1 << 20, MPI_CHAR, 0, 7, MPI_COMM_WORLD);
    }
}

/* Transfers into a locked window, besides a transfer that a fence ends. */
static void locks(void) {
    static double memory[50000], values[50000];
    MPI_Win window;
    MPI_Win_create(memory, sizeof memory, 8, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Win_fence(0, window);
    MPI_Put(values, 50000, MPI_DOUBLE, 1 - rank, 0, 50000, MPI_DOUBLE, window);
    MPI_Win_fence(0, window);
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1 - rank, 0, window);
    MPI_Put(values, 50000, MPI_DOUBLE, 1 - rank, 0, 50000, MPI_DOUBLE, window);
    MPI_Win_unlock(1 - rank, window);
    MPI_Win_free(&window);
}

int main(int argc, char **argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    struct {
        const char *word;
        void (*run)(void);
    } programs[] = {{"wildcards", wildcards}, {"threads", threads}, {"names", names},
               {"errors", errors},       {"disconnects", disconnects}, {"full", full},
               {"probes", probes},     {"waits", waits},             {"cancels", cancels},
               {"locks", locks}};
    for (int i = 0; i < 10; i++)
        if (argc > 1 && !strcmp(argv[1], programs[i].word))
            programs[i].run();
    printf("rank %d is done\n", rank);
    MPI_Finalize();
    return 0;
}
