import type { AssembledInstruction, Fixup } from './assembler.js';
import type { Encoding } from './encode-operand.js';
import type { Expression } from './expression.js';

const DWORD_BYTES = 4;

/** The finished instruction: its words, the literal, and what symbols will fill. */
export function finishWords(
  { words, literal }: Encoding,
  { sizeBytes, hasOwnLiteral }: { readonly sizeBytes: number; readonly hasOwnLiteral: boolean },
  branch?: Expression,
): AssembledInstruction {
  const fixups: Fixup[] = branch ? [{ kind: 'branch', offset: 0, expression: branch }] : [];
  let size = sizeBytes;
  if (literal) {
    const literalBytes = literal.isWide ? 2 * DWORD_BYTES : DWORD_BYTES;
    const offset = hasOwnLiteral ? sizeBytes - literalBytes : sizeBytes;
    size = offset + literalBytes;
    if (literal.kind === 'expression') {
      fixups.push({ kind: literal.isWide ? 'literal64' : 'literal', offset, expression: literal.expression });
    } else {
      words[offset / DWORD_BYTES] = literal.low;
      if (literal.isWide) words[offset / DWORD_BYTES + 1] = literal.high;
    }
  }
  return { ok: true, words: Array.from(words.subarray(0, size / DWORD_BYTES)), sizeBytes: size, fixups };
}
