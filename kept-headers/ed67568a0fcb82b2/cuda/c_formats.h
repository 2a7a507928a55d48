// sprintf and its like.
#pragma once
#include "c_library.h"

// Texts of characters, texts and integers are written as C says, all else is refused.
__hw_c void headway_text_of_this_format() noexcept;
struct __hw_text {
  char* to;
  size_t room;  // of the zero, too
  size_t length = 0;
};
__hw_host void __hw_put(__hw_text& text, char c) {
  if (text.length + 1 < text.room) text.to[text.length] = c;
  ++text.length;
}
__hw_host void __hw_put(__hw_text& text, const char* words) {
  while (*words) __hw_put(text, *words++);
}
__hw_host void __hw_put_number(__hw_text& text, char kind, long long value, int width, bool zeros) {
  if (kind == 'c') return __hw_put(text, (char)value);
  char digits[24];
  int n = 0;
  const bool negative = kind != 'u' && kind != 'x' && kind != 'X' && value < 0;
  unsigned long long left = negative ? 0 - (unsigned long long)value : (unsigned long long)value;
  const unsigned base = kind == 'x' || kind == 'X' ? 16 : 10;
  do {
    digits[n++] = (kind == 'X' ? "0123456789ABCDEF" : "0123456789abcdef")[left % base];
    left /= base;
  } while (left != 0);
  const int blanks = width - n - (negative ? 1 : 0);
  for (int i = 0; !zeros && i < blanks; ++i) __hw_put(text, ' ');
  if (negative) __hw_put(text, '-');
  for (int i = 0; zeros && i < blanks; ++i) __hw_put(text, '0');
  while (n > 0) __hw_put(text, digits[--n]);
}
template <class T>
__hw_host void __hw_put_value(__hw_text& text, char kind, T value, int width, bool zeros) {
  constexpr bool is_text = __is_same(T, char*) || __is_same(T, const char*);
  if constexpr (is_text) {
    if (kind != 's' || width > 0) return headway_text_of_this_format();
    __hw_put(text, (const char*)value);
  } else if constexpr (__is_integral(T) || __is_enum(T)) {
    if (kind == 's') return headway_text_of_this_format();
    __hw_put_number(text, kind, (long long)value, width, zeros);
  } else {
    headway_text_of_this_format();
  }
}
// Up to the next value, whose kind comes back; 0 at the end.
__hw_host char __hw_put_words(__hw_text& text, const char*& format, int& width, bool& zeros) {
  for (; *format; ++format) {
    if (*format != '%') {
      __hw_put(text, *format);
    } else if (*++format == '%') {
      __hw_put(text, '%');
    } else {
      zeros = *format == '0';
      for (width = 0; isdigit(*format); ++format) width = 10 * width + (*format - '0');
      while (*format == 'l' || *format == 'z' || *format == 'h') ++format;
      const char kind = *format++;
      if (!strchr("cdiusxX", kind)) headway_text_of_this_format();
      return kind == 'i' ? 'd' : kind;
    }
  }
  return 0;
}
template <class... T>
__hw_host int snprintf(char* to, size_t room, const char* format, T... values) {
  __hw_text text{to, room};
  int width = 0;
  bool zeros = false;
  const auto one = [&](auto value) {
    if (const char kind = __hw_put_words(text, format, width, zeros))
      __hw_put_value(text, kind, value, width, zeros);
  };
  (one(values), ...);
  if (__hw_put_words(text, format, width, zeros)) headway_text_of_this_format();
  if (room > 0) to[text.length < room ? text.length : room - 1] = 0;
  return (int)text.length;
}
template <class... T> __hw_host int sprintf(char* to, const char* format, T... values) {
  return snprintf(to, (size_t)1 << 31, format, values...);
}
