// libLLVM's C interface, loaded when a kernel is read, so that headway runs without it. The only
// folder that includes LLVM is this one.
#pragma once

#include <llvm-c/Analysis.h>
#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/Error.h>
#include <llvm-c/IRReader.h>
#include <llvm-c/Target.h>
#include <llvm-c/Transforms/PassBuilder.h>

namespace headway::kernel::llvm {

// Every function that is used. `api().GetModuleContext` is LLVMGetModuleContext.
// clang-format off
#define HEADWAY_LLVM_FUNCTIONS(F)                                                                 \
  F(ABISizeOfType) F(AddAttributeAtIndex) F(AddFunction) F(AppendBasicBlockInContext)             \
  F(BuildCall2) F(BuildCondBr) F(BuildICmp) F(BuildRet) F(BuildRetVoid) F(BuildUnreachable)       \
  F(ConstIntGetZExtValue) F(ConstRealGetDouble) F(ContextCreate) F(ContextDispose)                \
  F(ContextSetDiagnosticHandler) F(CountIncoming) F(CountParamTypes) F(CountParams)               \
  F(CountStructElementTypes) F(CreateBuilderInContext) F(CreateEnumAttribute)                     \
  F(CreateMemoryBufferWithMemoryRangeCopy) F(CreatePassBuilderOptions) F(DIFileGetDirectory)      \
  F(DIFileGetFilename) F(DILocationGetColumn) F(DILocationGetInlinedAt) F(DILocationGetLine)      \
  F(DILocationGetScope) F(DIScopeGetFile) F(DISubprogramGetLine) F(DITypeGetSizeInBits)           \
  F(DisposeBuilder) F(DisposeErrorMessage) F(DisposeMessage) F(DisposeModule)                     \
  F(DisposePassBuilderOptions) F(FunctionType) F(GetAggregateElement) F(GetAlignment)             \
  F(GetAllocatedType) F(GetArrayLength2) F(GetAsString) F(GetAtomicRMWBinOp) F(GetBasicBlockName) \
  F(GetBasicBlockTerminator) F(GetCalledFunctionType) F(GetCalledValue)                           \
  F(GetCmpXchgFailureOrdering) F(GetCmpXchgSuccessOrdering) F(GetCondition) F(GetConstOpcode) F(GetDINodeTag) F(GetElementType)\
  F(GetEntryBasicBlock) F(GetEnumAttributeAtIndex) F(GetEnumAttributeKindForName)                 \
  F(GetErrorMessage) F(GetFCmpPredicate) F(GetFirstBasicBlock) F(GetFirstFunction)                \
  F(GetFirstGlobal) F(GetFirstInstruction) F(GetFirstUse) F(GetFunctionCallConv)                  \
  F(GetGEPSourceElementType) F(GetICmpPredicate) F(GetIncomingBlock) F(GetIncomingValue)          \
  F(GetIndices) F(GetInitializer) F(GetInlineAsmAsmString) F(GetInlineAsmConstraintString) F(GetInlineAsmHasSideEffects) F(GetInstructionOpcode) F(GetInstructionParent)                 \
  F(GetIntTypeWidth) F(GetMDKindIDInContext) F(GetMDNodeNumOperands) F(GetMDNodeOperands)         \
  F(GetMDString) F(GetMaskValue) F(GetMetadata) F(GetModuleContext) F(GetModuleDataLayout)        \
  F(GetNamedFunction) F(GetNamedGlobal) F(GetNamedMetadataNumOperands) F(GetNamedMetadataOperands)\
  F(GetNextBasicBlock) F(GetNextFunction) F(GetNextGlobal) F(GetNextInstruction) F(GetNextUse)    \
  F(GetNSW) F(GetNumArgOperands) F(GetNumIndices) F(GetNumMaskElements) F(GetNumOperands)                   \
  F(GetNumSuccessors) F(GetOperand) F(GetOrdering) F(GetParam) F(GetParamTypes)                   \
  F(GetPointerAddressSpace) F(GetReturnType) F(GetSection) F(GetSubprogram) F(GetSuccessor)                     \
  F(GetSwitchDefaultDest) F(GetTarget) F(GetTypeAttributeValue) F(GetTypeKind) F(GetUndefMaskElem)\
  F(GetUser) F(GetValueKind) F(GetValueName2) F(GetVectorSize) F(GetVolatile)                     \
  F(GlobalGetValueType) F(InstructionEraseFromParent) F(InstructionGetDebugLoc) F(IsAConstantInt) \
  F(IsAAllocaInst) F(IsAFunction) F(IsAGlobalVariable) F(IsAInlineAsm) F(IsAInstruction) F(IsConditional)          \
  F(IsConstantString) F(IsDeclaration) F(IsGlobalConstant) F(IsNull) F(IsPoison) F(IsUndef)       \
  F(MetadataAsValue) F(OffsetOfElement) F(ParseIRInContext) F(PositionBuilderAtEnd)               \
  F(PositionBuilderBefore) F(PrintTypeToString) F(PrintValueToString)                             \
  F(RemoveEnumAttributeAtIndex) F(ReplaceAllUsesWith) F(RunPasses) F(SetCurrentDebugLocation2)    \
  F(SetIsNewDbgInfoFormat) F(BuildPtrToInt) F(BuildZExt) F(GetBasicBlockParent) F(GetGlobalParent) \
  F(InsertIntoBuilder) F(InstructionClone) F(SetLinkage) F(SetOperand) F(SizeOfTypeInBits) F(BuildStore) F(ArrayType2) F(BuildExtractElement) F(BuildGEP2) F(BuildInsertElement) F(BuildLoad2) F(ConstInt) F(GetPoison) F(Int32TypeInContext) F(SetAlignment) F(IsAArgument) F(GetParamParent) F(GetCallSiteEnumAttribute) F(GetEnumAttributeValue) F(DITypeGetAlignInBits) F(DITypeGetFlags)         \
  F(DITypeGetName) F(DITypeGetOffsetInBits) F(DisposeValueMetadataEntries) F(GlobalCopyAllMetadata) \
  F(ValueMetadataEntriesGetKind) F(ValueMetadataEntriesGetMetadata)                                             \
  F(StructGetTypeAtIndex) F(TypeOf) F(VoidTypeInContext) F(ValueAsMetadata) F(VerifyModule)
// clang-format on

struct Api {
// NOLINTNEXTLINE(bugprone-macro-parentheses): what it declares has this name
#define HEADWAY_LLVM_MEMBER(name) decltype(&LLVM##name) name = nullptr;
  HEADWAY_LLVM_FUNCTIONS(HEADWAY_LLVM_MEMBER)
#undef HEADWAY_LLVM_MEMBER
};

// Loads the library at the first call. Throws headway::Error where there is none, naming what to
// install.
const Api& api();

}  // namespace headway::kernel::llvm
