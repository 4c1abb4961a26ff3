/**
 * A segment: one function that runs waves from one entry of a program to a barrier, the end, or until its fuel is gone.
 * Parameters: control block, first wave, end of waves (numbers within the dispatch for the kernel's entry, else within the group).
 * Result: the wave that a call has to go on with; the control block says why it returned.
 */
import { InternalError } from '@doorbell/abi';
import type { MatrixOp } from '../matrix/matrix-op.js';
import type { FunctionBody, FunctionType } from '../wasm/module-builder.js';
import { I32, OP, VOID } from '../wasm/opcodes.js';
import type { AccessKind } from './lane-function.js';
import type { TranslationContext, Translator } from './address-space.js';
import type { CfgBlock } from './cfg.js';
import { Dag } from './dag.js';
import { LocalPool } from './local-pool.js';
import { emitParts } from './lane-parts.js';
import { isHeldAlike, sameFact, type Fact } from './facts.js';
import { Lanes } from './lanes.js';
import { createLaneMemory } from './lane-memory.js';
import { Lowering } from './lowering.js';
import { readAtomics } from './read-atomics.js';
import type { MemoryContext } from './access-parts.js';
import { MemoryAccess } from './memory-access.js';
import { BlockResult, decision, isExecRegister, type Program } from './program.js';
import { LocalSource, RegisterLocals } from './register-locals.js';
import { isVgpr } from './registers.js';
import { RenewedLocals } from './renewed-locals.js';
import { SegmentExits } from './segment-exits.js';
import { structureOf, type Structure } from './structure.js';
import {
  EXIT_BARRIER,
  EXIT_END,
  EXIT_ILLEGAL,
  EXIT_NONE,
  EXIT_REQUEST,
  EXIT_TRAP,
  EXIT_YIELD,
  SLOT_EXIT,
  SLOT_TRAP,
} from './wave-state.js';
import { CONTROL, WaveFrame, type WaveEntry } from './wave-frame.js';

export const SEGMENT_TYPE: FunctionType = { params: [I32, I32, I32], results: [I32] };

/** What segments of one module share. */
export interface ModuleContext {
  readonly translator: Translator;
  readonly softwarePages: boolean;
  readonly isOnlyWorker: boolean;
  readonly relaxed: boolean;
  readonly exactNan: boolean;
  readonly imported: (name: string) => number;
  readonly accessFunction: (kind: AccessKind) => number;
  readonly matrixFunction: (op: MatrixOp) => number;
  readonly findWindow: () => number;
  readonly fail: () => number;
}

/** A place that `br` can go to. */
interface Label {
  /** Block that begins here; negative: {@link NEXT_WAVE} and the like. */
  readonly target: number;
}
const NEXT_WAVE = -1;
const PLAIN = -2;
const DISPATCH = -3;
export function emitSegment(body: FunctionBody, program: Program, entry: number, module: ModuleContext): void {
  new SegmentWriter(body, program, entry, module).write();
}

function entryOf({ cfg, liveness, shapes, facts, start }: Program, entry: number): WaveEntry {
  const held = facts[entry] ?? [];
  return {
    shapes,
    start: entry === 0 ? start : undefined,
    registers: (liveness.carried[entry] ?? []).flatMap((register) => {
      const fact = held[register];
      return fact === undefined ? [] : [[register, fact] as const];
    }),
    fuel: cfg.blocks[entry]?.instructionCount ?? 1,
  };
}

class SegmentWriter {
  readonly #body: FunctionBody;
  readonly #program: Program;
  readonly #entry: number;
  readonly #module: ModuleContext;
  readonly #structure: Structure;
  readonly #dag = new Dag();
  readonly #pool: LocalPool;
  readonly #registers: RegisterLocals;
  readonly #frame: WaveFrame;
  readonly #labels: Label[] = [];
  /** Targets of branch arms: they get a label of their own. */
  readonly #armTargets = new Set<number>();
  readonly #next: number;
  readonly #renewed: RenewedLocals;
  readonly #exits: SegmentExits;

  constructor(body: FunctionBody, program: Program, entry: number, module: ModuleContext) {
    this.#body = body;
    this.#program = program;
    this.#entry = entry;
    this.#module = module;
    this.#structure = structureOf(program.cfg, program.isReached, entry);
    this.#pool = new LocalPool(body);
    this.#registers = new RegisterLocals(body, program.shapes.waveSize);
    this.#frame = new WaveFrame(body, entryOf(program, entry), this.#registers);
    this.#exits = new SegmentExits(body, program, this.#registers, this.#frame);
    this.#next = body.local(I32);
    this.#renewed = new RenewedLocals(body, program, this.#registers, this.#structure);
    this.#dag.body = body;
    this.#dag.pool = this.#pool;
  }

