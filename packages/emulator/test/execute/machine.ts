/** A machine without a device: memory, a code object loaded into it, dispatches run by one executor. */
import { readFileSync } from 'node:fs';
import v8 from 'node:v8';
import { findProcessorByMach } from '@doorbell/abi';
import type { Dispatch, Executor, RunOutcome, WaveFault } from '../../src/executor.js';
import { CodeStore, createExecutor, WishCompiler, type ExecutorOptions } from '../../src/execute/index.js';
import { WindowTable } from '../../src/address-windows.js';
import {
  GPU_BASE,
  MEMORY_PAGES,
  PAGE_BYTES,
  PAGE_COARSE,
  PAGE_EXECUTE,
  PAGE_READ,
  PAGE_TABLE,
  PAGE_WRITE,
  SYSTEM_HEAP,
  WINDOWS,
  WINDOWS_BYTES,
} from '../../src/memory-map.js';

v8.setFlagsFromString('--experimental-wasm-relaxed-simd');

let pooled: WebAssembly.Memory | undefined;

export interface Kernel {
  readonly name: string;
  readonly descriptor: bigint;
}

export class Machine {
  readonly memory: WebAssembly.Memory;
  readonly view: DataView;
  readonly bytes: Uint8Array;
  readonly windows: WindowTable | undefined;
  #windowCount = 0n;
  /** Of the code object loaded last. */
  #processor = 'gfx1100';
  readonly #symbols = new Map<string, bigint>();
  #next: number = SYSTEM_HEAP + PAGE_BYTES;

  constructor(scattered: 'fixed' | 'scattered' = 'fixed') {
    // One memory for all machines of a test file: each reserves 10 GiB of address space.
    pooled ??= new WebAssembly.Memory({ initial: MEMORY_PAGES, maximum: MEMORY_PAGES, shared: true });
    this.memory = pooled;
    this.bytes = new Uint8Array(this.memory.buffer);
    this.view = new DataView(this.memory.buffer);
    this.bytes.fill(0, PAGE_TABLE, PAGE_TABLE + 0x10_0000);
    if (scattered === 'scattered') this.bytes.fill(0, WINDOWS, WINDOWS + WINDOWS_BYTES);
    this.windows = scattered === 'scattered' ? new WindowTable(this.memory) : undefined;
  }

  /** Pages of their own with guard pages around; the GPU address. */
  allocate(sizeBytes: number, access: number = PAGE_READ | PAGE_WRITE | PAGE_COARSE): bigint {
    const offset = this.#next;
    const pages = Math.max(1, Math.ceil(sizeBytes / PAGE_BYTES));
    this.#next += (pages + 1) * PAGE_BYTES;
    this.bytes.fill(access, PAGE_TABLE + offset / PAGE_BYTES, PAGE_TABLE + offset / PAGE_BYTES + pages);
    this.bytes.fill(0, offset, offset + pages * PAGE_BYTES);
    if (this.windows === undefined) return GPU_BASE + BigInt(offset);
    // Addresses far from each other, in no order.
    const address = 0x7000_0000_0000n - this.#windowCount * 0x1_2345_6000n * 16n;
    this.#windowCount += 1n;
    if (!this.windows.add({ address, sizeBytes: pages * PAGE_BYTES, offset })) throw new RangeError('no room for a window');
    return address;
  }

  offset(address: bigint): number {
    if (this.windows === undefined) return Number(address - GPU_BASE);
    const offset = this.windows.offsetOf(address, 1);
    if (offset < 0) throw new RangeError('no window');
    return offset;
  }

  f32(address: bigint, count: number): Float32Array {
    return new Float32Array(this.memory.buffer, this.offset(address), count);
  }
  u32(address: bigint, count: number): Uint32Array {
    return new Uint32Array(this.memory.buffer, this.offset(address), count);
  }

