/**
 * The function of one block of baseline code: (control block, slot) → the next block's place in the table, or ~exit. Registers are in the slot at its entry
 * and at its end; in between the wave's values are in locals, and the lanes' values are computed four at a time by loops (plan.ts).
 */
import { InternalError } from '@doorbell/abi';
import type { OpNode, ReadNode, Value } from '../ir/block.js';
import type { CfgBlock } from '../compile/cfg.js';
import type { Dag } from '../compile/dag.js';
import { Lanes } from '../compile/lanes.js';
import { LocalPool } from '../compile/local-pool.js';
import { need } from '../compile/lowering.js';
import { MemoryAccess } from '../compile/memory-access.js';
import { readAtomics } from '../compile/read-atomics.js';
import type { ModuleContext } from '../compile/segment.js';
import type { Shapes } from '../compile/shapes.js';
import { scalar, wideNode } from '../compile/uniform-values.js';
import { CONTROL } from '../compile/wave-frame.js';
import {
  CONTROL_PC,
  EXIT_BARRIER,
  EXIT_END,
  EXIT_ILLEGAL,
  EXIT_INDIRECT,
  EXIT_REQUEST,
  EXIT_TRAP,
  EXIT_YIELD,
  SLOT_PC,
  SLOT_SCC,
  SLOT_SGPRS,
  SLOT_MODE,
  SLOT_TARGET,
  SLOT_TRAP,
  SLOT_VGPRS,
} from '../compile/wave-state.js';
import type { FunctionBody, FunctionType } from '../wasm/module-builder.js';
import { I32, I64, OP, VOID } from '../wasm/opcodes.js';
import { AccessWriter } from './access-writer.js';
import { FourLanes, SlotSource, type LaneLocals } from './four-lanes.js';
import { LaneStore } from './lane-store.js';
import { isOfWave, planBlock, type Stage } from './plan.js';

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
  /** The global with the place of a block in the table. */
  readonly placeOf: (block: number) => number;
}

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
  readonly #store: LaneStore;
  readonly #accesses: AccessWriter;

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
    const shared = { body, lanes: this.#lanes, values: this.#values };
    this.#store = new LaneStore({ ...shared, pool: this.#pool, locals: this.#locals, copyLanes: context.copyLanes });
    this.#accesses = new AccessWriter({ ...shared, store: this.#store, module, waveSize, isRead: readAtomics(block.ir) });
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
    const maskBits = ofLanes === undefined || ofLanes.kind === 'matrix' ? -1 : this.#accesses.maskLocal(ofLanes.mask);
    const gathered = stage.gathers.map((node) => this.#beginGather(node));
    const saved = stage.saved.map((node) => ({ node, at: this.#store.takeTemporaries(node) }));
    const hasLoop = ofLanes !== undefined || gathered.length > 0 || saved.length > 0;
    if (hasLoop) {
      this.#loop(() => {
        for (const item of gathered) this.#gatherLanes(item);
        if (ofLanes?.kind === 'matrix') this.#accesses.writeOperands(ofLanes);
        else if (ofLanes !== undefined) this.#accesses.writeAreas(ofLanes, maskBits);
        for (const { node, at } of saved) this.#store.save(node, at);
      });
    }
    for (const item of gathered) this.#endGather(item);
    for (const { node, at } of saved) this.#store.use(node, at);
    if (ofLanes?.kind === 'matrix') this.#accesses.matrix(ofLanes);
    else if (ofLanes !== undefined) this.#accesses.access(ofLanes, stage, maskBits);
    else if (effect !== undefined) this.#waveEffects(stage);
  }

  /** Loads for the wave, and clocks. */
  #waveEffects({ effects, pc }: Stage): void {
    const { module } = this.#context;
    const memory = new MemoryAccess(this.#values, {
      ...module,
      body: this.#body,
      pool: this.#pool,
      translation: { findWindow: module.findWindow },
      control: CONTROL,
      // Lanes' accesses do not come here.
      lds: -1,
      ldsBytes: -1,
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

  #beginGather(node: OpNode): Gathered {
    const isMask = node.op === 'ballot' || node.op === 'any' || node.op === 'readFirstLane';
    const value = need(node.args[0]);
    const isStored = node.op === 'shuffle' || (node.op !== 'ballot' && node.op !== 'any' && !isRegister(value));
    if (isStored && this.#values.placeOf(value) === undefined) this.#values.setPlace(value, this.#store.takeTemporary());
    return { node, bits: isMask ? this.#store.bitsLocal() : -1 };
  }

  #gatherLanes({ node, bits }: Gathered): void {
    const value = need(node.args[0]);
    if (node.op === 'ballot' || node.op === 'any') {
      this.#store.collect(value, bits);
      return;
    }
    const place = this.#values.placeOf(value);
    if (place !== undefined) this.#store.storeLanes(place, this.#values.forced(value));
    if (node.op === 'readFirstLane') this.#store.collect(need(node.args[1]), bits);
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
    if (exit.kind === 'indirect') {
      dag.settle(values.scalarWide(exit.target));
      dag.settle(values.scalar(exit.mode));
    }
    if (exit.kind === 'request') dag.settle(values.scalarWide(exit.request));
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
    const [taken = -1, fall = -1] = successors;
    switch (exit.kind) {
      case 'fall':
      case 'jump':
        this.#place(taken);
        return;
      case 'branch':
        this.#place(taken);
        this.#place(fall);
        dag.emit(this.#values.condition(exit.condition));
        body.op(OP.select);
        return;
      case 'barrier':
      case 'yield':
        this.#stopBefore(continuation);
        body.i32(~(exit.kind === 'barrier' ? EXIT_BARRIER : EXIT_YIELD));
        return;
      case 'request':
        this.#stopBefore(continuation);
        body.get(SLOT);
        dag.emit(this.#values.scalarWide(exit.request));
        body.access(OP.i64Store, 3, SLOT_TARGET);
        body.i32(~EXIT_REQUEST);
        return;
      case 'end':
        body.i32(~EXIT_END);
        return;
      case 'indirect':
        body.get(SLOT);
        dag.emit(this.#values.scalarWide(exit.target));
        body.access(OP.i64Store, 3, SLOT_TARGET);
        body.get(SLOT);
        dag.emit(this.#values.scalar(exit.mode));
        body.access(OP.i32Store, 2, SLOT_MODE);
        body.i32(~EXIT_INDIRECT);
        return;
      case 'trap':
        if (taken >= 0) {
          this.#place(taken);
          return;
        }
        this.#storeWord(SLOT, SLOT_TRAP, exit.id);
        this.#storeWord(CONTROL, CONTROL_PC, ir.end - 4);
        body.i32(~EXIT_TRAP);
        return;
      case 'illegal':
        this.#storeWord(CONTROL, CONTROL_PC, ir.end);
        body.i32(~EXIT_ILLEGAL);
        return;
      default:
        exit satisfies never;
    }
  }

  #place(block: number): void {
    this.#body.globalGet(this.#context.placeOf(block));
  }

  /** The wave goes on with a block later. */
  #stopBefore(block: number): void {
    this.#body.get(SLOT);
    this.#place(block);
    this.#body.access(OP.i32Store, 2, SLOT_PC);
  }

  #storeWord(local: number, offset: number, value: number): void {
    this.#body.get(local);
    this.#body.i32(value);
    this.#body.access(OP.i32Store, 2, offset);
  }
}

/** What a VGPR holds at the block's entry: it lies in the slot until the block's last loop. */
function isRegister(value: Value): value is ReadNode {
  return value.kind === 'read' && value.file === 'vgpr';
}
