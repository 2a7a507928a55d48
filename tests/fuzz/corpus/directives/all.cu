// headway: kernel scan grid 2,3 block 4 subgroup 2 shared 64 -DN=4 -I folder
//headway:arg n=-4, f=1.5, p=null, flag=true, u=unknown, r=unknown(0..3)
// headway: buffer in=64:zero, out=8 buffer x={1,2.5,-3} buffer y=4:{0x10}
// headway: buffer z=2:unknown(-1..1) assume n > 3 && f < 2
// headway: expect pass OBE, fail HSA:weak, error race, violated bounds
// headway: main
