#include "paraiso/support/device/emulated_launch.hpp"

#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <new>
#include <numeric>
#include <vector>

#include "paraiso/support/device/cuda_driver.hpp"
#include "paraiso/support/device/launch_limits.hpp"

namespace paraiso_cuda {
namespace {

// `_longjmp` by a name of its own: where _FORTIFY_SOURCE is set, the C library's header makes of
// the other one a function that refuses to go to another stack.
extern "C" [[noreturn]] void paraiso_go_on(void*, int) __asm__("_longjmp");

constexpr int kIllegalAddress = 700, kLaunchFailed = 719;
constexpr std::size_t kStackBytes = std::size_t{1} << 18;
constexpr unsigned kMostThreads = 1024;  // of a block

// --- in which order ---

enum class Order { ascending, descending, random };
constexpr const char* kOrders[] = {"ascending", "descending", "random"};

template <class Number>
void arrange(std::vector<Number>& numbers, Order order, EmulatedRandom& random) {
  std::iota(numbers.begin(), numbers.end(), Number{0});
  if (order == Order::descending) std::reverse(numbers.begin(), numbers.end());
  if (order == Order::random)
    for (std::size_t i = numbers.size(); i > 1; --i)
      std::swap(numbers[i - 1], numbers[random.below(i)]);
}

/// What $PARAISO_EMULATION says.
struct Wish {
  bool turns = true;
  Order order = Order::ascending;
  std::uint64_t seed = 1;
};

bool read_wish(Wish& wish) {
  const char* const text = std::getenv("PARAISO_EMULATION");
  if (!text) return true;
  const std::string all = text, name = all.substr(0, all.find(':'));
  if (name.size() < all.size()) {
    char* end = nullptr;
    wish.seed = std::strtoull(text + name.size() + 1, &end, 10);
    if (*end != '\0' || end == text + name.size() + 1) return false;
  }
  if (name == "turns") return true;
  wish.turns = false;
  for (int number = 0; number < 3; ++number)
    if (name == kOrders[number]) wish.order = Order(number);
  return name == kOrders[static_cast<int>(wish.order)];
}

// --- what runs ---

/// A stack of its own, on which it runs one thread after the other.
struct Fiber {
  ucontext_t begin;
  jmp_buf here;  // once it has begun
  bool begun = false;
  EmulatedIndex thread;
  bool done = true;
  int line = 0;  // of the barrier at which it waits
};

struct Emulation {
  std::mutex one_call;
  Wish wish;
  EmulatedRandom random{1};
  std::uint64_t launches = 0;

