// two_waves: the flux of Harten, Lax and van Leer (1983): one state between two waves.
// Gives: TwoWaves. Needs: record.
#pragma once

#include "paraiso/frontend/functions.hpp"
#include "paraiso/frontend/record.hpp"

namespace paraiso::numerics {

/// The waves to the left and to the right of a face, by their speeds: s_left <= 0 <= s_right. Toro
/// (2009), section 10.3,
///   (s_right F_left - s_left F_right + s_left s_right (U_right - U_left)) / (s_right - s_left),
/// written about the mean of both fluxes.
template <class T>
class TwoWaves {
 public:
  TwoWaves(const T& s_left, const T& s_right) : TwoWaves(s_left, s_right, 1 / (s_right - s_left)) {}

  /// Between two states, each with its own flux.
  template <class R>
  [[nodiscard]] R flux(const R& left, const R& right, const R& u_left, const R& u_right) const {
    return zip(
        [&](const T& f_left, const T& f_right, const T& u_l, const T& u_r) -> T {
          return number_type<T>(0.5) * (f_left + f_right) + lean_ * (f_left - f_right) +
                 spread_ * (u_r - u_l);
        },
        left, right, u_left, u_right);
  }

 private:
  TwoWaves(const T& s_left, const T& s_right, const T& inverse)
      : lean_(number_type<T>(0.5) * (s_right + s_left) * inverse),
        spread_(s_left * s_right * inverse) {}

  T lean_, spread_;
};

}  // namespace paraiso::numerics
