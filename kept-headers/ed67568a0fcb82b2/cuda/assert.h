// Read as often as it is included, as NDEBUG may change.
#undef assert
#ifdef NDEBUG
#define assert(...) ((void)0)
#else
#define assert(...) __headway_assert((int)!!(__VA_ARGS__))
#endif
