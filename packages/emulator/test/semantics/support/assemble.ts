/** Assembles lines with llvm-mc and executes single instructions on chosen registers. */
import { spawnSync } from 'node:child_process';
import { createDecoder } from '@doorbell/isa';
import type { Outcome, WaveState } from '../../../src/evaluate/index.js';
import { evaluateBlock } from '../../../src/evaluate/index.js';
import { buildBlock, decodeMode } from '../../../src/semantics/index.js';
import { DeviceMemory } from './device-memory.js';

/** Bytes of each line. Throws llvm-mc's message for a line that it does not take. */
export function assemble(lines: readonly string[], processor: string, waveSize: 32 | 64): Uint8Array[] {
  const wave = waveSize === 64 ? '-wavefrontsize32,+wavefrontsize64' : '+wavefrontsize32,-wavefrontsize64';
  const run = spawnSync('llvm-mc-22', ['-triple=amdgcn', `-mcpu=${processor}`, `-mattr=${wave}`, '-show-encoding'], {
    input: lines.join('\n'),
    encoding: 'utf8',
  });
  if (run.status !== 0) throw new Error(run.stderr);
  return Array.from(run.stdout.matchAll(/encoding: \[([^\]]*)\]/g), ([, list = '']) =>
    Uint8Array.from(list.split(','), (byte) => Number(byte)),
  );
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
