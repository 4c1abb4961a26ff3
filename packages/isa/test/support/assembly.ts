import { readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';
import { createAssembler } from '../../src/index.js';

/** What we make of a text: bytes as hexadecimal digits, or the failure in words. */
export function assembleToHex(text: string, processor: string, waveSize: 32 | 64): string {
  const result = createAssembler(processor, { waveSize }).assemble(text);
  if (!result.ok) return `${result.column}: ${result.message}; expected ${result.expected.join(' | ')}`;
  return result.words.map(littleEndian).join('');
}

function littleEndian(word: number): string {
  return [0, 8, 16, 24].map((shift) => ((word >>> shift) & 0xff).toString(16).padStart(2, '0')).join('');
}

/** What llvm-mc 22 made of texts, recorded by tools/isa-generator/record-assembly.mjs: processor, wave size, text, bytes. */
export function readAssemblyRecording(generation: string): string[][] {
  const packed = readFileSync(new URL(`../fixtures/llvm-mc-22-assembly-${generation}.tsv.br`, import.meta.url));
  return brotliDecompressSync(packed)
    .toString()
    .split('\n')
    .map((line) => line.split('\t'));
}

interface KnownMiss {
  readonly generations: readonly string[];
  readonly text: string;
  readonly reason: string;
}

// Safe: the file is ours and has this shape.
const KNOWN = JSON.parse(
  readFileSync(new URL('../assemble/llvm-mc-misses.json', import.meta.url), 'utf8'),
) as readonly KnownMiss[];
const patterns = KNOWN.map(({ generations, text }) => ({ generations, pattern: new RegExp(text) }));

/** Whether llvm-mc is known to make other bytes of a text. */
export function isKnownAssemblyMiss(generation: string, text: string): boolean {
  return patterns.some((miss) => miss.generations.includes(generation) && miss.pattern.test(text));
}
