import { encode } from '@msgpack/msgpack';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isHsaError } from '@doorbell/abi';
import {
  applyLoad,
  layoutKernarg,
  packKernarg,
  parseCodeObject,
  parseCodeObjectFor,
  parseDeviceFile,
  parseTargetId,
  planLoad,
} from '../src/index.js';
import { parseMetadata } from '../src/kernel/parse-metadata.js';
import { fixture, patched } from './support/fixtures.js';

/** Images larger than this are planned but not built. */
const BUILT_BYTES = 1 << 20;
/** Factor for the numbers of runs: `DOORBELL_FUZZ=20 npx vitest run test/fuzz.test.ts`. */
const THOROUGH = Number(process.env['DOORBELL_FUZZ'] ?? 1);
const dispatch = { grid: [64, 1, 1], workgroup: [64, 1, 1] } as const;

/** Everything that a loader and a launcher do with a file; whatever the bytes, nothing but an HsaError may leave. */
function useAll(bytes: Uint8Array): 'taken' | 'refused' {
  try {
    const codeObject = parseCodeObject(bytes);
    const plan = planLoad(codeObject);
    if (plan.imageBytes <= BUILT_BYTES) applyLoad(plan, new Uint8Array(plan.imageBytes), 0x42_0000_0000n, () => 1n);
    for (const { descriptorOffset, entryOffset } of plan.kernels) {
      if (
        !(descriptorOffset >= 0 && descriptorOffset + 64 <= plan.imageBytes && entryOffset >= 0 && entryOffset < plan.imageBytes)
      )
        throw new Error(`a kernel outside its image: ${descriptorOffset}, ${entryOffset} of ${plan.imageBytes}`);
    }
    for (const kernel of codeObject.kernels) {
      const layout = layoutKernarg(kernel);
      packKernarg(layout, valuesFor(layout.slots), dispatch);
    }
    return 'taken';
  } catch (error) {
    if (isHsaError(error)) return 'refused';
    throw error;
  }
}

function valuesFor(slots: ReturnType<typeof layoutKernarg>['slots']): unknown[] {
  return slots.map((slot) => {
    if (slot.type === 'global') return 0n;
    return slot.type === 'lds' ? { ldsBytes: 4 } : new Uint8Array(slot.sizeBytes);
  });
}

const FILES = [
  'gfx1100-v5.hsaco',
  'gfx90a-v4.hsaco',
  'calls-gfx1100.hsaco',
  'relative-gfx1100.hsaco',
  'gfx11-generic-v6.hsaco',
].map((file) => fixture(file));
const anyFile = fc.constantFrom(...FILES);
/** Values that overflow, touch the ends of ranges or look like sizes. */
const wild = fc.oneof(
  fc.constantFrom(
    0n,
    1n,
    2n ** 31n,
    2n ** 32n - 1n,
    2n ** 32n,
    2n ** 53n,
    2n ** 63n - 1n,
    2n ** 63n,
    2n ** 64n - 1n,
    2n ** 64n - 64n,
  ),
  fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
  fc.bigInt({ min: 0n, max: 0x8000n }),
);

