import { findProcessor, type Generation } from '@doorbell/abi';
import { skipReason } from '@doorbell/test-support';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type KernelDescriptor, parseCodeObject, parseKernelDescriptor } from '../../src/index.js';
import { errorOf, fixture } from '../support/fixtures.js';
import { assemble } from '../support/llvm.js';

const ROUND = ['nearest-even', 'plus-infinity', 'minus-infinity', 'zero'];
const DENORM = ['flush-source-and-result', 'flush-result', 'flush-source', 'keep'];

/** A directive of llvm-mc, the values it takes on a generation, and what the descriptor must then say. */
interface Directive {
  readonly name: string;
  readonly values: readonly number[];
  readonly only?: readonly Generation[];
  readonly read: (descriptor: KernelDescriptor) => unknown;
  readonly expected?: (value: number) => unknown;
}

const flag = (
  name: string,
  read: (descriptor: KernelDescriptor) => boolean | undefined,
  only?: readonly Generation[],
): Directive => ({
  name,
  values: [0, 1],
  read,
  expected: (value) => value === 1,
  ...(only ? { only } : {}),
});
const upTo11: readonly Generation[] = ['gfx9', 'gfx90a', 'gfx10', 'gfx11'];
const from10: readonly Generation[] = ['gfx10', 'gfx11', 'gfx12', 'gfx125'];
const buffers: readonly Generation[] = ['gfx9', 'gfx10'];

const DIRECTIVES: readonly Directive[] = [
  { name: 'group_segment_fixed_size', values: [0, 4, 65536], read: (d) => d.raw.groupBytes },
  { name: 'private_segment_fixed_size', values: [0, 16, 4096], read: (d) => d.raw.privateBytes },
  { name: 'kernarg_size', values: [0, 8, 264], read: (d) => d.raw.kernargBytes },
  { name: 'float_round_mode_32', values: [0, 1, 2, 3], read: (d) => d.roundMode32, expected: (v) => ROUND[v] },
  { name: 'float_round_mode_16_64', values: [0, 1, 2, 3], read: (d) => d.roundMode16And64, expected: (v) => ROUND[v] },
  { name: 'float_denorm_mode_32', values: [0, 1, 2, 3], read: (d) => d.denormMode32, expected: (v) => DENORM[v] },
  { name: 'float_denorm_mode_16_64', values: [0, 1, 2, 3], read: (d) => d.denormMode16And64, expected: (v) => DENORM[v] },
  flag('dx10_clamp', (d) => d.dx10Clamp, upTo11),
  flag('ieee_mode', (d) => d.ieeeMode, upTo11),
  flag('fp16_overflow', (d) => d.fp16Overflow),
  flag('workgroup_processor_mode', (d) => d.workgroupProcessorMode, ['gfx10', 'gfx11', 'gfx12']),
  flag('memory_ordered', (d) => d.memoryOrdered, from10),
  flag('forward_progress', (d) => d.forwardProgress, from10),
  flag('round_robin_scheduling', (d) => d.workgroupRoundRobin, ['gfx12', 'gfx125']),
  flag('tg_split', (d) => d.threadgroupSplit, ['gfx90a']),
  {
    name: 'inst_pref_size',
    values: [0, 1, 33],
    only: ['gfx11', 'gfx12', 'gfx125'],
    read: (d) => d.instructionPrefetchBytes,
    expected: (v) => v * 128,
  },
  // The directive counts granules of 4 barriers.
  { name: 'named_barrier_count', values: [0, 1, 4], only: ['gfx125'], read: (d) => d.namedBarriers, expected: (v) => v * 4 },
  flag('system_sgpr_workgroup_id_x', (d) => d.workgroupIdX),
  flag('system_sgpr_workgroup_id_y', (d) => d.workgroupIdY),
  flag('system_sgpr_workgroup_id_z', (d) => d.workgroupIdZ),
  flag('system_sgpr_workgroup_info', (d) => d.workgroupInfo),
  { name: 'system_vgpr_workitem_id', values: [0, 1, 2], read: (d) => d.workitemIdDims, expected: (v) => v + 1 },
  flag('enable_private_segment', (d) => d.usesPrivateSegment, ['gfx11', 'gfx12', 'gfx125']),
  flag('system_sgpr_private_segment_wavefront_offset', (d) => d.usesPrivateSegment, ['gfx9', 'gfx10']),
  flag('user_sgpr_private_segment_buffer', (d) => d.userSgprs.privateSegmentBuffer, buffers),
  flag('user_sgpr_dispatch_ptr', (d) => d.userSgprs.dispatchPointer),
  flag('user_sgpr_queue_ptr', (d) => d.userSgprs.queuePointer),
  flag('user_sgpr_kernarg_segment_ptr', (d) => d.userSgprs.kernargSegmentPointer),
  flag('user_sgpr_dispatch_id', (d) => d.userSgprs.dispatchId),
  flag('user_sgpr_flat_scratch_init', (d) => d.userSgprs.flatScratchInit, buffers),
  flag('user_sgpr_private_segment_size', (d) => d.userSgprs.privateSegmentSize),
  flag('wavefront_size32', (d) => d.waveSize === 32, ['gfx10', 'gfx11', 'gfx12']),
  flag('uses_dynamic_stack', (d) => d.usesDynamicStack),
  flag('exception_fp_ieee_invalid_op', (d) => (d.exceptions & 1) !== 0),
  flag('exception_fp_denorm_src', (d) => (d.exceptions & 2) !== 0),
  flag('exception_fp_ieee_div_zero', (d) => (d.exceptions & 4) !== 0),
  flag('exception_int_div_zero', (d) => (d.exceptions & 64) !== 0),
];

