/**
 * The order in which a block is done when its lanes are taken four at a time: stages, each one loop over the lanes. Between two stages
 * all lanes are at the same place, so that memory effects happen in lock-step and values can move between lanes.
 */
import type { Block, ClockNode, Effect, LoadNode, OpNode, Value } from '../ir/block.js';

export interface Stage {
  /** Values that need their argument in all lanes: reductions, and shuffles, whose argument goes through memory. */
  readonly gathers: OpNode[];
  /** One memory access or clock, behind the loop. */
  readonly effects: Effect[];
  /** Byte offset of the effect's instruction. */
  pc: number;
  /** Values of the wave that the lanes use: computed before the loop. */
  readonly uniforms: Value[];
  /** Values by lane that later stages use as well. */
  readonly saved: Value[];
}

export interface Plan {
  readonly stages: readonly Stage[];
  /** The last stage: register writes. */
  readonly writes: Stage;
}

export function planBlock(ir: Block): Plan {
  return new Planner(ir).plan();
}

/** Operations whose result in one lane, or in the wave, needs other lanes' values. */
function isGather(node: Value): node is OpNode {
  if (node.kind !== 'op') return false;
  switch (node.op) {
    case 'ballot':
    case 'any':
    case 'readLane':
    case 'readFirstLane':
    case 'shuffle':
      return true;
    default:
      return false;
  }
}

/** The wave mask whose bits a lane mask is, if it is one. */
export function maskSource(mask: Value): Value | undefined {
  return mask.kind === 'op' && mask.op === 'inverseBallot' ? mask.args[0] : undefined;
}

/** An effect that is done once for the wave: no lane takes part. */
export function isOfWave(effect: Effect): effect is ClockNode | LoadNode {
  return effect.kind === 'clock' || (effect.kind === 'load' && effect.mask === undefined);
}

/** The values by lane of an effect, and its wave's values. */
function* effectValues(effect: Effect): Generator<Value> {
  if (effect.kind === 'clock') return;
  if (effect.kind === 'matrix') {
    yield* effect.args;
    return;
  }
  const { base, offset, vector } = effect.address;
  if (base !== undefined) yield base;
  if (offset !== undefined) yield offset;
  if (vector !== undefined) yield vector;
  if (effect.mask !== undefined) yield effect.mask;
  if (effect.kind === 'load') return;
  yield effect.data;
  if (effect.kind === 'atomic' && effect.compare !== undefined) yield effect.compare;
}

class Planner {
  readonly #ir: Block;
  readonly #stages: Stage[] = [];
  /** By node: the first stage in which it can be computed. */
  readonly #ready: Int32Array;
  /** By node: 1 + the stage that computes it. */
  readonly #first: Int32Array;
  #nextEffect = 0;
  #lastStage = -1;

  constructor(ir: Block) {
    this.#ir = ir;
    this.#ready = new Int32Array(ir.nodes.length);
    this.#first = new Int32Array(ir.nodes.length);
  }