  // The launch that runs.
  const EmulatedKernels* source = nullptr;
  const EmulatedKernel* kernel = nullptr;
  void* const* arguments = nullptr;
  Order order = Order::ascending;
  std::vector<Fiber> fibers;
  std::unique_ptr<char[], void (*)(char*)> stacks{
      nullptr, [](char* s) { munmap(s, kStackBytes * kMostThreads); }};
  jmp_buf scheduler;
  Fiber* running = nullptr;
  sigjmp_buf after_fault;
  const void* touched = nullptr;
};

Emulation& emulation() {
  static Emulation one;
  return one;
}

thread_local std::string complaint;  // of the last call that failed

std::string index_text(const EmulatedIndex& index) {
  return "(" + std::to_string(index.x) + ", " + std::to_string(index.y) + ", " +
         std::to_string(index.z) + ")";
}

/// "kernel `f` ..., in block (0, 0, 0), in random order, seed 1".
int complain(int status, const std::string& what) {
  Emulation& e = emulation();
  complaint = "kernel `" + std::string(e.kernel->name) + "` " + what + ", in block " +
              index_text(e.source->place->block) + ", in " + kOrders[static_cast<int>(e.order)] +
              " order, seed " + std::to_string(e.wish.seed);
  return status;
}

// --- a block ---

// Contexts are switched by jumps, since `swapcontext` asks the system for the signals each time.

/// Lets `fiber` run up to where it leaves.
void enter(Fiber& fiber) {
  Emulation& e = emulation();
  e.running = &fiber;
  if (_setjmp(e.scheduler) == 0) {
    if (fiber.begun) paraiso_go_on(fiber.here, 1);
    fiber.begun = true;
    setcontext(&fiber.begin);
  }
  e.running = nullptr;
}

void leave(Fiber& fiber) {
  if (_setjmp(fiber.here) == 0) paraiso_go_on(emulation().scheduler, 1);
}

void wait_at_barrier(int line) {
  Emulation& e = emulation();
  if (!e.running) siglongjmp(e.after_fault, 2);
  Fiber& fiber = *e.running;
  fiber.line = line;
  fiber.thread = e.source->place->thread;
  leave(fiber);
}

void run_fiber() {
  Emulation& e = emulation();
  Fiber& fiber = *e.running;
  const unsigned number = static_cast<unsigned>(&fiber - e.fibers.data());
  for (;;) {
    e.kernel->run(e.arguments, &number, 1);
    fiber.done = true;
    leave(fiber);
  }
}

/// As many as a block may have, none of which has begun.
void make_fibers() {
  Emulation& e = emulation();
  if (!e.stacks) {
    void* const all = mmap(nullptr, kStackBytes * kMostThreads, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (all == MAP_FAILED) throw std::bad_alloc();
    e.stacks.reset(static_cast<char*>(all));
  }
  e.fibers = std::vector<Fiber>(kMostThreads);
  for (unsigned t = 0; t < kMostThreads; ++t) {
    ucontext_t& begin = e.fibers[t].begin;
    getcontext(&begin);
    begin.uc_stack.ss_sp = e.stacks.get() + kStackBytes * t;
    begin.uc_stack.ss_size = kStackBytes;
    begin.uc_link = nullptr;
    makecontext(&begin, run_fiber, 0);
  }
}

/// All threads up to the barrier that they reach next; the status if they reach different ones.
int run_to_barrier(const std::vector<unsigned>& numbers, bool& all_done) {
  Emulation& e = emulation();
  for (const unsigned t : numbers) {
    Fiber& fiber = e.fibers[t];
    if (fiber.done) continue;
    e.source->place->thread = fiber.thread;
    enter(fiber);
  }
  const auto end = e.fibers.begin() + static_cast<std::ptrdiff_t>(numbers.size());
  const auto first =
      std::find_if(e.fibers.begin(), end, [](const Fiber& fiber) { return !fiber.done; });
  all_done = first == end;
  if (all_done) return 0;
  for (auto other = e.fibers.begin(); other != end; ++other) {
    if (!other->done && other->line == first->line) continue;
    return complain(
        kLaunchFailed,
        "has a barrier that not all threads of a block reach: thread " +
            std::to_string(first - e.fibers.begin()) + " waits at that of line " +
            std::to_string(first->line) + ", thread " + std::to_string(other - e.fibers.begin()) +
            (other->done ? " has ended" : " at that of line " + std::to_string(other->line)));
  }
  return 0;
}

int run_block(std::vector<unsigned>& numbers) {
  Emulation& e = emulation();
  const EmulatedKernels& source = *e.source;
  if (source.shared_begin)  // all bits set: NaN, -1, true
    std::memset(source.shared_begin, 0xFF,
                static_cast<std::size_t>(source.shared_end - source.shared_begin));
  arrange(numbers, e.order, e.random);
  if (!e.kernel->has_barriers) {
    e.kernel->run(e.arguments, numbers.data(), static_cast<unsigned>(numbers.size()));
    return 0;
  }
  if (e.fibers.empty()) make_fibers();
  for (std::size_t t = 0; t < numbers.size(); ++t) e.fibers[t].done = false;
  for (bool all_done = false; !all_done;) {
    if (const int status = run_to_barrier(numbers, all_done)) return status;
    arrange(numbers, e.order, e.random);
  }
  return 0;
}

// --- touching what is not there ---

void fault(int number, siginfo_t* info, void*) {
  Emulation& e = emulation();
  const auto address = reinterpret_cast<std::uintptr_t>(info->si_addr);
  for (const auto& [begin, piece] : emulated_pieces()) {
    const auto mapped = reinterpret_cast<std::uintptr_t>(piece.mapped);
    if (address < mapped || address >= mapped + piece.mapped_bytes) continue;
    e.touched = info->si_addr;
    siglongjmp(e.after_fault, 1);
  }
  signal(number, SIG_DFL);  // it is none of ours, and comes again
}

int complain_of_fault() {
  Emulation& e = emulation();
  const auto address = reinterpret_cast<std::uintptr_t>(e.touched);
  for (const auto& [begin, piece] : emulated_pieces()) {
    const auto mapped = reinterpret_cast<std::uintptr_t>(piece.mapped);
    if (address < mapped || address >= mapped + piece.mapped_bytes) continue;
    return complain(kIllegalAddress,
                    "touches byte " + std::to_string(static_cast<std::int64_t>(address - begin)) +
                        " of an array of " + std::to_string(piece.bytes) + " bytes, in thread " +
                        index_text(e.source->place->thread));
  }
  return kIllegalAddress;
}

int run_blocks(const EmulatedIndex& blocks) {
  Emulation& e = emulation();
  EmulatedPlace& place = *e.source->place;
  std::vector<std::uint64_t> order(std::uint64_t{blocks.x} * blocks.y * blocks.z);
  arrange(order, e.order, e.random);
  std::vector<unsigned> threads(place.block_size.x * place.block_size.y * place.block_size.z);
  for (const std::uint64_t b : order) {
    place.block = {static_cast<unsigned>(b % blocks.x),
                   static_cast<unsigned>(b / blocks.x % blocks.y),
                   static_cast<unsigned>(b / blocks.x / blocks.y)};
    if (const int status = run_block(threads)) return status;
  }
  return 0;
}

/// Runs `work`, and tells of a fault in it.
template <class Work>
int guarded(Work&& work) {
  Emulation& e = emulation();
  struct sigaction here {
  }, before;
  here.sa_sigaction = fault;
  here.sa_flags = SA_SIGINFO | SA_NODEFER;
  sigaction(SIGSEGV, &here, &before);
  int status = 0;
  const int jumped = sigsetjmp(e.after_fault, 1);
  if (jumped == 0) status = work();
  if (jumped == 1) status = complain_of_fault();
  if (jumped == 2) status = complain(kLaunchFailed, "has a barrier, and is taken for one without");
  sigaction(SIGSEGV, &before, nullptr);
  e.running = nullptr;
  if (status != 0) e.fibers.clear();  // some stand amid a kernel
  return status;
}

}  // namespace

std::map<std::uint64_t, EmulatedPiece>& emulated_pieces() {
  static std::map<std::uint64_t, EmulatedPiece> pieces;
  return pieces;
}

EmulatedRandom& emulated_random() { return emulation().random; }

std::mutex& emulated_calls() { return emulation().one_call; }

const std::string& emulated_complaint() { return complaint; }

int start_emulation() {
  Emulation& e = emulation();
  const std::lock_guard<std::mutex> lock(e.one_call);
  e.wish = {};
  if (!read_wish(e.wish)) {
    complaint =
        "$PARAISO_EMULATION is `turns`, `ascending`, `descending` or `random`, and maybe `:` and a "
        "seed";
    return kCudaInvalidValue;
  }
  e.random = {e.wish.seed};
  return 0;
}

int emulate_launch(const EmulatedKernels& source, const EmulatedKernel& kernel,
                   const EmulatedIndex& blocks, const EmulatedIndex& block,
                   void* const* arguments) {
  Emulation& e = emulation();
  const std::lock_guard<std::mutex> lock(e.one_call);
  const std::uint64_t threads = std::uint64_t{block.x} * block.y * block.z;
  complaint = "a card would refuse the shape of the launch";
  if (threads == 0 || threads > kMostThreads || blocks.y > paraiso_support::most_blocks_beside ||
      blocks.z > paraiso_support::most_blocks_beside)
    return kCudaInvalidValue;
  e.kernel = &kernel;
  e.source = &source;
  e.arguments = arguments;
  e.order = e.wish.turns ? Order(e.launches % 3) : e.wish.order;
  ++e.launches;
  *source.place = {{}, {}, block, blocks, wait_at_barrier};
  return guarded([&] { return run_blocks(blocks); });
}

}  // namespace paraiso_cuda