  write(): void {
    const body = this.#body;
    this.#chooseArms();
    this.#frame.prologue();
    body.open(OP.loop, VOID);
    this.#labels.push({ target: PLAIN });
    this.#frame.beginWave();
    body.open(OP.block, VOID);
    this.#labels.push({ target: NEXT_WAVE });
    if (this.#structure.isReducible) this.#tree(this.#entry);
    else this.#dispatcher();
    this.#labels.pop();
    body.end();
    this.#frame.endWave();
    this.#labels.pop();
    body.end();
    this.#exits.leave(EXIT_NONE);
    body.op(OP.unreachable);
  }

  // Structure

  #chooseArms(): void {
    const { position, isMerge } = this.#structure;
    for (const index of this.#structure.order) {
      const block = this.#program.cfg.blocks[index];
      const [taken, fall] = (block?.successors ?? []).filter((successor) => this.#program.isReached[successor]);
      if (taken === undefined || fall === undefined || taken === fall) continue;
      const hasLabel = (target: number): boolean => isMerge(target) || (position.get(target) ?? 0) <= (position.get(index) ?? 0);
      if (!hasLabel(taken) && !hasLabel(fall)) this.#armTargets.add(taken);
    }
  }

  #isLabelled(block: number): boolean {
    return this.#structure.isMerge(block) || this.#armTargets.has(block);
  }

  /** A block and all it dominates. */
  #tree(block: number): void {
    const { children, position, isLoopHeader } = this.#structure;
    const followers = children(block)
      .filter((child) => this.#isLabelled(child))
      .sort((a, b) => (position.get(b) ?? 0) - (position.get(a) ?? 0));
    const body = this.#body;
    if (isLoopHeader(block)) {
      body.open(OP.loop, VOID);
      this.#labels.push({ target: block });
      this.#within(block, followers, 0);
      this.#labels.pop();
      body.end();
      body.op(OP.unreachable);
    } else this.#within(block, followers, 0);
  }

