/**
 * Functions of a module that access memory lane by lane, with every check: for partial masks, scattered addresses, atomics, and
 * what is not known to be in range. Offsets, data and results pass through the lane areas of the control block.
 * Parameters: control, i64 lane mask, i64 base, i32 multiplier. Global memory: address = base + offset · multiplier; with
 * `wide` the area holds 64-bit addresses and base is added. LDS and private memory: the area holds 32-bit addresses.
 */
import { SHARED_BASE_HIGH, PRIVATE_BASE_HIGH } from '../ir/apertures.js';
import type { MemorySpace } from '../ir/block.js';
import type { AtomicOp } from '../ir/ops.js';
import { PAGE_READ, PAGE_TABLE, PAGE_WRITE } from '../memory-map.js';
import type { FunctionBody } from '../wasm/module-builder.js';
import { I32, I64, OP, VOID } from '../wasm/opcodes.js';
import type { TranslationContext, Translator } from './address-space.js';
import {
  AREA_COMPARE,
  AREA_COMPARE_HIGH,
  AREA_DATA,
  AREA_DATA_HIGH,
  AREA_OFFSET,
  AREA_OFFSET_HIGH,
  AREA_RESULT,
  AREA_RESULT_HIGH,
  CONTROL_LDS,
  CONTROL_LDS_BYTES,
  CONTROL_PRIVATE,
  CONTROL_PRIVATE_BYTES,
  CONTROL_WAVE,
  CONTROL_WAVES_PER_GROUP,
} from './wave-state.js';

export interface AccessKind {
  readonly space: MemorySpace;
  readonly action: 'load' | 'store' | AtomicOp;
  readonly bits: 8 | 16 | 32 | 64;
  /** The area holds 64-bit addresses. */
  readonly wide: boolean;
  /** An atomic whose old value nobody reads. */
  readonly isSilent?: boolean;
}

export interface AccessOptions {
  readonly translator: Translator;
  readonly waveSize: number;
  /** Pages are not protected: every access looks at the page table. */
  readonly softwarePages: boolean;
  readonly findWindow: () => number;
}

const CONTROL = 0;
const MASK = 1;
const BASE = 2;
const MULTIPLIER = 3;

interface Locals {
  readonly lane: number;
  /** Address of the lane's dword in area 0: control + 4 · lane. */
  readonly dword: number;
  readonly address: number;
  /** Offset in memory. */
  readonly place: number;
}

/** Operations that are one instruction, on 32 and on 64 bits. */
const DIRECT: Readonly<Partial<Record<AtomicOp, readonly [number, number]>>> = {
  add: [OP.i32AtomicRmwAdd, OP.i64AtomicRmwAdd],
  sub: [OP.i32AtomicRmwSub, OP.i64AtomicRmwSub],
  and: [OP.i32AtomicRmwAnd, OP.i64AtomicRmwAnd],
  or: [OP.i32AtomicRmwOr, OP.i64AtomicRmwOr],
  xor: [OP.i32AtomicRmwXor, OP.i64AtomicRmwXor],
  swap: [OP.i32AtomicRmwXchg, OP.i64AtomicRmwXchg],
  cmpswap: [OP.i32AtomicRmwCmpxchg, OP.i64AtomicRmwCmpxchg],
};

export function emitAccessFunction(body: FunctionBody, kind: AccessKind, options: AccessOptions): void {
  new AccessWriter(body, kind, options).write();
}

class AccessWriter {
  readonly #body: FunctionBody;
  readonly #kind: AccessKind;
  readonly #options: AccessOptions;
  readonly #bytes: number;
  readonly #locals: Locals;

  constructor(body: FunctionBody, kind: AccessKind, options: AccessOptions) {
    this.#body = body;
    this.#kind = kind;
    this.#options = options;
    this.#bytes = kind.bits / 8;
    this.#locals = { lane: body.local(I32), dword: body.local(I32), address: body.local(I64), place: body.local(I32) };
  }

