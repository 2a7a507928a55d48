// Images: what is read is unknown, what is written goes nowhere. Races on images are not found.
struct __hw_image {
  int pixels;
};
struct __hw_image_3d {
  int pixels;
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
#define read_imagef(image, ...) ((void)(image), (void)(__VA_ARGS__), __hw_pixel_f())
#define read_imagei(image, ...) ((void)(image), (void)(__VA_ARGS__), __hw_pixel_i())
#define read_imageui(image, ...) ((void)(image), (void)(__VA_ARGS__), __hw_pixel_u())
#define write_imagef(image, ...) ((void)(image), (void)(__VA_ARGS__))
#define write_imagei(image, ...) ((void)(image), (void)(__VA_ARGS__))
#define write_imageui(image, ...) ((void)(image), (void)(__VA_ARGS__))
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
