import { encode } from '@msgpack/msgpack';
import { skipReason } from '@doorbell/test-support';
import { describe, expect, it } from 'vitest';
import type { HiddenArg, KernelArg, KernelMetadata } from '../../src/index.js';
import { parseCodeObject } from '../../src/index.js';
import { parseMetadata } from '../../src/kernel/parse-metadata.js';
import { CODE_OBJECTS, errorOf, fixture } from '../support/fixtures.js';
import { metadataOf, type Yaml } from '../support/llvm.js';

const missing = skipReason('llvm-readelf-22');

type Row = Readonly<Record<string, Yaml>>;

/** Back to the note's keys, as text: what llvm-readelf prints. */
function asNote(kernel: KernelMetadata): Row {
  const argRow = (arg: KernelArg | HiddenArg): Row => ({
    ...('name' in arg
      ? texts({
          '.name': arg.hasName ? arg.name : undefined,
          '.type_name': arg.typeName,
          '.address_space': arg.addressSpace,
          '.access': arg.access,
          '.actual_access': arg.actualAccess,
          '.pointee_align': arg.pointeeAlign,
          '.is_const': arg.isConst || undefined,
          '.is_restrict': arg.isRestrict || undefined,
          '.is_volatile': arg.isVolatile || undefined,
        })
      : {}),
    ...texts({ '.offset': arg.offset, '.size': arg.sizeBytes, '.value_kind': arg.kind }),
  });
  const args = [...kernel.args, ...kernel.hiddenArgs].sort((a, b) => a.offset - b.offset).map(argRow);
  return {
    '.args': args,
    ...(kernel.languageVersion ? { '.language_version': kernel.languageVersion.map(String) } : {}),
    ...(kernel.requiredWorkgroup ? { '.reqd_workgroup_size': kernel.requiredWorkgroup.map(String) } : {}),
    ...texts({
      '.name': kernel.name,
      '.symbol': kernel.symbol,
      '.language': kernel.language,
      '.kernarg_segment_size': kernel.kernargBytes,
      '.kernarg_segment_align': kernel.kernargAlign,
      '.group_segment_fixed_size': kernel.groupBytes,
      '.private_segment_fixed_size': kernel.privateBytes,
      '.wavefront_size': kernel.waveSize,
      '.vgpr_count': kernel.vgprs,
      '.agpr_count': kernel.agprs,
      '.sgpr_count': kernel.sgprs,
      '.vgpr_spill_count': kernel.vgprSpills,
      '.sgpr_spill_count': kernel.sgprSpills,
      '.max_flat_workgroup_size': kernel.maxFlatWorkgroupSize,
    }),
  };
}

function texts(fields: Readonly<Record<string, string | number | boolean | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([key, value]) => (value === undefined ? [] : [[key, String(value)]])),
  );
}

describe.skipIf(missing !== '')(`metadata agrees with llvm-readelf${missing === '' ? '' : ` (skipped: ${missing})`}`, () => {
  it.each(CODE_OBJECTS)('of %s', (file) => {
    const metadata = parseCodeObject(fixture(file)).metadata!;
    const expected = metadataOf(file) as { readonly 'amdhsa.kernels': readonly Row[] } & Row;
    expect(metadata.target).toBe(expected['amdhsa.target']);
    expect(metadata.version.map(String)).toEqual(expected['amdhsa.version']);
    const rows = expected['amdhsa.kernels'].map((row) => {
      const {
        '.uses_dynamic_stack': dynamic,
        '.workgroup_processor_mode': wgp,
        '.uniform_work_group_size': uniform,
        ...rest
      } = row;
      return { flags: [dynamic === 'true', wgp === undefined ? undefined : wgp === '1', uniform === '1'], rest };
    });
    expect(
      metadata.kernels.map((kernel) => ({
        flags: [kernel.usesDynamicStack, kernel.workgroupProcessorMode, kernel.uniformWorkgroupSize],
        rest: asNote(kernel),
      })),
    ).toEqual(rows);
  });
});

const kernel = {
  '.name': 'k',
  '.symbol': 'k.kd',
  '.kernarg_segment_size': 16,
  '.kernarg_segment_align': 8,
  '.group_segment_fixed_size': 0,
  '.private_segment_fixed_size': 0,
  '.wavefront_size': 32,
  '.sgpr_count': 8,
  '.vgpr_count': 8,
  '.max_flat_workgroup_size': 1024,
};
const arg = { '.offset': 0, '.size': 8, '.value_kind': 'global_buffer' };
const note = (value: unknown): ReturnType<typeof parseMetadata> =>
  parseMetadata([{ name: 'AMDGPU', type: 32, description: value instanceof Uint8Array ? value : encode(value) }]);
const withKernel = (fields: Readonly<Record<string, unknown>>): unknown => ({
  'amdhsa.version': [1, 2],
  'amdhsa.kernels': [{ ...kernel, ...fields }],
});

