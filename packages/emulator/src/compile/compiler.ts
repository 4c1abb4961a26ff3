/** From a program and the entries wanted to the bytes of a WebAssembly module, and to callable segments. */
import { InternalError } from '@doorbell/abi';
import { OP_FUNCTIONS, wide } from '../ir/op-functions.js';
import { MEMORY_PAGES } from '../memory-map.js';
import { ModuleBuilder, type FunctionType } from '../wasm/module-builder.js';
import { I32, I64 } from '../wasm/opcodes.js';
import { emitAccessFunction } from './access-functions.js';
import type { AccessKind } from './lane-function.js';
import { emitFindWindow, fixedTranslator, scatteredTranslator } from './address-space.js';
import { emitFail, FAIL_TYPE } from './fault-record.js';
import { MatrixFunctions } from './matrix-functions.js';
import type { Program } from './program.js';
import { DRIVER_TYPE, emitDriver } from './driver.js';
import { emitSegment, SEGMENT_TYPE, type ModuleContext } from './segment.js';

export interface CompileOptions {
  readonly addressSpace: 'fixed' | 'scattered';
  /** Every access looks at the page table: pages are not protected. */
  readonly softwarePages: boolean;
  /** {@link probeRelaxed} says that fused multiply-add is there. */
  readonly relaxed: boolean;
  /** NaN results have exactly the bits of the operations' definition, at a cost; else sign and payload may differ. */
  readonly exactNan: boolean;
  /** No other thread executes kernels: atomics on coarse-grained memory are plain reads and writes. */
  readonly isOnlyWorker: boolean;
  /** Also make the group driver (driver.ts): the entries are the kernel's start and all that follow a barrier. */
  readonly withDriver?: boolean;
}

/** A segment: control block, first wave, end of waves → next wave. */
export type Segment = (control: number, wave: number, end: number) => number;

const UNARY: FunctionType = { params: [I32], results: [I32] };
const IMPORTS: Readonly<Record<string, FunctionType>> = {
  exp2F32: UNARY,
  log2F32: UNARY,
  sinTurnsF32: UNARY,
  cosTurnsF32: UNARY,
  f64ToF16: { params: [I32, I32], results: [I32] },
  fmaF32: { params: [I32, I32, I32], results: [I32] },
  fmaF64: { params: [I64, I64, I64], results: [I64] },
  fmaDown128F64: { params: [I64, I64, I64], results: [I64] },
  fmaDownwardF64: { params: [I64, I64, I64], results: [I64] },
  clock: { params: [I32], results: [I64] },
};
const ACCESS_TYPE: FunctionType = { params: [I32, I64, I64, I32, I32], results: [] };

/** A module under construction, with what its functions share. */
export interface ModuleParts {
  readonly builder: ModuleBuilder;
  readonly context: ModuleContext;
}

/** A module with the imports that all have, and with shared functions that are made when they are first asked for. */
export function createModule(options: CompileOptions, waveSize: number): ModuleParts {
  const builder = new ModuleBuilder({ module: 'm', name: 'm', initialPages: MEMORY_PAGES, maximumPages: MEMORY_PAGES });
  const imports = new Map<string, number>();
  for (const [name, type] of Object.entries(IMPORTS)) imports.set(name, builder.importFunction('f', name, type));
  const translator = options.addressSpace === 'fixed' ? fixedTranslator : scatteredTranslator;
  const access = new Map<string, number>();
  let window = -1;
  let matrices: MatrixFunctions | undefined;
  const findWindow = (): number => {
    if (window < 0) {
      const { index, body } = builder.addFunction({ params: [I64], results: [I32] });
      window = index;
      emitFindWindow(body);
    }
    return window;
  };
  let failing = -1;
  const fail = (): number => {
    if (failing < 0) {
      const { index, body } = builder.addFunction(FAIL_TYPE);
      failing = index;
      emitFail(body);
    }
    return failing;
  };
  const context: ModuleContext = {
    translator,
    softwarePages: options.softwarePages,
    isOnlyWorker: options.isOnlyWorker,
    relaxed: options.relaxed,
    exactNan: options.exactNan,
    findWindow,
    fail,
    matrixFunction: (op) => {
      matrices ??= new MatrixFunctions(builder, { relaxed: options.relaxed, imported: context.imported });
      return matrices.functionOf(op);
    },
    imported: (name) => {
      const index = imports.get(name);
      if (index === undefined) throw new InternalError(`no imported function ${name}`);
      return index;
    },
    accessFunction: (kind: AccessKind) => {
      const key = `${kind.space},${kind.action},${kind.bits},${kind.wide},${kind.isSilent}`;
      const found = access.get(key);
      if (found !== undefined) return found;
      const { index, body } = builder.addFunction(ACCESS_TYPE);
      access.set(key, index);
      emitAccessFunction(body, kind, {
        translator,
        waveSize,
        softwarePages: options.softwarePages,
        isOnlyWorker: options.isOnlyWorker,
        findWindow,
        fail,
      });
      return index;
    },
  };
  return { builder, context };
}

