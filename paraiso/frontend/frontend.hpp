// All of the front end: what a solver includes.
// Gives: Builder, Field, Scalar, Local, Global, Axis, Vec, records, load, store, at, ... Needs: om.
#pragma once

#include "paraiso/frontend/annotate.hpp"
#include "paraiso/frontend/clock.hpp"
#include "paraiso/frontend/domain.hpp"