  write(): void {
    const b = this.#body;
    const { lane, dword } = this.#locals;
    // block $done { loop $lanes { … br $lanes } }; a lane that is left out goes to the end of its `block $lane`.
    b.open(OP.block, VOID);
    b.open(OP.loop, VOID);
    b.get(MASK);
    b.op(OP.i64Eqz);
    b.brIf(1);
    b.get(MASK);
    b.op(OP.i64Ctz);
    b.op(OP.i32WrapI64);
    b.set(lane);
    b.get(MASK);
    b.get(MASK);
    b.i64(1, 0);
    b.op(OP.i64Sub);
    b.op(OP.i64And);
    b.set(MASK);
    b.get(CONTROL);
    b.get(lane);
    b.i32(2);
    b.op(OP.i32Shl);
    b.op(OP.i32Add);
    b.set(dword);
    b.open(OP.block, VOID);
    this.#locate();
    this.#act(this.#isLocal());
    b.end();
    b.br(0);
    b.end();
    b.end();
  }

  #isLocal(): boolean {
    return this.#kind.space === 'lds' || this.#kind.space === 'scratch';
  }

  /** Sets `place`, or leaves the lane out, or traps. */
  #locate(): void {
    const { space } = this.#kind;
    if (space === 'lds') this.#locateLds();
    else if (space === 'scratch') this.#locatePrivate();
    else this.#locateGlobal(space);
  }

  #address(): void {
    const b = this.#body;
    const { dword, address } = this.#locals;
    b.get(dword);
    if (this.#kind.wide) {
      b.access(OP.i32Load, 2, AREA_OFFSET);
      b.op(OP.i64ExtendI32U);
      b.get(dword);
      b.access(OP.i32Load, 2, AREA_OFFSET_HIGH);
      b.op(OP.i64ExtendI32U);
      b.i64(32, 0);
      b.op(OP.i64Shl);
      b.op(OP.i64Or);
    } else {
      b.access(OP.i32Load, 2, AREA_OFFSET);
      b.op(OP.i64ExtendI32U);
      b.get(MULTIPLIER);
      b.op(OP.i64ExtendI32U);
      b.op(OP.i64Mul);
    }
    b.get(BASE);
    b.op(OP.i64Add);
    b.set(address);
  }

  #locateGlobal(space: 'global' | 'flat'): void {
    const b = this.#body;
    const { address, place, dword } = this.#locals;
    this.#address();
    if (space === 'flat') {
      // block $placed { block $global { shared aperture? … br $placed; private? … br $placed } … }
      b.open(OP.block, VOID);
      for (const [high, locate] of [
        [SHARED_BASE_HIGH, (): void => this.#locateLds()],
        [PRIVATE_BASE_HIGH, (): void => this.#locatePrivate()],
      ] as const) {
        b.get(address);
        b.i64(32, 0);
        b.op(OP.i64ShrU);
        b.i64(high, 0);
        b.op(OP.i64Eq);
        b.open(OP.if, VOID);
        b.get(dword);
        b.get(address);
        b.op(OP.i32WrapI64);
        b.access(OP.i32Store, 2, AREA_OFFSET);
        this.#inAperture = 2;
        locate();
        this.#inAperture = 0;
        b.br(1);
        b.end();
      }
      this.#global(place);
      b.end();
      return;
    }
    this.#global(place);
  }

  /** Nesting of the aperture code between a lane's block and here. */
  #inAperture = 0;

  #global(place: number): void {
    const b = this.#body;
    const { translator, softwarePages, findWindow } = this.#options;
    const context: TranslationContext = { control: CONTROL, findWindow };
    b.open(OP.block, VOID);
    b.open(OP.block, VOID);
    translator.emitLane(b, context, this.#locals.address, this.#bytes, 0);
    b.set(place);
    if (softwarePages || this.#isAtomic()) this.#checkPages(place);
    b.br(1);
    b.end();
    b.op(OP.unreachable);
    b.end();
  }

  #isAtomic(): boolean {
    return this.#kind.action !== 'load' && this.#kind.action !== 'store';
  }

  /** Both ends of the access lie in pages that allow it; inside `block` 0, which is left for the trap. */
  #checkPages(place: number): void {
    const b = this.#body;
    const { action } = this.#kind;
    const needed = action === 'load' ? PAGE_READ : action === 'store' ? PAGE_WRITE : PAGE_READ | PAGE_WRITE;
    const flags = (last: number): void => {
      b.get(place);
      if (last > 0) {
        b.i32(last);
        b.op(OP.i32Add);
      }
      b.i32(12);
      b.op(OP.i32ShrU);
      b.access(OP.i32Load8U, 0, PAGE_TABLE);
    };
    if (this.#isAtomic()) {
      // Aligned: it lies in one page.
      b.get(place);
      b.i32(this.#bytes - 1);
      b.op(OP.i32And);
      b.brIf(0);
    }
    flags(0);
    if (this.#bytes > 1 && !this.#isAtomic()) {
      flags(this.#bytes - 1);
      b.op(OP.i32And);
    }
    b.i32(needed);
    b.op(OP.i32And);
    b.i32(needed);
    b.op(OP.i32Ne);
    b.brIf(0);
  }

  /** Out of range: loads give 0, stores and atomics do nothing (semantics.md §10). */
  #locateLds(): void {
    const b = this.#body;
    const { dword, place } = this.#locals;
    b.get(dword);
    b.access(OP.i32Load, 2, AREA_OFFSET);
    b.tee(place);
    b.op(OP.i64ExtendI32U);
    b.i64(this.#bytes, 0);
    b.op(OP.i64Add);
    b.get(CONTROL);
    b.access(OP.i32Load, 2, CONTROL_LDS_BYTES);
    b.op(OP.i64ExtendI32U);
    b.op(OP.i64GtU);
    b.open(OP.if, VOID);
    this.#storeResult(
      () => b.i32(0),
      () => b.i32(0),
    );
    b.br(1 + this.#inAperture);
    b.end();
    b.get(place);
    b.get(CONTROL);
    b.access(OP.i32Load, 2, CONTROL_LDS);
    b.op(OP.i32Add);
    b.set(place);
  }

  /** Private memory is interleaved by dwords over the lanes of the wave (hsa-api.md §8.6). An access that leaves it traps. */
  #locatePrivate(): void {
    const b = this.#body;
    const { waveSize } = this.#options;
    const { dword, place, lane } = this.#locals;
    b.get(dword);
    b.access(OP.i32Load, 2, AREA_OFFSET);
    b.tee(place);
    b.op(OP.i64ExtendI32U);
    b.i64(this.#bytes, 0);
    b.op(OP.i64Add);
    b.get(CONTROL);
    b.access(OP.i32Load, 2, CONTROL_PRIVATE_BYTES);
    b.op(OP.i64ExtendI32U);
    b.op(OP.i64GtU);
    b.open(OP.if, VOID);
    b.op(OP.unreachable);
    b.end();
    // base + wave · lanes · bytes + (offset / 4) · lanes · 4 + lane · 4 + offset % 4; the wave's number in its group
    b.get(CONTROL);
    b.access(OP.i32Load, 2, CONTROL_PRIVATE);
    b.get(CONTROL);
    b.access(OP.i32Load, 2, CONTROL_WAVE);
    b.get(CONTROL);
    b.access(OP.i32Load, 2, CONTROL_WAVES_PER_GROUP);
    b.op(OP.i32RemU);
    b.get(CONTROL);
    b.access(OP.i32Load, 2, CONTROL_PRIVATE_BYTES);
    b.op(OP.i32Mul);
    b.i32(waveSize);
    b.op(OP.i32Mul);
    b.op(OP.i32Add);
    b.get(place);
    b.i32(~3);
    b.op(OP.i32And);
    b.i32(waveSize);
    b.op(OP.i32Mul);
    b.op(OP.i32Add);
    b.get(lane);
    b.i32(2);
    b.op(OP.i32Shl);
    b.op(OP.i32Add);
    b.get(place);
    b.i32(3);
    b.op(OP.i32And);
    b.op(OP.i32Add);
    b.set(place);
  }

  #storeResult(low: () => void, high: () => void): void {
    const b = this.#body;
    if (this.#kind.action === 'store' || this.#kind.isSilent === true) return;
    b.get(this.#locals.dword);
    low();
    b.access(OP.i32Store, 2, AREA_RESULT);
    if (this.#kind.bits !== 64) return;
    b.get(this.#locals.dword);
    high();
    b.access(OP.i32Store, 2, AREA_RESULT_HIGH);
  }

  #act(isLocal: boolean): void {
    const { action, bits } = this.#kind;
    const b = this.#body;
    const { dword, place } = this.#locals;
    if (action === 'load') {
      if (bits === 64) {
        this.#storeResult(
          () => this.#loadPlace(OP.i32Load, 0),
          () => this.#loadPlace(OP.i32Load, this.#highOffset(isLocal)),
        );
      } else {
        const code = bits === 8 ? OP.i32Load8U : bits === 16 ? OP.i32Load16U : OP.i32Load;
        this.#storeResult(
          () => this.#loadPlace(code, 0),
          () => undefined,
        );
      }
      return;
    }
    if (action === 'store') {
      const code = bits === 8 ? OP.i32Store8 : bits === 16 ? OP.i32Store16 : OP.i32Store;
      b.get(place);
      b.get(dword);
      b.access(OP.i32Load, 2, AREA_DATA);
      b.access(code, 0, 0);
      if (bits !== 64) return;
      b.get(place);
      b.get(dword);
      b.access(OP.i32Load, 2, AREA_DATA_HIGH);
      b.access(OP.i32Store, 0, this.#highOffset(isLocal));
      return;
    }
    this.#atomic(action);
  }

  /** Where the second dword of 64 bits lies: private memory is interleaved. */
  #highOffset(isLocal: boolean): number {
    return isLocal && this.#kind.space === 'scratch' ? 4 * this.#options.waveSize : 4;
  }

  #loadPlace(code: number, offset: number): void {
    this.#body.get(this.#locals.place);
    this.#body.access(code, 0, offset);
  }

  #atomic(op: AtomicOp): void {
    const b = this.#body;
    const is64 = this.#kind.bits === 64;
    const type = is64 ? I64 : I32;
    const [old, data, compare, next] = [b.local(type), b.local(type), b.local(type), b.local(type)];
    this.#area(AREA_DATA, AREA_DATA_HIGH);
    b.set(data);
    this.#area(AREA_COMPARE, AREA_COMPARE_HIGH);
    b.set(compare);
    const size = is64 ? 3 : 2;
    const direct = DIRECT[op];
    if (direct !== undefined) {
      b.get(this.#locals.place);
      if (op === 'cmpswap') b.get(compare);
      b.get(data);
      b.access(direct[is64 ? 1 : 0], size, 0);
      b.set(old);
      this.#storeOld(old);
      return;
    }
    // loop { old = load; next = f(old); } until the exchange finds old: one form for all operations.
    b.get(this.#locals.place);
    b.access(is64 ? OP.i64AtomicLoad : OP.i32AtomicLoad, size, 0);
    b.set(old);
    b.open(OP.loop, VOID);
    this.#compute(op, { old, data, compare });
    b.set(next);
    b.get(this.#locals.place);
    b.get(old);
    b.get(next);
    b.access(is64 ? OP.i64AtomicRmwCmpxchg : OP.i32AtomicRmwCmpxchg, size, 0);
    b.tee(next);
    b.get(old);
    b.op(is64 ? OP.i64Ne : OP.i32Ne);
    b.open(OP.if, VOID);
    b.get(next);
    b.set(old);
    b.br(1);
    b.end();
    b.end();
    this.#storeOld(old);
  }

  #storeOld(old: number): void {
    const b = this.#body;
    const is64 = this.#kind.bits === 64;
    const wrap = (shift: number): void => {
      b.get(old);
      if (!is64) return;
      if (shift > 0) {
        b.i64(shift, 0);
        b.op(OP.i64ShrU);
      }
      b.op(OP.i32WrapI64);
    };
    this.#storeResult(
      () => wrap(0),
      () => wrap(32),
    );
  }

  #area(low: number, high: number): void {
    const b = this.#body;
    const { dword } = this.#locals;
    b.get(dword);
    b.access(OP.i32Load, 2, low);
    if (this.#kind.bits !== 64) return;
    b.op(OP.i64ExtendI32U);
    b.get(dword);
    b.access(OP.i32Load, 2, high);
    b.op(OP.i64ExtendI32U);
    b.i64(32, 0);
    b.op(OP.i64Shl);
    b.op(OP.i64Or);
  }

  /** Pushes the new value. */
  #compute(
    op: AtomicOp,
    { old, data, compare }: { readonly old: number; readonly data: number; readonly compare: number },
  ): void {
    const b = this.#body;
    const is64 = this.#kind.bits === 64;
    const pair = (x: number, y: number, op32: number, op64: number): void => {
      b.get(x);
      b.get(y);
      b.op(is64 ? op64 : op32);
    };
    const choose = (yes: number, no: number, x: number, y: number, op32: number, op64: number): void => {
      b.get(yes);
      b.get(no);
      pair(x, y, op32, op64);
      b.op(OP.select);
    };
    const constant = (value: number): void => (is64 ? b.i64(value, value < 0 ? -1 : 0) : b.i32(value));
    switch (op) {
      case 'add':
        pair(old, data, OP.i32Add, OP.i64Add);
        return;
      case 'sub':
        pair(old, data, OP.i32Sub, OP.i64Sub);
        return;
      case 'rsub':
        pair(data, old, OP.i32Sub, OP.i64Sub);
        return;
      case 'and':
        pair(old, data, OP.i32And, OP.i64And);
        return;
      case 'or':
        pair(old, data, OP.i32Or, OP.i64Or);
        return;
      case 'xor':
        pair(old, data, OP.i32Xor, OP.i64Xor);
        return;
      case 'swap':
        b.get(data);
        return;
      case 'minS':
        choose(data, old, data, old, OP.i32LtS, OP.i64LtS);
        return;
      case 'maxS':
        choose(data, old, old, data, OP.i32LtS, OP.i64LtS);
        return;
      case 'minU':
        choose(data, old, data, old, OP.i32LtU, OP.i64LtU);
        return;
      case 'maxU':
        choose(data, old, old, data, OP.i32LtU, OP.i64LtU);
        return;
      case 'inc':
        // old >= data ? 0 : old + 1
        constant(0);
        b.get(old);
        constant(1);
        b.op(is64 ? OP.i64Add : OP.i32Add);
        pair(old, data, OP.i32GeU, OP.i64GeU);
        b.op(OP.select);
        return;
      case 'dec':
        // old == 0 || old > data ? data : old - 1
        b.get(data);
        b.get(old);
        constant(1);
        b.op(is64 ? OP.i64Sub : OP.i32Sub);
        b.get(old);
        b.op(is64 ? OP.i64Eqz : OP.i32Eqz);
        pair(old, data, OP.i32GtU, OP.i64GtU);
        b.op(OP.i32Or);
        b.op(OP.select);
        return;
      case 'cmpswap':
        choose(data, old, old, compare, OP.i32Eq, OP.i64Eq);
        return;
      case 'mskor':
        // (old & ~mask) | data: the mask comes as the compare value
        b.get(old);
        b.get(compare);
        constant(-1);
        b.op(is64 ? OP.i64Xor : OP.i32Xor);
        b.op(is64 ? OP.i64And : OP.i32And);
        b.get(data);
        b.op(is64 ? OP.i64Or : OP.i32Or);
        return;
      case 'addF32':
      case 'addF64':
        this.#addFloat(old, data);
        return;
      case 'minF32':
      case 'maxF32':
      case 'minF64':
      case 'maxF64':
        this.#minMaxFloat(op, old, data);
        return;
      default:
        op satisfies never;
    }
  }

  /** The sum; of NaNs the first, quieted, and the default NaN for one that was made of numbers (ops.ts). */
  #addFloat(old: number, data: number): void {
    const b = this.#body;
    const is64 = this.#kind.bits === 64;
    const sum = b.local(is64 ? I64 : I32);
    const [reinterpret, add, back, ne] = is64
      ? [OP.f64ReinterpretI64, OP.f64Add, OP.i64ReinterpretF64, OP.f64Ne]
      : [OP.f32ReinterpretI32, OP.f32Add, OP.i32ReinterpretF32, OP.f32Ne];
    const float = (value: number): void => {
      b.get(value);
      b.op(reinterpret);
    };
    const isNan = (value: number): void => {
      float(value);
      float(value);
      b.op(ne);
    };
    const quiet = (value: number): void => {
      b.get(value);
      if (is64) b.i64(0, 0x0008_0000);
      else b.i32(0x0040_0000);
      b.op(is64 ? OP.i64Or : OP.i32Or);
    };
    float(old);
    float(data);
    b.op(add);
    b.op(back);
    b.set(sum);
    quiet(old);
    quiet(data);
    if (is64) b.i64(0, 0x7ff8_0000);
    else b.i32(0x7fc0_0000);
    b.get(sum);
    isNan(sum);
    b.op(OP.select);
    isNan(data);
    b.op(OP.select);
    isNan(old);
    b.op(OP.select);
  }

  /** A NaN loses against a number; -0 < +0; two NaNs: the first, quieted (ops.ts, minNum and maxNum). */
  #minMaxFloat(op: 'minF32' | 'maxF32' | 'minF64' | 'maxF64', old: number, data: number): void {
    const b = this.#body;
    const is64 = op === 'minF64' || op === 'maxF64';
    const isMin = op === 'minF32' || op === 'minF64';
    const reinterpret = is64 ? OP.f64ReinterpretI64 : OP.f32ReinterpretI32;
    const isNan = (value: number): void => {
      b.get(value);
      b.op(reinterpret);
      b.get(value);
      b.op(reinterpret);
      b.op(is64 ? OP.f64Ne : OP.f32Ne);
    };
    // bits in the order of the numbers: x ^ ((x >> all) >>> 1)
    const ordered = (value: number): void => {
      b.get(value);
      b.get(value);
      if (is64) {
        b.i64(63, 0);
        b.op(OP.i64ShrS);
        b.i64(1, 0);
        b.op(OP.i64ShrU);
        b.op(OP.i64Xor);
      } else {
        b.i32(31);
        b.op(OP.i32ShrS);
        b.i32(1);
        b.op(OP.i32ShrU);
        b.op(OP.i32Xor);
      }
    };
    const quietOld = (): void => {
      b.get(old);
      if (is64) {
        b.i64(0, 0x0008_0000);
        b.i64(0, 0);
        isNan(old);
        b.op(OP.select);
        b.op(OP.i64Or);
      } else {
        b.i32(0x0040_0000);
        b.i32(0);
        isNan(old);
        b.op(OP.select);
        b.op(OP.i32Or);
      }
    };
    quietOld();
    b.get(data);
    b.get(data);
    b.get(old);
    ordered(isMin ? data : old);
    ordered(isMin ? old : data);
    b.op(is64 ? OP.i64LtS : OP.i32LtS);
    b.op(OP.select); // the smaller or larger
    isNan(old);
    b.op(OP.select); // data where old is NaN
    isNan(data);
    b.op(OP.select); // old where data is NaN
  }
}
