/* every_call.c with the calls for large counts, if the library has them. */
#include <mpi.h>

#if MPI_VERSION >= 4
#define LARGE_COUNTS
typedef MPI_Count Count;
typedef MPI_Aint Place;
#define MPI_Send MPI_Send_c
#define MPI_Bsend MPI_Bsend_c
#define MPI_Ssend MPI_Ssend_c
#define MPI_Rsend MPI_Rsend_c
#define MPI_Isend MPI_Isend_c
#define MPI_Ibsend MPI_Ibsend_c
#define MPI_Issend MPI_Issend_c
#define MPI_Irsend MPI_Irsend_c
#define MPI_Send_init MPI_Send_init_c
#define MPI_Bsend_init MPI_Bsend_init_c
#define MPI_Ssend_init MPI_Ssend_init_c
#define MPI_Rsend_init MPI_Rsend_init_c
#define MPI_Recv MPI_Recv_c
#define MPI_Irecv MPI_Irecv_c
#define MPI_Recv_init MPI_Recv_init_c
#define MPI_Sendrecv MPI_Sendrecv_c
#define MPI_Sendrecv_replace MPI_Sendrecv_replace_c
#define MPI_Mrecv MPI_Mrecv_c
#define MPI_Imrecv MPI_Imrecv_c
#define MPI_Bcast MPI_Bcast_c
#define MPI_Ibcast MPI_Ibcast_c
#define MPI_Gather MPI_Gather_c
#define MPI_Igather MPI_Igather_c
#define MPI_Gatherv MPI_Gatherv_c
#define MPI_Igatherv MPI_Igatherv_c
#define MPI_Scatter MPI_Scatter_c
#define MPI_Iscatter MPI_Iscatter_c
#define MPI_Scatterv MPI_Scatterv_c
#define MPI_Iscatterv MPI_Iscatterv_c
#define MPI_Allgather MPI_Allgather_c
#define MPI_Iallgather MPI_Iallgather_c
#define MPI_Allgatherv MPI_Allgatherv_c
#define MPI_Iallgatherv MPI_Iallgatherv_c
#define MPI_Alltoall MPI_Alltoall_c
#define MPI_Ialltoall MPI_Ialltoall_c
#define MPI_Alltoallv MPI_Alltoallv_c
#define MPI_Ialltoallv MPI_Ialltoallv_c
#define MPI_Alltoallw MPI_Alltoallw_c
#define MPI_Ialltoallw MPI_Ialltoallw_c
#define MPI_Reduce MPI_Reduce_c
#define MPI_Ireduce MPI_Ireduce_c
#define MPI_Allreduce MPI_Allreduce_c
#define MPI_Iallreduce MPI_Iallreduce_c
#define MPI_Reduce_scatter MPI_Reduce_scatter_c
#define MPI_Ireduce_scatter MPI_Ireduce_scatter_c
#define MPI_Reduce_scatter_block MPI_Reduce_scatter_block_c
#define MPI_Ireduce_scatter_block MPI_Ireduce_scatter_block_c
#define MPI_Scan MPI_Scan_c
#define MPI_Iscan MPI_Iscan_c
#define MPI_Exscan MPI_Exscan_c
#define MPI_Iexscan MPI_Iexscan_c
#define MPI_Neighbor_allgather MPI_Neighbor_allgather_c
#define MPI_Ineighbor_allgather MPI_Ineighbor_allgather_c
#define MPI_Neighbor_allgatherv MPI_Neighbor_allgatherv_c
#define MPI_Ineighbor_allgatherv MPI_Ineighbor_allgatherv_c
#define MPI_Neighbor_alltoall MPI_Neighbor_alltoall_c
#define MPI_Ineighbor_alltoall MPI_Ineighbor_alltoall_c
#define MPI_Neighbor_alltoallv MPI_Neighbor_alltoallv_c
#define MPI_Ineighbor_alltoallv MPI_Ineighbor_alltoallv_c
#define MPI_Neighbor_alltoallw MPI_Neighbor_alltoallw_c
#define MPI_Ineighbor_alltoallw MPI_Ineighbor_alltoallw_c
#define MPI_Win_create MPI_Win_create_c
#define MPI_Put MPI_Put_c
#define MPI_Get MPI_Get_c
#define MPI_Accumulate MPI_Accumulate_c
#endif

#include "every_call.c"
