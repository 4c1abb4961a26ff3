import { expect } from 'vitest';
import { compareProcessors } from '../../src/index.js';
import { toHex } from '../support/encodings.js';

/** What llvm-mc 22 says of one encoding for each member (tools/isa-generator/src/members.mjs says what the letters mean). */
export interface MemberAnswers {
  readonly members: readonly string[];
  readonly waveSize: 32 | 64;
  readonly bytes: Uint8Array;
  readonly letters: string;
}

/**
 * What we find for ordered pairs of members of which the first has the instruction: all pairs for which llvm-mc answers differently,
 * and each member with the next.
 */
export function expectLlvmAnswers(cases: readonly MemberAnswers[]): number {
  const differences: string[] = [];
  let compared = 0;
  for (const { members, waveSize, bytes, letters } of cases) {
    for (const [i, source] of members.entries()) {
      if (letters[i] !== 'a') continue;
      for (const [j, target] of members.entries()) {
        if (i === j || (letters[j] === 'a' && j !== (i + 1) % members.length)) continue;
        const comparison = compareProcessors(source, target, { waveSize });
        const decoded = comparison.source.decode(bytes, 0);
        if (!decoded.ok) continue;
        compared++;
        const fate = comparison.fateOf(decoded.instruction, bytes, 0);
        const wanted =
          letters[j] === 'a' ? 'same' : letters[j] === 'd' ? 'operand' : letters[j] === 'x' ? 'different' : 'missing';
        if (fate !== wanted)
          differences.push(`${source} → ${target}, waves of ${waveSize}: ${toHex(bytes)} is ${fate}, not ${wanted}`);
      }
    }
  }
  expect(differences.slice(0, 20)).toEqual([]);
  return compared;
}
