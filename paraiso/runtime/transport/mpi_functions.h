/* What Paraiso asks of MPI, as a table of functions: that of a small library of its own for each
 * implementation, loaded where that started this process. So the command needs no MPI.
 * Gives: paraiso_mpi_functions. Needs: nothing; it is C and C++. */
#pragma once

/* All are called by one thread at a time: that which has called `start`, or, where `any_thread`
 * says so, another. A message is told from others by its sender and its tag. */
typedef struct paraiso_mpi_functions {
  /* Of the implementation, in words of at most 256 chars; may be called before `start`. */
  void (*version)(char* text);
  /* 0, unless MPI can't be used by programs with threads. */
  int (*start)(int* rank, int* ranks);
  /* The names of all ranks' hosts, 256 chars each. All call it. */
  void (*hosts)(char* names);
  int (*any_thread)(void);
  /* Sends without waiting; the bytes must stay until `done` says so, which ends the request. Long
   * messages move only while one of these functions is being called, on both sides. */
  void* (*send)(const void* bytes, int count, int to, int tag);
  int (*done)(void* request);
  /* The bytes of a message that is there, or -1; `*from` is its sender, or -1: anyone. */
  int (*arrived)(int* from, int tag);
  /* A message that has arrived. With `start_receiving` its bytes are there when `done` says so. */
  void (*receive)(void* bytes, int count, int from, int tag);
  void* (*start_receiving)(void* bytes, int count, int from, int tag);
  /* All call it, and nothing after it. */
  void (*finish)(void);
  /* Ends all processes. */
  void (*abort)(int status);
} paraiso_mpi_functions;
