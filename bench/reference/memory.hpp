// Memory for the references: aligned, in huge pages, touched first by the thread that uses it.
// Gives: Buffer. Needs: Linux.
#pragma once

#include <sys/mman.h>

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>

namespace reference {

/// Uninitialised elements, on huge pages where the system gives them.
template <class T>
class Buffer {
 public:
  explicit Buffer(std::int64_t count) : begin_(allocate(count)) {}
  [[nodiscard]] T* data() { return begin_.get(); }
  [[nodiscard]] const T* data() const { return begin_.get(); }

 private:
  static T* allocate(std::int64_t count) {
    constexpr std::size_t huge = 2 << 20;
    const std::size_t bytes =
        (static_cast<std::size_t>(count) * sizeof(T) + huge - 1) / huge * huge;
    void* memory = std::aligned_alloc(huge, bytes);
    if (memory == nullptr) throw std::bad_alloc();
    madvise(memory, bytes, MADV_HUGEPAGE);
    return static_cast<T*>(memory);
  }
  struct Free {
    void operator()(T* memory) const { std::free(memory); }
  };
  std::unique_ptr<T[], Free> begin_;
};

}  // namespace reference
