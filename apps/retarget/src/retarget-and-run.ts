import { isHsaError, openDevice, read, write } from '@doorbell/runtime';
import type { Device } from '@doorbell/runtime';
import { hotswapTool } from '@doorbell/runtime/layers';
import { readFile } from 'node:fs/promises';
import { formatReport } from './format-report.js';

const CODE_OBJECT = new URL('../vadd.gfx1030.hsaco', import.meta.url);
const TARGET = 'gfx1031';
const COUNT = 1 << 16;

/** Tells what it does line by line; gives whether the rewritten kernel's sums are the host's. */
export async function retargetAndRun(print: (line: string) => void): Promise<boolean> {
  const original = new Uint8Array(await readFile(CODE_OBJECT));
  await using device = await openDevice({ backend: 'emulated', isa: TARGET });
  print(`The device is ${device.isa}; the code object is for ${hotswapTool.identifyCodeObject(original).isaName}.`);
  print(`As it is: ${await refusalOf(device, original)}`);

  const result = hotswapTool.rewrite(original, { target: device.isa });
  for (const line of formatReport(result.report)) print(line);
  if (result.status !== 'rewritten') return false;

  const proof = hotswapTool.verifyRewrite(original, result.bytes);
  const changed = proof.ranges.map(({ offset, length, what }) => `${what} (${length} at 0x${offset.toString(16)})`);
  print(`Proof: ${proof.ok ? 'holds' : proof.problems.join('; ')}. Bytes that differ: ${changed.join(', ')}.`);
  if (!proof.ok) return false;

  const wrong = await countWrongSums(device, result.bytes);
  print(wrong === 0 ? `${COUNT} sums on ${device.isa}, all equal to the host's.` : `${wrong} of ${COUNT} sums are wrong.`);
  return wrong === 0;
}

/** What the loader says of a code object that is not for the device. */
async function refusalOf(device: Device, bytes: Uint8Array): Promise<string> {
  try {
    using _ = await device.load(bytes);
    return 'it loads';
  } catch (error) {
    if (isHsaError(error, 'ERR_ISA_MISMATCH')) return `refused with ${error.code}: ${error.message}`;
    throw error;
  }
}

async function countWrongSums(device: Device, bytes: Uint8Array): Promise<number> {
  using module = await device.load(bytes);
  const vadd = module.kernel('vadd', { a: read('f32'), b: read('f32'), c: write('f32'), n: 'u32' });
  const a = Float32Array.from({ length: COUNT }, (_, i) => i * 0.5);
  const b = Float32Array.from({ length: COUNT }, (_, i) => COUNT - i);
  using deviceA = await device.from(a);
  using deviceB = await device.from(b);
  using deviceC = device.alloc('f32', COUNT);
  await vadd.launch({ grid: COUNT, workgroup: 256, args: { a: deviceA, b: deviceB, c: deviceC, n: COUNT } });
  const c = await deviceC.read();
  return a.reduce((wrong, value, i) => wrong + (c[i] === Math.fround(value + (b[i] ?? NaN)) ? 0 : 1), 0);
}
