import { HsaError } from '@doorbell/abi/core';
import type { CodeObject } from './code-object.js';
import { PF_R, PF_W, PF_X, PT_LOAD, SHN_ABS, SHN_AMDGPU_LDS, SHN_UNDEF } from './elf/elf-constants.js';
import type { ElfSymbol, ProgramHeader } from './elf/elf-types.js';
import { badCodeObject, ByteReader, hex } from './internal/byte-reader.js';
import type { KernelInfo } from './kernel/kernel-info.js';

/** One PT_LOAD segment; the image offset is `vaddr` minus the plan's `baseVaddr`. */
export interface LoadSegment {
  readonly fileOffset: number;
  readonly vaddr: bigint;
  readonly imageOffset: number;
  readonly fileBytes: number;
  readonly memBytes: number;
  readonly permissions: { readonly read: boolean; readonly write: boolean; readonly execute: boolean };
}

/** The relocations that an AMDGPU loader applies (LLVM AMDGPUUsage, "Relocation Records"). */
export type RelocationKind = 'ABS32_LO' | 'ABS32_HI' | 'ABS64' | 'ABS32' | 'RELATIVE64';

/** A relocation to apply. */
export interface LoadRelocation {
  readonly kind: RelocationKind;
  readonly imageOffset: number;
  readonly addend: bigint;
  /** What the value is relative to; undefined: nothing (RELATIVE64, or symbol index 0). */
  readonly symbol?: RelocationSymbol;
}

export type RelocationSymbol =
  /** Defined in the code object: its virtual address. */
  | { readonly name: string; readonly kind: 'defined'; readonly vaddr: bigint }
  | { readonly name: string; readonly kind: 'absolute'; readonly value: bigint }
  /** Defined elsewhere: by another code object or by the host. */
  | { readonly name: string; readonly kind: 'undefined' };

/** A kernel, with the place of its descriptor in the image. */
export interface LoadKernel {
  readonly kernel: KernelInfo;
  readonly descriptorOffset: number;
  readonly entryOffset: number;
}

/** How to bring a code object into device memory. */
export interface LoadPlan {
  /** Size and alignment of the memory to allocate. */
  readonly imageBytes: number;
  readonly alignBytes: number;
  /** Virtual address of the image's first byte: device address = `vaddr` − `baseVaddr` + address of the image. */
  readonly baseVaddr: bigint;
  readonly segments: readonly LoadSegment[];
  readonly relocations: readonly LoadRelocation[];
  readonly kernels: readonly LoadKernel[];
  /** Symbols that must be resolved. */
  readonly undefinedSymbols: readonly string[];
  /** The code object's bytes: {@link applyLoad} copies the segments from them. */
  readonly bytes: Uint8Array;
}

/** Alignment the HSA loader gives code objects (AMD_ISA_ALIGN_BYTES). */
const MIN_ALIGN_BYTES = 256;
const MAX_ALIGN_BYTES = 2 << 20;
const MAX_IMAGE_BYTES = 0x1_0000_0000;

/** R_AMDGPU_ABS32_LO 1, ABS32_HI 2, ABS64 3, ABS32 6, RELATIVE64 13 (LLVM ELFRelocs/AMDGPU.def). */
const RELOCATION_KINDS: ReadonlyMap<number, RelocationKind> = new Map([
  [1, 'ABS32_LO'],
  [2, 'ABS32_HI'],
  [3, 'ABS64'],
  [6, 'ABS32'],
  [13, 'RELATIVE64'],
]);
/** Names of the others, for messages: static ones that a linker should have resolved. */
const STATIC_RELOCATIONS: Readonly<Record<number, string>> = {
  4: 'REL32',
  5: 'REL64',
  7: 'GOTPCREL',
  8: 'GOTPCREL32_LO',
  9: 'GOTPCREL32_HI',
  10: 'REL32_LO',
  11: 'REL32_HI',
  14: 'REL16',
};

/**
 * Plans how to load a code object: where each segment goes, which relocations to apply, where the kernels end up. Pure; it
 * allocates nothing of the image's size.
 *
 * @throws {HsaError} ERR_CODE_OBJECT for segments that overlap or make no sense, ERR_RELOCATION for relocations that a loader
 *   cannot apply.
 */
