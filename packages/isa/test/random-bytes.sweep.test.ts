import { describe, expect, it } from 'vitest';
import { requireTool } from '@doorbell/test-support';
import { GENERATIONS, readData } from '../../../tools/isa-generator/generate.mjs';
import type { EncodingCase } from '../../../tools/isa-generator/src/cases.mjs';
import { LLVM_MC, disassembleCases, isAccepted } from '../../../tools/isa-generator/src/llvm-mc.mjs';
import { MAX_BYTES, randomBytes } from '../../../tools/isa-generator/src/random-bytes.mjs';
import { createDecoder, formatInstruction } from '../src/index.js';
import type { Decoder } from '../src/index.js';
import { instructionTable } from '../src/table/processors.js';
import { textOf, toHex } from './support/encodings.js';
import { isKnownMiss } from './support/known-misses.js';

const SEED = Number(process.env['DOORBELL_SEED'] ?? 1);
const STRINGS = 10_000_000;
/** One in this many is printed too; one in this many is decoded without its beginning. */
const PRINTED = 32;
const CUT = 8;
/** Of each table; the four of the gfx9 family together have as many as the others. */
const COMPARED = { gfx9: 35_000, other: 125_000 };
const BATCH = 50_000;
/** Decoders that share the strings of a table; each works out its own first words. */
const DECODERS = 4;

/** Decoders of every processor and wave size that llvm-mc knows. */
function decodersOf(processors: readonly string[]): Decoder[] {
  return processors.flatMap((processor) => {
    const { family } = instructionTable(processor);
    const waveSizes = family === 'gfx9' ? ([64] as const) : family === 'gfx1250' ? ([32] as const) : ([32, 64] as const);
    return waveSizes.map((waveSize) => createDecoder(processor, { waveSize }));
  });
}

describe.each(GENERATIONS)('random bytes on %s', (generation) => {
  const isa = readData(generation);

  it('decode to a size of 4 to 20 bytes, or to a failure', { timeout: 600_000 }, () => {
    const fill = randomBytes(isa, SEED);
    const all = decodersOf(instructionTable(isa.cpus[0]!).processors);
    const decoders = all.filter((_, i) => i % Math.ceil(all.length / DECODERS) === 0);
    const bytes = new Uint8Array(MAX_BYTES);
    let wrong = 0;
    let decodedCount = 0;
    for (let i = 0; i < STRINGS; i++) {
      fill(bytes);
      const offset = i % CUT === 0 ? i % MAX_BYTES : 0;
      const left = MAX_BYTES - offset;
      const decoded = decoders[i % decoders.length]!.decode(bytes, offset);
      if (!decoded.ok) {
        if (decoded.failure.sizeBytes !== Math.min(4, left)) wrong++;
        continue;
      }
      const { instruction } = decoded;
      decodedCount++;
      if (!(instruction.sizeBytes >= 4 && instruction.sizeBytes <= left && instruction.sizeBytes % 4 === 0)) wrong++;
      if (i % PRINTED === 0 && /undefined|NaN|, ,|,$/.test(formatInstruction(instruction))) wrong++;
    }
    console.log(`${generation}: ${decodedCount} of ${STRINGS} are instructions (seed ${SEED})`);
    expect(wrong).toBe(0);
  });

  it.skipIf(!requireTool(LLVM_MC).available)('print as llvm-mc prints them', { timeout: 600_000 }, () => {
    const fill = randomBytes(isa, SEED + 1);
    const decoders = decodersOf(isa.cpus);
    const wanted = instructionTable(isa.cpus[0]!).family === 'gfx9' ? COMPARED.gfx9 : COMPARED.other;
    const bytes = new Uint8Array(MAX_BYTES);
    const unknown: string[] = [];
    let accepted = 0;
    let known = 0;
    let ours = 0;
    for (let turn = 0; accepted < wanted; ) {
      const cases: EncodingCase[] = [];
      while (cases.length < Math.min(BATCH, wanted)) {
        fill(bytes);
        const decoder = decoders[turn++ % decoders.length]!;
        const { processor, waveSize } = decoder;
        const decoded = decoder.decode(bytes, 0);
        if (decoded.ok) cases.push({ processor, waveSize, bytes: bytes.slice(0, decoded.instruction.sizeBytes), entry: -1 });
      }
      const texts = disassembleCases(cases);
      ours += cases.length;
      for (const [i, one] of cases.entries()) {
        const llvm = texts[i]!;
        if (!isAccepted(llvm)) continue;
        accepted++;
        const text = textOf(one.bytes, one.processor, one.waveSize);
        if (text === llvm) continue;
        if (isKnownMiss(generation, llvm, text)) known++;
        else unknown.push(`${one.processor}/${one.waveSize} ${toHex(one.bytes)}\n  llvm-mc: ${llvm}\n  ours:    ${text}`);
      }
    }
    console.log(
      `${generation}: llvm-mc takes ${accepted} of ${ours}, ${known} known differences, ${unknown.length} others (seed ${SEED})`,
    );
    expect(unknown).toEqual([]);
  });
});
