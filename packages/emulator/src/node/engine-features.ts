import { setFlagsFromString } from 'node:v8';

/** `i32.const 0; i32x4.splat` three times, `f32x4.relaxed_madd`, `drop`: validates where the engine has relaxed SIMD. */
const RELAXED_SIMD_PROBE = new Uint8Array([
  0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00, 0x01, 0x04, 0x01, 0x60, 0x00, 0x00, 0x03, 0x02, 0x01, 0x00, 0x0a, 0x14, 0x01,
  0x12, 0x00, 0x41, 0x00, 0xfd, 0x11, 0x41, 0x00, 0xfd, 0x11, 0x41, 0x00, 0xfd, 0x11, 0xfd, 0x85, 0x02, 0x1a, 0x0b,
]);

/**
 * Node 20 has relaxed SIMD behind a flag; newer versions have it, and complain about the flag. It is set before the first device thread
 * starts: V8 takes code that it compiled before only under the same flags.
 */
export function enableEngineFeatures(): void {
  if (!WebAssembly.validate(RELAXED_SIMD_PROBE)) setFlagsFromString('--experimental-wasm-relaxed-simd');
}
