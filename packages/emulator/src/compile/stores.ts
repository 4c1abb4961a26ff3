/** Stores of a block: wide where the shape allows and all lanes are active, else lane by lane. */
import type { StoreEffect } from '../ir/block.js';
import { OP } from '../wasm/opcodes.js';
import { PAGE_WRITE } from '../memory-map.js';
import { span, type AccessFrame, type Emission } from './access-frame.js';
import type { Dag } from './dag.js';
import type { Lanes } from './lanes.js';
import type { Lowering } from './lowering.js';
import type { Mask } from './values.js';

export class Stores {
  readonly #lowering: Lowering;
  readonly #lanes: Lanes;
  readonly #dag: Dag;
  readonly #frame: AccessFrame;
  readonly #context: Emission;
  /** Byte offset of the instruction that stores. */
  #pc = 0;

  constructor(lowering: Lowering, frame: AccessFrame, context: Emission) {
    this.#lowering = lowering;
    this.#lanes = lowering.lanes;
    this.#dag = lowering.dag;
    this.#frame = frame;
    this.#context = context;
  }

  /** The parts of one access. */
  store(parts: readonly StoreEffect[], first: StoreEffect, pc: number): void {
    const context = this.#context;
    this.#pc = pc;
    const mask = this.#lowering.mask(first.mask);
    if (mask.known === 0) return;
    if (first.space === 'lds' || first.space === 'scratch') {
      for (const part of parts) this.#localStore(context, part, mask);
      return;
    }
    const [low, high] = span(parts);
    const place = this.#frame.place({ ...first.address, constant: low });
    const data = parts.map((part) => this.#frame.halves(part.data));
    const fast = context.fast.condition(place, mask, high - low, PAGE_WRITE);
    for (const halves of data) for (const half of halves) this.#frame.settleGroups(half);
    this.#frame.settlePlace(place, mask);
    const slow = (): void => {
      for (const [i, part] of parts.entries()) {
        const base = this.#dag.binary(OP.i64Add, place.base ?? 0, this.#dag.i64(part.address.constant - low, 0));
        context.slow.writeData(data[i] ?? []);
        context.slow.call(
          { space: part.space, action: 'store', bits: part.bits, wide: place.wide !== undefined },
          mask,
          {
            ...place,
            base,
          },
          this.#pc,
        );
      }
    };
    if (fast === undefined) {
      slow();
      return;
    }
    const scope = this.#frame.openArm(context, fast);
    for (const [i, part] of parts.entries())
      context.fast.store(part.bits, fast, part.address.constant - low, data[i] ?? [], undefined);
    this.#frame.otherArm(context, scope);
    slow();
    this.#frame.closeArms(context, scope);
  }

  #localStore(context: Emission, part: StoreEffect, mask: Mask): void {
    const offset = this.#frame.localPlace(part.address);
    const data = this.#frame.halves(part.data);
    const slow = (): void => {
      context.slow.writeData(data);
      context.slow.call(
        { space: part.space, action: 'store', bits: part.bits, wide: false },
        mask,
        {
          base: undefined,
          offset,
          multiplier: 1,
          wide: undefined,
        },
        this.#pc,
      );
    };
    if (part.space === 'scratch') {
      slow();
      return;
    }
    const dag = this.#dag;
    const fast = context.fast.ldsCondition(offset, part.bits / 8);
    // Nobody else sees the group's LDS while this wave runs: a masked store may write back what is there.
    const canBlend = part.bits === 32 && fast.pattern !== undefined && context.fast.isConsecutive(fast, 4);
    const full = canBlend ? dag.i32(1) : this.#lanes.surelyAll(mask);
    for (const half of data) this.#frame.settleGroups(half);
    if (mask.groups !== undefined) for (const node of mask.groups) dag.settle(node);
    const scope = this.#frame.openArm(context, fast, dag.select(fast.ok, full, dag.i32(0)));
    context.fast.store(part.bits, fast, 0, data, canBlend && mask.known === undefined ? mask : undefined);
    this.#frame.otherArm(context, scope);
    slow();
    this.#frame.closeArms(context, scope);
  }
}
