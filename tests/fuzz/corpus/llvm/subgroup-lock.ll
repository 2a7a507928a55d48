target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-G1"
target triple = "spir64"

define dso_local spir_kernel void @count(ptr addrspace(1) noundef align 4 %lock, ptr addrspace(1) noundef align 4 %counter) {
entry:
  br label %while.cond

while.cond:                                      
  %done.0 = phi i8 [ 0, %entry ], [ %done.1, %if.end ]
  %loadedv = trunc i8 %done.0 to i1
  %lnot = xor i1 %loadedv, true
  br i1 %lnot, label %while.body, label %while.end

while.body:                                      
  %0 = addrspacecast ptr addrspace(1) %lock to ptr addrspace(4)
  %call.i = call spir_func i32 @__headway_atomic_u32(i32 noundef 14, ptr addrspace(4) noundef %0, i32 noundef 1, i32 noundef 0, i32 noundef 0, i32 noundef 3)
  %cmp = icmp eq i32 %call.i, 0
  br i1 %cmp, label %if.then, label %if.end

if.then:                                         
  call spir_func void @__headway_fence(i32 noundef 3, i32 noundef 3, i32 noundef 2)
  %1 = load i32, ptr addrspace(1) %counter, align 4
  %add = add i32 %1, 1
  store i32 %add, ptr addrspace(1) %counter, align 4
  call spir_func void @__headway_fence(i32 noundef 3, i32 noundef 3, i32 noundef 2)
  %2 = addrspacecast ptr addrspace(1) %lock to ptr addrspace(4)
  %call.i3 = call spir_func i32 @__headway_atomic_u32(i32 noundef 2, ptr addrspace(4) noundef %2, i32 noundef 0, i32 noundef 0, i32 noundef 0, i32 noundef 3)
  br label %if.end

if.end:                                          
  %done.1 = phi i8 [ 1, %if.then ], [ %done.0, %while.body ]
  br label %while.cond

while.end:                                       
  ret void
}

declare void @llvm.lifetime.start.p0(i64 immarg, ptr nocapture)

declare dso_local spir_func void @__headway_fence(i32 noundef, i32 noundef, i32 noundef)

declare void @llvm.lifetime.end.p0(i64 immarg, ptr nocapture)

declare dso_local spir_func i32 @__headway_atomic_u32(i32 noundef, ptr addrspace(4) noundef, i32 noundef, i32 noundef, i32 noundef, i32 noundef)



