/** Kernels that nobody would write: random words, real kernels with damage, descriptors with any values. */
import { isHsaError } from '@doorbell/abi';
import type { Dispatch } from '../../src/executor.js';
import { argumentsOf, codeObject, KERNELS } from '../../../../bench/kernels/inputs.mjs';
import { CODE_STORE_BYTES, PAGE_EXECUTE, PAGE_READ, PAGE_WRITE } from '../../src/memory-map.js';
import { Machine, packArguments } from './machine.js';

export const HOSTILE_TARGETS = ['gfx90a', 'gfx942', 'gfx1030', 'gfx1100', 'gfx1201', 'gfx1250'] as const;
export type HostileTarget = (typeof HOSTILE_TARGETS)[number];

/** Bytes of a kernel's code that are damaged, at most. */
const CODE_BYTES = 1024;
/** Calls after which a kernel that goes on is let go; each ends after FUEL instructions. */
const MAX_CALLS = 8;
const FUEL = 3000;

export interface HostileResult {
  /** `done`, `endless`, `refused`, or the kind of fault. */
  readonly outcome: string;
  readonly milliseconds: number;
}

/** xorshift32: the same numbers everywhere. */
export function numbers(seed: number): (below: number) => number {
  let state = Math.imul(seed, 0x9e37_79b9) | 1;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}

/** One machine of a target; each case damages a kernel's code, runs it and puts the code back. */
export class HostileMachine {
  readonly #machine = new Machine();
  /** Of workers that come one after the other, which find what earlier ones made of undamaged code. */
  readonly #codeStore = new SharedArrayBuffer(CODE_STORE_BYTES);
  readonly #kernels: readonly { readonly dispatch: Dispatch; readonly code: Uint8Array }[];

  constructor(target: HostileTarget) {
    const m = this.#machine;
    m.load(codeObject(3, target));
    this.#kernels = KERNELS.map((kernel) => {
      const args = argumentsOf(kernel, 'S').map((arg) =>
        'value' in arg ? (arg.type === 'f32' ? { f32: arg.value } : arg.value) : m.allocate(8192),
      );
      const dispatch = m.dispatch(kernel, [100], [96], packArguments(args));
      const at = m.offset(dispatch.entryAddress);
      return { dispatch, code: m.bytes.slice(at, at + CODE_BYTES) };
    });
    // A page of data in which code can be written, and nothing else.
    m.allocate(4096, PAGE_READ | PAGE_WRITE | PAGE_EXECUTE);
  }

  /** What became of case `seed`. Anything but a result, a fault or an HsaError is thrown on. */
  run(seed: number): HostileResult {
    const next = numbers(seed);
    const { dispatch, code } = this.#kernels[next(this.#kernels.length)]!;
    const m = this.#machine;
    const at = m.offset(dispatch.entryAddress);
    const damaged = damage(code, next);
    m.bytes.set(damaged, at);
    const begun = performance.now();
    let outcome: string;
    try {
      outcome = this.#execute(hostileDispatch(dispatch, next), next(2) === 0 ? 'baseline' : 'optimised');
    } catch (error) {
      if (!isHsaError(error)) throw error;
      outcome = 'refused';
    } finally {
      m.bytes.set(code, at);
    }
    return { outcome, milliseconds: performance.now() - begun };
  }

  #execute(dispatch: Dispatch, tier: 'baseline' | 'optimised'): string {
    // Nobody is there who would answer a wish for more of optimised code.
    const store = tier === 'baseline' ? { codeStore: this.#codeStore } : {};
    const executor = this.#machine.executor({ softwarePages: true, tier, fuel: FUEL, ...store });
    const kernel = executor.prepare(dispatch);
    if ('kind' in kernel) return kernel.kind;
    const run = executor.start(kernel, dispatch, 0, dispatch.groups[0] * dispatch.groups[1] * dispatch.groups[2]);
    for (let call = 0; call < MAX_CALLS; call++) {
      const outcome = executor.resume(run);
      if (outcome.kind === 'done') return 'done';
      if (outcome.kind === 'fault') return outcome.fault.kind;
    }
    executor.drop(run);
    return 'endless';
  }
}

function damage(code: Uint8Array, next: (below: number) => number): Uint8Array {
  const bytes = code.slice();
  const words = new DataView(bytes.buffer);
  const word = (): number => next(2 ** 16) * 2 ** 16 + next(2 ** 16);
  const place = (): number => next(64) * 4;
  switch (next(8)) {
    case 0: // Random words from the start on.
      for (let i = 0; i < bytes.length; i += 4) words.setUint32(i, word(), true);
      break;
    case 1: // Cut off: zeros, or random words.
      for (let i = place(), fill = next(2); i < bytes.length; i += 4) words.setUint32(i, fill * word(), true);
      break;
    case 2: // Halves of instructions: the code moves by a word.
      bytes.copyWithin(place(), place());
      break;
    case 3: // Words exchanged.
      for (let i = next(12); i >= 0; i--) {
        const [a, b] = [place(), place()];
        const kept = words.getUint32(a, true);
        words.setUint32(a, words.getUint32(b, true), true);
        words.setUint32(b, kept, true);
      }
      break;
    case 4: // Some random words.
      for (let i = next(8); i >= 0; i--) words.setUint32(place(), word(), true);
      break;
    default: // Some bits.
      for (let i = next(6); i >= 0; i--) {
        const bit = next(64 * 32);
        bytes[bit >> 3]! ^= 1 << (bit & 7);
      }
  }
  return bytes;
}

/** One time in four with a descriptor that says anything. */
function hostileDispatch(dispatch: Dispatch, next: (below: number) => number): Dispatch {
  if (next(4) !== 0) return { ...dispatch };
  const word = (): number => next(2 ** 16) * 2 ** 16 + next(2 ** 16);
  return {
    ...dispatch,
    rsrc1: next(2) === 0 ? word() : dispatch.rsrc1,
    rsrc2: next(2) === 0 ? word() : dispatch.rsrc2,
    rsrc3: next(2) === 0 ? word() : dispatch.rsrc3,
    properties: next(2) === 0 ? next(2 ** 16) : dispatch.properties,
    kernargPreload: next(4) === 0 ? next(2 ** 16) : dispatch.kernargPreload,
    kernargAddress: next(4) === 0 ? BigInt(word()) : dispatch.kernargAddress,
    entryAddress: next(8) === 0 ? dispatch.entryAddress + BigInt(next(512)) : dispatch.entryAddress,
  };
}
