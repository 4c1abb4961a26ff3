/** One instruction of gfx1250 on registers filled by a function. */
import { createAssembler, createDecoder, type Instruction } from '@doorbell/isa';
import { expect } from 'vitest';
import { evaluateBlock, type WaveState } from '../../../src/evaluate/index.js';
import { buildBlock } from '../../../src/semantics/index.js';
import { MODE } from '../../compile/harness.js';
import { DeviceMemory } from './device-memory.js';

const memory = new DeviceMemory(4096, 4096, 4096);
export const LANES = 32;
const VGPRS = 64;

/** What a vector register holds in a lane. */
export type Fill = (vgpr: number, lane: number) => number;

export interface RunOptions {
  readonly fp16Overflow?: boolean;
  readonly sgprs?: Readonly<Record<number, number>>;
  readonly exec?: number;
}

/** The instruction that a text is assembled to. */
export function decodeText(text: string): Instruction {
  const assembled = createAssembler('gfx1250', { waveSize: 32 }).assemble(text);
  if (!assembled.ok) throw new Error(`${text}: ${assembled.message}`);
  const decoded = createDecoder('gfx1250', { waveSize: 32 }).decode(new Uint8Array(Uint32Array.from(assembled.words).buffer), 0);
  if (!decoded.ok) throw new Error(text);
  return decoded.instruction;
}

/** Reads the registers from v32 on after the instruction. */
export function run(text: string, fill: Fill, options: RunOptions = {}): Fill {
  const instruction = decodeText(text);
  const { fp16Overflow = false, sgprs = {}, exec = 0xffff_ffff } = options;
  const context = { waveSize: 32, mode: { ...MODE, fp16Overflow }, processor: 'gfx1250', codeBase: 0n } as const;
  const block = buildBlock([{ offset: 0, instruction }], context);
  const vgprs = Uint32Array.from({ length: VGPRS * LANES }, (_, at) => fill(Math.floor(at / LANES), at % LANES));
  const wave: WaveState = { waveSize: 32, sgprs: new Uint32Array(128).fill(0xffff_ffff), vgprs, scc: 0 };
  for (const [n, value] of Object.entries(sgprs)) wave.sgprs[Number(n)] = value;
  wave.sgprs[126] = exec;
  expect(evaluateBlock(block, wave, memory)).toMatchObject({ kind: 'next' });
  return (n, lane) => wave.vgprs[(32 + n) * LANES + lane]!;
}
