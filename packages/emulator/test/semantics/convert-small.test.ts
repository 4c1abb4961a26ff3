import { createAssembler, createDecoder } from '@doorbell/isa';
import { describe, expect, it } from 'vitest';
import { evaluateBlock, type WaveState } from '../../src/evaluate/index.js';
import { buildBlock } from '../../src/semantics/index.js';
import { MODE, Random } from '../compile/harness.js';
import { numberOf } from '../matrix/recorded-layouts.js';
import { DeviceMemory } from './support/device-memory.js';

const memory = new DeviceMemory(4096, 4096, 4096);
const TARGETS = [
  ['gfx942', 'fnuz'],
  ['gfx1201', ''],
  ['gfx1250', ''],
] as const;
const VGPRS = 16;

/** Executes one instruction on v0 … v15; `fill` gives a register's value in a lane. */
function run(processor: string, text: string, fill: (vgpr: number, lane: number) => number, fp16Overflow = false): Uint32Array {
  const waveSize = processor === 'gfx942' ? 64 : 32;
  const assembled = createAssembler(processor, { waveSize }).assemble(text);
  if (!assembled.ok) throw new Error(`${text}: ${assembled.message}`);
  const decoded = createDecoder(processor, { waveSize }).decode(new Uint8Array(Uint32Array.from(assembled.words).buffer), 0);
  if (!decoded.ok) throw new Error(text);
  const mode = { ...MODE, fp16Overflow };
  const block = buildBlock([{ offset: 0, instruction: decoded.instruction }], { waveSize, mode, processor, codeBase: 0n });
  const vgprs = Uint32Array.from({ length: VGPRS * waveSize }, (_, at) => fill(Math.floor(at / waveSize), at % waveSize));
  const wave: WaveState = { waveSize, sgprs: new Uint32Array(128).fill(0xffff_ffff), vgprs, scc: 0 };
  expect(evaluateBlock(block, wave, memory).kind).toBe('next');
  return wave.vgprs;
}

const bitsOf = (value: number): number => new Uint32Array(new Float32Array([value]).buffer)[0]!;
const valueOf = (bits: number): number => new Float32Array(new Uint32Array([bits]).buffer)[0]!;

/** Codes of finite numbers from 0 up. */
function positiveCodes(format: string): number[] {
  const count = format === 'fp8' ? 0x7f : format === 'bf8' ? 0x7c : 0x80;
  return Array.from({ length: count }, (_, code) => code);
}

