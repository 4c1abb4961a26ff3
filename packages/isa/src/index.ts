export type {
  Decoded,
  DecodeFailure,
  Decoder,
  Extension,
  Format,
  Instruction,
  Operand,
  OperandKind,
  VopdHalf,
} from './instruction.js';
export { createDecoder } from './decode/decoder.js';
export type { DecoderOptions } from './decode/decoder.js';
export { compareProcessors } from './compare/compare-processors.js';
export type { ComparisonOptions, InstructionFate, ProcessorComparison } from './compare/compare-processors.js';
export { processorQuirks } from './compare/processor-facts.js';
export type { ProcessorQuirk } from './compare/processor-facts.js';
export { hasTable, listProcessors } from './table/processors.js';
export type { Processor } from './table/processors.js';
export { formatInstruction } from './disassemble/format-instruction.js';
export type { FormatOptions } from './disassemble/format-instruction.js';
export { bankOf } from './disassemble/vgpr-banks.js';
export { disassemble } from './disassemble/disassemble.js';
export type { DisassembledLine, DisassembleOptions } from './disassemble/disassemble.js';
export { renamedMnemonics } from './assemble/renamed-mnemonics.js';
export { createAssembler } from './assemble/create-assembler.js';
export type { AssemblerOptions } from './assemble/create-assembler.js';
export { tokenize, unescapeString } from './assemble/lexer.js';
export type { Token, TokenKind } from './assemble/lexer.js';
export { AssemblySyntaxError, TokenReader } from './assemble/token-reader.js';
export { parseExpression, startsExpression } from './assemble/parse-expression.js';
export type { ExpressionOptions } from './assemble/parse-expression.js';
export { asSymbolSum, evaluate, evaluateAbsolute } from './assemble/evaluate.js';
export type { Evaluation, SymbolSum } from './assemble/evaluate.js';
export type { BinaryOperator, Expression, ExpressionFunction, UnaryOperator } from './assemble/expression.js';
export type {
  AssembledInstruction,
  Assembler,
  AssemblyFailure,
  AssemblyResult,
  Fixup,
  SymbolScope,
  SymbolValue,
} from './assemble/assembler.js';
export { bufferAccessOf, bufferFormatNames } from './facts/buffer-access.js';
export type { BufferAccess } from './facts/buffer-access.js';
export { controlOf } from './facts/control.js';
export { factsOf } from './facts/facts-of.js';
export type {
  BranchCondition,
  ControlFacts,
  ControlKind,
  CounterWait,
  InstructionFacts,
  MemoryAccess,
  MemoryFacts,
  MemorySpace,
  RegisterFile,
  RegisterRange,
  RegisterRead,
  RegisterWrite,
  Remainder,
  WaitCounter,
} from './facts/instruction-facts.js';
export { controlFlow } from './flow/control-flow.js';
export type {
  BlockExit,
  ControlFlow,
  EdgeKind,
  FlowBlock,
  FlowEdge,
  FlowFunction,
  FlowGap,
  FlowInstruction,
  FlowLoop,
  FlowOptions,
  UnknownTransfer,
} from './flow/control-flow-types.js';
export { liveness } from './flow/liveness.js';
export type { Liveness, LivenessOptions } from './flow/liveness.js';
export { RegisterSet } from './flow/register-set.js';
