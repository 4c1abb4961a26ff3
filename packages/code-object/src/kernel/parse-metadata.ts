import { isMetadataNote } from '../elf/metadata-note.js';
import type { ElfNote } from '../elf/elf-types.js';
import { badMetadata, decodeMessagePack } from '../internal/message-pack.js';
import { MetadataMap } from '../internal/metadata-map.js';
import type {
  Access,
  AddressSpace,
  CodeObjectMetadata,
  ExplicitKind,
  HiddenArg,
  HiddenKind,
  KernelArg,
  KernelMetadata,
} from './metadata-types.js';

/** A kernarg segment larger than this is not a kernel's: compilers stop at a few KiB. */
export const MAX_KERNARG_BYTES = 0x10_0000;

const EXPLICIT_KINDS: readonly ExplicitKind[] = [
  'by_value',
  'global_buffer',
  'dynamic_shared_pointer',
  'sampler',
  'image',
  'pipe',
  'queue',
];
const HIDDEN_KINDS: readonly HiddenKind[] = [
  'hidden_none',
  'hidden_global_offset_x',
  'hidden_global_offset_y',
  'hidden_global_offset_z',
  'hidden_printf_buffer',
  'hidden_hostcall_buffer',
  'hidden_default_queue',
  'hidden_completion_action',
  'hidden_multigrid_sync_arg',
  'hidden_block_count_x',
  'hidden_block_count_y',
  'hidden_block_count_z',
  'hidden_group_size_x',
  'hidden_group_size_y',
  'hidden_group_size_z',
  'hidden_remainder_x',
  'hidden_remainder_y',
  'hidden_remainder_z',
  'hidden_grid_dims',
  'hidden_heap_v1',
  'hidden_dynamic_lds_size',
  'hidden_private_base',
  'hidden_shared_base',
  'hidden_queue_ptr',
];
const ADDRESS_SPACES: readonly AddressSpace[] = ['private', 'global', 'constant', 'local', 'generic', 'region'];
const ACCESSES: readonly Access[] = ['read_only', 'write_only', 'read_write'];

/**
 * The metadata of the notes, or undefined when there is none. Several metadata notes are merged; their versions must agree.
 *
 * @throws {HsaError} ERR_METADATA
 */
export function parseMetadata(notes: readonly ElfNote[]): CodeObjectMetadata | undefined {
  let merged: CodeObjectMetadata | undefined;
  for (const note of notes) {
    if (!isMetadataNote(note)) continue;
    const metadata = parseMetadataNote(note.description);
    if (merged && String(merged.version) !== String(metadata.version)) {
      throw badMetadata(
        `the file has metadata of version ${merged.version.join('.')} and of version ${metadata.version.join('.')}`,
      );
    }
    const target = metadata.target ?? merged?.target;
    merged = merged
      ? {
          version: merged.version,
          ...(target === undefined ? {} : { target }),
          kernels: [...merged.kernels, ...metadata.kernels],
          printf: [...merged.printf, ...metadata.printf],
        }
      : metadata;
  }
  return merged;
}

/** One note's MessagePack map. */
function parseMetadataNote(bytes: Uint8Array): CodeObjectMetadata {
  const root = new MetadataMap(decodeMessagePack(bytes), 'the metadata');
  const version = root.optionalPair('amdhsa.version');
  if (!version) throw badMetadata('amdhsa.version is missing from the metadata');
  const target = root.optionalString('amdhsa.target');
  const kernels = root.optionalList('amdhsa.kernels') ?? [];
  const printf = root.optionalList('amdhsa.printf') ?? [];
  return {
    version,
    ...(target === undefined ? {} : { target }),
    kernels: kernels.map((value, index) => parseKernel(new MetadataMap(value, `amdhsa.kernels[${index}]`))),
    printf: printf.map((value, index) => {
      if (typeof value !== 'string') throw badMetadata(`amdhsa.printf[${index}] is not a string`);
      return value;
    }),
  };
}

