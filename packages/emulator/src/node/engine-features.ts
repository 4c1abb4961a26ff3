import { setFlagsFromString } from 'node:v8';

/** `i32.const 0; i32x4.splat` three times, `f32x4.relaxed_madd`, `drop`: validates where the engine has relaxed SIMD. */
const RELAXED_SIMD_PROBE = new Uint8Array([
  0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00, 0x01, 0x04, 0x01, 0x60, 0x00, 0x00, 0x03, 0x02, 0x01, 0x00, 0x0a, 0x14, 0x01,
  0x12, 0x00, 0x41, 0x00, 0xfd, 0x11, 0x41, 0x00, 0xfd, 0x11, 0x41, 0x00, 0xfd, 0x11, 0xfd, 0x85, 0x02, 0x1a, 0x0b,
]);

/**
 * V8's optimiser begins with a function after this many bytes of bytecode; 8 times as late as usual. A device thread that is new runs
 * much code for the first time, and what optimises it takes processors from it, where there are two of them above all (docs/emulator.md,
 * Two kinds of code). Code that goes on running is optimised some milliseconds later.
 */
const INTERRUPT_BUDGET = '--interrupt-budget=540672';

/**
 * The flags of V8 that device threads want: relaxed SIMD, which newer versions of Node have, and complain about the flag, and a later
 * optimiser, where that was measured.
 */
export function engineFlags(): readonly string[] {
  return [
    ...(WebAssembly.validate(RELAXED_SIMD_PROBE) ? [] : ['--experimental-wasm-relaxed-simd']),
    ...(process.versions.v8.startsWith('11.3.') ? [INTERRUPT_BUDGET] : []),
  ];
}

/**
 * Sets them, for the whole process. For a device thread to do, between Node's own code and the device's: V8 takes code that it compiled
 * before only under the same flags, and without the code that Node brings for itself a thread starts 45 ms later.
 */
export function enableEngineFeatures(): void {
  for (const flag of engineFlags()) setFlagsFromString(flag);
}
