import type { IsaDescription } from './synthesize.mjs';

export interface Family {
  readonly generation: string;
  readonly members: readonly string[];
}

export const FAMILIES: readonly Family[];
export function waveSizesOf(generation: string): readonly (32 | 64)[];

/** One encoding, and a letter for every member. */
export interface MemberCase {
  readonly bytes: Uint8Array;
  readonly waveSize: 32 | 64;
  readonly text: string;
  readonly letters: string;
}

export function memberCases(
  isa: IsaDescription,
  options: {
    readonly members: readonly string[];
    readonly waveSize: 32 | 64;
    readonly perEntry: number;
    readonly seed: number;
  },
): MemberCase[];
