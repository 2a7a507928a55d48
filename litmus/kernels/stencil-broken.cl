// Broken: in place. Neighbours are read while they are written.
// headway: kernel blur grid 2 block 4 buffer line=10
// headway: expect error race, violated race
kernel void blur(global int *line) {
  int i = get_global_id(0);
  line[i] = line[i] + line[i + 1] + line[i + 2];
}
