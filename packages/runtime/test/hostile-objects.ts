/** Code objects with damage, through the whole way: loader, arguments, queue, device with protected pages. */
import type { Device } from '@doorbell/runtime';
import { isHsaError, openDevice } from '@doorbell/runtime';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';

/** A code object with a kernel of it and how to launch that. */
interface Victim {
  readonly file: string;
  readonly kernel: string;
  readonly scalars: readonly number[];
}

const VICTIMS: Readonly<Record<string, readonly Victim[]>> = {
  gfx90a: [
    { file: 'vadd.gfx90a', kernel: 'vadd', scalars: [64] },
    { file: 'wrong.gfx90a', kernel: 'stack_overflow', scalars: [3] },
    { file: 'wrong.gfx90a', kernel: 'lds_overrun', scalars: [9] },
  ],
  gfx1100: [
    { file: 'wrong.gfx1100', kernel: 'missing_barrier', scalars: [1] },
    { file: 'wrong.gfx1100', kernel: 'stack_overflow', scalars: [3] },
    { file: 'wrong.gfx1100', kernel: 'abort_at', scalars: [300] },
  ],
  gfx1250: [
    { file: 'wrong.gfx1250', kernel: 'missing_barrier', scalars: [1] },
    { file: 'wrong.gfx1250', kernel: 'lds_overrun', scalars: [9] },
    { file: 'wrong.gfx1250', kernel: 'stack_overflow', scalars: [3] },
  ],
};

/** Kernels that go on are ended after this long. */
const TIMEOUT_MS = 200;

/** Each case ends in a result or an HsaError, and an undamaged kernel gives its results afterwards. */
export function testHostileObjects(targets: readonly string[], cases: number): void {
  for (const target of targets) hostileObjectsOn(target, cases);
}

function hostileObjectsOn(target: string, cases: number): void {
  let device: Device;
  beforeAll(async () => {
    device = await openDevice({ backend: 'emulated', isa: target });
  });
  afterAll(() => device.dispose());

  it(`damaged code objects end in a result or an error, on ${target}`, async () => {
    const outcomes = new Map<string, number>();
    for (let seed = 1; seed <= cases; seed++) {
      const outcome = await launchDamaged(device, target, seed);
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      if (outcome === 'ERR_DEVICE_LOST') throw new Error(`case ${seed}: the device is lost`);
    }
    // Some are refused by the loader, others reach the device.
    const refused = (outcomes.get('ERR_CODE_OBJECT') ?? 0) + (outcomes.get('ERR_METADATA') ?? 0);
    expect(refused).toBeGreaterThan(0);
    expect(refused).toBeLessThan(cases / 2);
    using out = device.alloc('u32', 256);
    using module = await device.load(new URL(`./fixtures/wrong.${target}.hsaco`, import.meta.url));
    await module.kernel('abort_at').launch({ grid: 256, workgroup: 128, args: { out, bad: 256 } });
    expect([...(await out.read())]).toEqual(Array.from({ length: 256 }, (_, i) => i));
  });
}

async function launchDamaged(device: Device, target: string, seed: number): Promise<string> {
  const next = numbers(seed);
  const victims = VICTIMS[target] ?? [];
  const victim = victims[next(victims.length)]!;
  const bytes = damage(new Uint8Array(readFileSync(new URL(`./fixtures/${victim.file}.hsaco`, import.meta.url))), next);
  using first = device.alloc('u32', 1024);
  using second = device.alloc('u32', 1024);
  using third = device.alloc('u32', 1024);
  const pointers = [first, second, third].slice(0, victim.file.startsWith('wrong') ? 1 : 3);
  try {
    using module = await device.load(bytes);
    const args = [...pointers, ...victim.scalars];
    await module.kernel(victim.kernel).launch({ grid: 256, workgroup: 256, args, timeoutMs: TIMEOUT_MS });
    return 'done';
  } catch (error) {
    if (!isHsaError(error)) throw new Error(`case ${seed}`, { cause: error });
    return error.code;
  }
}

/** Damage to the machine code, the descriptors, anywhere, or a file that is cut off. */
function damage(bytes: Uint8Array, next: (below: number) => number): Uint8Array {
  const sections = sectionsOf(bytes);
  const kind = next(10);
  if (kind === 0) return bytes.subarray(0, next(bytes.length));
  const [start, size] = kind < 6 ? sections.code : kind < 8 ? sections.descriptors : [0, bytes.length];
  for (let count = next(5); count >= 0; count--) {
    const at = start + next(size);
    if (next(3) === 0) bytes[at] = next(256);
    else bytes[at]! ^= 1 << next(8);
  }
  return bytes;
}

type Range = readonly [start: number, size: number];

/** Where the code and the descriptors are in a file (ELF64: section headers; SHF_EXECINSTR 4, SHT_PROGBITS 1). */
function sectionsOf(bytes: Uint8Array): { readonly code: Range; readonly descriptors: Range } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const headers = Array.from({ length: view.getUint16(60, true) }, (_, i) => Number(view.getBigUint64(40, true)) + i * 64);
  const range = (at: number): Range => [Number(view.getBigUint64(at + 24, true)), Number(view.getBigUint64(at + 32, true))];
  const data = headers.filter((at) => view.getUint32(at + 4, true) === 1);
  const code = data.find((at) => (view.getUint32(at + 8, true) & 4) !== 0);
  // Read-only data, allocated and neither written nor executed.
  const descriptors = data.find((at) => view.getUint32(at + 8, true) === 2);
  if (code === undefined || descriptors === undefined) throw new Error('a code object without code');
  return { code: range(code), descriptors: range(descriptors) };
}

/** xorshift32: the same numbers everywhere. */
function numbers(seed: number): (below: number) => number {
  let state = Math.imul(seed, 0x9e37_79b9) | 1;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}
