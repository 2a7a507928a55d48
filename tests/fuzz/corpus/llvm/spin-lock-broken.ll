target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-G1"
target triple = "spir64"

define dso_local spir_kernel void @count(ptr addrspace(1) noundef align 4 %lock, ptr addrspace(1) noundef align 4 %counter) {
entry:
  %expected = alloca i32, align 4
  call void @llvm.lifetime.start.p0(i64 4, ptr %expected)
  store i32 0, ptr %expected, align 4
  br label %while.cond

while.cond:                                      
  %0 = addrspacecast ptr addrspace(1) %lock to ptr addrspace(4)
  %expected.ascast = addrspacecast ptr %expected to ptr addrspace(4)
  %1 = load i32, ptr addrspace(4) %expected.ascast, align 4
  %call.i = call spir_func i32 @__headway_atomic_u32(i32 noundef 14, ptr addrspace(4) noundef %0, i32 noundef 1, i32 noundef %1, i32 noundef 1, i32 noundef 3)
  store i32 %call.i, ptr addrspace(4) %expected.ascast, align 4
  %cmp.i = icmp eq i32 %call.i, %1
  %lnot = xor i1 %cmp.i, true
  br i1 %lnot, label %while.body, label %while.end

while.body:                                      
  store i32 0, ptr %expected, align 4
  br label %while.cond

while.end:                                       
  %2 = load i32, ptr addrspace(1) %counter, align 4
  %add = add i32 %2, 1
  store i32 %add, ptr addrspace(1) %counter, align 4
  call void @llvm.lifetime.end.p0(i64 4, ptr %expected)
  ret void
}

declare void @llvm.lifetime.start.p0(i64 immarg, ptr nocapture)

declare void @llvm.lifetime.end.p0(i64 immarg, ptr nocapture)

declare dso_local spir_func i32 @__headway_atomic_u32(i32 noundef, ptr addrspace(4) noundef, i32 noundef, i32 noundef, i32 noundef, i32 noundef)



