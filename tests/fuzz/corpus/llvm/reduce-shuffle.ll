target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define dso_local void @_Z3sumPKiPi(ptr noundef %in, ptr noundef %out) {
entry:
  %call.i = call noundef i32 @__headway_thread_id(i32 noundef 0)
  %idxprom = zext i32 %call.i to i64
  %arrayidx = getelementptr i32, ptr %in, i64 %idxprom
  %0 = load i32, ptr %arrayidx, align 4
  br label %for.cond

for.cond:                                        
  %value.0 = phi i32 [ %0, %entry ], [ %add, %for.inc ]
  %distance.0 = phi i32 [ 2, %entry ], [ %div, %for.inc ]
  %cmp = icmp sgt i32 %distance.0, 0
  br i1 %cmp, label %for.body, label %for.cond.cleanup

for.cond.cleanup:                                
  br label %for.end

for.body:                                        
  %conv.i = zext i32 15 to i64
  %call.i2 = call i32 @__headway_subgroup_size()
  %call1.i7 = call i32 @__headway_shuffle_u32(i32 noundef 2, i64 noundef %conv.i, i32 noundef %value.0, i32 noundef %distance.0, i32 noundef %call.i2)
  %add = add i32 %value.0, %call1.i7
  br label %for.inc

for.inc:                                         
  %div = sdiv i32 %distance.0, 2
  br label %for.cond

for.end:                                         
  %call.i1 = call noundef i32 @__headway_thread_id(i32 noundef 0)
  %cmp3 = icmp eq i32 %call.i1, 0
  br i1 %cmp3, label %if.then, label %if.end

if.then:                                         
  store i32 %value.0, ptr %out, align 4
  br label %if.end

if.end:                                          
  ret void
}

declare void @llvm.lifetime.start.p0(i64 immarg, ptr nocapture)

declare void @llvm.lifetime.end.p0(i64 immarg, ptr nocapture)

declare dso_local i32 @__headway_thread_id(i32 noundef)

declare dso_local i32 @__headway_subgroup_size()

declare dso_local i32 @__headway_shuffle_u32(i32 noundef, i64 noundef, i32 noundef, i32 noundef, i32 noundef)


!nvvm.annotations = !{!4}

!4 = !{ptr @_Z3sumPKiPi, !"kernel", i32 1}
