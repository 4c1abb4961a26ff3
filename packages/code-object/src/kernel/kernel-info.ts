import type { Processor } from '@doorbell/abi/core';
import type { ElfFile, ElfSymbol } from '../elf/elf-types.js';
import { PF_X, PT_LOAD, SHN_UNDEF, STB_LOCAL, STT_AMDGPU_HSA_KERNEL } from '../elf/elf-constants.js';
import { fileRangeOf } from '../elf/virtual-addresses.js';
import { badCodeObject, ByteReader, hex } from '../internal/byte-reader.js';
import { badMetadata } from '../internal/message-pack.js';
import { KERNEL_DESCRIPTOR_BYTES, type KernelDescriptor, parseKernelDescriptor } from './kernel-descriptor.js';
import type { CodeObjectMetadata, HiddenArg, KernelArg, KernelMetadata } from './metadata-types.js';
import { MAX_KERNARG_BYTES } from './parse-metadata.js';

/** A kernel of a code object: its descriptor, and what the metadata says of it. */
export interface KernelInfo {
  /** As in the source; the symbol without `.kd` where there is no metadata. */
  readonly name: string;
  /** Name of the descriptor's symbol: ends in `.kd`. */
  readonly symbol: string;
  /** Virtual addresses of descriptor and first instruction, before relocation. */
  readonly descriptorVaddr: bigint;
  readonly entryVaddr: bigint;
  readonly descriptor: KernelDescriptor;
  /** What the note says of this kernel; undefined when it says nothing. */
  readonly metadata?: KernelMetadata;
  /** Arguments that the caller gives, in order, and those that the runtime fills in. */
  readonly args: readonly KernelArg[];
  readonly hiddenArgs: readonly HiddenArg[];
  /** Size of the kernarg segment, and the alignment it needs (at least 16). */
  readonly kernargBytes: number;
  readonly kernargAlign: number;
  /** LDS and scratch: static sizes, in bytes for a workgroup and for a work-item. */
  readonly groupBytes: number;
  readonly privateBytes: number;
  readonly waveSize: 32 | 64;
  /** Registers of a wave as allocated by the descriptor. */
  readonly vgprs: number;
  readonly sgprs: number;
  /** 1024 when the metadata does not say. */
  readonly maxFlatWorkgroupSize: number;
  readonly language?: string;
  readonly usesDynamicStack: boolean;
}

/** The largest workgroup of AMD GPUs. */
const MAX_WORKGROUP = 1024;

/**
 * The kernels: every global `.kd` symbol, with its metadata where the note has it. A kernel that the note lists and no symbol
 * defines is an error.
 */
export function readKernels(elf: ElfFile, metadata: CodeObjectMetadata | undefined, processor: Processor): KernelInfo[] {
  const bySymbol = new Map<string, KernelMetadata>();
  for (const kernel of metadata?.kernels ?? []) bySymbol.set(kernel.symbol, kernel);
  const reader = new ByteReader(elf.bytes);
  const kernels: KernelInfo[] = [];
  const seen = new Set<string>();
  for (const symbol of descriptorSymbols(elf)) {
    if (seen.has(symbol.name)) continue;
    seen.add(symbol.name);
    kernels.push(readKernel(reader, elf, symbol, bySymbol.get(symbol.name), processor));
  }
  for (const kernel of bySymbol.values()) {
    if (!seen.has(kernel.symbol))
      throw badMetadata(`the metadata lists kernel ${kernel.name}, but no symbol ${kernel.symbol} is defined`);
  }
  return kernels;
}

/** Defined, not local, named `….kd`; from `.symtab`, or from `.dynsym` where that was stripped. */
function descriptorSymbols(elf: ElfFile): ElfSymbol[] {
  const symbols = elf.symtab.length > 0 ? elf.symtab : elf.dynsym;
  return symbols.filter(
    (symbol) =>
      symbol.name.endsWith('.kd') &&
      symbol.sectionIndex !== SHN_UNDEF &&
      (symbol.binding !== STB_LOCAL || symbol.type === STT_AMDGPU_HSA_KERNEL),
  );
}

function readKernel(
  reader: ByteReader,
  elf: ElfFile,
  symbol: ElfSymbol,
  metadata: KernelMetadata | undefined,
  processor: Processor,
): KernelInfo {
  const what = `kernel descriptor ${symbol.name}`;
  const { start } = fileRangeOf(reader, elf.programHeaders, symbol.value, BigInt(KERNEL_DESCRIPTOR_BYTES), what);
  if (symbol.value % BigInt(KERNEL_DESCRIPTOR_BYTES) !== 0n) {
    throw badCodeObject(`${what} at address ${hex(symbol.value)} is not aligned to ${KERNEL_DESCRIPTOR_BYTES} bytes`);
  }
  const descriptor = parseKernelDescriptor(reader.slice(start, KERNEL_DESCRIPTOR_BYTES, what), processor.generation);
  const { raw } = descriptor;
  if (raw.kernargBytes > MAX_KERNARG_BYTES) {
    throw badCodeObject(`${what}: kernarg size ${raw.kernargBytes}; at most ${MAX_KERNARG_BYTES} is a kernel's`);
  }
  const entryVaddr = symbol.value + raw.entryOffset;
  checkEntry(elf, entryVaddr, what);
  return {
    name: metadata?.name ?? symbol.name.slice(0, -'.kd'.length),
    symbol: symbol.name,
    descriptorVaddr: symbol.value,
    entryVaddr,
    descriptor,
    ...(metadata ? { metadata } : {}),
    args: metadata?.args ?? [],
    hiddenArgs: metadata?.hiddenArgs ?? [],
    // Older compilers leave the descriptor's size 0.
    kernargBytes: Math.max(raw.kernargBytes, metadata?.kernargBytes ?? 0),
    kernargAlign: Math.max(16, metadata?.kernargAlign ?? 16),
    groupBytes: raw.groupBytes,
    privateBytes: raw.privateBytes,
    waveSize: descriptor.waveSize,
    vgprs: descriptor.vgprs,
    sgprs: descriptor.sgprs,
    maxFlatWorkgroupSize: metadata?.maxFlatWorkgroupSize ?? MAX_WORKGROUP,
    ...(metadata?.language === undefined ? {} : { language: metadata.language }),
    usesDynamicStack: descriptor.usesDynamicStack || (metadata?.usesDynamicStack ?? false),
  };
}

/** The entry must be 256-byte aligned and lie in a segment that may be executed. */
function checkEntry(elf: ElfFile, entry: bigint, what: string): void {
  if (entry < 0n || entry % 256n !== 0n) throw badCodeObject(`${what}: entry address ${hex(entry)} is not aligned to 256 bytes`);
  const isCode = elf.programHeaders.some(
    (header) =>
      header.type === PT_LOAD && (header.flags & PF_X) !== 0 && entry >= header.vaddr && entry < header.vaddr + header.fileBytes,
  );
  if (!isCode) throw badCodeObject(`${what}: entry address ${hex(entry)} lies in no executable segment`);
}