export function planLoad(codeObject: CodeObject): LoadPlan {
  const loads = codeObject.elf.programHeaders.filter((header) => header.type === PT_LOAD && header.memBytes > 0n);
  const first = loads[0];
  if (!first) throw badCodeObject('the file has nothing to load (no PT_LOAD segment)');
  const alignBytes = loads.reduce((align, header) => Math.max(align, segmentAlign(header)), MIN_ALIGN_BYTES);
  const baseVaddr = first.vaddr - (first.vaddr % BigInt(alignBytes));
  const segments = planSegments(codeObject.bytes, loads, baseVaddr);
  const imageBytes = segments.reduce((end, segment) => Math.max(end, segment.imageOffset + segment.memBytes), 0);
  const relocations = planRelocations(codeObject, baseVaddr, segments);
  const undefinedNames = relocations.flatMap(({ symbol }) => (symbol?.kind === 'undefined' ? [symbol.name] : []));
  return {
    imageBytes,
    alignBytes,
    baseVaddr,
    segments,
    relocations,
    kernels: codeObject.kernels.map((kernel) => ({
      kernel,
      // Both lie in segments: parseCodeObject checked it, and the segments fit an image of at most 4 GiB.
      descriptorOffset: Number(kernel.descriptorVaddr - baseVaddr),
      entryOffset: Number(kernel.entryVaddr - baseVaddr),
    })),
    undefinedSymbols: [...new Set(undefinedNames)],
    bytes: codeObject.bytes,
  };
}

/**
 * Writes the loaded, relocated image: copies the segments, zeroes everything else, applies the relocations for an image at
 * `deviceAddress`. `image` may be a staging copy or the memory itself.
 *
 * @throws {HsaError} ERR_INVALID_ARGUMENT when `image` is too small or `deviceAddress` misaligned; ERR_RELOCATION for a symbol
 *   that `resolveSymbol` does not know.
 */
export function applyLoad(
  plan: LoadPlan,
  image: Uint8Array,
  deviceAddress: bigint,
  resolveSymbol: (name: string) => bigint | undefined = () => undefined,
): void {
  if (image.byteLength < plan.imageBytes) {
    throw new HsaError('ERR_INVALID_ARGUMENT', {
      message: `the image needs ${plan.imageBytes} bytes; the memory given has ${image.byteLength}`,
    });
  }
  if (
    deviceAddress < 0n ||
    deviceAddress + BigInt(plan.imageBytes) > 1n << 64n ||
    deviceAddress % BigInt(plan.alignBytes) !== 0n
  ) {
    throw new HsaError('ERR_INVALID_ARGUMENT', {
      message: `a device address of ${hex(deviceAddress)} does not do: the image needs alignment to ${plan.alignBytes} bytes`,
    });
  }
  // Values first: a symbol that cannot be resolved leaves the memory as it was.
  const values = plan.relocations.map((relocation) => relocationValue(plan, relocation, deviceAddress, resolveSymbol));
  const target = image.subarray(0, plan.imageBytes);
  target.fill(0);
  for (const segment of plan.segments) {
    target.set(plan.bytes.subarray(segment.fileOffset, segment.fileOffset + segment.fileBytes), segment.imageOffset);
  }
  const view = new DataView(target.buffer, target.byteOffset, target.byteLength);
  plan.relocations.forEach((relocation, index) => {
    const value = BigInt.asUintN(64, values[index] ?? 0n);
    if (relocationBytes(relocation.kind) === 8) view.setBigUint64(relocation.imageOffset, value, true);
    else
      view.setUint32(
        relocation.imageOffset,
        Number((relocation.kind === 'ABS32_HI' ? value >> 32n : value) & 0xffff_ffffn),
        true,
      );
  });
}

/** Device address of a symbol of the code object, once its image lies at `deviceAddress`; undefined when it is not defined there. */
export function symbolAddress(plan: LoadPlan, symbol: ElfSymbol, deviceAddress: bigint): bigint | undefined {
  if (symbol.sectionIndex === SHN_UNDEF || symbol.sectionIndex === SHN_AMDGPU_LDS) return undefined;
  return symbol.sectionIndex === SHN_ABS ? symbol.value : symbol.value - plan.baseVaddr + deviceAddress;
}

function segmentAlign(header: ProgramHeader): number {
  const { align } = header;
  if (align <= 1n) return 1;
  if ((align & (align - 1n)) !== 0n || align > BigInt(MAX_ALIGN_BYTES)) {
    throw badCodeObject(
      `the segment at ${hex(header.vaddr)} has alignment ${hex(align)}, which is not a power of two up to ${MAX_ALIGN_BYTES}`,
    );
  }
  return Number(align);
}

