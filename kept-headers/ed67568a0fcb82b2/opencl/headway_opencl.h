// Included in front of every OpenCL C file. __HEADWAY_* ask for the parts that are long.
#ifndef __HEADWAY_OPENCL_H
#define __HEADWAY_OPENCL_H
#include "headway_base.h"
#include "work_items.h"
#include "atomics.h"
#ifndef __HEADWAY_BUILTINS  // which are functions, and these are macros
#include "conversions.h"
#endif
#include "common_functions.h"
#if defined(__HEADWAY_CONVERT) || (defined(__HEADWAY_VLOAD) && defined(__HEADWAY_HALF))
#include "rounding.h"
#endif
#ifdef __HEADWAY_MATH
#include "math_functions.h"
#endif
#ifdef __HEADWAY_INTEGER
#include "integer_functions.h"
#endif
#ifdef __HEADWAY_RELATIONAL
#include "relational_functions.h"
#endif
#ifdef __HEADWAY_SHUFFLES
#include "shuffles.h"
#endif
#ifdef __HEADWAY_GEOMETRY
#include "geometric_functions.h"
#endif
#ifdef __HEADWAY_VLOAD
#include "vector_data.h"
#endif
#ifdef __HEADWAY_IMAGES
#include "images.h"
#endif
#include "annotations.h"
#endif