describe.each(TARGETS)('8-bit floats of %s', (processor, suffix) => {
  const byteText = (byte: number): string =>
    processor === 'gfx942' ? `_sdwa v1, v2 src0_sel:BYTE_${byte}` : `_e64 v1, v2 byte_sel:${byte}`;

  it.each(['fp8', 'bf8'])('become f32, every code of %s', (name) => {
    for (let byte = 0; byte < 4; byte++) {
      const result = run(processor, `v_cvt_f32_${name}${byteText(byte)}`, (vgpr, lane) =>
        vgpr === 2 ? ((byte * 64 + lane) << (8 * byte)) >>> 0 : 0x1234_5678,
      );
      const lanes = processor === 'gfx942' ? 64 : 32;
      for (let lane = 0; lane < lanes; lane++) {
        const code = byte * 64 + lane;
        const isNan = suffix === 'fnuz' ? code === 0x80 : name === 'fp8' ? (code & 0x7f) === 0x7f : (code & 0x7f) > 0x7c;
        const isInfinite = suffix === '' && name === 'bf8' && (code & 0x7f) === 0x7c;
        const wanted = isNan ? NaN : isInfinite ? (code & 0x80 ? -Infinity : Infinity) : numberOf(name + suffix, BigInt(code));
        expect(valueOf(result[lanes + lane]!)).toBe(wanted);
      }
    }
  });

  it.each(['fp8', 'bf8'])('are the nearest of %s to an f32, ties to even codes', (name) => {
    const random = new Random(7);
    const codes = positiveCodes(name + suffix);
    const values = codes.map((code) => numberOf(name + suffix, BigInt(code)));
    const largest = values.at(-1)!;
    const lanes = processor === 'gfx942' ? 64 : 32;
    // Numbers between neighbours, the middles among them.
    const inputs = Array.from({ length: lanes }, (_, lane) => {
      const at = random.below(values.length - 1);
      const part = lane % 3 === 0 ? 0.5 : random.below(1000) / 1000;
      return Math.fround((values[at]! + (values[at + 1]! - values[at]!) * part) * (lane % 2 === 0 ? 1 : -1));
    });
    const result = run(processor, `v_cvt_pk_${name}_f32 v1, v2, v3 op_sel:[0,0,1]`, (vgpr, lane) =>
      vgpr === 2 ? bitsOf(inputs[lane]!) : vgpr === 3 ? bitsOf(-inputs[lane]!) : 0x1234_5678,
    );
    const nearest = (value: number): number => {
      const size = Math.abs(value);
      let best = 0;
      for (const code of codes) {
        const [distance, before] = [Math.abs(values[code]! - size), Math.abs(values[best]! - size)];
        if (distance < before || (distance === before && code % 2 === 0)) best = code;
      }
      const isNegative = value < 0 || Object.is(value, -0);
      return isNegative && !(suffix === 'fnuz' && best === 0) ? best | 0x80 : best;
    };
    expect(largest).toBeGreaterThan(200);
    for (let lane = 0; lane < lanes; lane++) {
      const got = result[lanes + lane]!;
      expect(got & 0xffff).toBe(0x5678);
      expect([(got >>> 16) & 0xff, got >>> 24]).toEqual([nearest(inputs[lane]!), nearest(-inputs[lane]!)]);
    }
  });

  it('too large are NaN or infinity, or the largest number where MODE says so', () => {
    const codeOf = (text: string, value: number, fp16Overflow = false): number =>
      run(processor, text, (vgpr) => (vgpr === 2 ? bitsOf(value) : 0), fp16Overflow)[processor === 'gfx942' ? 64 : 32]! & 0xff;
    const [fp8, bf8] = ['v_cvt_pk_fp8_f32 v1, v2, v3', 'v_cvt_pk_bf8_f32 v1, v2, v3'];
    const isFnuz = suffix === 'fnuz';
    expect(codeOf(fp8, 1e6)).toBe(isFnuz ? 0x80 : 0x7f);
    expect(codeOf(bf8, 1e6)).toBe(isFnuz ? 0x80 : 0x7c);
    expect(codeOf(fp8, -1e6, true)).toBe(isFnuz ? 0xff : 0xfe);
    expect(codeOf(bf8, -1e6, true)).toBe(isFnuz ? 0xff : 0xfb);
    expect(codeOf(fp8, NaN, true) & 0x80 ? 0x80 : codeOf(fp8, NaN, true)).toBe(isFnuz ? 0x80 : 0x7f);
  });

  it.each(['fp8', 'bf8'])('of %s are rounded up as often as random bits say', (name) => {
    const lanes = processor === 'gfx942' ? 64 : 32;
    const [low, high] = [0x39, 0x3a].map((code) => numberOf(name + suffix, BigInt(code))) as [number, number];
    const input = Math.fround(low + (high - low) * 0.25);
    const text = processor === 'gfx942' ? 'op_sel:[0,0,1,1]' : 'byte_sel:3';
    const result = run(processor, `v_cvt_sr_${name}_f32 v1, v2, v3 ${text}`, (vgpr, lane) =>
      vgpr === 2 ? bitsOf(input) : vgpr === 3 ? (lane * (2 ** 32 / lanes)) >>> 0 : 0x0012_3456,
    );
    const codes = Array.from({ length: lanes }, (_, lane) => result[lanes + lane]!);
    expect(new Set(codes.map((code) => code & 0xff_ffff))).toEqual(new Set([0x0012_3456]));
    expect(codes.map((code) => code >>> 24)).toEqual(codes.map((_, lane) => (lane < (lanes * 3) / 4 ? 0x39 : 0x3a)));
  });
});