function planSegments(bytes: Uint8Array, loads: readonly ProgramHeader[], baseVaddr: bigint): LoadSegment[] {
  const reader = new ByteReader(bytes);
  const segments: LoadSegment[] = [];
  let end = baseVaddr;
  for (const header of loads) {
    if (header.vaddr < end)
      throw badCodeObject(`the segment at ${hex(header.vaddr)} overlaps or precedes the one that ends at ${hex(end)}`);
    end = header.vaddr + header.memBytes;
    if (end - baseVaddr > BigInt(MAX_IMAGE_BYTES)) {
      throw badCodeObject(
        `the image would reach from ${hex(baseVaddr)} to ${hex(end)}; at most ${hex(MAX_IMAGE_BYTES)} bytes are loaded`,
      );
    }
    const file = reader.range(header.fileOffset, header.fileBytes, `segment at ${hex(header.vaddr)}`);
    segments.push({
      fileOffset: file.start,
      vaddr: header.vaddr,
      imageOffset: Number(header.vaddr - baseVaddr),
      fileBytes: file.sizeBytes,
      memBytes: Number(header.memBytes),
      permissions: {
        read: (header.flags & PF_R) !== 0,
        write: (header.flags & PF_W) !== 0,
        execute: (header.flags & PF_X) !== 0,
      },
    });
  }
  return segments;
}

function planRelocations(codeObject: CodeObject, baseVaddr: bigint, segments: readonly LoadSegment[]): LoadRelocation[] {
  const relocations: LoadRelocation[] = [];
  for (const { type, vaddr, symbol, addend } of codeObject.elf.relocations) {
    if (type === 0) continue; // R_AMDGPU_NONE
    const kind = RELOCATION_KINDS.get(type);
    if (kind === undefined) {
      const name = STATIC_RELOCATIONS[type];
      throw badRelocation(
        `the relocation at ${hex(vaddr)} has type ${type}${name === undefined ? '' : ` (R_AMDGPU_${name}, which the linker resolves)`}; loaders apply ABS32_LO, ABS32_HI, ABS64, ABS32 and RELATIVE64`,
        { type, vaddr },
      );
    }
    // Far-away addresses lose digits here, and lie in no segment all the same.
    const imageOffset = Number(vaddr - baseVaddr);
    const end = imageOffset + relocationBytes(kind);
    const isInside = segments.some(
      (segment) => imageOffset >= segment.imageOffset && end <= segment.imageOffset + segment.memBytes,
    );
    if (!isInside) throw badRelocation(`the relocation at ${hex(vaddr)} lies in no loaded segment`, { type, vaddr });
    relocations.push({
      kind,
      imageOffset,
      addend,
      ...(symbol && kind !== 'RELATIVE64' ? { symbol: relocationSymbol(symbol, vaddr) } : {}),
    });
  }
  return relocations;
}

function relocationSymbol(symbol: ElfSymbol, vaddr: bigint): RelocationSymbol {
  switch (symbol.sectionIndex) {
    case SHN_UNDEF:
      return { name: symbol.name, kind: 'undefined' };
    case SHN_ABS:
      return { name: symbol.name, kind: 'absolute', value: symbol.value };
    case SHN_AMDGPU_LDS:
      throw badRelocation(
        `the relocation at ${hex(vaddr)} needs the LDS variable ${symbol.name}, which the linker has not laid out`,
        {
          symbol: symbol.name,
        },
      );
    default:
      return { name: symbol.name, kind: 'defined', vaddr: symbol.value };
  }
}

function relocationValue(
  plan: LoadPlan,
  { kind, symbol, addend, imageOffset }: LoadRelocation,
  deviceAddress: bigint,
  resolveSymbol: (name: string) => bigint | undefined,
): bigint {
  const delta = deviceAddress - plan.baseVaddr;
  if (kind === 'RELATIVE64') return delta + addend;
  const value = symbolValue(symbol, delta, resolveSymbol);
  if (value === undefined || value + addend === 0n) {
    throw badRelocation(
      `the symbol ${symbol?.name ?? '(none)'} that the relocation at image offset ${hex(imageOffset)} needs is not defined`,
      { symbol: symbol?.name },
      // hsa.h HSA_STATUS_ERROR_VARIABLE_UNDEFINED
      0x1015,
    );
  }
  return value + addend;
}

function symbolValue(
  symbol: RelocationSymbol | undefined,
  delta: bigint,
  resolveSymbol: (name: string) => bigint | undefined,
): bigint | undefined {
  switch (symbol?.kind) {
    case undefined:
      return 0n;
    case 'defined':
      return symbol.vaddr + delta;
    case 'absolute':
      return symbol.value;
    case 'undefined':
      return resolveSymbol(symbol.name);
  }
}

function relocationBytes(kind: RelocationKind): 4 | 8 {
  return kind === 'ABS64' || kind === 'RELATIVE64' ? 8 : 4;
}

function badRelocation(message: string, details: Readonly<Record<string, unknown>>, hsaStatus?: number): HsaError {
  return new HsaError('ERR_RELOCATION', { message, details, ...(hsaStatus === undefined ? {} : { hsaStatus }) });
}
