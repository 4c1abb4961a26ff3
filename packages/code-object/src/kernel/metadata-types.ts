/** What the metadata note (NT_AMDGPU_METADATA) of a code object says; names follow LLVM AMDGPUUsage, "Code Object Metadata". */

/** Hidden arguments, which the runtime fills in. */
export type HiddenKind =
  | 'hidden_none'
  | 'hidden_global_offset_x'
  | 'hidden_global_offset_y'
  | 'hidden_global_offset_z'
  | 'hidden_printf_buffer'
  | 'hidden_hostcall_buffer'
  | 'hidden_default_queue'
  | 'hidden_completion_action'
  | 'hidden_multigrid_sync_arg'
  | 'hidden_block_count_x'
  | 'hidden_block_count_y'
  | 'hidden_block_count_z'
  | 'hidden_group_size_x'
  | 'hidden_group_size_y'
  | 'hidden_group_size_z'
  | 'hidden_remainder_x'
  | 'hidden_remainder_y'
  | 'hidden_remainder_z'
  | 'hidden_grid_dims'
  | 'hidden_heap_v1'
  | 'hidden_dynamic_lds_size'
  | 'hidden_private_base'
  | 'hidden_shared_base'
  | 'hidden_queue_ptr';

/** Arguments that the caller gives. */
export type ExplicitKind = 'by_value' | 'global_buffer' | 'dynamic_shared_pointer' | 'sampler' | 'image' | 'pipe' | 'queue';

export type AddressSpace = 'private' | 'global' | 'constant' | 'local' | 'generic' | 'region';

export type Access = 'read_only' | 'write_only' | 'read_write';

interface ArgPlace {
  /** Byte offset in the kernarg segment, and size. */
  readonly offset: number;
  readonly sizeBytes: number;
}

/** An argument of a kernel. */
export interface KernelArg extends ArgPlace {
  /** As in the source, or `arg0`, `arg1`, … where the compiler left the name out. */
  readonly name: string;
  /** Whether the name comes from the metadata. */
  readonly hasName: boolean;
  readonly kind: ExplicitKind;
  /** Type as in the source: `uint`, `float4*`. */
  readonly typeName?: string;
  readonly addressSpace?: AddressSpace;
  /** As declared, and as the code really does. */
  readonly access?: Access;
  readonly actualAccess?: Access;
  /** Alignment of what a dynamic LDS pointer points at, in bytes. */
  readonly pointeeAlign?: number;
  readonly isConst: boolean;
  readonly isRestrict: boolean;
  readonly isVolatile: boolean;
  readonly isPipe: boolean;
}

/** A hidden argument of a kernel. */
export interface HiddenArg extends ArgPlace {
  readonly kind: HiddenKind;
}

/** What the metadata says of one kernel. */
export interface KernelMetadata {
  readonly name: string;
  /** Name of the descriptor's symbol: ends in `.kd`. */
  readonly symbol: string;
  /** `normal`, `init`, `fini`. */
  readonly kind: string;
  readonly language?: string;
  readonly languageVersion?: readonly [number, number];
  readonly args: readonly KernelArg[];
  readonly hiddenArgs: readonly HiddenArg[];
  readonly kernargBytes: number;
  readonly kernargAlign: number;
  readonly groupBytes: number;
  readonly privateBytes: number;
  readonly waveSize: 32 | 64;
  readonly vgprs: number;
  readonly agprs?: number;
  readonly sgprs: number;
  readonly vgprSpills: number;
  readonly sgprSpills: number;
  readonly maxFlatWorkgroupSize: number;
  readonly requiredWorkgroup?: readonly [number, number, number];
  readonly workgroupHint?: readonly [number, number, number];
  readonly vecTypeHint?: string;
  readonly deviceEnqueueSymbol?: string;
  /** Most workgroups in each dimension, where the kernel sets a bound. */
  readonly maxWorkgroups?: readonly [x: number | undefined, y: number | undefined, z: number | undefined];
  readonly clusterDims?: readonly [number, number, number];
  readonly usesDynamicStack: boolean;
  readonly workgroupProcessorMode?: boolean;
  readonly uniformWorkgroupSize: boolean;
}

/** The whole note. */
export interface CodeObjectMetadata {
  /** `amdhsa.version`: [1, 1] for code object version 4, [1, 2] for 5 and 6. */
  readonly version: readonly [number, number];
  /** `amdhsa.target`, as written. */
  readonly target?: string;
  readonly kernels: readonly KernelMetadata[];
  /** `amdhsa.printf`, as written: `id:argc:size…:format`. */
  readonly printf: readonly string[];
}
