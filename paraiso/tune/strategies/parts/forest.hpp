// Forest: extremely randomised trees, which predict a number from a genome and say how unsure they
// are. Gives: Forest. Needs: allele order, history.
//
// Each tree splits the individuals by random questions, "is this number at most so many steps up
// its order" or "is it this name", of several the one that leaves the smallest squared error, until
// few are left. Trees disagree where little is known. P. Geurts et al., Machine Learning 63 (2006)
// 3.
#pragma once

#include "paraiso/tune/allele_order.hpp"
#include "paraiso/tune/database/history.hpp"

namespace paraiso::tune {

class Forest {
 public:
  struct Shape {
    std::size_t trees = 20, questions = 5, leaf = 2;
  };
  struct Prediction {
    double mean = 0, deviation = 0;
  };

  Forest(const AlleleOrder& order, const Shape& shape) : order_(order), shape_(shape) {}

  /// From at least one genome and as many values.
  void grow(const std::vector<plan::Genome>& genomes, const std::vector<double>& values, Rng& rng);
  /// From the logarithms of the times of all that is known, if that is a twentieth more than the
  /// last time; what failed counts as half as fast as the slowest one.
  void learn(const History& history, Rng& rng);
  /// After `grow` or `learn`.
  [[nodiscard]] Prediction operator()(const plan::Genome& genome) const;

 private:
  /// A question, or with no gene a leaf.
  struct Node {
    int gene = -1;
    double limit = 0;               // of places, or a name's own
    std::uint32_t yes = 0, no = 0;  // nodes
    double mean = 0, variance = 0;  // of a leaf
  };
  struct Sample {
    std::vector<std::uint32_t> members;
    const std::vector<plan::Genome>& genomes;
    const std::vector<double>& values;
  };

  [[nodiscard]] bool answer(const Node& node, const plan::Genome& genome) const;
  [[nodiscard]] Node question(const Sample& sample, std::size_t first, std::size_t last,
                              Rng& rng) const;
  std::uint32_t grow_node(Sample& sample, std::size_t first, std::size_t last, Rng& rng);

  const AlleleOrder& order_;
  Shape shape_;
  std::vector<Node> nodes_;
  std::vector<std::uint32_t> roots_;
  std::size_t learnt_ = 0;  // individuals
};

}  // namespace paraiso::tune
