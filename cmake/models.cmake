# The files of the models that headway comes with, in the order in which it lists them.
set(models unfair hsa obe hsa_obe lobe fair hsa-k obe-k concurrent parallel weakly_parallel
           cooperative cpp cuda cuda-cooperative hip sycl-concurrent sycl-parallel
           sycl-weakly-parallel opencl vulkan metal webgpu independent-threads lockstep)
list(TRANSFORM models PREPEND models/)
list(TRANSFORM models APPEND .yaml)