describe('parseMetadata', () => {
  it('takes both spellings of the bounds on workgroup counts', () => {
    const bounds = (fields: Readonly<Record<string, unknown>>): unknown => note(withKernel(fields))?.kernels[0]?.maxWorkgroups;
    expect(bounds({ '.max_num_workgroups_x': 4, '.max_num_workgroups_z': 6 })).toEqual([4, undefined, 6]);
    expect(bounds({ '.max_num_work_groups_y': 5 })).toEqual([undefined, 5, undefined]);
    expect(bounds({})).toBeUndefined();
  });

  it('names arguments without a name by their order among the explicit ones', () => {
    const hidden = { '.offset': 8, '.size': 8, '.value_kind': 'hidden_queue_ptr' };
    const parsed = note(withKernel({ '.args': [{ ...arg, '.name': 'p' }, hidden, { ...arg, '.offset': 8 }] }));
    expect(parsed?.kernels[0]?.args.map((entry) => [entry.name, entry.hasName])).toEqual([
      ['p', true],
      ['arg1', false],
    ]);
  });

  it('merges several notes of one version', () => {
    const notes = ['a', 'b'].map((name) => ({
      name: 'AMDGPU',
      type: 32,
      description: encode(withKernel({ '.name': name, '.symbol': `${name}.kd` })),
    }));
    expect(parseMetadata(notes)?.kernels.map((entry) => entry.name)).toEqual(['a', 'b']);
    const other = { name: 'AMDGPU', type: 32, description: encode({ 'amdhsa.version': [1, 1] }) };
    expect(errorOf(() => parseMetadata([...notes, other]))).toMatchObject({ code: 'ERR_METADATA' });
  });

  it('passes over notes of others', () => {
    expect(parseMetadata([{ name: 'GNU', type: 32, description: new Uint8Array([0xc1]) }])).toBeUndefined();
  });

  it.each([
    ['no map', 5, /the metadata is not a map/],
    ['a missing version', { 'amdhsa.kernels': [] }, /amdhsa.version is missing/],
    ['kernels that are no list', { 'amdhsa.version': [1, 2], 'amdhsa.kernels': 1 }, /not an array/],
    ['a kernel without symbol', withKernel({ '.symbol': undefined }), /amdhsa.kernels\[0\].symbol is missing/],
    ['a negative size', withKernel({ '.kernarg_segment_size': -1 }), /not an integer from 0/],
    ['a size that is no integer', withKernel({ '.kernarg_segment_size': 1.5 }), /not an integer from 0/],
    ['a huge kernarg segment', withKernel({ '.kernarg_segment_size': 0x4000_0000 }), /at most 1048576/],
    ['a wave of 16', withKernel({ '.wavefront_size': 16 }), /not 32 or 64/],
    ['an alignment of 12', withKernel({ '.kernarg_segment_align': 12 }), /not a power of two/],
    [
      'an argument outside the segment',
      withKernel({ '.args': [{ ...arg, '.offset': 12 }] }),
      /reaches beyond the kernarg segment of 16 bytes/,
    ],
    ['an unknown kind', withKernel({ '.args': [{ ...arg, '.value_kind': 'magic' }] }), /"magic", which is not known/],
    ['a pointer of 3 bytes', withKernel({ '.args': [{ ...arg, '.size': 3 }] }), /not 4 or 8/],
    [
      'a hidden argument of 1 byte',
      withKernel({ '.args': [{ ...arg, '.size': 1, '.value_kind': 'hidden_grid_dims' }] }),
      /not 2, 4 or 8/,
    ],
    ['an unknown address space', withKernel({ '.args': [{ ...arg, '.address_space': 'outer' }] }), /known are private/],
    ['a triple of two', withKernel({ '.reqd_workgroup_size': [1, 2] }), /has 2 elements, not 3/],
    ['an array that promises 4 billion elements', new Uint8Array([0xdd, 0xff, 0xff, 0xff, 0xff]), /promises more/],
    ['a map that promises 4 billion entries', new Uint8Array([0xdf, 0xff, 0xff, 0xff, 0xff, 1]), /promises more/],
    ['arrays nested 40 deep', new Uint8Array([...new Array<number>(40).fill(0x91), 1]), /deeper than 32/],
    ['a string beyond the end', new Uint8Array([0xdb, 0, 0, 1, 0, 65]), /promises more/],
    ['bytes behind the value', new Uint8Array([0x80, 0x80]), /1 bytes behind its value/],
    ['the byte that is no format', new Uint8Array([0xc1]), /cannot be decoded/],
    ['the key __proto__', new Uint8Array([0x81, 0xa9, ...new TextEncoder().encode('__proto__'), 0x80]), /cannot be decoded/],
    ['nothing', new Uint8Array(0), /ends inside a value/],
  ])('refuses %s', (_, value, message) => {
    expect(errorOf(() => note(value))).toMatchObject({ code: 'ERR_METADATA', message: expect.stringMatching(message) as string });
  });
});