/** Registers of the enabled user SGPRs, in order (LLVM AMDGPUUsage, "SGPR Register Set Up Order"). */
const USER_SGPRS: readonly (readonly [string, string, number])[] = [
  ['user_sgpr_private_segment_buffer', 'privateSegmentBuffer', 4],
  ['user_sgpr_dispatch_ptr', 'dispatchPointer', 2],
  ['user_sgpr_queue_ptr', 'queuePointer', 2],
  ['user_sgpr_kernarg_segment_ptr', 'kernargSegmentPointer', 2],
  ['user_sgpr_dispatch_id', 'dispatchId', 2],
  ['user_sgpr_flat_scratch_init', 'flatScratchInit', 2],
  ['user_sgpr_private_segment_size', 'privateSegmentSize', 1],
];

/** The others: kernel-descriptor.sweep.test.ts. */
const EVERY_DAY = ['gfx90a', 'gfx1100', 'gfx1250'];
const PROCESSORS_UNDER_TEST =
  process.env['DOORBELL_SWEEP'] === '1' ? ['gfx906', 'gfx90a', 'gfx1030', 'gfx1100', 'gfx1201', 'gfx1250'] : EVERY_DAY;
const missing = skipReason('llvm-mc-22', 'ld.lld-22');

describe.skipIf(missing !== '')(`kernel descriptors agree with llvm-mc${missing === '' ? '' : ` (skipped: ${missing})`}`, () => {
  for (const processor of PROCESSORS_UNDER_TEST) {
    it(`for 20 random descriptors of ${processor}`, () => {
      const generation = findProcessor(processor)?.generation ?? 'gfx6';
      const directives = DIRECTIVES.filter((directive) => !directive.only || directive.only.includes(generation));
      const choice = fc.record({
        picks: fc.tuple(...directives.map((directive) => fc.constantFrom(...directive.values))),
        vgprs: fc.integer({ min: 1, max: generation === 'gfx90a' ? 512 : 256 }),
        accum: fc.integer({ min: 1, max: 64 }),
      });
      const rows = fc.sample(choice, { numRuns: 20, seed: 20 });
      const source = rows.map((row, index) => {
        const lines = directives.map((directive, at) => `  .amdhsa_${directive.name} ${row.picks[at] ?? 0}`);
        if (generation === 'gfx90a')
          lines.push(`  .amdhsa_accum_offset ${Math.min(row.accum * 4, Math.ceil(row.vgprs / 4) * 4)}`);
        lines.push(`  .amdhsa_next_free_vgpr ${row.vgprs}`, '  .amdhsa_next_free_sgpr 40');
        return [
          `.p2align 8\n.globl k${index}\nk${index}:\n s_endpgm`,
          `.rodata\n.p2align 6\n.globl k${index}\n.amdhsa_kernel k${index}\n${lines.join('\n')}\n.end_amdhsa_kernel\n.text`,
        ].join('\n');
      });
      const codeObject = parseCodeObject(assemble(processor, `.amdhsa_code_object_version 5\n.text\n${source.join('\n')}\n`));
      expect(codeObject.kernels).toHaveLength(rows.length);
      rows.forEach((row, index) => {
        const kernel = codeObject.kernels.find((candidate) => candidate.name === `k${index}`)!;
        const { descriptor } = kernel;
        const said = Object.fromEntries(directives.map((directive) => [directive.name, directive.read(descriptor)]));
        const asked = directives.map(({ name, expected }, at) => [name, expected ? expected(row.picks[at]!) : row.picks[at]]);
        expect(said).toEqual(Object.fromEntries(asked));
        // llvm-mc rounds what is asked for up to the granule.
        const granule = { gfx125: 16, gfx90a: 8 }[generation as string] ?? (descriptor.waveSize === 32 ? 8 : 4);
        expect(descriptor.vgprs).toBe(Math.ceil(row.vgprs / granule) * granule);
        if (generation === 'gfx90a') expect(descriptor.accumOffset).toBe(Math.min(row.accum * 4, Math.ceil(row.vgprs / 4) * 4));
        let next = 0;
        const layout = USER_SGPRS.flatMap(([directive, item, count]) => {
          const at = directives.findIndex((candidate) => candidate.name === directive);
          if (at < 0 || row.picks[at] !== 1) return [];
          next += count;
          return [{ item, first: next - count, count }];
        });
        expect(descriptor.userSgprLayout).toEqual(layout);
        expect(descriptor.userSgprCount).toBe(next);
        expect(kernel.entryVaddr).toBe(codeObject.symbols.find((symbol) => symbol.name === `k${index}`)?.value);
      });
    });
  }

  it.each([
    [
      'gfx906',
      [
        [20, 32],
        [40, 48],
        [96, 112],
      ],
    ],
    ['gfx1100', [[40, 128]]],
  ] as const)('counts the allocated SGPRs of %s', (processor, cases) => {
    const kernels = cases.map(
      ([used]) =>
        `.text\n.globl k${used}\n.p2align 8\nk${used}:\n s_endpgm\n.rodata\n.p2align 6
.amdhsa_kernel k${used}\n .amdhsa_next_free_vgpr 1\n .amdhsa_next_free_sgpr ${used}\n.end_amdhsa_kernel\n`,
    );
    const found = parseCodeObject(assemble(processor, `.amdhsa_code_object_version 5\n${kernels.join('')}`)).kernels;
    // Beside those asked for, VCC (2), and 4 in all with the XNACK mask, 6 in all with FLAT_SCRATCH, are reserved on gfx9.
    expect(new Map(found.map(({ name, sgprs }) => [name, sgprs]))).toEqual(
      new Map(cases.map(([used, allocated]) => [`k${used}`, allocated])),
    );
  });

  it.each(['gfx90a', 'gfx942', 'gfx1250'])('reads preloaded arguments of %s', (processor) => {
    const source = `.amdhsa_code_object_version 5\n.text\n.globl k\n.p2align 8\nk:\n s_endpgm\n.rodata\n.p2align 6
.amdhsa_kernel k\n .amdhsa_next_free_vgpr 1\n .amdhsa_next_free_sgpr 16\n${processor === 'gfx1250' ? '' : ' .amdhsa_accum_offset 4\n'} .amdhsa_user_sgpr_kernarg_segment_ptr 1
 .amdhsa_user_sgpr_kernarg_preload_length 5\n .amdhsa_user_sgpr_kernarg_preload_offset 3\n.end_amdhsa_kernel\n`;
    const descriptor = parseCodeObject(assemble(processor, source)).kernels[0]!.descriptor;
    expect(descriptor.kernargPreload).toEqual({ dwords: 5, offsetDwords: 3 });
    expect(descriptor.userSgprLayout).toEqual([
      { item: 'kernargSegmentPointer', first: 0, count: 2 },
      { item: 'kernargPreload', first: 2, count: 5 },
    ]);
    expect(descriptor.userSgprCount).toBe(7);
  });
});

describe('parseKernelDescriptor', () => {
  it('refuses fewer than 64 bytes', () => {
    expect(errorOf(() => parseKernelDescriptor(new Uint8Array(63), 'gfx11'))).toMatchObject({ code: 'ERR_CODE_OBJECT' });
  });

  // Values clang writes at default options (round to nearest, no flushing); the padding of user SGPRs to 16 on gfx1100.
  it('reads a descriptor of clang', () => {
    const kernel = parseCodeObject(fixture('gfx1100-v5.hsaco')).kernels.find((candidate) => candidate.name === 'plain')!;
    expect(kernel.descriptor).toMatchObject({
      waveSize: 32,
      roundMode32: 'nearest-even',
      denormMode32: 'keep',
      dx10Clamp: true,
      ieeeMode: true,
      workgroupProcessorMode: true,
      userSgprCount: 15,
      userSgprLayout: [{ item: 'kernargSegmentPointer', first: 0, count: 2 }],
      workgroupIdX: true,
      workgroupIdY: false,
    });
    expect(kernel.descriptor.raw.rsrc1 >>> 10).toBe(0xe0af0000 >>> 10);
  });
});