  plan(): Plan {
    const { ir } = this;
    for (const node of ir.nodes) this.#place(node);
    this.#placeEffects(ir.effects.length);
    const writes = emptyStage();
    for (const [index, stage] of this.#stages.entries()) this.#markStage(stage, index);
    const last = this.#stages.length;
    for (const { file, value } of ir.writes) if (file === 'vgpr') this.#mark(value, writes, last);
    return { stages: this.#stages, writes };
  }

  get ir(): Block {
    return this.#ir;
  }

  #stage(index: number): Stage {
    while (this.#stages.length <= index) this.#stages.push(emptyStage());
    return this.#stages[index] ?? emptyStage();
  }

  #place(node: Value): void {
    const ready = this.#ready;
    switch (node.kind) {
      case 'const':
      case 'read':
        return;
      case 'op': {
        let at = 0;
        for (let i = 0; i < node.args.length; i++) at = Math.max(at, ready[node.args[i]?.id ?? 0] ?? 0);
        if (isGather(node)) this.#stage(at++).gathers.push(node);
        ready[node.id] = at;
        return;
      }
      case 'blend':
        ready[node.id] = Math.max(ready[node.mask.id] ?? 0, ready[node.value.id] ?? 0, ready[node.old.id] ?? 0);
        return;
      case 'part':
        ready[node.id] = ready[node.of.id] ?? 0;
        return;
      case 'load':
      case 'atomic':
      case 'clock':
      case 'matrix':
        this.#placeEffects(this.#ir.effects.indexOf(node, this.#nextEffect) + 1);
        ready[node.id] = this.#lastStage + 1;
        return;
      default:
        node satisfies never;
    }
  }

  /** Gives a stage to each effect before `end`; loads at one address share one. */
  #placeEffects(end: number): void {
    const { effects, effectPcs } = this.#ir;
    for (; this.#nextEffect < end; this.#nextEffect++) {
      const effect = effects[this.#nextEffect];
      if (effect === undefined) return;
      const previous = this.#stages[this.#lastStage]?.effects;
      if (previous?.[0] !== undefined && isSameLoad(previous[0], effect)) {
        previous.push(effect);
        continue;
      }
      let at = this.#lastStage + 1;
      for (const value of effectValues(effect)) at = Math.max(at, this.#ready[value.id] ?? 0);
      const stage = this.#stage(at);
      stage.effects.push(effect);
      stage.pc = effectPcs[this.#nextEffect] ?? 0;
      this.#lastStage = at;
    }
  }

  // Which values a stage computes

  #markStage(stage: Stage, index: number): void {
    for (const gather of stage.gathers) {
      const [value, other] = gather.args;
      if (value !== undefined) this.#mark(value, stage, index);
      if (gather.op === 'readFirstLane' && other !== undefined) this.#mark(other, stage, index);
    }
    const [effect] = stage.effects;
    if (effect === undefined || isOfWave(effect)) return;
    for (const value of effectValues(effect)) {
      if (effect.kind === 'matrix') {
        this.#mark(value, stage, index);
        continue;
      }
      if (value === effect.mask && maskSource(value) !== undefined) continue;
      if (!value.uniform || value !== effect.address.base) this.#mark(value, stage, index);
    }
  }

  #mark(root: Value, stage: Stage, index: number): void {
    const todo = [root];
    for (let node = todo.pop(); node !== undefined; node = todo.pop()) {
      if (node.kind === 'const') continue;
      const first = this.#first[node.id] ?? 0;
      if (node.uniform) {
        if (first === 0) stage.uniforms.push(node);
        this.#first[node.id] = index + 1;
        continue;
      }
      if (first === index + 1) continue;
      if (first > 0 && isWorthSaving(node)) {
        const computed = this.#stages[first - 1];
        // The mark of a saved value is moved, so that it is saved once.
        if (computed !== undefined && !computed.saved.includes(node)) computed.saved.push(node);
        continue;
      }
      this.#first[node.id] = index + 1;
      switch (node.kind) {
        case 'op':
          // A shuffle's value is in memory.
          for (let i = node.op === 'shuffle' ? 1 : 0; i < node.args.length; i++) {
            const arg = node.args[i];
            if (arg !== undefined) todo.push(arg);
          }
          break;
        case 'blend':
          todo.push(node.mask, node.value, node.old);
          break;
        default:
      }
    }
  }
}

function emptyStage(): Stage {
  return { gathers: [], effects: [], pc: 0, uniforms: [], saved: [] };
}

/** Registers and results of loads are in memory; lane numbers and masks are as fast computed as loaded. */
function isWorthSaving(node: Value): boolean {
  if (node.kind === 'blend') return true;
  return node.kind === 'op' && node.op !== 'laneId' && node.op !== 'inverseBallot';
}

/**
 * Another part of a load: the same lanes and address but for the constant. LDS, private and generic addresses have the constant in
 * their lanes' addresses.
 */
function isSameLoad(a: Effect, b: Effect): boolean {
  if (a.kind !== 'load' || b.kind !== 'load' || a.group !== b.group || a.mask !== b.mask || a.space !== b.space) return false;
  if (a.mask !== undefined && a.space !== 'global') return false;
  const [p, q] = [a.address, b.address];
  return p.base === q.base && p.offset === q.offset && p.vector === q.vector;
}
