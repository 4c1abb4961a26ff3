/** Accesses of all lanes in baseline code, and matrix instructions: arguments go through areas of the control block. */
import { InternalError } from '@doorbell/abi';
import type { Address, AtomicNode, LoadNode, MatrixNode, StoreEffect, Value } from '../ir/block.js';
import type { Dag } from '../compile/dag.js';
import type { AccessKind } from '../compile/lane-function.js';
import type { Lanes } from '../compile/lanes.js';
import { need } from '../compile/lowering.js';
import { matrixArea } from '../compile/matrix-area.js';
import type { ModuleContext } from '../compile/segment.js';
import type { Vec, Wide } from '../compile/values.js';
import { CONTROL } from '../compile/wave-frame.js';
import {
  AREA_COMPARE,
  AREA_COMPARE_HIGH,
  AREA_DATA,
  AREA_DATA_HIGH,
  AREA_OFFSET,
  AREA_OFFSET_HIGH,
  AREA_RESULT,
  AREA_RESULT_HIGH,
} from '../compile/wave-state.js';
import type { FunctionBody } from '../wasm/module-builder.js';
import { OP } from '../wasm/opcodes.js';
import type { FourLanes } from './four-lanes.js';
import type { LaneStore } from './lane-store.js';
import { maskSource, type Stage } from './plan.js';

export interface AccessWriterOptions {
  readonly body: FunctionBody;
  readonly lanes: Lanes;
  readonly values: FourLanes;
  readonly store: LaneStore;
  readonly module: ModuleContext;
  readonly waveSize: 32 | 64;
  /** Whether anything reads an atomic's result. */
  readonly isRead: (node: AtomicNode) => boolean;
}

export class AccessWriter {
  readonly #body: FunctionBody;
  readonly #dag: Dag;
  readonly #lanes: Lanes;
  readonly #values: FourLanes;
  readonly #store: LaneStore;
  readonly #module: ModuleContext;
  readonly #waveSize: 32 | 64;
  readonly #isRead: (node: AtomicNode) => boolean;

  constructor({ body, lanes, values, store, module, waveSize, isRead }: AccessWriterOptions) {
    this.#body = body;
    this.#dag = lanes.dag;
    this.#lanes = lanes;
    this.#values = values;
    this.#store = store;
    this.#module = module;
    this.#waveSize = waveSize;
    this.#isRead = isRead;
  }

  /** An i64 local for the lanes of an access where they are not a wave mask; else -1. */
  maskLocal(mask: Value | undefined): number {
    return mask === undefined || mask.kind === 'const' || maskSource(mask) !== undefined ? -1 : this.#store.bitsLocal();
  }

  /** Inside a loop over the lanes: address, data and mask bits of an access. */
  writeAreas(effect: LoadNode | AtomicNode | StoreEffect, maskBits: number): void {
    const values = this.#values;
    const { address, space } = effect;
    if (space === 'lds' || space === 'scratch') this.#store.storeLanes(AREA_OFFSET, this.#localOffset(address));
    else if (address.vector === undefined) this.#store.storeLanes(AREA_OFFSET, this.#offset(address));
    else {
      const wide = this.#wideAddress(address.vector, address.offset);
      this.#store.storeLanes(AREA_OFFSET, values.lowOf(wide));
      this.#store.storeLanes(AREA_OFFSET_HIGH, values.highOf(wide));
    }
    if (effect.kind !== 'load') this.#writeValue(effect.data, AREA_DATA, AREA_DATA_HIGH);
    if (effect.kind === 'atomic' && effect.compare !== undefined)
      this.#writeValue(effect.compare, AREA_COMPARE, AREA_COMPARE_HIGH);
    if (maskBits >= 0) this.#store.collect(need(effect.mask), maskBits);
  }

