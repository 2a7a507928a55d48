target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@_ZZ9transposePKiPiE4tile = internal addrspace(3) global [2 x [3 x i32]] undef, align 4

define dso_local void @_Z9transposePKiPi(ptr noundef %in, ptr noundef %out) {
entry:
  %call.i = call noundef i32 @__headway_group_id(i32 noundef 0)
  %mul = mul i32 %call.i, 2
  %call.i2 = call noundef i32 @__headway_thread_id(i32 noundef 0)
  %add = add i32 %mul, %call.i2
  %call.i6 = call noundef i32 @__headway_group_id(i32 noundef 1)
  %mul3 = mul i32 %call.i6, 2
  %call.i8 = call noundef i32 @__headway_thread_id(i32 noundef 1)
  %add5 = add i32 %mul3, %call.i8
  %mul6 = mul i32 %add5, 4
  %add7 = add i32 %mul6, %add
  %idxprom = sext i32 %add7 to i64
  %arrayidx = getelementptr i32, ptr %in, i64 %idxprom
  %0 = load i32, ptr %arrayidx, align 4
  %call.i9 = call noundef i32 @__headway_thread_id(i32 noundef 1)
  %idxprom9 = zext i32 %call.i9 to i64
  %arrayidx10 = getelementptr [2 x [3 x i32]], ptr addrspacecast (ptr addrspace(3) @_ZZ9transposePKiPiE4tile to ptr), i64 0, i64 %idxprom9
  %call.i3 = call noundef i32 @__headway_thread_id(i32 noundef 0)
  %idxprom12 = zext i32 %call.i3 to i64
  %arrayidx13 = getelementptr [3 x i32], ptr %arrayidx10, i64 0, i64 %idxprom12
  store i32 %0, ptr %arrayidx13, align 4
  call void @__headway_barrier(i32 noundef 2, i32 noundef 3)
  %call.i1 = call noundef i32 @__headway_group_id(i32 noundef 0)
  %mul15 = mul i32 %call.i1, 2
  %call.i10 = call noundef i32 @__headway_thread_id(i32 noundef 1)
  %add17 = add i32 %mul15, %call.i10
  %call.i7 = call noundef i32 @__headway_group_id(i32 noundef 1)
  %mul19 = mul i32 %call.i7, 2
  %call.i4 = call noundef i32 @__headway_thread_id(i32 noundef 0)
  %add21 = add i32 %mul19, %call.i4
  %call.i5 = call noundef i32 @__headway_thread_id(i32 noundef 0)
  %idxprom23 = zext i32 %call.i5 to i64
  %arrayidx24 = getelementptr [2 x [3 x i32]], ptr addrspacecast (ptr addrspace(3) @_ZZ9transposePKiPiE4tile to ptr), i64 0, i64 %idxprom23
  %call.i11 = call noundef i32 @__headway_thread_id(i32 noundef 1)
  %idxprom26 = zext i32 %call.i11 to i64
  %arrayidx27 = getelementptr [3 x i32], ptr %arrayidx24, i64 0, i64 %idxprom26
  %1 = load i32, ptr %arrayidx27, align 4
  %mul28 = mul i32 %add17, 4
  %add29 = add i32 %mul28, %add21
  %idxprom30 = sext i32 %add29 to i64
  %arrayidx31 = getelementptr i32, ptr %out, i64 %idxprom30
  store i32 %1, ptr %arrayidx31, align 4
  ret void
}

declare void @llvm.lifetime.start.p0(i64 immarg, ptr nocapture)

declare dso_local void @__headway_barrier(i32 noundef, i32 noundef)

declare void @llvm.lifetime.end.p0(i64 immarg, ptr nocapture)

declare dso_local i32 @__headway_group_id(i32 noundef)

declare dso_local i32 @__headway_thread_id(i32 noundef)


!nvvm.annotations = !{!4}

!4 = !{ptr @_Z9transposePKiPi, !"kernel", i32 1}
