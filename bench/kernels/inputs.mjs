// The benchmark kernels' arguments by formula, and the sums that results must have: plain data, for any way to run them.
import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

const json = (name) => JSON.parse(readFileSync(new URL(name, import.meta.url), 'utf8'));
const CASES = json('./cases.json').cases;
const EXPECTED = json('./expected.json').kernels;

export const KERNELS = Object.keys(CASES);
export const WORKGROUP = 256;

/** Targets of the kernels' code objects. */
export const TARGETS = ['gfx90a', 'gfx942', 'gfx1030', 'gfx1100', 'gfx1201', 'gfx1250'];

/** The code object of the kernels: at level 0 or 3, for gfx1100 also at 1, 2 and for waves of 64 lanes. */
export function codeObject(variant, target = 'gfx1100') {
  const name = `./kernels.${target}.${variant === 'wave64' ? variant : `O${variant}`}.hsaco`;
  const plain = new URL(name, import.meta.url);
  if (existsSync(plain)) return new Uint8Array(readFileSync(plain));
  return new Uint8Array(gunzipSync(readFileSync(new URL(`${name}.gz`, import.meta.url))));
}

/** Workgroups of a case. */
export function groupsOf(kernel, size) {
  return CASES[kernel][size].groups;
}

/** 32-bit linear congruential value of element i (cases.json, comment). */
function lcg(i, seed) {
  return (Math.imul(i, 1664525) + 1013904223 + seed * 97) >>> 0;
}

function randomF32(length, seed) {
  const out = new Float32Array(length);
  for (let i = 0; i < length; i++) out[i] = (lcg(i, seed) >>> 8) / 16777216;
  return out;
}

function randomU32(length, seed) {
  const out = new Uint32Array(length);
  for (let i = 0; i < length; i++) out[i] = Math.imul(lcg(i, seed), 2654435761);
  return out;
}

/** Arguments of a case in order: `{ type, value }` for scalars, `{ type, length, data?, isOutput }` for buffers. */
export function argumentsOf(kernel, size) {
  const numbers = CASES[kernel][size];
  const number = (n) => (typeof n === 'string' ? numbers[n] : n);
  return CASES[kernel].args.map(([kind, length, seed]) => {
    if (kind === 'u32' || kind === 'f32') return { type: kind, value: number(length) };
    const [role, type] = kind.split(':');
    const n = number(length);
    const isOutput = role === 'out' || role.startsWith('inout');
    if (role === 'out' || role === 'inout0') return { type, length: n, isOutput };
    return { type, length: n, isOutput, data: type === 'f32' ? randomF32(n, seed) : randomU32(n, seed) };
  });
}

/** `{ ok, expected, got }`: f64sum within 1e-4 relative; u32sum exact, except mandelbrot at L (expected.json, comment). */
export function checkSum(kernel, size, data) {
  const [kind, expected] = EXPECTED[kernel][`check_${size}`];
  let got = 0;
  for (let i = 0; i < data.length; i++) got += data[i];
  const tolerance = kind === 'f64sum' || (kernel === 'mandelbrot' && size === 'L') ? 1e-4 * Math.abs(expected) : 0;
  return { ok: Math.abs(got - expected) <= tolerance, expected, got };
}

/** Active-lane vector instructions of one launch at L, from the counts at S (kernels' own loops scale them). */
export function laneInstructionsAtL(kernel) {
  const scale = { hash_loop: 1024, saxpy_loop: 1024, vector_add: 256, histogram: 256 }[kernel];
  return scale === undefined ? undefined : EXPECTED[kernel].counts_S.gfx1100.lane * scale;
}

/** Bytes that a launch at L moves, where that is what the kernel is about. */
export function bytesAtL(kernel) {
  return kernel === 'vector_add' ? 3 * 4 * CASES[kernel].L.n : undefined;
}
