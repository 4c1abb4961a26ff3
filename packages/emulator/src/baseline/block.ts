/**
 * The function of one block of baseline code: (control block, slot) → the next block, or ~exit. Registers are in the slot at its entry
 * and at its end; in between the wave's values are in locals, and the lanes' values are computed four at a time by loops (plan.ts).
 */
import { InternalError } from '@doorbell/abi';
import type { Address, AtomicNode, LoadNode, MatrixNode, OpNode, ReadNode, StoreEffect, Value } from '../ir/block.js';
import type { CfgBlock } from '../compile/cfg.js';
import { LocalPool, type Dag } from '../compile/dag.js';
import { T_I64 } from '../compile/dag-rules.js';
import type { AccessKind } from '../compile/lane-function.js';
import { Lanes } from '../compile/lanes.js';
import { matrixArea } from '../compile/matrix-area.js';
import { MemoryAccess } from '../compile/memory-access.js';
import { readAtomics } from '../compile/read-atomics.js';
import type { ModuleContext } from '../compile/segment.js';
import type { Shapes } from '../compile/shapes.js';
import { scalar, wideNode } from '../compile/uniform-values.js';
import type { Vec, Wide } from '../compile/values.js';
import {
  AREA_COMPARE,
  AREA_COMPARE_HIGH,
  AREA_DATA,
  AREA_DATA_HIGH,
  AREA_OFFSET,
  AREA_OFFSET_HIGH,
  AREA_RESULT,
  AREA_RESULT_HIGH,
  CONTROL_PC,
  CONTROL_TEMPORARIES,
  EXIT_BARRIER,
  EXIT_END,
  EXIT_ILLEGAL,
  EXIT_INDIRECT,
  EXIT_TRAP,
  EXIT_YIELD,
  LANE_AREA_BYTES,
  MAX_TEMPORARIES,
  SLOT_PC,
  SLOT_SCC,
  SLOT_SGPRS,
  SLOT_TARGET,
  SLOT_TRAP,
  SLOT_VGPRS,
} from '../compile/wave-state.js';
import type { FunctionBody, FunctionType } from '../wasm/module-builder.js';
import { I32, I64, OP, VOID } from '../wasm/opcodes.js';
import { FourLanes, SlotSource, type LaneLocals } from './four-lanes.js';
import { isOfWave, maskSource, planBlock, type Stage } from './plan.js';

export const BLOCK_TYPE: FunctionType = { params: [I32, I32], results: [I32] };

/** What the blocks of a module share. */
export interface BlockContext {
  readonly module: ModuleContext;
  readonly waveSize: 32 | 64;
  /** Of four lanes. */
  readonly shapes: Shapes;
  readonly dag: Dag;
  /** Function (from, to): copies the dwords of a wave's lanes. */
  readonly copyLanes: () => number;
}

const CONTROL = 0;
const SLOT = 1;

export function emitBlock(body: FunctionBody, block: CfgBlock, context: BlockContext): void {
  new BlockWriter(body, block, context).write();
}

/** A gather that a loop is under way for: what the loop leaves. */
interface Gathered {
  readonly node: OpNode;
  /** i64 local with the bits of a lane mask; -1: none. */
  readonly bits: number;
}

class BlockWriter {
  readonly #body: FunctionBody;
  readonly #block: CfgBlock;
  readonly #context: BlockContext;
  readonly #dag: Dag;
  readonly #pool: LocalPool;
  readonly #lanes: Lanes;
  readonly #values: FourLanes;
  readonly #locals: LaneLocals;
  readonly #isRead: (node: AtomicNode) => boolean;
  #temporaries = 0;

  constructor(body: FunctionBody, block: CfgBlock, context: BlockContext) {
    const { module, dag, shapes, waveSize } = context;
    this.#body = body;
    this.#block = block;
    this.#context = context;
    this.#dag = dag;
    this.#pool = new LocalPool(body);
    dag.reset();
    dag.body = body;
    dag.pool = this.#pool;
    const { relaxed, exactNan, imported } = module;
    this.#lanes = new Lanes({ dag, shapes, emitting: true, relaxed, exactNan, imported });
    this.#locals = { slot: SLOT, slotLanes: body.local(I32), controlLanes: body.local(I32), firstLane: body.local(I32) };
    this.#values = new FourLanes(this.#lanes, new SlotSource(this.#lanes, this.#locals, waveSize), this.#locals, waveSize);
    this.#isRead = readAtomics(block.ir);
  }