function parseKernel(map: MetadataMap): KernelMetadata {
  const kernargBytes = map.integer('.kernarg_segment_size');
  if (kernargBytes > MAX_KERNARG_BYTES) {
    throw badMetadata(`${map.path}.kernarg_segment_size is ${kernargBytes}; at most ${MAX_KERNARG_BYTES} is a kernel's`);
  }
  const kernargAlign = map.integer('.kernarg_segment_align');
  if (!isPowerOfTwo(kernargAlign) || kernargAlign > 4096) {
    throw badMetadata(`${map.path}.kernarg_segment_align is ${kernargAlign}, not a power of two up to 4096`);
  }
  const waveSize = map.integer('.wavefront_size');
  if (waveSize !== 32 && waveSize !== 64) throw badMetadata(`${map.path}.wavefront_size is ${waveSize}, not 32 or 64`);
  const { args, hiddenArgs } = parseArgs(map, kernargBytes);
  return {
    name: map.string('.name'),
    symbol: map.string('.symbol'),
    kind: map.optionalString('.kind') ?? 'normal',
    args,
    hiddenArgs,
    kernargBytes,
    kernargAlign,
    groupBytes: map.integer('.group_segment_fixed_size'),
    privateBytes: map.integer('.private_segment_fixed_size'),
    waveSize,
    vgprs: map.integer('.vgpr_count'),
    sgprs: map.integer('.sgpr_count'),
    vgprSpills: map.optionalInteger('.vgpr_spill_count') ?? 0,
    sgprSpills: map.optionalInteger('.sgpr_spill_count') ?? 0,
    maxFlatWorkgroupSize: map.integer('.max_flat_workgroup_size'),
    usesDynamicStack: map.optionalFlag('.uses_dynamic_stack') ?? false,
    uniformWorkgroupSize: map.optionalFlag('.uniform_work_group_size') ?? false,
    ...given({
      language: map.optionalString('.language'),
      languageVersion: map.optionalPair('.language_version'),
      agprs: map.optionalInteger('.agpr_count'),
      requiredWorkgroup: map.optionalTriple('.reqd_workgroup_size'),
      workgroupHint: map.optionalTriple('.workgroup_size_hint'),
      vecTypeHint: map.optionalString('.vec_type_hint'),
      deviceEnqueueSymbol: map.optionalString('.device_enqueue_symbol'),
      maxWorkgroups: maxWorkgroups(map),
      clusterDims: map.optionalTriple('.cluster_dims'),
      workgroupProcessorMode: map.optionalFlag('.workgroup_processor_mode'),
    }),
  };
}

/** clang writes `.max_num_workgroups_x`; AMDGPUUsage spells it `.max_num_work_groups_x`. */
function maxWorkgroups(map: MetadataMap): KernelMetadata['maxWorkgroups'] {
  const bound = (axis: string): number | undefined =>
    map.optionalInteger(`.max_num_workgroups_${axis}`) ?? map.optionalInteger(`.max_num_work_groups_${axis}`);
  const [x, y, z] = [bound('x'), bound('y'), bound('z')];
  return x === undefined && y === undefined && z === undefined ? undefined : [x, y, z];
}

function parseArgs(kernel: MetadataMap, kernargBytes: number): { readonly args: KernelArg[]; readonly hiddenArgs: HiddenArg[] } {
  const args: KernelArg[] = [];
  const hiddenArgs: HiddenArg[] = [];
  for (const [index, value] of (kernel.optionalList('.args') ?? []).entries()) {
    const map = new MetadataMap(value, `${kernel.path}.args[${index}]`);
    const offset = map.integer('.offset');
    const sizeBytes = map.integer('.size');
    if (offset + sizeBytes > kernargBytes) {
      throw badMetadata(
        `${map.path} (offset ${offset}, ${sizeBytes} bytes) reaches beyond the kernarg segment of ${kernargBytes} bytes`,
      );
    }
    const kindName = map.string('.value_kind');
    const hidden = HIDDEN_KINDS.find((kind) => kind === kindName);
    if (hidden !== undefined) {
      if (sizeBytes !== 2 && sizeBytes !== 4 && sizeBytes !== 8)
        throw badMetadata(`${map.path} (${hidden}) has ${sizeBytes} bytes, not 2, 4 or 8`);
      hiddenArgs.push({ kind: hidden, offset, sizeBytes });
      continue;
    }
    const kind = EXPLICIT_KINDS.find((candidate) => candidate === kindName);
    if (kind === undefined) throw badMetadata(`${map.path}.value_kind is "${kindName}", which is not known`);
    if (kind !== 'by_value' && sizeBytes !== 4 && sizeBytes !== 8)
      throw badMetadata(`${map.path} (${kind}) has ${sizeBytes} bytes, not 4 or 8`);
    const name = map.optionalString('.name');
    args.push({
      name: name === undefined || name === '' ? `arg${args.length}` : name,
      hasName: name !== undefined && name !== '',
      kind,
      offset,
      sizeBytes,
      isConst: map.optionalFlag('.is_const') ?? false,
      isRestrict: map.optionalFlag('.is_restrict') ?? false,
      isVolatile: map.optionalFlag('.is_volatile') ?? false,
      isPipe: map.optionalFlag('.is_pipe') ?? false,
      ...given({
        typeName: map.optionalString('.type_name'),
        addressSpace: map.optionalWord('.address_space', ADDRESS_SPACES),
        access: map.optionalWord('.access', ACCESSES),
        actualAccess: map.optionalWord('.actual_access', ACCESSES),
        pointeeAlign: pointeeAlign(map),
      }),
    });
  }
  return { args, hiddenArgs };
}

function pointeeAlign(map: MetadataMap): number | undefined {
  const align = map.optionalInteger('.pointee_align');
  if (align !== undefined && (!isPowerOfTwo(align) || align > 0x1_0000)) {
    throw badMetadata(`${map.path}.pointee_align is ${align}, not a power of two up to 65536`);
  }
  return align;
}

function isPowerOfTwo(value: number): boolean {
  return value > 0 && Number.isInteger(Math.log2(value));
}

/** The entries of `fields` that have a value. */
function given<T extends Readonly<Record<string, unknown>>>(fields: T): { readonly [K in keyof T]?: Exclude<T[K], undefined> } {
  // Safe: only entries whose value is undefined are left out.
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    readonly [K in keyof T]?: Exclude<T[K], undefined>;
  };
}
