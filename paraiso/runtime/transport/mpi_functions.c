/* The table of functions for one implementation of MPI, whose compiler wrapper compiles this. */
#include "paraiso/runtime/transport/mpi_functions.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { name_length = 256 };

static void version(char* words) {
  int length = 0;
  char text[MPI_MAX_LIBRARY_VERSION_STRING];
  MPI_Get_library_version(text, &length);
  text[strcspn(text, "\n,")] = 0;
  for (char* c = text; *c; ++c)
    if (*c == '\t') *c = ' ';
  snprintf(words, name_length, "%.250s", text);
}

static int start(int* rank, int* ranks) {
  int level = 0;
  if (MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &level) != MPI_SUCCESS) return 1;
  MPI_Comm_rank(MPI_COMM_WORLD, rank);
  MPI_Comm_size(MPI_COMM_WORLD, ranks);
  return level < MPI_THREAD_FUNNELED;
}

static void hosts(char* names) {
  char own[MPI_MAX_PROCESSOR_NAME + name_length] = "";
  int length = 0;
  MPI_Get_processor_name(own, &length);
  MPI_Allgather(own, name_length, MPI_CHAR, names, name_length, MPI_CHAR, MPI_COMM_WORLD);
}

static int any_thread(void) {
  int level = 0;
  MPI_Query_thread(&level);
  return level >= MPI_THREAD_SERIALIZED;
}

static void* send(const void* bytes, int count, int to, int tag) {
  MPI_Request* request = malloc(sizeof *request);
  if (request) MPI_Isend(bytes, count, MPI_BYTE, to, tag, MPI_COMM_WORLD, request);
  return request;
}

static int done(void* request) {
  int is_done = 0;
  MPI_Test(request, &is_done, MPI_STATUS_IGNORE);
  if (is_done) free(request);
  return is_done;
}

static int arrived(int* from, int tag) {
  int there = 0, count = 0;
  MPI_Status status;
  MPI_Iprobe(*from < 0 ? MPI_ANY_SOURCE : *from, tag, MPI_COMM_WORLD, &there, &status);
  if (!there) return -1;
  *from = status.MPI_SOURCE;
  MPI_Get_count(&status, MPI_BYTE, &count);
  return count;
}

static void receive(void* bytes, int count, int from, int tag) {
  MPI_Recv(bytes, count, MPI_BYTE, from, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void* start_receiving(void* bytes, int count, int from, int tag) {
  MPI_Request* request = malloc(sizeof *request);
  if (request) MPI_Irecv(bytes, count, MPI_BYTE, from, tag, MPI_COMM_WORLD, request);
  return request;
}

static void finish(void) { MPI_Finalize(); }

static void abort_all(int status) { MPI_Abort(MPI_COMM_WORLD, status); }

const paraiso_mpi_functions paraiso_mpi = {version,  start,   hosts,   any_thread,      send,
                                           done,     arrived, receive, start_receiving, finish,
                                           abort_all};
