// Images: what is read is unknown; where it is read and written counts for races, texel by texel.
struct __hw_image {
  uint4 texel;
};
struct __hw_image_3d {
  uint4 texel;
};
typedef __global struct __hw_image* __hw_image_pointer;
typedef __global struct __hw_image_3d* __hw_image_3d_pointer;
#define image1d_t __hw_image_pointer
#define image1d_buffer_t __hw_image_pointer
#define image1d_array_t __hw_image_pointer
#define image2d_t __hw_image_pointer
#define image2d_array_t __hw_image_pointer
#define image2d_depth_t __hw_image_pointer
#define image2d_array_depth_t __hw_image_pointer
#define image2d_msaa_t __hw_image_pointer
#define image3d_t __hw_image_3d_pointer
#define read_only
#define write_only
#define read_write
#define __read_only
#define __write_only
#define __read_write
#define sampler_t uint
#define CLK_NORMALIZED_COORDS_FALSE 0
#define CLK_NORMALIZED_COORDS_TRUE 1
#define CLK_ADDRESS_NONE 0
#define CLK_ADDRESS_CLAMP_TO_EDGE 2
#define CLK_ADDRESS_CLAMP 4
#define CLK_ADDRESS_REPEAT 6
#define CLK_ADDRESS_MIRRORED_REPEAT 8
#define CLK_FILTER_NEAREST 16
#define CLK_FILTER_LINEAR 32
#define CLK_R 0x10B0
#define CLK_A 0x10B1
#define CLK_RG 0x10B2
#define CLK_RGBA 0x10B5
#define CLK_BGRA 0x10B6
#define CLK_SNORM_INT8 0x10D0
#define CLK_UNORM_INT8 0x10D2
#define CLK_SIGNED_INT32 0x10D9
#define CLK_UNSIGNED_INT8 0x10DA
#define CLK_UNSIGNED_INT32 0x10DC
#define CLK_FLOAT 0x10DE

__hw_of int __hw_size(void) {
  const int n = (int)__headway_unknown_u32();
  __headway_assume((n >= 0) & (n <= 16384));
  return n;
}
__hw_of float4 __hw_pixel_f(void) {
  return (float4)(__headway_unknown_f32(), __headway_unknown_f32(), __headway_unknown_f32(),
                  __headway_unknown_f32());
}
__hw_of uint4 __hw_pixel_u(void) {
  return (uint4)(__headway_unknown_u32(), __headway_unknown_u32(), __headway_unknown_u32(),
                 __headway_unknown_u32());
}
__hw_of int4 __hw_pixel_i(void) { return __builtin_astype(__hw_pixel_u(), int4); }

// Where a texel is; what lies beyond the ends must not be written, nor read without a sampler.
// So many texels a side, in one or two dimensions and in three.
#define __hw_side 16384u
#define __hw_side_3d 2048u
#define __hw_image_at(I)                                                                \
  __hw_of I __hw_texel(I image, int x) {                                                \
    __headway_premise(__hw_images);                                                     \
    return image + (uint)x;                                                             \
  }                                                                                     \
  __hw_of I __hw_texel(I image, int2 at) {                                              \
    __headway_premise(__hw_images);                                                     \
    return image + ((ulong)(uint)at.y * __hw_side + (uint)at.x);                        \
  }                                                                                     \
  __hw_of I __hw_texel(I image, int4 at) {                                              \
    __headway_premise(__hw_images);                                                     \
    return image + (((ulong)(uint)at.z * __hw_side_3d + (uint)at.y) * __hw_side_3d + (uint)at.x); \
  }
__hw_image_at(__hw_image_pointer) __hw_image_at(__hw_image_3d_pointer)
#define __hw_image_writes(I, C)                                                         \
  __hw_of void write_imagef(I image, C at, float4 color) {                              \
    __hw_texel(image, at)->texel = __builtin_astype(color, uint4);                      \
  }                                                                                     \
  __hw_of void write_imagef(I image, C at, float depth) {                               \
    __hw_texel(image, at)->texel = (uint4)(__builtin_astype(depth, uint), 0, 0, 0);     \
  }                                                                                     \
  __hw_of void write_imagei(I image, C at, int4 color) {                                \
    __hw_texel(image, at)->texel = __builtin_astype(color, uint4);                      \
  }                                                                                     \
  __hw_of void write_imageui(I image, C at, uint4 color) { __hw_texel(image, at)->texel = color; } \
  __hw_of void __hw_read(I image, C at) { const uint4 read = __hw_texel(image, at)->texel; }
__hw_image_writes(__hw_image_pointer, int) __hw_image_writes(__hw_image_pointer, int2)
__hw_image_writes(__hw_image_pointer, int4) __hw_image_writes(__hw_image_3d_pointer, int4)
#undef __hw_image_at
#undef __hw_image_writes
// With a sampler an image is read that is not written.
#define __hw_read_2(image, at) __hw_read(image, at)
#define __hw_read_more(image, ...) ((void)(image), (void)(__VA_ARGS__))
#define __hw_choose_read(a, b, c, d, e, f, chosen, ...) chosen
#define __hw_reads(...)                                                                   \
  __hw_choose_read(__VA_ARGS__, __hw_read_more, __hw_read_more, __hw_read_more,           \
                   __hw_read_more, __hw_read_2, )(__VA_ARGS__)
#define read_imagef(...) (__hw_reads(__VA_ARGS__), __hw_pixel_f())
#define read_imagei(...) (__hw_reads(__VA_ARGS__), __hw_pixel_i())
#define read_imageui(...) (__hw_reads(__VA_ARGS__), __hw_pixel_u())
#define get_image_width(image) ((void)(image), __hw_size())
#define get_image_height(image) ((void)(image), __hw_size())
#define get_image_depth(image) ((void)(image), __hw_size())
#define get_image_array_size(image) ((size_t)__hw_size())
__hw_of int2 get_image_dim(__hw_image_pointer image) { return (int2)(__hw_size(), __hw_size()); }
__hw_of int4 get_image_dim(__hw_image_3d_pointer image) {
  return (int4)(__hw_size(), __hw_size(), __hw_size(), 0);
}
#define get_image_channel_data_type(image) ((int)__headway_unknown_u32())
#define get_image_channel_order(image) ((int)__headway_unknown_u32())
