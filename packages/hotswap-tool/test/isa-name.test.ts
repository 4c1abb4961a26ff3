import { findProcessor, isHsaError, type Processor, PROCESSORS } from '@doorbell/abi';
import { parseTargetId } from '@doorbell/code-object';
import { skipReason } from '@doorbell/test-support';
import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { codeObjectIsaName, identifyCodeObject, parseSteppedIsa, readIdentity } from '../src/index.js';
import { loadComgr } from './comgr.js';
import { gfx1250Min } from './fixtures/gfx1250-min.js';
import { fixture } from './support.js';

/** Fields of an ELF header that the name depends on. */
interface HeaderFields {
  readonly mach: number;
  readonly abiVersion: number;
  /** Bits 8 … 11 of e_flags, and the generic version above bit 24. */
  readonly featureBits?: number;
  readonly genericVersion?: number;
  readonly type?: number;
}

/** An ELF header of a code object with nothing behind it. */
function header({ mach, abiVersion, featureBits = 0, genericVersion = 0, type = 3 }: HeaderFields): Uint8Array {
  const bytes = new Uint8Array(64);
  const view = new DataView(bytes.buffer);
  bytes.set([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 64, abiVersion]);
  view.setUint16(16, type, true);
  view.setUint16(18, 224, true);
  view.setUint32(20, 1, true);
  view.setUint32(48, mach | featureBits | (genericVersion << 24), true);
  view.setUint16(52, 64, true);
  view.setUint16(54, 56, true);
  view.setUint16(58, 64, true);
  return bytes;
}

/** EI_ABIVERSION of code object versions 3 to 6. */
const V3 = 1;
const V4 = 2;
const V6 = 4;
/** Bits of xnack and sramecc by setting: unsupported, any, off, on (LLVM ELF.h, EF_AMDGPU_FEATURE_*_V4). */
const XNACK = [0, 0x100, 0x200, 0x300];
const SRAMECC = [0, 0x400, 0x800, 0xc00];
const SUFFIX = ['', '', '-', '+'];

interface Combination {
  readonly featureBits: number;
  /** What follows the processor in the name. */
  readonly suffix: string;
}

/** Each setting of the features that a processor has. */
function combinations({ features }: Processor): Combination[] {
  const settings = (name: 'xnack' | 'sramecc'): readonly number[] => (features.includes(name) ? [0, 1, 2, 3] : [0]);
  return settings('sramecc').flatMap((sramecc) =>
    settings('xnack').map((xnack) => ({
      featureBits: (SRAMECC[sramecc] ?? 0) | (XNACK[xnack] ?? 0),
      suffix: (sramecc > 1 ? `:sramecc${SUFFIX[sramecc]}` : '') + (xnack > 1 ? `:xnack${SUFFIX[xnack]}` : ''),
    })),
  );
}

const nameOf = (name: string, fields: Omit<HeaderFields, 'mach'>): string =>
  codeObjectIsaName(header({ mach: findProcessor(name)!.mach, ...fields }));

const { isaName: comgr, missing } = loadComgr();
const skipped = missing === '' ? '' : ` (skipped: ${missing})`;