/** The module with one exported function `s<block>` for each entry block. */
export function compileModule(program: Program, entries: readonly number[], options: CompileOptions): Uint8Array<ArrayBuffer> {
  const { builder, context } = createModule(options, program.shapes.waveSize);
  const segments = new Map<number, number>();
  for (const entry of entries) {
    const { index, body } = builder.addFunction(SEGMENT_TYPE);
    builder.exportFunction(`s${entry}`, index);
    segments.set(entry, index);
    emitSegment(body, program, entry, context);
  }
  if (options.withDriver === true) {
    const { index, body } = builder.addFunction(DRIVER_TYPE);
    builder.exportFunction('driver', index);
    emitDriver(body, segments);
  }
  return builder.finish();
}

/** Clocks that code can read: `realtime` 100 MHz, `cycles` any. */
export type ClockSource = (counter: 'realtime' | 'cycles') => bigint;

export interface Instance {
  /** By entry block. */
  readonly segments: ReadonlyMap<number, Segment>;
  /** Control block, first workgroup, end of workgroups → the workgroup it stopped at. */
  readonly driver: Segment | undefined;
}

/** The exports of a module of ours, on a memory; `more` is what it imports beside that. */
export function instantiateModule(
  module: WebAssembly.Module,
  { memory, clock }: { readonly memory: WebAssembly.Memory; readonly clock: ClockSource },
  more: WebAssembly.Imports = {},
): WebAssembly.Exports {
  return new WebAssembly.Instance(module, { m: { m: memory }, f: importedFunctions(clock), ...more }).exports;
}

/** The functions of {@link compileModule}'s module. */
export function instantiate(bytes: Uint8Array<ArrayBuffer>, memory: WebAssembly.Memory, clock: ClockSource): Instance {
  const segments = new Map<number, Segment>();
  let driver: Segment | undefined;
  for (const [name, value] of Object.entries(instantiateModule(new WebAssembly.Module(bytes), { memory, clock }))) {
    // Safe: compileModule exports nothing but segments and the driver, which have the same type.
    const fn = value as Segment;
    if (name === 'driver') driver = fn;
    else segments.set(Number(name.slice(1)), fn);
  }
  return { segments, driver };
}

function importedFunctions(clock: ClockSource): Record<string, (...args: never[]) => unknown> {
  const scalar =
    (name: 'exp2F32' | 'log2F32' | 'sinTurnsF32' | 'cosTurnsF32') =>
    (a: number): number =>
      OP_FUNCTIONS[name]?.(a >>> 0, 0, 0, 0, 0, 0) ?? 0;
  const half = (value: bigint, shift: bigint): number => Number((value >> shift) & 0xffff_ffffn);
  const fused =
    (name: 'fmaF64' | 'fmaDown128F64' | 'fmaDownwardF64') =>
    (a: bigint, b: bigint, c: bigint): bigint => {
      const low = OP_FUNCTIONS[name]?.(half(a, 0n), half(a, 32n), half(b, 0n), half(b, 32n), half(c, 0n), half(c, 32n)) ?? 0;
      return BigInt.asIntN(64, (BigInt(wide.high) << 32n) | BigInt(low));
    };
  return {
    exp2F32: scalar('exp2F32'),
    log2F32: scalar('log2F32'),
    sinTurnsF32: scalar('sinTurnsF32'),
    cosTurnsF32: scalar('cosTurnsF32'),
    f64ToF16: (low: number, high: number): number => OP_FUNCTIONS.f64ToF16?.(low >>> 0, high >>> 0, 0, 0, 0, 0) ?? 0,
    fmaF32: (a: number, b: number, c: number): number => OP_FUNCTIONS.fmaF32?.(a >>> 0, 0, b >>> 0, 0, c >>> 0, 0) ?? 0,
    fmaF64: fused('fmaF64'),
    fmaDown128F64: fused('fmaDown128F64'),
    fmaDownwardF64: fused('fmaDownwardF64'),
    clock: (realtime: number): bigint => BigInt.asIntN(64, clock(realtime === 1 ? 'realtime' : 'cycles')),
  };
}
