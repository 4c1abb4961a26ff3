import { skipReason } from '@doorbell/test-support';
import { describe, expect, it } from 'vitest';
import { applyLoad, type LoadPlan, parseCodeObject, planLoad, symbolAddress } from '../src/index.js';
import { CODE_OBJECTS, errorOf, fixture, patched } from './support/fixtures.js';
import { readobj } from './support/llvm.js';

const BASE = 0x42_1000_0000n;
const FOREIGN = 0x7fff_1234_5678n;

function load(plan: LoadPlan, resolve: (name: string) => bigint | undefined = () => FOREIGN): DataView {
  const image = new Uint8Array(plan.imageBytes).fill(0xaa);
  applyLoad(plan, image, BASE, resolve);
  return new DataView(image.buffer);
}

describe('planLoad and applyLoad', () => {
  const missing = skipReason('llvm-readobj-22');

  it.skipIf(missing !== '').each(CODE_OBJECTS)('place the segments of %s where llvm-readobj has them, zeros between', (file) => {
    const bytes = fixture(file);
    const plan = planLoad(parseCodeObject(bytes));
    const segments = readobj(file)
      .ProgramHeaders.map(({ ProgramHeader }) => ProgramHeader)
      .filter((header) => header.Type.Value === 1);
    const last = segments.at(-1)!;
    expect(plan.imageBytes).toBe(last.VirtualAddress + last.MemSize);
    expect(plan.alignBytes).toBe(4096);
    const expected = new Uint8Array(plan.imageBytes);
    for (const segment of segments) {
      expected.set(bytes.subarray(segment.Offset, segment.Offset + segment.FileSize), segment.VirtualAddress);
    }
    const places = new Set(plan.relocations.map((relocation) => relocation.imageOffset));
    const image = new Uint8Array(load(plan).buffer);
    const different = [...image.keys()].filter((at) => !places.has(at & ~7) && image[at] !== expected[at]);
    expect(different).toEqual([]);
    expect(plan.segments.map(({ permissions }) => permissions.execute)).toEqual(
      segments.map(({ Flags }) => (Flags.Value & 1) !== 0),
    );
    expect(plan.segments.map(({ permissions }) => permissions.write)).toEqual(
      segments.map(({ Flags }) => (Flags.Value & 2) !== 0),
    );
  });

  // calls.cl: own = &table[2], pair = {&table[1], &other}, outside = &foreign.
  it.each(['calls-gfx1100.hsaco', 'calls-gfx90a.hsaco'])('apply the pointers of %s', (file) => {
    const codeObject = parseCodeObject(fixture(file));
    const plan = planLoad(codeObject);
    expect(plan.undefinedSymbols).toEqual(['foreign']);
    const asked: string[] = [];
    const image = load(plan, (name) => {
      asked.push(name);
      return FOREIGN;
    });
    const offset = (name: string): number => Number(codeObject.symbols.find((symbol) => symbol.name === name)!.value);
    const pointer = (at: number): bigint => image.getBigUint64(at, true);
    const address = (name: string): bigint => BASE + BigInt(offset(name));
    expect(pointer(offset('own'))).toBe(address('table') + 8n);
    expect(pointer(offset('pair'))).toBe(address('table') + 4n);
    expect(pointer(offset('pair') + 8)).toBe(address('other'));
    expect(pointer(offset('outside'))).toBe(FOREIGN);
    expect(asked).toEqual(['foreign']);
    expect([0, 1, 2, 3].map((index) => image.getInt32(offset('table') + 4 * index, true))).toEqual([1, 2, 3, 4]);
    expect(image.getInt32(offset('zeros') + 1020, true)).toBe(0);
  });

  it('apply RELATIVE64 and absolute symbols', () => {
    const codeObject = parseCodeObject(fixture('relative-gfx1100.hsaco'));
    const plan = planLoad(codeObject);
    expect(plan.relocations.map((relocation) => relocation.kind)).toEqual(['RELATIVE64', 'RELATIVE64', 'RELATIVE64', 'ABS64']);
    const image = load(plan);
    const offset = (name: string): number => Number(codeObject.symbols.find((symbol) => symbol.name === name)!.value);
    expect(image.getBigUint64(offset('own'), true)).toBe(BASE + BigInt(offset('table')) + 8n);
    expect(image.getBigUint64(offset('pair') + 8, true)).toBe(BASE + BigInt(offset('other')));
    // The link command defines foreign as the absolute 0x1234.
    expect(image.getBigUint64(offset('outside'), true)).toBe(0x1234n);
  });

  it('say where the kernels are', () => {
    const codeObject = parseCodeObject(fixture('gfx1201-v6.hsaco'));
    const plan = planLoad(codeObject);
    const image = load(plan);
    for (const { kernel, descriptorOffset, entryOffset } of plan.kernels) {
      expect(image.getUint32(descriptorOffset + 8, true)).toBe(kernel.kernargBytes);
      expect(BigInt(descriptorOffset) + image.getBigInt64(descriptorOffset + 16, true)).toBe(BigInt(entryOffset));
      const code = codeObject.symbols.find((symbol) => symbol.name === kernel.name)!;
      expect(symbolAddress(plan, code, BASE)).toBe(BASE + BigInt(entryOffset));
    }
  });

  // The first entry of .rela.dyn made into other kinds: "foreign" at its place, addend 0x1_0000_0010.
  const calls = fixture('calls-gfx1100.hsaco');
  const rela = Number(parseCodeObject(calls).elf.sections.find((section) => section.name === '.rela.dyn')!.fileOffset);
  const place = Number(parseCodeObject(calls).elf.relocations[0]!.vaddr);
  const variant = (type: number): Uint8Array => patched(patched(calls, rela + 8, 4, type), rela + 16, 8, 0x1_0000_0010n);
  const value = FOREIGN + 0x1_0000_0010n;

  it.each([
    ['ABS32_LO', 1, value & 0xffff_ffffn],
    ['ABS32_HI', 2, value >> 32n],
    ['ABS64', 3, value],
    ['ABS32', 6, value & 0xffff_ffffn],
    ['RELATIVE64', 13, BASE + 0x1_0000_0010n],
    ['NONE', 0, 0n],
  ])('apply R_AMDGPU_%s', (_, type, expected) => {
    const image = load(planLoad(parseCodeObject(variant(type))));
    expect(image.getBigUint64(place, true)).toBe(expected);
  });

  it('sign-extend nothing: a sum beyond 64 bits wraps', () => {
    const image = load(planLoad(parseCodeObject(variant(3))), () => 2n ** 64n - 1n);
    expect(image.getBigUint64(place, true)).toBe(0x1_0000_000fn);
  });

  it.each([
    [4, /R_AMDGPU_REL32, which the linker resolves/],
    [7, /R_AMDGPU_GOTPCREL/],
    [14, /R_AMDGPU_REL16/],
    [99, /has type 99;/],
  ])('refuse relocation type %i', (type, message) => {
    expect(errorOf(() => planLoad(parseCodeObject(variant(type))))).toMatchObject({
      code: 'ERR_RELOCATION',
      message: expect.stringMatching(message) as string,
    });
  });

  it.each([
    ['outside every segment', 0x10_0000n],
    ['across the end of the image', BigInt(planLoad(parseCodeObject(calls)).imageBytes - 4)],
    ['at the end of 64 bits', 2n ** 64n - 4n],
  ])('refuse a relocation %s', (_, vaddr) => {
    expect(errorOf(() => planLoad(parseCodeObject(patched(calls, rela, 8, vaddr))))).toMatchObject({
      code: 'ERR_RELOCATION',
      message: expect.stringContaining('lies in no loaded segment') as string,
    });
  });

  it('name a symbol that nobody defines, and leave the memory as it was', () => {
    const plan = planLoad(parseCodeObject(calls));
    const image = new Uint8Array(plan.imageBytes).fill(0xaa);
    expect(errorOf(() => applyLoad(plan, image, BASE))).toMatchObject({
      code: 'ERR_RELOCATION',
      hsaStatus: 0x1015,
      message: expect.stringContaining('foreign') as string,
      details: { symbol: 'foreign' },
    });
    expect(image.every((byte) => byte === 0xaa)).toBe(true);
  });

  it('refuse memory that is too small and addresses that are misaligned', () => {
    const plan = planLoad(parseCodeObject(calls));
    const resolve = (): bigint => FOREIGN;
    expect(errorOf(() => applyLoad(plan, new Uint8Array(plan.imageBytes - 1), BASE, resolve))).toMatchObject({
      code: 'ERR_INVALID_ARGUMENT',
    });
    for (const address of [BASE + 256n, -4096n, 2n ** 64n]) {
      expect(errorOf(() => applyLoad(plan, new Uint8Array(plan.imageBytes), address, resolve))).toMatchObject({
        code: 'ERR_INVALID_ARGUMENT',
      });
    }
  });

  it('leave bytes behind the image alone', () => {
    const plan = planLoad(parseCodeObject(fixture('gfx1100-v5.hsaco')));
    const memory = new Uint8Array(plan.imageBytes + 16).fill(0xaa);
    applyLoad(plan, memory, BASE);
    expect(memory.subarray(plan.imageBytes).every((byte) => byte === 0xaa)).toBe(true);
  });

  // Program header 1 is the first PT_LOAD: p_vaddr at 16, p_filesz at 32, p_memsz at 40, p_align at 48.
  const plain = fixture('gfx1100-v5.hsaco');
  const header = (index: number): number => 64 + 56 * index;

  it('start an object that was linked high at its first segment', () => {
    const high = 0x7000_0000_0000n;
    let moved = plain;
    const view = new DataView(plain.buffer);
    for (const index of [1, 2, 3])
      moved = patched(moved, header(index) + 16, 8, view.getBigUint64(header(index) + 16, true) + high);
    // The descriptors' symbols stay low, so parsing must refuse it; a plan of the moved headers alone is what is asked for.
    const codeObject = parseCodeObject(plain);
    const programHeaders = codeObject.elf.programHeaders.map((entry) => ({ ...entry, vaddr: entry.vaddr + high }));
    const plan = planLoad({ ...codeObject, kernels: [], elf: { ...codeObject.elf, programHeaders } });
    expect(plan.baseVaddr).toBe(high);
    expect(plan.imageBytes).toBe(planLoad(codeObject).imageBytes);
    expect(errorOf(() => parseCodeObject(moved))).toMatchObject({ code: 'ERR_CODE_OBJECT' });
  });

  it('refuse a kernel in a segment that has bytes in the file and none in memory', () => {
    // Header 1 holds the descriptors.
    expect(errorOf(() => parseCodeObject(patched(plain, header(1) + 40, 8, 0)))).toMatchObject({
      code: 'ERR_CODE_OBJECT',
      message: expect.stringContaining('but only 0 in memory') as string,
    });
  });

  it.each([
    ['more bytes in the file than in memory', patched(plain, header(1) + 40, 8, 8), /but only 8 in memory/],
    ['an image of 2^60 bytes', patched(plain, header(3) + 40, 8, 2n ** 60n), /bytes are loaded/],
    ['segments that overlap', patched(plain, header(3) + 16, 8, 0x1000), /overlaps or precedes/],
    ['an alignment of 3', patched(plain, header(1) + 48, 8, 3), /alignment 0x3/],
    ['an alignment of 2^63', patched(plain, header(1) + 48, 8, 2n ** 63n), /alignment 0x8000000000000000/],
    [
      'file bytes outside the file',
      patched(patched(plain, header(3) + 8, 8, 2n ** 63n), header(4) + 0, 4, 0),
      /lies outside the file/,
    ],
  ])('refuse %s', (_, bytes, message) => {
    expect(errorOf(() => planLoad(parseCodeObject(bytes)))).toMatchObject({
      code: 'ERR_CODE_OBJECT',
      message: expect.stringMatching(message) as string,
    });
  });

  it('load into shared memory', () => {
    const plan = planLoad(parseCodeObject(plain));
    const memory = new Uint8Array(new SharedArrayBuffer(plan.imageBytes));
    applyLoad(plan, memory, BASE);
    const own = new Uint8Array(plan.imageBytes);
    applyLoad(plan, own, BASE);
    expect(memory.every((byte, at) => byte === own[at])).toBe(true);
  });
});
