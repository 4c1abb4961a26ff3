import type { EncodingCase } from './cases.mjs';

export const LLVM_MC: string;
export function disassembleWithLlvm(
  encodings: readonly Uint8Array[],
  options: { readonly processor: string; readonly waveSize: 32 | 64 },
): string[];
export function disassembleCases(cases: readonly EncodingCase[]): string[];
export function assembleWithLlvm(
  texts: readonly string[],
  options: { readonly processor: string; readonly waveSize: 32 | 64 },
): string[];
export function isAccepted(text: string): boolean;
