/** Encodings by llvm-mc, recorded, and execution of single instructions on chosen registers. */
import { readFileSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { createAssembler, createDecoder } from '@doorbell/isa';
import type { Outcome, WaveState } from '../../../src/evaluate/index.js';
import { evaluateBlock } from '../../../src/evaluate/index.js';
import { buildBlock, decodeMode } from '../../../src/semantics/index.js';
import { DeviceMemory } from './device-memory.js';

const RECORDED = new URL('../fixtures/encodings.json', import.meta.url);

/** Encodings as llvm-mc gave them, by processor, wave size and line: hex bytes. */
// Safe: written below.
export const recorded = JSON.parse(readFileSync(RECORDED, 'utf8')) as Record<string, string>;

/** Bytes of each line, from the recorded ones where possible; with DOORBELL_RECORD=1 new ones are added. */
export function assemble(lines: readonly string[], processor: string, waveSize: 32 | 64): Uint8Array[] {
  const key = (line: string): string => `${processor} wave${waveSize} ${line}`;
  const missing = lines.filter((line) => recorded[key(line)] === undefined);
  if (missing.length > 0) {
    if (process.env['DOORBELL_RECORD'] !== '1') throw new Error(`not recorded: ${missing.join('; ')}`);
    for (const [n, bytes] of runAssembler(missing, processor, waveSize).entries()) {
      recorded[key(missing[n]!)] = Buffer.from(bytes).toString('hex');
    }
    const sorted = Object.fromEntries(Object.entries(recorded).sort(([a], [b]) => (a < b ? -1 : 1)));
    writeFileSync(RECORDED, `${JSON.stringify(sorted, null, 2)}\n`);
  }
  return lines.map((line) => Uint8Array.from(Buffer.from(recorded[key(line)]!, 'hex')));
}

/** What llvm-mc makes of each line. Throws its message for a line that it does not take. */
export function runAssembler(lines: readonly string[], processor: string, waveSize: 32 | 64): Uint8Array[] {
  const wave = waveSize === 64 ? '-wavefrontsize32,+wavefrontsize64' : '+wavefrontsize32,-wavefrontsize64';
  const flags = ['-triple=amdgcn', `-mcpu=${processor}`, `-mattr=${wave}`, '-show-encoding'];
  const run = spawnSync('llvm-mc-22', flags, { input: lines.join('\n'), encoding: 'utf8' });
  if (run.status !== 0) throw new Error(run.stderr);
  return Array.from(run.stdout.matchAll(/encoding: \[([^\]]*)\]/g), ([, list = '']) =>
    Uint8Array.from(list.split(','), (byte) => Number(byte)),
  );
}

/** The bytes of one instruction by our own assembler, where the encoding is not what a test is about. */
export function encode(text: string, processor: string, waveSize: 32 | 64): Uint8Array {
  const result = createAssembler(processor, { waveSize }).assemble(text);
  if (!result.ok) throw new Error(`${text}: ${result.message}`);
  return new Uint8Array(Uint32Array.from(result.words).buffer);
}

export interface ExecuteOptions {
  readonly processor?: string;
  readonly mode?: number;
  readonly memory?: DeviceMemory;
}

/** Default MODE of clang's kernels: nearest even, denormals kept, DX10 clamp, IEEE. */
export const DEFAULT_MODE = 0x3f0;

/** Executes the instruction at offset 0x100 of code at 0x42_0000_0000. */
export function execute(bytes: Uint8Array, wave: WaveState, options: ExecuteOptions = {}): Outcome {
  const { processor = 'gfx1100', mode = DEFAULT_MODE, memory = new DeviceMemory(0x1000, 0x1000, 0x100) } = options;
  const padded = new Uint8Array(20);
  padded.set(bytes);
  const decoded = createDecoderOnce(processor, wave.waveSize).decode(padded, 0);
  if (!decoded.ok) throw new Error(decoded.failure.message);
  const block = buildBlock([{ offset: 0x100, instruction: decoded.instruction }], {
    waveSize: wave.waveSize,
    mode: decodeMode(mode),
    processor,
    codeBase: 0x42_0000_0000n,
  });
  return evaluateBlock(block, wave, memory);
}

const decoders = new Map<string, ReturnType<typeof createDecoder>>();

function createDecoderOnce(processor: string, waveSize: 32 | 64): ReturnType<typeof createDecoder> {
  const key = `${processor}-${waveSize}`;
  const decoder = decoders.get(key) ?? createDecoder(processor, { waveSize });
  decoders.set(key, decoder);
  return decoder;
}
