#version 450
// Broken: both threads of a pair compare and swap, and undo what the other does.
// headway: groups 1 buffer values=4:unknown(0..3)
// headway: expect error race, violated race
layout(local_size_x = 4) in;
layout(set = 0, binding = 0) buffer Values { int data[]; } values;
shared int keys[4];

void main() {
  uint t = gl_LocalInvocationID.x;
  keys[t] = values.data[t];
  barrier();
  for (uint size = 2; size <= 4; size *= 2) {
    for (uint distance = size / 2; distance > 0; distance /= 2) {
      uint other = t ^ distance;
      if (other != t) {
        int low = keys[t], high = keys[other];
        if ((low > high) == ((t & size) == 0)) {
          keys[t] = high;
          keys[other] = low;
        }
      }
      barrier();
    }
  }
  values.data[t] = keys[t];
}
