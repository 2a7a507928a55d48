// Kernels whose threads wait for others, lock, vote and shuffle. race_, div_ and fail_ say what is
// wrong with one, ok_ that nothing is.
__global__ void race_shuffled_sums(const float* in, float* out) {
  __shared__ float partial[32];
  float v = in[blockIdx.x * blockDim.x + threadIdx.x];
  for (int d = 16; d > 0; d >>= 1) v += __shfl_down_sync(0xffffffff, v, d);
  if (threadIdx.x % 32 == 0) partial[threadIdx.x / 32] = v;
  if (threadIdx.x < 32) {  // no barrier in front of it
    float w = threadIdx.x < blockDim.x / 32 ? partial[threadIdx.x] : 0;
    for (int d = 16; d > 0; d >>= 1) w += __shfl_down_sync(0xffffffff, w, d);
    if (threadIdx.x == 0) out[blockIdx.x] = w;
  }
}
__global__ void ok_shuffled_sums(const float* in, float* out) {
  __shared__ float partial[32];
  float v = in[blockIdx.x * blockDim.x + threadIdx.x];
  for (int d = 16; d > 0; d >>= 1) v += __shfl_down_sync(0xffffffff, v, d);
  if (threadIdx.x % 32 == 0) partial[threadIdx.x / 32] = v;
  __syncthreads();
  if (threadIdx.x < 32) {
    float w = threadIdx.x < blockDim.x / 32 ? partial[threadIdx.x] : 0;
    for (int d = 16; d > 0; d >>= 1) w += __shfl_down_sync(0xffffffff, w, d);
    if (threadIdx.x == 0) out[blockIdx.x] = w;
  }
}
__global__ void race_rounds_of_sums(const float* in, float* out, int rounds) {
  __shared__ float partial[32];
  for (int r = 0; r < rounds; r++) {
    float v = in[r * blockDim.x + threadIdx.x];
    for (int d = 16; d > 0; d >>= 1) v += __shfl_down_sync(0xffffffff, v, d);
    if (threadIdx.x % 32 == 0) partial[threadIdx.x / 32] = v;  // the last round may be read yet
    __syncthreads();
    if (threadIdx.x == 0 && blockIdx.x == 0) out[r] = partial[0] + partial[1];
  }
}
__global__ void div_vote(const int* in, int* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (__any_sync(0xffffffff, in[i] == 2 && threadIdx.x < 32)) __syncthreads();
  out[i] = in[i];
}
__global__ void race_ranks(const int* in, int* out) {
  unsigned votes = __ballot_sync(0xffffffff, in[threadIdx.x] > 0);
  int rank = __popc(votes & ((1u << (threadIdx.x % 32)) - 1));
  if (in[threadIdx.x] > 0) out[rank] = threadIdx.x;  // all subgroups count from 0
}
__global__ void race_block_fences(int* data, int* flag, int* out) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    data[0] = 42;
    __threadfence_block();  // which others do not see
    atomicExch(flag, 1);
  } else if (blockIdx.x == 1) {
    while (atomicAdd(flag, 0) == 0);
    __threadfence_block();
    out[0] = data[0];
  }
}
__global__ void ok_message(int* data, int* flag, int* out) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    data[0] = 42;
    __threadfence();
    atomicExch(flag, 1);
  } else if (blockIdx.x == 1) {
    while (atomicAdd(flag, 0) == 0);
    __threadfence();
    out[0] = data[0];
  }
}
__global__ void race_two_locks(int* locks, int* counter) {
  if (threadIdx.x == 0) {
    int* mine = locks + blockIdx.x % 2;
    while (atomicCAS(mine, 0, 1) != 0);
    __threadfence();
    *counter += 1;
    __threadfence();
    atomicExch(mine, 0);
  }
}
__global__ void race_test_then_set(int* lock, int* counter) {
  if (threadIdx.x == 0) {
    while (atomicAdd(lock, 0) != 0);  // two may see it free
    atomicExch(lock, 1);
    __threadfence();
    *counter += 1;
    __threadfence();
    atomicExch(lock, 0);
  }
}
__global__ void ok_lock(int* lock, int* counter) {
  if (threadIdx.x == 0) {
    while (atomicCAS(lock, 0, 1) != 0);
    __threadfence();
    *counter += 1;
    __threadfence();
    atomicExch(lock, 0);
  }
}
__global__ void fail_two_inside(int* lock, int* inside) {
  if (threadIdx.x == 0) {
    while (atomicAdd(lock, 0) != 0);
    atomicExch(lock, 1);
    assert(atomicAdd(inside, 1) == 0);
    atomicSub(inside, 1);
    atomicExch(lock, 0);
  }
}
__global__ void ok_one_inside(int* lock, int* inside) {
  if (threadIdx.x == 0) {
    while (atomicCAS(lock, 0, 1) != 0);
    assert(atomicAdd(inside, 1) == 0);
    atomicSub(inside, 1);
    atomicExch(lock, 0);
  }
}
__global__ void race_own_flag(int* data, int* flags, int* out) {
  int b = blockIdx.x;
  if (threadIdx.x == 0) {
    data[b] = b;
    __threadfence();
    atomicExch(&flags[b], 1);
    if (b > 0) {
      while (atomicAdd(&flags[b], 0) == 0);  // not the one of the block before
      __threadfence();
      out[b] = data[b - 1];
    }
  }
}
__global__ void race_set_up_once(int* state, int* data, int* out) {
  if (threadIdx.x == 0) {
    if (atomicCAS(state, 0, 1) == 0) {
      data[0] = 7;
      __threadfence();
      atomicExch(state, 2);
    }
    __threadfence();
    out[blockIdx.x] = data[0];  // others may be setting it up
  }
}