describe('codeObjectIsaName', () => {
  it.each(PROCESSORS.map((processor) => [processor.name, processor] as const))(
    'names %s with each setting of its features, in versions 4, 5 and 6',
    (name, processor) => {
      for (let abiVersion = V4; abiVersion <= V6; abiVersion++) {
        for (const { featureBits, suffix } of combinations(processor)) {
          const genericVersion = processor.isGeneric && abiVersion === V6 ? 1 : 0;
          const isaName = codeObjectIsaName(header({ mach: processor.mach, abiVersion, featureBits, genericVersion }));
          expect(isaName).toBe(`amdgcn-amd-amdhsa--${name}${suffix}`);
          // Back: the same processor with the same settings; what is not named is any.
          const back = parseSteppedIsa(`${isaName}\0`).target;
          expect(back).toEqual(parseTargetId(name + suffix));
        }
      }
    },
  );

  it.skipIf(missing !== '')(`agrees with comgr on every processor that it knows${skipped}`, () => {
    const known = new Set<string>();
    const differences: unknown[] = [];
    for (const processor of PROCESSORS) {
      for (const { featureBits } of combinations(processor)) {
        // Versions 3 and 4: the comgr of ROCm 5.2 is older than the others.
        for (const abiVersion of [V3, V4]) {
          const bytes = header({ mach: processor.mach, abiVersion, featureBits });
          const theirs = comgr!(bytes);
          if (typeof theirs === 'number') continue;
          known.add(processor.name);
          const ours = codeObjectIsaName(bytes);
          if (ours !== theirs) differences.push({ processor: processor.name, abiVersion, featureBits, ours, theirs });
        }
      }
    }
    expect(differences).toEqual([]);
    expect(known.size).toBe(33);
  });

  it.skipIf(missing !== '')(`agrees with comgr on whole files, linked or not${skipped}`, () => {
    expect(codeObjectIsaName(fixture('gfx90a-v4.hsaco'))).toBe(comgr!(fixture('gfx90a-v4.hsaco')));
    const relocatable = header({ mach: 0x3f, abiVersion: V4, featureBits: 0xe00, type: 1 });
    expect(codeObjectIsaName(relocatable)).toBe(comgr!(relocatable, 'relocatable'));
    expect(readIdentity(fixture('unlinked.o'))).toMatchObject({ kind: 'relocatable', isaName: 'amdgcn-amd-amdhsa--gfx1100' });
  });

  it('GetIsaNameRealCodeObject', () => {
    expect(codeObjectIsaName(gfx1250Min())).toBe('amdgcn-amd-amdhsa--gfx1250');
  });

  it('gives the name that LLVM writes into the metadata', () => {
    const files = ['gfx90a-v5', 'gfx942-v5', 'gfx1030-v5', 'gfx1100-v6', 'gfx1201-v6', 'gfx1250-v6', 'gfx11-generic-v6'];
    for (const file of files) {
      const { isaName, metadataTarget } = readIdentity(fixture(`${file}.hsaco`));
      expect(isaName).toBe(metadataTarget);
    }
  });

  it.each([
    ['garbage', new Uint8Array(64).fill(0xa5), 'ERR_CODE_OBJECT', /not an ELF file/],
    ['nothing', new Uint8Array(0), 'ERR_CODE_OBJECT', /not an ELF file/],
    ['a header that is cut', header({ mach: 0x49, abiVersion: V6 }).slice(0, 50), 'ERR_CODE_OBJECT', /ends inside/],
    ['a 32-bit file', patch(4, 1), 'ERR_CODE_OBJECT', /EI_CLASS 1/],
    ['big-endian bytes', patch(5, 2), 'ERR_CODE_OBJECT', /EI_DATA 2/],
    ['another OS ABI', patch(7, 65), 'ERR_CODE_OBJECT', /EI_OSABI is 65, not 64/],
    ['another machine', patch(18, 62), 'ERR_CODE_OBJECT', /e_machine is 62, not EM_AMDGPU/],
    ['another type', patch(16, 4), 'ERR_CODE_OBJECT', /e_type 4/],
    ['version 2', patch(8, 0), 'ERR_CODE_OBJECT_VERSION', /version 2 /],
    ['a version to come', patch(8, 5), 'ERR_CODE_OBJECT_VERSION', /version 7 /],
    ['a processor that nobody knows', patch(48, 0xfe), 'ERR_CODE_OBJECT', /processor 0xfe/],
  ])('GetIsaNameInvalidCodeObject: %s', (_, bytes, code, message) => {
    try {
      codeObjectIsaName(bytes);
      expect.unreachable();
    } catch (error) {
      expect(error).toMatchObject({ code, message: expect.stringMatching(message) as string });
    }
    if (comgr !== undefined) expect(comgr(bytes)).not.toBeTypeOf('string');
  });

  it('AlwaysOnXnackHasNoModifier', () => {
    for (const name of ['gfx1250', 'gfx1250-strict', 'gfx1251', 'gfx12-5-generic']) {
      for (const featureBits of XNACK) expect(nameOf(name, { abiVersion: V6, featureBits })).toBe(`amdgcn-amd-amdhsa--${name}`);
    }
  });

  it('SelectableXnackPreservesModifiers', () => {
    const names = XNACK.map((featureBits) => nameOf('gfx942', { abiVersion: V6, featureBits }));
    expect(names).toEqual(['', '', ':xnack-', ':xnack+'].map((suffix) => `amdgcn-amd-amdhsa--gfx942${suffix}`));
  });

  it('UnsupportedXnackHasNoModifier', () => {
    for (const featureBits of XNACK) {
      expect(nameOf('gfx1030', { abiVersion: V6, featureBits })).toBe('amdgcn-amd-amdhsa--gfx1030');
    }
  });

  it('SramEccModifiersArePreserved', () => {
    const names = SRAMECC.map((bits) => nameOf('gfx950', { abiVersion: V6, featureBits: bits | 0x300 }));
    expect(names).toEqual(['', '', ':sramecc-', ':sramecc+'].map((suffix) => `amdgcn-amd-amdhsa--gfx950${suffix}:xnack+`));
  });
});

