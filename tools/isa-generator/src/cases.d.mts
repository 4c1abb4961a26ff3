import type { IsaDescription } from './synthesize.mjs';

/** Bytes to disassemble, and for what; `entry`: the entry they were made from, -1 for none. */
export interface EncodingCase {
  readonly processor: string;
  readonly waveSize: 32 | 64;
  readonly bytes: Uint8Array;
  readonly entry: number;
}

export function entryCases(
  isa: IsaDescription,
  options: { readonly perEntry: number; readonly step?: number; readonly seed: number },
): EncodingCase[];
export function pairCases(
  isa: IsaDescription,
  options: { readonly perPair: number; readonly step?: number; readonly seed: number },
): EncodingCase[];
export function immediateCases(isa: IsaDescription, options: { readonly step?: number }): EncodingCase[];