  #writeValue(value: Value, low: number, high: number): void {
    if (value.type !== 'i64') {
      this.#store.storeLanes(low, this.#values.forced(value));
      return;
    }
    const wide = this.#values.wide(value);
    this.#store.storeLanes(low, this.#values.lowOf(wide));
    this.#store.storeLanes(high, this.#values.highOf(wide));
  }

  #offset({ offset }: Address): Vec {
    return offset === undefined ? this.#lanes.uniform(this.#dag.i32(0)) : this.#values.forced(offset);
  }

  #localOffset(address: Address): Vec {
    const constant = this.#lanes.uniform(this.#dag.i32(address.constant));
    return this.#lanes.apply('add32', this.#offset(address), constant, undefined);
  }

  #wideAddress(vector: Value, offset: Value | undefined): Wide {
    const values = this.#values;
    const lanes = this.#lanes;
    const wide = values.wide(vector);
    if (offset === undefined) return wide;
    const [low, more] = [values.lowOf(wide), values.forced(offset)];
    const sum = lanes.apply('add32', low, more, undefined);
    const high = values.highOf(wide);
    const next = lanes.apply('add32', high, lanes.uniform(this.#dag.i32(1)), undefined);
    return values.wideFromHalves(sum, lanes.select(lanes.compare('ltU32', sum, more), next, high));
  }

  /** Behind that loop: the access, and its results. */
  access(effect: LoadNode | AtomicNode | StoreEffect, stage: Stage, maskBits: number): void {
    for (const part of stage.effects) {
      if (part.kind === 'clock' || part.kind === 'matrix') continue;
      const kind: AccessKind = {
        space: part.space,
        action: part.kind === 'atomic' ? part.op : part.kind,
        bits: part.bits,
        wide: part.address.vector !== undefined && part.space !== 'lds' && part.space !== 'scratch',
        ...(part.kind === 'atomic' ? { isSilent: !this.#isRead(part) } : {}),
      };
      this.#call(kind, need(effect.mask), maskBits, part.address, stage.pc);
      if (part.kind !== 'store' && kind.isSilent !== true) this.#takeResult(part);
    }
  }

  #call(kind: AccessKind, mask: Value, maskBits: number, address: Address, pc: number): void {
    const dag = this.#dag;
    const body = this.#body;
    body.get(CONTROL);
    if (maskBits >= 0) body.get(maskBits);
    else dag.emit(this.#waveMask(mask));
    if (kind.space === 'lds' || kind.space === 'scratch') body.i64(0, 0);
    else {
      const constant = dag.i64(address.constant, address.constant < 0 ? -1 : 0);
      const base = address.base === undefined ? constant : dag.binary(OP.i64Add, this.#values.scalarWide(address.base), constant);
      dag.emit(base);
    }
    body.i32(1);
    body.i32(pc);
    body.call(this.#module.accessFunction(kind));
  }

  /** i64 node: the bits of a lane mask that is a wave mask or a constant. */
  #waveMask(mask: Value): number {
    const dag = this.#dag;
    const is64 = this.#waveSize === 64;
    if (mask.kind === 'const') return dag.i64(-mask.low, is64 ? -mask.low : 0);
    const source = maskSource(mask);
    if (source === undefined) throw new InternalError('a lane mask that is no wave mask');
    const bits = this.#values.scalarWide(source);
    return is64 ? bits : dag.binary(OP.i64And, bits, dag.i64(-1, 0));
  }

  /** The lanes' results move out of the way of the next access. */
  #takeResult(node: LoadNode | AtomicNode): void {
    const at = this.#store.takeTemporaries(node);
    for (const [half, to] of at.entries()) {
      this.#store.copy(half === 0 ? AREA_RESULT : AREA_RESULT_HIGH, to);
    }
    this.#store.set(node, at[0] ?? 0, at[1]);
  }

  /** Inside a loop over the lanes: the operands of a matrix instruction. */
  writeOperands({ op, args }: MatrixNode): void {
    const { operands } = matrixArea(op);
    for (const [n, arg] of args.entries()) this.#store.storeLanes(operands + n * op.waveSize * 4, this.#values.forced(arg));
  }

  /** Behind that loop: the instruction, and the registers of its result. */
  matrix(node: MatrixNode): void {
    const { op } = node;
    this.#body.get(CONTROL);
    this.#body.call(this.#module.matrixFunction(op));
    const { result } = matrixArea(op);
    const registers = Array.from({ length: op.d.registers }, (_, register) => {
      const at = this.#store.takeTemporary();
      this.#store.copy(result + register * op.waveSize * 4, at);
      return this.#lanes.vector([this.#store.loadGroup(at)]);
    });
    this.#values.setMatrix(node, registers);
  }
}
