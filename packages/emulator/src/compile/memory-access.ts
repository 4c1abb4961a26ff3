/**
 * Memory effects of a block. What is uniform or consecutive by shape and wholly active and in range is done by wide accesses under one
 * check; the rest goes lane by lane through the module's access functions.
 */
import type { AtomicNode, ClockNode, Effect, LoadNode, StoreEffect } from '../ir/block.js';
import { I64 } from '../wasm/opcodes.js';
import { AccessFrame, type Emission } from './access-frame.js';
import type { MemoryContext, Place } from './access-parts.js';
import { AtomicAccess } from './atomic-access.js';
import type { Dag } from './dag.js';
import { FastAccess } from './fast-access.js';
import { LaneAccess } from './lane-access.js';
import type { AccessKind } from './lane-function.js';
import { Loads } from './loads.js';
import type { Lowering } from './lowering.js';
import { lowerMatrix } from './matrix-call.js';
import { Stores } from './stores.js';
import { AREA_COMPARE, AREA_COMPARE_HIGH } from './wave-state.js';

/** Follows or emits the effects of one block, in order. */
export class MemoryAccess {
  readonly #lowering: Lowering;
  readonly #dag: Dag;
  readonly #frame: AccessFrame;
  readonly #loads: Loads;
  /** Absent while facts are followed, as are the others. */
  readonly #context: Emission | undefined;
  readonly #stores: Stores | undefined;
  readonly #atomics: AtomicAccess | undefined;
  #isRead: (node: AtomicNode) => boolean = () => true;
  /** Byte offset of the instruction whose effects are emitted. */
  #pc = 0;

  constructor(lowering: Lowering, context: MemoryContext | undefined) {
    this.#lowering = lowering;
    this.#dag = lowering.dag;
    this.#frame = new AccessFrame(lowering);
    if (context !== undefined) {
      const fast = new FastAccess(lowering, context);
      this.#context = { ...context, fast, slow: new LaneAccess(lowering, context) };
      this.#stores = new Stores(lowering, this.#frame, this.#context);
      this.#atomics = new AtomicAccess(lowering.lanes, context, fast);
    }
    this.#loads = new Loads(lowering, this.#frame, this.#context);
  }

  /** The effects of a block with the byte offsets of their instructions. `isRead` says which atomics' old values matter. */
  run(effects: readonly Effect[], pcs: readonly number[], isRead: (node: AtomicNode) => boolean): void {
    this.#isRead = isRead;
    for (let first = 0; first < effects.length; ) {
      const effect = effects[first];
      if (effect === undefined) return;
      let end = first + 1;
      if (effect.kind === 'load' || effect.kind === 'store') {
        while (end < effects.length && isSameAccess(effect, effects[end])) end++;
      }
      this.#pc = pcs[first] ?? 0;
      this.#step(effects.slice(first, end));
      first = end;
    }
  }

  #step(parts: readonly Effect[]): void {
    const [first] = parts;
    switch (first?.kind) {
      case 'load':
        // Safe: the parts of an access are of one kind.
        this.#loads.load(parts as readonly LoadNode[], first, this.#pc);
        return;
      case 'store':
        this.#stores?.store(parts as readonly StoreEffect[], first, this.#pc);
        return;
      case 'atomic':
        this.#atomic(first);
        return;
      case 'clock':
        this.#clock(first);
        return;
      case 'matrix':
        lowerMatrix(this.#lowering, this.#context, first);
        return;
      case undefined:
        return;
      default:
        first satisfies never;
    }
  }

  #atomic(node: AtomicNode): void {
    const context = this.#context;
    if (context === undefined) {
      this.#frame.unknownResults([node]);
      return;
    }
    const mask = this.#lowering.mask(node.mask);
    const isLocal = node.space === 'lds' || node.space === 'scratch';
    const place: Place = isLocal
      ? { base: undefined, offset: this.#frame.localPlace(node.address), multiplier: 1, wide: undefined }
      : this.#frame.place(node.address);
    const data = this.#frame.halves(node.data);
    const compare = node.compare === undefined ? [] : this.#frame.halves(node.compare);
    const isSilent = !this.#isRead(node);
    const results = isSilent ? [] : this.#frame.resultLocals(context, [node]);
    const slow = (): void => {
      context.slow.writeData(data);
      const [low, high] = compare;
      if (low !== undefined) context.slow.writeArea(AREA_COMPARE, low);
      if (high !== undefined) context.slow.writeArea(AREA_COMPARE_HIGH, high);
      const kind: AccessKind = { space: node.space, action: node.op, bits: node.bits, wide: place.wide !== undefined, isSilent };
      context.slow.call(kind, mask, place, this.#pc);
      if (!isSilent) context.slow.readResults(node, results[0] ?? []);
    };
    for (const half of [...data, ...compare]) this.#frame.settleGroups(half);
    this.#frame.settlePlace(place, mask);
    if (this.#atomics?.emit({ node, place, mask, data, compare, results: results[0] ?? [] }, slow) !== true) slow();
    if (!isSilent) this.#frame.takeResults([node], results);
  }

  #clock(node: ClockNode): void {
    const context = this.#context;
    if (context !== undefined) {
      context.body.i32(node.counter === 'realtime' ? 1 : 0);
      context.body.call(context.clock);
    }
    const value = context === undefined ? this.#dag.fresh(I64) : this.#dag.fromStack(I64);
    this.#lowering.setUniformWide(node, { node: value, low: undefined, high: undefined });
  }
}

function isSameAccess(a: LoadNode | StoreEffect, b: Effect | undefined): boolean {
  return (
    b !== undefined &&
    a.kind === b.kind &&
    a.group === b.group &&
    a.space === b.space &&
    a.mask === b.mask &&
    a.address.base === b.address.base &&
    a.address.offset === b.address.offset &&
    a.address.vector === b.address.vector
  );
}
