//pass
//--local_size=[8,4] --num_groups=2 -DN=3 --global_size=64 --warp-sync=32
