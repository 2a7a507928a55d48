target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@_ZZ5countPKiPiE3own = internal addrspace(3) global [2 x i32] undef, align 4

define dso_local void @_Z5countPKiPi(ptr noundef %in, ptr noundef %bins) {
entry:
  %call.i = call noundef i32 @__headway_thread_id(i32 noundef 0)
  %idxprom = sext i32 %call.i to i64
  %arrayidx = getelementptr [2 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ5countPKiPiE3own to ptr), i64 0, i64 %idxprom
  store i32 0, ptr %arrayidx, align 4
  call void @__headway_barrier(i32 noundef 2, i32 noundef 3)
  %call.i5 = call noundef i32 @__headway_group_id(i32 noundef 0)
  %mul = mul i32 %call.i5, 2
  %add = add i32 %mul, %call.i
  %idxprom2 = zext i32 %add to i64
  %arrayidx3 = getelementptr i32, ptr %in, i64 %idxprom2
  %0 = load i32, ptr %arrayidx3, align 4
  %and = and i32 %0, 1
  %idxprom4 = sext i32 %and to i64
  %arrayidx5 = getelementptr [2 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ5countPKiPiE3own to ptr), i64 0, i64 %idxprom4
  %call2.i14 = call i32 @__headway_atomic_u32(i32 noundef 3, ptr noundef %arrayidx5, i32 noundef 1, i32 noundef 0, i32 noundef 0, i32 noundef 3)
  call void @__headway_barrier(i32 noundef 2, i32 noundef 3)
  %idxprom7 = sext i32 %call.i to i64
  %arrayidx8 = getelementptr i32, ptr %bins, i64 %idxprom7
  %idxprom9 = sext i32 %call.i to i64
  %arrayidx10 = getelementptr [2 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ5countPKiPiE3own to ptr), i64 0, i64 %idxprom9
  %1 = load i32, ptr %arrayidx10, align 4
  %call2.i = call i32 @__headway_atomic_u32(i32 noundef 3, ptr noundef %arrayidx8, i32 noundef %1, i32 noundef 0, i32 noundef 0, i32 noundef 3)
  ret void
}

declare void @llvm.lifetime.start.p0(i64 immarg, ptr nocapture)

declare dso_local void @__headway_barrier(i32 noundef, i32 noundef)

declare void @llvm.lifetime.end.p0(i64 immarg, ptr nocapture)

declare dso_local i32 @__headway_thread_id(i32 noundef)

declare dso_local i32 @__headway_atomic_u32(i32 noundef, ptr noundef, i32 noundef, i32 noundef, i32 noundef, i32 noundef)

declare dso_local i32 @__headway_group_id(i32 noundef)


!nvvm.annotations = !{!4}

!4 = !{ptr @_Z5countPKiPi, !"kernel", i32 1}