  #within(block: number, followers: readonly number[], index: number): void {
    const follower = followers[index];
    if (follower === undefined) {
      this.#block(block);
      return;
    }
    this.#body.open(OP.block, VOID);
    this.#labels.push({ target: follower });
    this.#within(block, followers, index + 1);
    this.#labels.pop();
    this.#body.end();
    this.#tree(follower);
  }

  /** Control flow without structure: every block is a case of one loop. */
  #dispatcher(): void {
    const body = this.#body;
    const { order } = this.#structure;
    body.i32(0);
    body.set(this.#next);
    body.open(OP.loop, VOID);
    this.#labels.push({ target: DISPATCH });
    for (let i = 0; i <= order.length; i++) {
      body.open(OP.block, VOID);
      this.#labels.push({ target: PLAIN });
    }
    body.get(this.#next);
    body.op(OP.brTable);
    body.code.u32(order.length);
    for (let i = 0; i <= order.length; i++) body.code.u32(i);
    for (const block of order) {
      this.#labels.pop();
      body.end();
      this.#block(block);
    }
    this.#labels.pop();
    body.end();
    body.op(OP.unreachable);
    this.#labels.pop();
    body.end();
    body.op(OP.unreachable);
  }

  #branchTo(target: number): void {
    for (let depth = 0; depth < this.#labels.length; depth++) {
      if (this.#labels[this.#labels.length - 1 - depth]?.target === target) {
        this.#body.br(depth);
        return;
      }
    }
    throw new InternalError(`no label for block ${target}`);
  }

  /** Goes to a successor whose locals are set. */
  #goto(from: number, to: number): void {
    const body = this.#body;
    const { position, isReducible, order } = this.#structure;
    const isBack = (position.get(to) ?? 0) <= (position.get(from) ?? 0);
    if (isBack) this.#spendFuel(to);
    else this.#renewed.cross(from, to);
    if (!isReducible) {
      body.i32(order.indexOf(to));
      body.set(this.#next);
      this.#branchTo(DISPATCH);
    } else if (isBack || this.#isLabelled(to)) this.#branchTo(to);
    else this.#tree(to);
  }

  #spendFuel(header: number): void {
    const body = this.#body;
    body.get(this.#frame.fuel);
    body.i32(this.#structure.loopCost(header));
    body.op(OP.i32Sub);
    body.tee(this.#frame.fuel);
    body.i32(0);
    body.op(OP.i32LtS);
    body.open(OP.if, VOID);
    this.#labels.push({ target: PLAIN });
    this.#exits.suspend(header, EXIT_YIELD);
    this.#exits.leave(EXIT_YIELD);
    this.#labels.pop();
    body.end();
  }

  // Blocks

  #facts(block: number): readonly (Fact | undefined)[] {
    return this.#program.facts[block] ?? [];
  }

  #forCarried(block: number, visit: (register: number) => void): void {
    const { liveness } = this.#program;
    for (const register of liveness.carried[block] ?? []) visit(register);
  }

  #block(index: number): void {
    const block = this.#program.cfg.blocks[index];
    if (block === undefined) throw new InternalError(`no block ${index}`);
    if (this.#structure.isLoopHeader(index)) this.#runAhead(block);
    const { lowering, result } = this.#lower(block);
    const { effects, effectPcs } = block.ir;
    if (effects.length > 0) new MemoryAccess(lowering, this.#memoryContext(index)).run(effects, effectPcs, readAtomics(block.ir));
    this.#exit(block, lowering, result);
  }

  #lower(block: CfgBlock): { readonly lowering: Lowering; readonly result: BlockResult } {
    const dag = this.#dag;
    dag.reset();
    this.#pool.reset();
    const lanes = new Lanes({
      dag,
      shapes: this.#program.shapes,
      emitting: true,
      relaxed: this.#module.relaxed,
      exactNan: this.#module.exactNan,
      imported: this.#module.imported,
    });
    const source = new LocalSource(this.#registers, lanes, block, this.#facts(block.index));
    const lowering = new Lowering(lanes, source, createLaneMemory(this.#body, this.#pool, lanes));
    return { lowering, result: new BlockResult(block, this.#program.liveness, lowering, source) };
  }

  #runAhead(block: CfgBlock): void {
    emitParts(block, {
      body: this.#body,
      dag: this.#dag,
      program: this.#program,
      registers: this.#registers,
      fuel: this.#frame.fuel,
      cost: this.#structure.loopCost(block.index),
      makeRound: () => {
        const { lowering, result } = this.#lower(block);
        const condition = decision(block, lowering, result) ?? this.#dag.i32(1);
        return {
          goesOn: block.successors[0] === block.index ? condition : this.#dag.unary(OP.i32Eqz, condition),
          moves: () => this.#moves(block.index, block.index, lowering.lanes, result),
        };
      },
      assign: (moves) => {
        this.#assign(moves);
      },
    });
  }

  #exit(block: CfgBlock, lowering: Lowering, result: BlockResult): void {
    const { exit } = block.ir;
    const [taken, fall] = block.successors;
    switch (exit.kind) {
      case 'fall':
      case 'jump':
      case 'branch': {
        const node = decision(block, lowering, result);
        if (node === undefined) this.#edge(block.index, taken ?? 0, lowering.lanes, result);
        else this.#branch(block.index, node, [taken ?? 0, fall ?? 0], lowering.lanes, result);
        return;
      }
      case 'barrier':
        this.#assign(this.#moves(block.index, block.continuation, lowering.lanes, result));
        this.#exits.suspend(block.continuation, EXIT_BARRIER);
        this.#branchTo(NEXT_WAVE);
        return;
      case 'yield':
        this.#assign(this.#moves(block.index, block.continuation, lowering.lanes, result));
        this.#exits.suspend(block.continuation, EXIT_YIELD);
        this.#exits.leave(EXIT_YIELD);
        return;
      case 'request':
        this.#exits.storeTarget(lowering, exit.request);
        this.#assign(this.#moves(block.index, block.continuation, lowering.lanes, result));
        this.#exits.suspend(block.continuation, EXIT_REQUEST);
        this.#exits.leave(EXIT_REQUEST);
        return;
      case 'end':
        this.#exits.storeSlot(SLOT_EXIT, EXIT_END);
        this.#branchTo(NEXT_WAVE);
        return;
      case 'indirect':
        this.#exits.indirect(lowering, result, exit);
        return;
      case 'trap':
        if (taken !== undefined) {
          this.#edge(block.index, taken, lowering.lanes, result);
          return;
        }
        this.#exits.storeSlot(SLOT_TRAP, exit.id);
        this.#exits.stop(EXIT_TRAP, block.ir.end - 4);
        return;
      case 'illegal':
        this.#exits.stop(EXIT_ILLEGAL, block.ir.end);
        return;
      default:
        exit satisfies never;
    }
  }

  #branch(from: number, condition: number, targets: readonly [number, number], lanes: Lanes, result: BlockResult): void {
    const dag = this.#dag;
    const body = this.#body;
    const known = dag.constant(condition);
    const [taken, fall] = targets;
    if (known !== undefined || taken === fall) {
      this.#edge(from, known === 0 ? fall : taken, lanes, result);
      return;
    }
    const { isReached } = this.#program;
    if (isReached[taken] !== true || isReached[fall] !== true) {
      this.#edge(from, isReached[taken] === true ? taken : fall, lanes, result);
      return;
    }
    const { position } = this.#structure;
    const hasLabel = (target: number): boolean =>
      this.#isLabelled(target) || (position.get(target) ?? 0) <= (position.get(from) ?? 0);
    const [arm, rest, test] = hasLabel(taken) ? [taken, fall, condition] : [fall, taken, dag.unary(OP.i32Eqz, condition)];
    const armMoves = this.#moves(from, arm, lanes, result);
    const restMoves = this.#moves(from, rest, lanes, result);
    const inRest = new Set(restMoves.map(([, node]) => node));
    for (const [, node] of armMoves) if (inRest.has(node)) dag.settle(node);
    dag.emit(test);
    body.open(OP.if, VOID);
    this.#labels.push({ target: PLAIN });
    const scope = dag.openScope();
    this.#assign(armMoves);
    this.#goto(from, arm);
    dag.closeScope(scope);
    this.#labels.pop();
    body.end();
    this.#assign(restMoves);
    this.#goto(from, rest);
  }

  #edge(from: number, to: number, lanes: Lanes, result: BlockResult): void {
    this.#assign(this.#moves(from, to, lanes, result));
    this.#goto(from, to);
  }

  /** What the locals of a block's entry facts must be given. */
  #moves(from: number, target: number, lanes: Lanes, result: BlockResult): readonly (readonly [number, number])[] {
    const facts = this.#facts(target);
    const isFull = this.#program.cfg.blocks[target]?.isFull === true;
    const before = this.#facts(from);
    const [implied, guessed] = [result.implied(target), result.guessed(target)];
    const moves: [number, number][] = [];
    this.#forCarried(target, (register) => {
      const fact = facts[register];
      if (fact === undefined || (isFull && isExecRegister(register, this.#program.shapes))) return;
      const constant = implied?.get(register);
      if (constant !== undefined) {
        const value = { node: lanes.dag.i32(constant), mask: undefined };
        this.#registers.assign(lanes, register, fact, { kind: 'scalar', value }, moves);
        return;
      }
      const old = before[register];
      if (old !== undefined && !result.isWritten(register) && (isHeldAlike(old, fact) || sameFact(old, fact))) return;
      if (isVgpr(register)) {
        const value = guessed?.get(register) ?? result.vector(register);
        this.#registers.assign(lanes, register, fact, { kind: 'vector', value }, moves);
      } else this.#registers.assign(lanes, register, fact, { kind: 'scalar', value: result.uniform(register) }, moves);
    });
    const dag = this.#dag;
    return moves.filter(([local, node]) => !(dag.opcode(node) === OP.localGet && dag.arg(node, 0) === local));
  }

  /** All at once: every value is computed before a local changes. */
  #assign(moves: readonly (readonly [number, number])[]): void {
    for (const [, node] of moves) this.#dag.use(node);
    for (const [, node] of moves) this.#dag.emit(node);
    for (let i = moves.length - 1; i >= 0; i--) this.#body.set(moves[i]?.[0] ?? 0);
  }

  // What blocks need

  #memoryContext(block: number): MemoryContext {
    const module = this.#module;
    const translation: TranslationContext = { findWindow: module.findWindow };
    return {
      ...module,
      body: this.#body,
      pool: this.#pool,
      translation,
      control: CONTROL,
      lds: this.#frame.lds,
      ldsBytes: this.#frame.ldsBytes,
      clock: module.imported('clock'),
      emitRareCall: (emitCall) => {
        this.#renewed.around(block, emitCall);
      },
    };
  }
}
