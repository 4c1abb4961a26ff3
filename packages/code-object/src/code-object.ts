import { HsaError, type Processor } from '@doorbell/abi/core';
import { ET_DYN, ET_REL } from './elf/elf-constants.js';
import type { ElfFile, ElfSymbol } from './elf/elf-types.js';
import { parseElf } from './elf/parse-elf.js';
import { badCodeObject } from './internal/byte-reader.js';
import { type KernelInfo, readKernels } from './kernel/kernel-info.js';
import type { CodeObjectMetadata } from './kernel/metadata-types.js';
import { parseMetadata } from './kernel/parse-metadata.js';
import type { CodeObjectTarget } from './target/compatibility.js';
import { headerTarget, unsupportedVersion } from './target/header-target.js';
import { formatTargetId, parseTargetId, type TargetId } from './target/target-id.js';

/** A parsed and checked code object. It keeps a reference to the bytes it was made from: do not change them. */
export interface CodeObject {
  readonly bytes: Uint8Array;
  readonly elf: ElfFile;
  /** Code object version, from EI_ABIVERSION. */
  readonly version: 4 | 5 | 6;
  readonly processor: Processor;
  readonly target: CodeObjectTarget;
  /** Undefined when the file has no metadata note. */
  readonly metadata?: CodeObjectMetadata;
  readonly kernels: readonly KernelInfo[];
  /** Symbols a loader works with: `.symtab`, or `.dynsym` where that was stripped. */
  readonly symbols: readonly ElfSymbol[];
}

/**
 * Reads an AMDGPU code object (a linked ELF file of version 4, 5 or 6) and checks everything that loading and launching rely
 * on. It allocates in proportion to the file.
 *
 * @throws {HsaError} ERR_CODE_OBJECT, ERR_CODE_OBJECT_RELOCATABLE, ERR_CODE_OBJECT_VERSION, ERR_METADATA
 */
export function parseCodeObject(bytes: Uint8Array): CodeObject {
  const elf = parseElf(bytes);
  const { header } = elf;
  const { processor, target, version, kind } = headerTarget(header);
  if (kind === 'relocatable') throw relocatable();
  if (header.type !== ET_DYN)
    throw badCodeObject(`a code object is a shared object (e_type 3); this file has e_type ${header.type}`);
  if (version === 3) throw unsupportedVersion(version);
  const metadata = parseMetadata(elf.notes);
  checkMetadataTarget(target, metadata);
  return {
    bytes,
    elf,
    version,
    processor,
    target,
    ...(metadata ? { metadata } : {}),
    kernels: readKernels(elf, metadata, processor),
    symbols: elf.symtab.length > 0 ? elf.symtab : elf.dynsym,
  };
}

/**
 * The kernel of this name (with or without `.kd`).
 *
 * @throws {HsaError} ERR_SYMBOL_NOT_FOUND with the names there are.
 */
export function findKernel(codeObject: CodeObject, name: string): KernelInfo {
  const kernel =
    codeObject.kernels.find((candidate) => candidate.name === name) ??
    codeObject.kernels.find((candidate) => candidate.symbol === name || candidate.symbol === `${name}.kd`);
  if (kernel) return kernel;
  const names = codeObject.kernels.map((candidate) => candidate.name);
  throw new HsaError('ERR_SYMBOL_NOT_FOUND', {
    message: `the code object has no kernel "${name}"; it has ${names.length === 0 ? 'none' : names.join(', ')}`,
    details: { name, kernelNames: names },
  });
}

function relocatable(): HsaError {
  return new HsaError('ERR_CODE_OBJECT_RELOCATABLE', {
    message: 'the file is an unlinked object (ET_REL), as clang -c writes it; a code object is linked',
    hint: 'Link it: ld.lld -shared in.o -o out.hsaco (ld.lld-22, or clang -target amdgcn-amd-amdhsa -mcpu=… in.o -o out.hsaco).',
    details: { elfType: ET_REL },
  });
}

/**
 * The ELF header and the metadata must name the same target.
 *
 * @throws {HsaError} ERR_CODE_OBJECT where they do not; ERR_METADATA where the metadata names none.
 */
export function checkMetadataTarget(target: TargetId, metadata: CodeObjectMetadata | undefined): void {
  if (metadata?.target === undefined) return;
  let named: TargetId;
  try {
    named = parseTargetId(metadata.target);
  } catch (error) {
    throw new HsaError('ERR_METADATA', { message: `amdhsa.target "${metadata.target}" is not a target id`, cause: error });
  }
  const [fromHeader, fromNote] = [formatTargetId(target), formatTargetId(named)];
  if (fromHeader !== fromNote) {
    throw badCodeObject(`the ELF header says ${fromHeader}, the metadata says ${fromNote}`, {
      header: fromHeader,
      metadata: fromNote,
    });
  }
}