describe('hostile code objects raise nothing but HsaError', () => {
  it('whole, they are taken', () => {
    expect(FILES.map(useAll)).toEqual(FILES.map(() => 'taken'));
  });

  it('cut at every length', () => {
    const whole = fixture('untyped-gfx1100.hsaco');
    const taken: number[] = [];
    for (let length = 0; length < whole.length; length++) {
      if (useAll(whole.subarray(0, length)) === 'taken') taken.push(length);
    }
    // The section headers are the file's end: a file that lacks a byte of them is never taken.
    expect(taken).toEqual([]);
  });

  it('with flipped bits', () => {
    fc.assert(
      fc.property(
        anyFile,
        fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 7 })), { minLength: 1, maxLength: 8 }),
        (file, flips) => {
          const bytes = file.slice();
          for (const [at, bit] of flips) bytes[at % bytes.length]! ^= 1 << bit;
          useAll(bytes);
        },
      ),
      { numRuns: 200 * THOROUGH, seed: 11 },
    );
  });

  it('with wild values in the ELF header, program headers and section headers', () => {
    fc.assert(
      fc.property(anyFile, fc.array(fc.tuple(fc.nat(), wild), { minLength: 1, maxLength: 4 }), (file, fields) => {
        const view = new DataView(file.buffer);
        const sections = Number(view.getBigUint64(40, true));
        // 8-byte fields of the header, of at most 9 program headers, and of every section header.
        const places = [24, 32, 40, 48, 56];
        for (let at = 64; at < 64 + 56 * view.getUint16(56, true); at += 8) places.push(at);
        for (let at = sections; at + 8 <= file.length; at += 8) places.push(at);
        let bytes = file;
        for (const [pick, value] of fields) bytes = patched(bytes, places[pick % places.length]!, 8, value);
        useAll(bytes);
      }),
      { numRuns: 500 * THOROUGH, seed: 12 },
    );
  });

  it('with wild values in symbols, relocations, notes, descriptors and the dynamic section', () => {
    fc.assert(
      fc.property(
        anyFile,
        fc.array(fc.tuple(fc.nat(), fc.constantFrom(1, 2, 4, 8), wild), { minLength: 1, maxLength: 4 }),
        (file, fields) => {
          let bytes = file;
          for (const [pick, size, value] of fields) {
            const at = pick % (bytes.length - 8) & ~(size - 1);
            bytes = patched(bytes, at, size, value);
          }
          useAll(bytes);
        },
      ),
      { numRuns: 400 * THOROUGH, seed: 13 },
    );
  });

  it('without section headers, with a wild dynamic section', () => {
    const bare = patched(patched(fixture('calls-gfx1100.hsaco'), 40, 8, 0), 60, 4, 0);
    const dynamic = Number(
      parseCodeObject(fixture('calls-gfx1100.hsaco')).elf.sections.find(({ name }) => name === '.dynamic')!.fileOffset,
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat({ max: 27 }), wild), { minLength: 1, maxLength: 3 }), (fields) => {
        let bytes = bare;
        for (const [index, value] of fields) bytes = patched(bytes, dynamic + 8 * index, 8, value);
        useAll(bytes);
      }),
      { numRuns: 250 * THOROUGH, seed: 14 },
    );
  });

  it('of random bytes behind an ELF header', () => {
    const head = FILES[0]!.subarray(0, 64);
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 600 }), (rest) => void useAll(new Uint8Array([...head, ...rest]))),
      { numRuns: 300 * THOROUGH, seed: 15 },
    );
  });

  it('of bundles with wild tables', () => {
    const bundle = fixture('bundle.hipfb').subarray(0, 16384);
    const agent = parseTargetId('gfx1100');
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat({ max: 300 }), wild), { minLength: 1, maxLength: 3 }), (fields) => {
        let bytes: Uint8Array = bundle.slice();
        for (const [at, value] of fields) bytes = patched(bytes, at, 8, value);
        try {
          parseCodeObjectFor(bytes, agent);
        } catch (error) {
          if (!isHsaError(error)) throw error;
        }
      }),
      { numRuns: 250 * THOROUGH, seed: 16 },
    );
  });

  it('of host files with wild values in their headers, section headers and bundles', () => {
    const host = fixture('host.o');
    const sections = Number(new DataView(host.buffer).getBigUint64(40, true));
    const places = [...Array(64).keys(), ...Array.from({ length: host.length - sections - 8 }, (_, at) => sections + at)];
    for (let at = 4096; at < 4160; at++) places.push(at);
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(), wild), { minLength: 1, maxLength: 3 }), (fields) => {
        let bytes = host;
        for (const [pick, value] of fields) bytes = patched(bytes, places[pick % places.length]!, 8, value);
        try {
          parseDeviceFile(bytes);
        } catch (error) {
          if (!isHsaError(error)) throw error;
        }
      }),
      { numRuns: 400 * THOROUGH, seed: 19 },
    );
  });
});

describe('hostile metadata raises nothing but HsaError', () => {
  const parse = (description: Uint8Array): void => {
    try {
      parseMetadata([{ name: 'AMDGPU', type: 32, description }]);
    } catch (error) {
      if (!isHsaError(error)) throw error;
    }
  };

  it('of random bytes', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), parse), { numRuns: 1500 * THOROUGH, seed: 17 });
  });

  it('of random values under the known keys', () => {
    const key = fc.constantFrom(
      '.name',
      '.symbol',
      '.args',
      '.offset',
      '.size',
      '.value_kind',
      '.kernarg_segment_size',
      '.kernarg_segment_align',
      '.wavefront_size',
      '.reqd_workgroup_size',
      '.language_version',
      '.pointee_align',
      '__proto__',
      'constructor',
    );
    const leaf = fc.oneof(
      fc.integer(),
      fc.double(),
      fc.string(),
      fc.boolean(),
      fc.constant(null),
      fc.constantFrom('by_value', 'hidden_none'),
    );
    const { value } = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        leaf,
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(key, tie('value'), { maxKeys: 5 }),
      ),
    }));
    fc.assert(
      fc.property(value, (kernels) => {
        parse(encode({ 'amdhsa.version': [1, 2], 'amdhsa.kernels': kernels }, { maxDepth: 50 }));
      }),
      { numRuns: 800 * THOROUGH, seed: 18 },
    );
  });

  it('without allocating what the counts promise: gigabytes', () => {
    // Every element of an array opens another array of 2^32-1 elements.
    const bytes = new Uint8Array(100_000);
    for (let at = 0; at + 5 <= bytes.length; at += 5) bytes.set([0xdd, 0xff, 0xff, 0xff, 0xff], at);
    parse(bytes);
  });
});
