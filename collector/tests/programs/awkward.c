/* Correct programs that could get into a tracer's way, one a word. */
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

/* Rank 0 takes a result of each other rank, from anybody, with any tag; the others end at once. */
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

/* Two threads make communicators, each out of its own one, in which ranks are in another order. */
static void threads(void) {
    pthread_t other;
    MPI_Comm_dup(MPI_COMM_WORLD, &of_thread[0]);
    MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &of_thread[1]);
    pthread_create(&other, NULL, splits, (void *)1);
    splits(NULL);
    pthread_join(other, NULL);
}

/* A name that the program may give to a function of its own. */
static void names(void) {
    printf("mpi_barrier is %s\n", dlsym(RTLD_DEFAULT, "mpi_barrier") ? "taken" : "free");
}

static void errors(void) {
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    int sent = MPI_Send(&rank, 1, MPI_INT, ranks + 5, 0, MPI_COMM_WORLD);
    printf("the send has %s\n", sent == MPI_SUCCESS ? "done well" : "failed");
}

static void disconnects(void) {
    MPI_Comm made;
    for (int i = 0; i < 3; i++) {
        MPI_Comm_dup(MPI_COMM_WORLD, &made);
        MPI_Barrier(made);
        MPI_Comm_disconnect(&made);
    }
}

/* From some time on, rank 1 can write no more to files. */
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

/* Rank 1 waits for a message, looks at it twice, and takes it later; another one overtakes it. */
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

int main(int count, char **words) {
    int provided;
    MPI_Init_thread(&count, &words, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    struct {
        const char *word;
        void (*does)(void);
    } all[] = {{"wildcards", wildcards}, {"threads", threads}, {"names", names},
               {"errors", errors},       {"disconnects", disconnects}, {"full", full},
               {"probes", probes}};
    for (int i = 0; i < 7; i++)
        if (count > 1 && !strcmp(words[1], all[i].word))
            all[i].does();
    printf("rank %d is done\n", rank);
    MPI_Finalize();
    return 0;
}
