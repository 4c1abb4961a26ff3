import { readFileSync, readdirSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { fromHex, textOf } from './support/encodings.js';
import { isKnownMiss } from './support/known-misses.js';

const RECORDED = readdirSync(new URL('./fixtures', import.meta.url))
  .map((name) => /^llvm-mc-22-(\w+)\.tsv\.br$/.exec(name)?.[1])
  .filter((generation) => generation !== undefined);

/** What llvm-mc 22 answered, made by tools/isa-generator/record.mjs: processor, wave size, bytes, text. */
function readRecording(generation: string): string[][] {
  const packed = readFileSync(new URL(`./fixtures/llvm-mc-22-${generation}.tsv.br`, import.meta.url));
  return brotliDecompressSync(packed)
    .toString()
    .split('\n')
    .map((line) => line.split('\t'));
}

describe('against recorded answers of llvm-mc 22', () => {
  it.each(RECORDED)('prints the sample of %s in the same words', (generation) => {
    const recording = readRecording(generation);
    const differences = recording.filter(([processor = '', waveSize, hex = '', text = '']) => {
      const ours = textOf(fromHex(hex), processor, waveSize === '64' ? 64 : 32);
      return ours !== text && !isKnownMiss(generation, text, ours);
    });
    expect(recording.length).toBeGreaterThan(2500);
    expect(differences).toEqual([]);
  });
});
