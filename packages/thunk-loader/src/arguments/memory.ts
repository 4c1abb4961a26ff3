/** Arguments about memory, for both providers. */
import { DOORBELL_SLICE_BYTES, PAGE_BYTES } from '../driver-constants.js';
import type { AddressRange, AllocateOptions, ImportDmabufOptions, MemoryKind, SvmAttribute, ThunkMemory } from '../thunk.js';
import { SVM_ATTRIBUTE_TYPES } from '../wire-types.js';
import { checkAddress, checkGpuIds, checkInteger, checkList, checkObject, checkWord, invalid, wrong } from './values.js';

/** Fragment of the GPU's page tables from which on translation gets cheap. */
const LARGE_PAGE_BYTES = 0x20_0000;
/** More than any address space holds (57 bits on x86-64 and arm64); up to here, sums of sizes and alignments are exact. */
const MAX_BYTES = 2 ** 52;

const KINDS: readonly MemoryKind[] = ['vram', 'gtt', 'userptr', 'doorbell', 'mmio'];
const SVM_KINDS: readonly string[] = Object.keys(SVM_ATTRIBUTE_TYPES);

/** Sizes that the driver prescribes. */
const FIXED_BYTES: Readonly<Partial<Record<MemoryKind, number>>> = { doorbell: DOORBELL_SLICE_BYTES, mmio: PAGE_BYTES };

/** Whole pages. @throws {HsaError} ERR_INVALID_ARGUMENT. */
export function checkSize(sizeBytes: number): number {
  if (Number.isInteger(sizeBytes) && sizeBytes > 0 && sizeBytes <= MAX_BYTES)
    return Math.ceil(sizeBytes / PAGE_BYTES) * PAGE_BYTES;
  throw wrong('sizeBytes', 'an integer from 1 to 2^52', sizeBytes);
}

/** Size and alignment of an allocation. @throws {HsaError} ERR_INVALID_ARGUMENT. */
export function checkAllocate(options: AllocateOptions): { readonly sizeBytes: number; readonly alignBytes: number } {
  checkObject(options, 'options');
  const { kind, gpuIds, sizeBytes: wanted, alignBytes: align, host } = options;
  checkWord(kind, 'kind', KINDS);
  checkGpuIds(gpuIds, 1);
  const sizeBytes = checkSize(wanted);
  const fixed = FIXED_BYTES[kind];
  if (fixed !== undefined && sizeBytes !== fixed) throw invalid(`sizeBytes of ${kind} must be ${fixed}, not ${wanted}`);
  if ((kind === 'userptr') !== (host !== undefined)) throw invalid(`host is for userptr, which needs it; kind is ${kind}`);
  if (host !== undefined) {
    checkObject(host, 'host');
    checkAddress(host.address, 'host.address');
    if (host.address % BigInt(PAGE_BYTES) !== 0n)
      throw invalid(`host.address must be a multiple of ${PAGE_BYTES}, not 0x${host.address.toString(16)}`);
    if (checkSize(host.sizeBytes) !== sizeBytes)
      throw invalid(`sizeBytes of userptr must be host.sizeBytes (${host.sizeBytes}), not ${wanted}`);
  }
  const usualAlign = sizeBytes >= LARGE_PAGE_BYTES ? LARGE_PAGE_BYTES : PAGE_BYTES;
  const alignBytes = checkAlign(align === undefined ? usualAlign : align);
  return { sizeBytes, alignBytes };
}

/** @throws {HsaError} ERR_INVALID_ARGUMENT */
export function checkMemory(memory: ThunkMemory): void {
  checkObject(memory, 'memory');
  if (typeof memory.address !== 'bigint') throw wrong('memory', 'what allocate or importDmabuf gave', memory);
}

/** @throws {HsaError} ERR_INVALID_ARGUMENT */
export function checkImport(options: ImportDmabufOptions): void {
  checkObject(options, 'options');
  checkFile(options.file);
  checkGpuIds(options.gpuIds, 1);
}

/** @throws {HsaError} ERR_INVALID_ARGUMENT */
export function checkFile(file: number): void {
  if (typeof file !== 'number' || !Number.isInteger(file) || file !== (file | 0)) throw wrong('file', 'a file descriptor', file);
}

/** Whether the range is whole pages, the driver says. @throws {HsaError} ERR_INVALID_ARGUMENT */
export function checkSvm(range: AddressRange, attributes: readonly SvmAttribute[]): void {
  checkObject(range, 'range');
  checkAddress(range.address, 'range.address');
  const { sizeBytes } = range;
  if (!Number.isSafeInteger(sizeBytes) || sizeBytes < 0) throw wrong('sizeBytes', 'a whole number of bytes', sizeBytes);
  checkList(attributes, 'attributes');
  for (const attribute of attributes) {
    checkObject(attribute, 'an attribute');
    checkWord(attribute.kind, 'kind of an attribute', SVM_KINDS);
    checkInteger(attribute.value, `value of ${attribute.kind}`);
  }
}

/** For messages. */
export function describeMemory(memory: ThunkMemory): string {
  return `${memory.sizeBytes} bytes of ${memory.kind} at 0x${memory.address.toString(16)}`;
}

function checkAlign(alignBytes: number): number {
  const isPower = typeof alignBytes === 'number' && alignBytes === 2 ** Math.round(Math.log2(alignBytes));
  if (isPower && alignBytes >= 1 && alignBytes <= MAX_BYTES) return Math.max(alignBytes, PAGE_BYTES);
  throw wrong('alignBytes', 'a power of two up to 2^52', alignBytes);
}
