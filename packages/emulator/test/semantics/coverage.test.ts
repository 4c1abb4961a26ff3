import { readFileSync } from 'node:fs';
import { createDecoder } from '@doorbell/isa';
import { describe, expect, it } from 'vitest';
import { instructionTable } from '../../../isa/src/table/processors.js';
import { createWaveState, evaluateBlock } from '../../src/evaluate/index.js';
import { buildBlock, decodeMode, generationOf, semanticsOf } from '../../src/semantics/index.js';
import { createRandom } from '../ir/random.js';
import { DeviceMemory } from './support/device-memory.js';

const CLASSES = /^(?:SOP.|SMEM|VOP.*|DS|FLAT|GLOBAL|SCRATCH)$/;
const table = instructionTable('gfx1100');
const semantics = semanticsOf(generationOf('gfx1100'));
const entries = Array.from({ length: table.entryCount }, (_, entry) => entry).filter((entry) =>
  CLASSES.test(table.format(entry)),
);

/** Encodings of an entry: fixed bits as they must be, the others random; every other time vector registers as sources. */
function encode(entry: number, random: () => number, plain: boolean): Uint8Array {
  const bytes = new Uint8Array(20);
  const view = new DataView(bytes.buffer);
  for (let word = 0; word < 4; word++) {
    const [mask, value] = [table.masks[entry * 4 + word]!, table.values[entry * 4 + word]!];
    const sources = (0x100 | (random() & 127)) * 0x40201;
    const free = plain && word === 1 && table.format(entry).startsWith('VOP') ? sources : random();
    view.setUint32(word * 4, ((free & ~mask) | value) >>> 0, true);
  }
  return bytes;
}

describe('coverage of gfx11', () => {
  it('has a meaning for every instruction but those listed with their reasons', () => {
    // Safe: the file has this shape.
    const listed = JSON.parse(readFileSync(new URL('uncovered-gfx11.json', import.meta.url), 'utf8')) as Record<string, string[]>;
    const names = new Set(entries.map((entry) => table.names[entry]!));
    expect([...names].filter((name) => !semantics.has(name)).sort()).toEqual(Object.values(listed).flat().sort());
  });

  for (const [processor, waveSize] of [
    ['gfx1100', 32],
    ['gfx1150', 64],
  ] as const) {
    it(`builds and evaluates random encodings of everything on ${processor}, wave${waveSize}`, () => {
      const random = createRandom(waveSize);
      const decoder = createDecoder(processor, { waveSize });
      const wave = createWaveState(waveSize);
      const memory = new DeviceMemory(4096, 4096, 4096);
      const built = new Set<string>();
      for (const entry of entries) {
        for (let n = 0; n < (built.has(table.names[entry]!) ? 2 : 32); n++) {
          const decoded = decoder.decode(encode(entry, random, n % 2 === 0), 0);
          if (!decoded.ok) continue;
          const { instruction } = decoded;
          wave.sgprs.forEach((_, index) => (wave.sgprs[index] = random()));
          const block = buildBlock([{ offset: 0, instruction }], {
            waveSize,
            mode: decodeMode((random() & 0x3c0) | 0x30),
            processor,
            codeBase: 0x42_0000_0000n,
          });
          const outcome = evaluateBlock(block, wave, memory);
          if (outcome.kind !== 'illegal') built.add(instruction.name);
          else expect(outcome.reason).toMatch(/: ./);
        }
      }
      const never = [...new Set(entries.map((entry) => table.names[entry]!))].filter(
        (name) => semantics.has(name) && !built.has(name),
      );
      expect(never.filter((name) => !EXECUTED_NEVER.has(name) && isOf(name, processor))).toEqual([]);
    });
  }
});

/** Not executable, or only with field values that random bits hardly hit: tested in instructions.test.ts. */
const EXECUTED_NEVER = new Set([
  's_code_end',
  'v_illegal',
  's_sendmsg',
  's_sendmsg_rtn_b32',
  's_sendmsg_rtn_b64',
  's_setreg_b32',
  's_setreg_imm32_b32',
  's_getreg_b32',
  's_round_mode',
  's_denorm_mode',
  'v_permlane16_b32',
  'v_permlanex16_b32',
  'v_readlane_b32',
  'v_writelane_b32',
]);

/** Whether the processor has the instruction in some encoding. */
function isOf(name: string, processor: string): boolean {
  return entries.some((entry) => table.names[entry] === name && (table.cpuSet(entry)?.includes(processor) ?? true));
}
