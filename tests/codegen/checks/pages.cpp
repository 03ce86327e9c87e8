// What paraiso/support/memory.hpp promises of pages: large memory asks for huge ones, and each page
// is first touched by the thread whose loops use it. Prints what does not hold and fails. Linux.
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

#include "paraiso_support.hpp"

using namespace paraiso_support;

namespace {

bool right = true;

void expect(bool holds, const char* what, double where) {
  if (holds) return;
  std::printf("%s: %g\n", what, where);
  right = false;
}

// --- who touches a page first: pages are closed when they are handed out, and opened by a signal

constexpr std::size_t most_pages = 1 << 16;
bool closed = false;  // are pages handed out closed
char* first_page = nullptr;
std::size_t pages = 0;
int toucher[most_pages];  // the thread, or -1

void open_page(int, siginfo_t* info, void*) {
  char* const where = static_cast<char*>(info->si_addr);
  const auto page = static_cast<std::size_t>(where - first_page) / small_page;
  if (where < first_page || page >= pages) _exit(3);  // another mistake
  toucher[page] = thread_number();
  mprotect(first_page + page * small_page, small_page, PROT_READ | PROT_WRITE);
}

}  // namespace

// All pages come from here.
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  void* memory = nullptr;
  if (posix_memalign(&memory, static_cast<std::size_t>(alignment), bytes) != 0)
    throw std::bad_alloc();
  if (closed) {
    first_page = static_cast<char*>(memory);
    pages = bytes / small_page;
    for (int& thread : toucher) thread = -1;
    mprotect(memory, bytes, PROT_NONE);
  }
  return memory;
}
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }

namespace {

/// The thread that takes each plane of a loop over the outermost axis.
std::vector<int> threads_of_planes(std::int64_t planes, int threads) {
  std::vector<int> list(static_cast<std::size_t>(planes));
  (void)threads;
#ifdef _OPENMP
#pragma omp parallel for num_threads(threads) schedule(static)
#endif
  for (std::int64_t p = 0; p < planes; ++p) list[static_cast<std::size_t>(p)] = thread_number();
  return list;
}

void check_first_touch(int threads) {
  const Grid<3> grid({61, 50, 64}, {1, 1, 1}, {1, 1, 1});
  closed = true;
  const Array array(grid, 8, 5, threads);
  closed = false;
  expect(pages > 100 && pages < most_pages, "an array has an odd number of pages", 0);
  const auto planes = threads_of_planes(grid.size[2], threads);
  const auto plane_bytes = static_cast<std::size_t>(grid.stride[2]) * 8;
  const auto origin = static_cast<std::size_t>(static_cast<char*>(array.origin()) - first_page);
  // The planes that a page lies in; what is before the core is the first one's, and so on.
  const auto plane_at = [&](std::size_t byte) {
    return byte < origin ? 0 : std::min((byte - origin) / plane_bytes, planes.size() - 1);
  };
  for (std::size_t page = 0; page < pages; ++page) {
    const int first = planes[plane_at(page * small_page)];
    const int last = planes[plane_at((page + 1) * small_page - 1)];
    expect(first <= toucher[page] && toucher[page] <= last, "a page is touched by another thread",
           static_cast<double>(page));
  }
}

// --- huge pages

/// Whether the system was asked for huge pages there: flag `hg` of the mapping.
bool asked_for_huge_pages(const void* where) {
  std::ifstream maps("/proc/self/smaps");
  bool inside = false;
  for (std::string line; std::getline(maps, line);) {
    unsigned long begin = 0, end = 0;
    const auto place = reinterpret_cast<std::uintptr_t>(where);
    if (std::sscanf(line.c_str(), "%lx-%lx ", &begin, &end) == 2)
      inside = begin <= place && place < end;
    else if (inside && line.compare(0, 8, "VmFlags:") == 0)
      return line.find(" hg") != std::string::npos;
  }
  return false;
}

void check_huge_pages() {
  if (!std::ifstream("/sys/kernel/mm/transparent_hugepage/enabled")) return;  // there are none
  const Grid<1> small({100000}, {0}, {0}), large({200000}, {0}, {0});
  const Array few(small, 8, 0, 1), many(large, 8, 1, 1);
  expect(!asked_for_huge_pages(few.origin()), "small memory asks for huge pages", 0);
  expect(asked_for_huge_pages(many.origin()), "large memory asks for small pages", 0);
  Arena arena;
  expect(asked_for_huge_pages(arena.take(std::size_t{3} << 19)),
         "large scratch memory asks for small pages", 0);
}

}  // namespace

int main() {
  struct sigaction action = {};
  action.sa_sigaction = open_page;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGSEGV, &action, nullptr);
  for (const int threads : {1, 2, 3}) check_first_touch(threads);
  check_huge_pages();
  return right ? 0 : 1;
}
