/** What the parts of an access function share: its parameters, its locals, and the lane's values in the lane areas. */
import type { MemorySpace } from '../ir/block.js';
import type { AtomicOp } from '../ir/ops.js';
import type { FunctionBody } from '../wasm/module-builder.js';
import { I32, I64, OP } from '../wasm/opcodes.js';
import type { Translator } from './address-space.js';
import { accessCode } from './fault-record.js';
import { AREA_RESULT, AREA_RESULT_HIGH } from './wave-state.js';

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
  /** No other thread executes kernels. */
  readonly isOnlyWorker: boolean;
  readonly findWindow: () => number;
  /** Index of the function that records a failure and traps (fault-record.ts). */
  readonly fail: () => number;
}

/** Parameters of an access function. */
export const CONTROL = 0;
export const MASK = 1;
export const BASE = 2;
export const MULTIPLIER = 3;
/** Byte offset of the instruction. */
export const PC = 4;

export class LaneFunction {
  readonly body: FunctionBody;
  readonly kind: AccessKind;
  readonly options: AccessOptions;
  readonly bytes: number;
  readonly isAtomic: boolean;
  /** For fault reports. */
  readonly code: number;
  /** Whether only the protection of a page says that an access fails: it is recorded before it is tried. */
  readonly isRecorded: boolean;
  // Locals.
  readonly lane: number;
  /** Address of the lane's dword in area 0: control + 4 · lane. */
  readonly dword: number;
  /** GPU address. */
  readonly address: number;
  /** Offset in memory. */
  readonly place: number;

  constructor(body: FunctionBody, kind: AccessKind, options: AccessOptions) {
    this.body = body;
    this.kind = kind;
    this.options = options;
    this.bytes = kind.bits / 8;
    this.isAtomic = kind.action !== 'load' && kind.action !== 'store';
    const access = this.isAtomic ? 'atomic' : kind.action === 'load' ? 'read' : 'write';
    this.code = accessCode(kind.space, access, this.bytes);
    this.isRecorded = !this.isAtomic && !options.softwarePages && (kind.space === 'global' || kind.space === 'flat');
    this.lane = body.local(I32);
    this.dword = body.local(I32);
    this.address = body.local(I64);
    this.place = body.local(I32);
  }

  /** Pushes the lane's dword of an area. */
  area(offset: number): void {
    this.body.get(this.dword);
    this.body.access(OP.i32Load, 2, offset);
  }

  /** Pushes a value of two areas as wide as the access: i32, or i64 of both. */
  value(low: number, high: number): void {
    this.area(low);
    if (this.kind.bits === 64) this.#joinHigh(high);
  }

  /** Pushes the i64 of two areas. */
  wideValue(low: number, high: number): void {
    this.area(low);
    this.#joinHigh(high);
  }

  /** Stores the lane's result unless nobody reads one. */
  storeResult(low: () => void, high: () => void): void {
    if (this.kind.action === 'store' || this.kind.isSilent === true) return;
    const { body, dword } = this;
    body.get(dword);
    low();
    body.access(OP.i32Store, 2, AREA_RESULT);
    if (this.kind.bits !== 64) return;
    body.get(dword);
    high();
    body.access(OP.i32Store, 2, AREA_RESULT_HIGH);
  }

  /** The result from a local that is as wide as the access. */
  storeResultOf(local: number): void {
    const { body } = this;
    const is64 = this.kind.bits === 64;
    this.storeResult(
      () => {
        body.get(local);
        if (is64) body.op(OP.i32WrapI64);
      },
      () => {
        body.get(local);
        body.i64(32, 0);
        body.op(OP.i64ShrU);
        body.op(OP.i32WrapI64);
      },
    );
  }

  /** Records the lane's access and traps; `address` pushes its i64. */
  fail(address: () => void): void {
    const { body } = this;
    body.get(CONTROL);
    body.get(PC);
    body.i32(this.code);
    body.get(this.lane);
    address();
    body.call(this.options.fail());
    body.op(OP.unreachable);
  }

  #joinHigh(high: number): void {
    const { body } = this;
    body.op(OP.i64ExtendI32U);
    this.area(high);
    body.op(OP.i64ExtendI32U);
    body.i64(32, 0);
    body.op(OP.i64Shl);
    body.op(OP.i64Or);
  }
}