  /** Loads the segments of an AMDGPU shared object (ELF64) and remembers its dynamic symbols. */
  load(file: string | URL | Uint8Array): void {
    const elf = file instanceof Uint8Array ? file : readFileSync(file);
    const d = new DataView(elf.buffer, elf.byteOffset, elf.byteLength);
    const processor = findProcessorByMach(d.getUint32(48, true) & 0xff);
    if (processor === undefined) throw new RangeError('not a code object of a known processor');
    this.#processor = processor.name;
    const headers = Array.from(
      { length: d.getUint16(56, true) },
      (_, i) => Number(d.getBigUint64(32, true)) + i * d.getUint16(54, true),
    );
    const field = (at: number, offset: number): number => Number(d.getBigUint64(at + offset, true));
    const loads = headers.filter((at) => d.getUint32(at, true) === 1);
    const size = Math.max(...loads.map((at) => field(at, 16) + field(at, 40)));
    const base = this.allocate(size, PAGE_READ | PAGE_WRITE | PAGE_EXECUTE);
    for (const at of loads) {
      this.bytes.set(elf.subarray(field(at, 8), field(at, 8) + field(at, 32)), this.offset(base) + field(at, 16));
    }
    const sections = Array.from(
      { length: d.getUint16(60, true) },
      (_, i) => Number(d.getBigUint64(40, true)) + i * d.getUint16(58, true),
    );
    const symtab = sections.find((at) => d.getUint32(at + 4, true) === 11);
    if (symtab === undefined) throw new RangeError('no .dynsym');
    const strings = sections[d.getUint32(symtab + 40, true)]!;
    for (let at = field(symtab, 24); at < field(symtab, 24) + field(symtab, 32); at += 24) {
      let name = '';
      for (let c = field(strings, 24) + d.getUint32(at, true); elf[c] !== 0; c++) name += String.fromCharCode(elf[c]!);
      this.#symbols.set(name, base + d.getBigUint64(at + 8, true));
    }
  }

  symbol(name: string): bigint {
    const address = this.#symbols.get(name);
    if (address === undefined) throw new RangeError(`no symbol ${name}`);
    return address;
  }

  dispatch(
    kernel: string,
    grid: readonly number[],
    workgroup: readonly number[],
    kernarg: Uint8Array,
    more: Partial<Dispatch> = {},
  ): Dispatch {
    const descriptor = this.symbol(`${kernel}.kd`);
    const at = this.offset(descriptor);
    const kernargAddress = this.allocate(kernarg.length + 64);
    this.bytes.set(kernarg, this.offset(kernargAddress));
    const triple = (list: readonly number[]): [number, number, number] => [list[0] ?? 1, list[1] ?? 1, list[2] ?? 1];
    const [g, w] = [triple(grid), triple(workgroup)];
    return {
      processor: this.#processor,
      workgroup: w,
      grid: g,
      groups: triple(g.map((size, axis) => Math.ceil(size / w[axis]!))),
      ldsBytes: this.view.getUint32(at, true),
      privateBytes: this.view.getUint32(at + 4, true),
      descriptorAddress: descriptor,
      kernargAddress,
      packetAddress: 0n,
      queueAddress: 0n,
      dispatchId: 0n,
      entryAddress: descriptor + this.view.getBigInt64(at + 16, true),
      rsrc3: this.view.getUint32(at + 44, true),
      rsrc1: this.view.getUint32(at + 48, true),
      rsrc2: this.view.getUint32(at + 52, true),
      properties: this.view.getUint16(at + 56, true),
      kernargPreload: this.view.getUint16(at + 58, true),
      ...more,
    };
  }

  /** Runs a whole dispatch; the number of calls of resume, or the fault. With a code store, the compile worker has its turn after each call. */
  run(dispatch: Dispatch, options: ExecutorOptions = {}, executor: Executor = this.executor(options)): WaveFault | number {
    const compiler = options.codeStore === undefined ? undefined : new WishCompiler(new CodeStore(options.codeStore));
    const kernel = executor.prepare(dispatch);
    if ('kind' in kernel) return kernel;
    const run = executor.start(kernel, dispatch, 0, dispatch.groups[0] * dispatch.groups[1] * dispatch.groups[2]);
    for (let calls = 1; ; calls++) {
      const outcome: RunOutcome = executor.resume(run);
      if (outcome.kind === 'done') return calls;
      if (outcome.kind === 'fault') return outcome.fault;
      while (compiler !== undefined && compiler.step() !== 'none');
    }
  }

  executor(options: ExecutorOptions = {}): Executor {
    return createExecutor(this.memory, { ...options, addressSpace: this.windows === undefined ? 'fixed' : 'scattered' });
  }
}

/** Packs arguments in order: bigint 8 bytes, integer number or {f32} 4 bytes. */
export function packArguments(args: readonly (bigint | number | { readonly f32: number })[]): Uint8Array {
  const bytes = new Uint8Array(args.length * 8);
  const view = new DataView(bytes.buffer);
  let at = 0;
  for (const arg of args) {
    const size = typeof arg === 'bigint' ? 8 : 4;
    at = Math.ceil(at / size) * size;
    if (typeof arg === 'bigint') view.setBigUint64(at, arg, true);
    else if (typeof arg === 'number') view.setUint32(at, arg >>> 0, true);
    else view.setFloat32(at, arg.f32, true);
    at += size;
  }
  return bytes.subarray(0, Math.max(at, 1));
}
