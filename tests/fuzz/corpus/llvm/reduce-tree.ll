target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-G1"
target triple = "spir64"

define dso_local spir_kernel void @sum(ptr addrspace(1) noundef align 4 %in, ptr addrspace(1) noundef align 4 %out, ptr addrspace(3) noundef align 4 %part) {
entry:
  %call.i = call spir_func i32 @__headway_thread_id(i32 noundef 0)
  %conv.i = zext i32 %call.i to i64
  %conv = trunc i64 %conv.i to i32
  %call.i2 = call spir_func i32 @__headway_group_id(i32 noundef 0)
  %conv.i3 = zext i32 %call.i2 to i64
  %call1.i = call spir_func i32 @__headway_group_size(i32 noundef 0)
  %conv2.i = zext i32 %call1.i to i64
  %mul.i = mul i64 %conv.i3, %conv2.i
  %call3.i = call spir_func i32 @__headway_thread_id(i32 noundef 0)
  %conv4.i = zext i32 %call3.i to i64
  %add.i = add i64 %mul.i, %conv4.i
  %arrayidx = getelementptr i32, ptr addrspace(1) %in, i64 %add.i
  %0 = load i32, ptr addrspace(1) %arrayidx, align 4
  %idxprom = sext i32 %conv to i64
  %arrayidx2 = getelementptr i32, ptr addrspace(3) %part, i64 %idxprom
  store i32 %0, ptr addrspace(3) %arrayidx2, align 4
  call spir_func void @__headway_barrier(i32 noundef 2, i32 noundef 1)
  br label %for.cond

for.cond:                                        
  %half_size.0 = phi i32 [ 2, %entry ], [ %div, %for.inc ]
  %cmp = icmp sgt i32 %half_size.0, 0
  br i1 %cmp, label %for.body, label %for.cond.cleanup

for.cond.cleanup:                                
  br label %for.end

for.body:                                        
  %cmp4 = icmp slt i32 %conv, %half_size.0
  br i1 %cmp4, label %if.then, label %if.end

if.then:                                         
  %add = add i32 %conv, %half_size.0
  %idxprom6 = sext i32 %add to i64
  %arrayidx7 = getelementptr i32, ptr addrspace(3) %part, i64 %idxprom6
  %1 = load i32, ptr addrspace(3) %arrayidx7, align 4
  %idxprom8 = sext i32 %conv to i64
  %arrayidx9 = getelementptr i32, ptr addrspace(3) %part, i64 %idxprom8
  %2 = load i32, ptr addrspace(3) %arrayidx9, align 4
  %add10 = add i32 %2, %1
  store i32 %add10, ptr addrspace(3) %arrayidx9, align 4
  br label %if.end

if.end:                                          
  call spir_func void @__headway_barrier(i32 noundef 2, i32 noundef 1)
  br label %for.inc

for.inc:                                         
  %div = sdiv i32 %half_size.0, 2
  br label %for.cond

for.end:                                         
  %cmp11 = icmp eq i32 %conv, 0
  br i1 %cmp11, label %if.then13, label %if.end17

if.then13:                                       
  %arrayidx14 = getelementptr i32, ptr addrspace(3) %part, i64 0
  %3 = load i32, ptr addrspace(3) %arrayidx14, align 4
  %call.i5 = call spir_func i32 @__headway_group_id(i32 noundef 0)
  %conv.i6 = zext i32 %call.i5 to i64
  %arrayidx16 = getelementptr i32, ptr addrspace(1) %out, i64 %conv.i6
  store i32 %3, ptr addrspace(1) %arrayidx16, align 4
  br label %if.end17

if.end17:                                        
  ret void
}

declare void @llvm.lifetime.start.p0(i64 immarg, ptr nocapture)

declare dso_local spir_func void @__headway_barrier(i32 noundef, i32 noundef)

declare void @llvm.lifetime.end.p0(i64 immarg, ptr nocapture)

declare dso_local spir_func i32 @__headway_thread_id(i32 noundef)

declare dso_local spir_func i32 @__headway_group_id(i32 noundef)

declare dso_local spir_func i32 @__headway_group_size(i32 noundef)