/** The header of a gfx1250 object with one byte changed. */
function patch(at: number, value: number): Uint8Array {
  const bytes = header({ mach: 0x49, abiVersion: V6 });
  bytes[at] = value;
  return bytes;
}

/** Where a text begins in the bytes. */
function find(bytes: Uint8Array, text: string): number {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).indexOf(text, 0, 'latin1');
}

describe('identifyCodeObject', () => {
  const noLlvm = skipReason('llvm-readelf-22');

  it.skipIf(noLlvm !== '')(
    `takes the length of the metadata's target from its MessagePack header${noLlvm === '' ? '' : ` (skipped: ${noLlvm})`}`,
    () => {
      // The first tool read on from the triple to a NUL, newline, quote or space: into the next key.
      const bytes = fixture('gfx1250-v6.hsaco');
      const text = Buffer.from(bytes).toString('latin1', find(bytes, 'amdgcn-amd-amdhsa--'));
      const scanned = /^[^\0\n"' ]*/.exec(text)?.[0] ?? '';
      expect(scanned.length).toBeGreaterThan('amdgcn-amd-amdhsa--gfx1250'.length);
      const path = new URL('../../code-object/test/fixtures/gfx1250-v6.hsaco', import.meta.url).pathname;
      const notes = execFileSync('llvm-readelf-22', ['--notes', path], { encoding: 'utf8' });
      expect(identifyCodeObject(bytes).metadataTarget).toBe(/amdhsa\.target: +'?([^'\s]+)/.exec(notes)?.[1]);
    },
  );

  it('takes the newer spelling of the target for what it is', () => {
    const bytes = gfx1250Min();
    const at = find(bytes, 'amdgcn-amd-amdhsa--gfx1250');
    // As long as the other: a triple of which nothing but the architecture differs.
    bytes.set(new TextEncoder().encode('amdgpu-amd-amdhsa--gfx1250'), at);
    expect(identifyCodeObject(bytes)).toMatchObject({
      isaName: 'amdgcn-amd-amdhsa--gfx1250',
      metadataTarget: 'amdgpu-amd-amdhsa--gfx1250',
      stepping: 'b0',
    });
    expect(parseSteppedIsa('amdgpu12.50-amd-amdhsa-unknown-gfx1250').target.processor).toBe('gfx1250');
  });

  it('reports metadata that names another target than the header', () => {
    const bytes = gfx1250Min();
    bytes.set(new TextEncoder().encode('gfx1251'), find(bytes, 'amdgcn-amd-amdhsa--gfx1250') + 'amdgcn-amd-amdhsa--'.length);
    const { mismatch, isaName, metadataTarget } = readIdentity(bytes);
    expect({ isaName, metadataTarget }).toEqual({
      isaName: 'amdgcn-amd-amdhsa--gfx1250',
      metadataTarget: 'amdgcn-amd-amdhsa--gfx1251',
    });
    expect(mismatch).toMatchObject({
      code: 'ERR_CODE_OBJECT',
      message: 'the ELF header says gfx1250, the metadata says gfx1251',
    });
    expect(() => identifyCodeObject(bytes)).toThrow('the ELF header says gfx1250');
  });

  it('raises nothing but HsaError for damaged files', () => {
    const whole = gfx1250Min();
    for (let at = 0; at < whole.length; at++) {
      const bytes = whole.slice();
      bytes[at]! ^= 0xff;
      try {
        readIdentity(bytes);
        codeObjectIsaName(bytes);
      } catch (error) {
        if (!isHsaError(error)) throw error;
      }
    }
  });
});