  write(): void {
    const { ir } = this.#block;
    const { stages, writes } = planBlock(ir);
    for (const stage of stages) this.#stage(stage);
    this.#finish(writes);
  }

  // Stages

  #stage(stage: Stage): void {
    this.#settleUniforms(stage.uniforms);
    const [effect] = stage.effects;
    const ofLanes = effect === undefined || isOfWave(effect) ? undefined : effect;
    const maskBits = ofLanes === undefined || ofLanes.kind === 'matrix' ? -1 : this.#maskLocal(ofLanes.mask);
    const gathered = stage.gathers.map((node) => this.#beginGather(node));
    const saved = stage.saved.map((node) => ({ node, at: this.#takeTemporaries(node) }));
    const hasLoop = ofLanes !== undefined || gathered.length > 0 || saved.length > 0;
    if (hasLoop) {
      this.#loop(() => {
        for (const item of gathered) this.#gatherLanes(item);
        if (ofLanes?.kind === 'matrix') this.#writeOperands(ofLanes);
        else if (ofLanes !== undefined) this.#writeAreas(ofLanes, maskBits);
        for (const { node, at } of saved) this.#saveLanes(node, at);
      });
    }
    for (const item of gathered) this.#endGather(item);
    for (const { node, at } of saved) this.#useSaved(node, at);
    if (ofLanes?.kind === 'matrix') this.#matrix(ofLanes);
    else if (ofLanes !== undefined) this.#access(ofLanes, stage, maskBits);
    else if (effect !== undefined) this.#waveEffects(stage);
  }

  /** Loads for the wave, and clocks. */
  #waveEffects({ effects, pc }: Stage): void {
    const { module } = this.#context;
    const memory = new MemoryAccess(this.#values, {
      body: this.#body,
      pool: this.#pool,
      translator: module.translator,
      translation: { control: CONTROL, findWindow: module.findWindow },
      control: CONTROL,
      // Lanes' accesses do not come here.
      lds: -1,
      ldsBytes: -1,
      softwarePages: module.softwarePages,
      isOnlyWorker: module.isOnlyWorker,
      accessFunction: module.accessFunction,
      matrixFunction: module.matrixFunction,
      fail: module.fail,
      clock: module.imported('clock'),
      emitRareCall: (emitCall) => {
        emitCall();
      },
    });
    memory.run(
      effects,
      effects.map(() => pc),
      () => true,
    );
  }

  /** A loop over the lanes, four at a time; what is computed inside is forgotten at its end. */
  #loop(emit: () => void): void {
    const body = this.#body;
    const { slotLanes, controlLanes, firstLane } = this.#locals;
    body.get(SLOT);
    body.set(slotLanes);
    body.get(CONTROL);
    body.set(controlLanes);
    body.i32(0);
    body.set(firstLane);
    body.open(OP.loop, VOID);
    const scope = this.#dag.openScope();
    emit();
    this.#dag.closeScope(scope);
    for (const local of [slotLanes, controlLanes]) {
      body.get(local);
      body.i32(16);
      body.op(OP.i32Add);
      body.set(local);
    }
    body.get(firstLane);
    body.i32(4);
    body.op(OP.i32Add);
    body.tee(firstLane);
    body.i32(this.#context.waveSize);
    body.op(OP.i32Ne);
    body.brIf(0);
    body.end();
  }

  #settleUniforms(uniforms: readonly Value[]): void {
    for (const node of uniforms) this.#settleUniform(node);
  }

  #settleUniform(node: Value): void {
    const values = this.#values;
    const dag = this.#dag;
    if (node.type === 'i32') dag.settle(values.scalar(node));
    else if (node.type === 'bool') dag.settle(values.condition(node));
    else {
      const { node: whole, low, high } = values.uniformWide(node);
      if (low === undefined || high === undefined) dag.settle(whole);
      else if (this.#context.waveSize === 64) dag.settle(values.scalarWide(node));
      else {
        dag.settle(values.bitsOf(low));
        dag.settle(values.bitsOf(high));
      }
    }
  }

  // Values of all lanes

  /** An i64 local for the bits of a lane mask that a loop collects, set to 0. */
  #bitsLocal(): number {
    const local = this.#pool.take(T_I64);
    this.#body.i64(0, 0);
    this.#body.set(local);
    return local;
  }

  #beginGather(node: OpNode): Gathered {
    const isMask = node.op === 'ballot' || node.op === 'any' || node.op === 'readFirstLane';
    const value = need(node.args[0]);
    const isStored = node.op === 'shuffle' || (node.op !== 'ballot' && node.op !== 'any' && !isRegister(value));
    if (isStored && this.#values.placeOf(value) === undefined) this.#values.setPlace(value, this.#takeTemporary());
    return { node, bits: isMask ? this.#bitsLocal() : -1 };
  }

  #gatherLanes({ node, bits }: Gathered): void {
    const value = need(node.args[0]);
    if (node.op === 'ballot' || node.op === 'any') {
      this.#collect(value, bits);
      return;
    }
    const place = this.#values.placeOf(value);
    if (place !== undefined) this.#storeLanes(place, this.#values.forced(value));
    if (node.op === 'readFirstLane') this.#collect(need(node.args[1]), bits);
  }

  /** Ors the lanes' bits of a mask to a local. */
  #collect(mask: Value, bits: number): void {
    const body = this.#body;
    const [group] = this.#lanes.maskGroups(this.#values.mask(mask));
    body.get(bits);
    this.#dag.emit(group ?? 0);
    body.op(OP.i32x4Bitmask);
    body.op(OP.i64ExtendI32U);
    body.get(this.#locals.firstLane);
    body.op(OP.i64ExtendI32U);
    body.op(OP.i64Shl);
    body.op(OP.i64Or);
    body.set(bits);
  }

  #endGather({ node, bits }: Gathered): void {
    const dag = this.#dag;
    const values = this.#values;
    const all = bits < 0 ? -1 : dag.get(bits, I64);
    switch (node.op) {
      case 'ballot':
        values.setUniformWide(node, wideNode(all));
        return;
      case 'any':
        values.setMask(node, this.#lanes.condition(dag.binary(OP.i64Ne, all, dag.i64(0, 0))));
        return;
      case 'readLane':
        this.#readLane(node, values.scalar(need(node.args[1])));
        return;
      case 'readFirstLane':
        // Lane 0 if none is set: the count of trailing zeros is 64 then.
        this.#readLane(node, dag.unary(OP.i32WrapI64, dag.unary(OP.i64Ctz, all)));
        return;
      default:
    }
  }

  #readLane(node: OpNode, index: number): void {
    const dag = this.#dag;
    const { waveSize } = this.#context;
    const value = need(node.args[0]);
    const register = isRegister(value) ? SLOT_VGPRS + value.index * waveSize * 4 : undefined;
    const place = register ?? this.#values.placeOf(value);
    if (place === undefined) throw new InternalError('a lane of a value that is not in memory');
    const number = dag.binary(OP.i32And, index, dag.i32(waveSize - 1));
    const start = dag.get(register === undefined ? CONTROL : SLOT, I32);
    dag.emit(dag.binary(OP.i32Add, start, dag.binary(OP.i32Shl, number, dag.i32(2))));
    this.#body.access(OP.i32Load, 2, place);
    this.#values.setUniform(node, scalar(dag.fromStack(I32)));
  }

  // Memory between stages

  /** Offset in the control block of room for a dword of each lane. */
  #takeTemporary(): number {
    if (this.#temporaries === MAX_TEMPORARIES) throw new InternalError('a block with too many values between its stages');
    return CONTROL_TEMPORARIES + this.#temporaries++ * LANE_AREA_BYTES;
  }

  #takeTemporaries(node: Value): readonly number[] {
    return node.type === 'i64' ? [this.#takeTemporary(), this.#takeTemporary()] : [this.#takeTemporary()];
  }

  #storeLanes(offset: number, value: Vec): void {
    this.#storeGroup(offset, this.#lanes.groups(value)[0] ?? 0);
  }

  #storeGroup(offset: number, node: number): void {
    this.#body.get(this.#locals.controlLanes);
    this.#dag.emit(node);
    this.#body.access(OP.v128Store, 2, offset);
  }

  #loadGroup(offset: number): number {
    return this.#dag.load(OP.v128Load, this.#dag.get(this.#locals.controlLanes, I32), offset);
  }

  #saveLanes(node: Value, [low, high]: readonly number[]): void {
    const values = this.#values;
    if (node.type === 'bool') this.#storeGroup(low ?? 0, this.#lanes.maskGroups(values.mask(node))[0] ?? 0);
    else if (node.type === 'i32') this.#storeLanes(low ?? 0, values.forced(node));
    else {
      const wide = values.wide(node);
      this.#storeLanes(low ?? 0, values.lowOf(wide));
      this.#storeLanes(high ?? 0, values.highOf(wide));
    }
  }

  /** From here on the value is taken from memory. */
  #useSaved(node: Value, [low, high]: readonly number[]): void {
    if (node.type === 'bool') this.#values.setMask(node, this.#lanes.mask([this.#loadGroup(low ?? 0)]));
    else this.#setLanes(node, low ?? 0, high);
  }

  #setLanes(node: Value, low: number, high: number | undefined): void {
    const value = this.#lanes.vector([this.#loadGroup(low)]);
    if (high === undefined) this.#values.setVec(node, value);
    else this.#values.setWide(node, this.#values.wideFromHalves(value, this.#lanes.vector([this.#loadGroup(high)])));
  }

  // Memory accesses

  /** An i64 local for the lanes of an access where they are not a wave mask; else -1. */
  #maskLocal(mask: Value | undefined): number {
    return mask === undefined || mask.kind === 'const' || maskSource(mask) !== undefined ? -1 : this.#bitsLocal();
  }

  #writeAreas(effect: LoadNode | AtomicNode | StoreEffect, maskBits: number): void {
    const values = this.#values;
    const { address, space } = effect;
    if (space === 'lds' || space === 'scratch') this.#writeArea(AREA_OFFSET, this.#localOffset(address));
    else if (address.vector === undefined) this.#writeArea(AREA_OFFSET, this.#offset(address));
    else {
      const wide = this.#wideAddress(address.vector, address.offset);
      this.#writeArea(AREA_OFFSET, values.lowOf(wide));
      this.#writeArea(AREA_OFFSET_HIGH, values.highOf(wide));
    }
    if (effect.kind !== 'load') this.#writeValue(effect.data, AREA_DATA, AREA_DATA_HIGH);
    if (effect.kind === 'atomic' && effect.compare !== undefined)
      this.#writeValue(effect.compare, AREA_COMPARE, AREA_COMPARE_HIGH);
    if (maskBits >= 0) this.#collect(need(effect.mask), maskBits);
  }

  #writeValue(value: Value, low: number, high: number): void {
    if (value.type !== 'i64') {
      this.#writeArea(low, this.#values.forced(value));
      return;
    }
    const wide = this.#values.wide(value);
    this.#writeArea(low, this.#values.lowOf(wide));
    this.#writeArea(high, this.#values.highOf(wide));
  }

  #writeArea(area: number, value: Vec): void {
    this.#storeLanes(area, value);
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

  #access(effect: LoadNode | AtomicNode | StoreEffect, stage: Stage, maskBits: number): void {
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
    body.call(this.#context.module.accessFunction(kind));
  }

  /** i64 node: the bits of a lane mask that is a wave mask or a constant. */
  #waveMask(mask: Value): number {
    const dag = this.#dag;
    const is64 = this.#context.waveSize === 64;
    if (mask.kind === 'const') return dag.i64(-mask.low, is64 ? -mask.low : 0);
    const source = maskSource(mask);
    if (source === undefined) throw new InternalError('a lane mask that is no wave mask');
    const bits = this.#values.scalarWide(source);
    return is64 ? bits : dag.binary(OP.i64And, bits, dag.i64(-1, 0));
  }

  /** The lanes' results move out of the way of the next access. */
  #takeResult(node: LoadNode | AtomicNode): void {
    const at = this.#takeTemporaries(node);
    for (const [half, to] of at.entries()) {
      this.#copy(half === 0 ? AREA_RESULT : AREA_RESULT_HIGH, to);
    }
    this.#setLanes(node, at[0] ?? 0, at[1]);
  }

  #copy(from: number, to: number): void {
    const body = this.#body;
    for (const offset of [from, to]) {
      body.get(CONTROL);
      body.i32(offset);
      body.op(OP.i32Add);
    }
    body.call(this.#context.copyLanes());
  }

  // Matrix instructions

  #writeOperands({ op, args }: MatrixNode): void {
    const { operands } = matrixArea(op);
    for (const [n, arg] of args.entries()) this.#storeLanes(operands + n * op.waveSize * 4, this.#values.forced(arg));
  }

  #matrix(node: MatrixNode): void {
    const { op } = node;
    this.#body.get(CONTROL);
    this.#body.call(this.#context.module.matrixFunction(op));
    const { result } = matrixArea(op);
    const registers = Array.from({ length: op.d.registers }, (_, register) => {
      const at = this.#takeTemporary();
      this.#copy(result + register * op.waveSize * 4, at);
      return this.#lanes.vector([this.#loadGroup(at)]);
    });
    this.#values.setMatrix(node, registers);
  }

  // The end of the block

  #finish(stage: Stage): void {
    const { ir } = this.#block;
    const body = this.#body;
    const dag = this.#dag;
    const values = this.#values;
    this.#settleUniforms(stage.uniforms);
    // Everything is computed before a register changes.
    const scalars: (readonly [number, number])[] = [];
    for (const { file, index, value } of ir.writes) {
      if (file === 'vgpr') continue;
      const node = file === 'scc' ? values.condition(value) : values.scalar(value);
      dag.settle(node);
      scalars.push([file === 'scc' ? SLOT_SCC : SLOT_SGPRS + index * 4, node]);
    }
    const { exit } = ir;
    if (exit.kind === 'branch') dag.settle(values.condition(exit.condition));
    if (exit.kind === 'indirect') dag.settle(values.scalarWide(exit.target));
    const vgprs = ir.writes.filter((write) => write.file === 'vgpr');
    if (vgprs.length > 0) {
      this.#loop(() => {
        const groups = vgprs.map(({ value }) => this.#lanes.groups(values.forced(value))[0] ?? 0);
        for (const node of groups) dag.settle(node);
        for (const [i, { index }] of vgprs.entries()) {
          body.get(this.#locals.slotLanes);
          dag.emit(groups[i] ?? 0);
          body.access(OP.v128Store, 2, SLOT_VGPRS + index * this.#context.waveSize * 4);
        }
      });
    }
    for (const [offset, node] of scalars) {
      body.get(SLOT);
      dag.emit(node);
      body.access(OP.i32Store, 2, offset);
    }
    this.#exit();
  }

  #exit(): void {
    const { successors, continuation, ir } = this.#block;
    const { exit } = ir;
    const body = this.#body;
    const dag = this.#dag;
    const [taken, fall] = successors;
    switch (exit.kind) {
      case 'fall':
      case 'jump':
        body.i32(taken ?? 0);
        return;
      case 'branch':
        body.i32(taken ?? 0);
        body.i32(fall ?? 0);
        dag.emit(this.#values.condition(exit.condition));
        body.op(OP.select);
        return;
      case 'barrier':
      case 'yield':
        this.#store(SLOT, SLOT_PC, continuation);
        body.i32(~(exit.kind === 'barrier' ? EXIT_BARRIER : EXIT_YIELD));
        return;
      case 'end':
        body.i32(~EXIT_END);
        return;
      case 'indirect':
        body.get(SLOT);
        dag.emit(this.#values.scalarWide(exit.target));
        body.access(OP.i64Store, 3, SLOT_TARGET);
        body.i32(~EXIT_INDIRECT);
        return;
      case 'trap':
        if (taken !== undefined) {
          body.i32(taken);
          return;
        }
        this.#store(SLOT, SLOT_TRAP, exit.id);
        this.#store(CONTROL, CONTROL_PC, ir.end - 4);
        body.i32(~EXIT_TRAP);
        return;
      case 'illegal':
        this.#store(CONTROL, CONTROL_PC, ir.end);
        body.i32(~EXIT_ILLEGAL);
        return;
      default:
        exit satisfies never;
    }
  }

  #store(local: number, offset: number, value: number): void {
    this.#body.get(local);
    this.#body.i32(value);
    this.#body.access(OP.i32Store, 2, offset);
  }
}

/** What a VGPR holds at the block's entry: it lies in the slot until the block's last loop. */
function isRegister(value: Value): value is ReadNode {
  return value.kind === 'read' && value.file === 'vgpr';
}

function need(value: Value | undefined): Value {
  if (value === undefined) throw new InternalError('an operation without its argument');
  return value;
}
