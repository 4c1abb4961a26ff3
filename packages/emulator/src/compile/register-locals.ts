/** The locals that hold registers between blocks, and their form in a wave's slot of memory. */
import { HsaError, InternalError } from '@doorbell/abi';
import type { FunctionBody } from '../wasm/module-builder.js';
import { I32, I64, OP, V128, type WasmType } from '../wasm/opcodes.js';
import type { Fact } from './facts.js';
import type { Lanes } from './lanes.js';
import { FactSource, type Final } from './program.js';
import { FIRST_VGPR, SCC } from './registers.js';
import type { Vec } from './values.js';
import { WideLanes } from './wide-lanes.js';
import { SLOT_BASES, SLOT_SCC, SLOT_SGPRS, SLOT_VGPRS } from './wave-state.js';

/** Parts of one register: groups, bases, the sum's base, the offset's groups and bases; 16 groups at most. */
const GROUPS = 0;
const BASES = 16;
const SUM = 32;
const OFFSET_GROUPS = 48;
const OFFSET_BASES = 64;
const PARTS = 80;

export class RegisterLocals {
  readonly #body: FunctionBody;
  readonly #waveSize: number;
  readonly #locals = new Map<number, number>();

  constructor(body: FunctionBody, waveSize: number) {
    this.#body = body;
    this.#waveSize = waveSize;
  }

  scalar(register: number): number {
    return this.#local(register, BASES, I32);
  }
  group(register: number, index: number, isOffset: boolean): number {
    return this.#local(register, (isOffset ? OFFSET_GROUPS : GROUPS) + index, V128);
  }
  base(register: number, index: number, isOffset: boolean): number {
    return this.#local(register, (isOffset ? OFFSET_BASES : BASES) + index, I32);
  }
  sum(register: number): number {
    return this.#local(register, SUM, I64);
  }

  /**
   * What a register's locals must be given so that it is held as `fact` says: pairs of local and node. What facts and code disagree
   * about would be a wrong result: it is an error instead.
   */
  assign(lanes: Lanes, register: number, fact: Fact, final: Final, moves: [number, number][]): void {
    if (final.kind === 'vector') {
      this.#assignVec(lanes, register, fact, final.value, false, moves);
      return;
    }
    const { value } = final;
    if (fact.kind === 'scalar') {
      moves.push([this.scalar(register), value.mask === undefined ? value.node : lanes.bits(value.mask)]);
    } else if (fact.kind === 'mask') {
      const mask = value.mask ?? lanes.fromBits(value.node);
      for (const [index, node] of lanes.maskGroups(mask, 8).entries()) moves.push([this.group(register, index, false), node]);
    } else if (fact.kind === 'constant') {
      const { known } = value.mask ?? {};
      const constant = value.mask === undefined ? lanes.dag.constant(value.node) : known === undefined ? undefined : -known;
      if (constant !== fact.value) throw new InternalError(`scalar register ${register} is not ${fact.value}`);
    } else throw new InternalError(`a scalar register as ${fact.kind}`);
  }

  #assignVec(lanes: Lanes, register: number, fact: Fact, v: Vec, isOffset: boolean, moves: [number, number][]): void {
    switch (fact.kind) {
      case 'constant':
        if (lanes.constantOf(v) !== fact.value) throw new InternalError(`v${register - FIRST_VGPR} is not ${fact.value}`);
        return;
      case 'lanes':
        if (lanes.patternOf(v) !== fact.pattern) throw new InternalError(`v${register - FIRST_VGPR} is not constant by lane`);
        return;
      case 'vector':
        for (const [index, node] of lanes.groups(computed(lanes, v)).entries())
          moves.push([this.group(register, index, isOffset), node]);
        return;
      case 'shaped':
        for (const [index, group] of fact.partition.first.entries()) {
          moves.push([this.base(register, index, isOffset), lanes.laneScalar(computed(lanes, v), group * 4)]);
        }
        return;
      case 'pair':
        // Met in damaged code alone (hostile.sweep, gfx90a): the facts keep a sum that the block does not. There is no other form for it here.
        if (v.pair?.multiplier !== fact.multiplier)
          throw new HsaError('ERR_NOT_SUPPORTED', {
            message: `optimised code of this kernel cannot be made: v${register - FIRST_VGPR} is a 64-bit sum in one block and not in the next`,
            hint: 'DOORBELL_CODE=baseline runs it in baseline code.',
          });
        moves.push([this.sum(register), v.pair.base]);
        this.#assignVec(lanes, register, fact.offset, v.pair.offset, true, moves);
        return;
      default:
        throw new InternalError(`a vector register as ${fact.kind}`);
    }
  }

  /** The v128 locals of a register. */
  vectors(register: number, fact: Fact): readonly number[] {
    if (fact.kind === 'mask') return Array.from({ length: 8 }, (_, index) => this.group(register, index, false));
    const locals: number[] = [];
    if (register > SCC) {
      this.#lanesOf(register, fact, (local, type) => {
        if (type === V128) locals.push(local);
      });
    }
    return locals;
  }

  /** Stores a register that its locals hold to the slot. */
  save(register: number, fact: Fact, slot: number): void {
    const body = this.#body;
    if (register <= SCC) {
      const offset = scalarOffset(register);
      if (fact.kind === 'scalar') {
        body.get(slot);
        body.get(this.scalar(register));
        body.access(OP.i32Store, 2, offset);
      } else if (fact.kind === 'mask') {
        body.get(slot);
        for (let index = 0; index < 8; index++) {
          body.get(this.group(register, index, false));
          body.op(OP.i32x4Bitmask);
          if (index === 0) continue;
          body.i32(4 * index);
          body.op(OP.i32Shl);
          body.op(OP.i32Or);
        }
        body.access(OP.i32Store, 2, offset);
      }
      return;
    }
    if (fact.kind === 'pair') {
      body.get(slot);
      body.get(this.sum(register));
      body.access(OP.i64Store, 3, SLOT_BASES + (register - FIRST_VGPR) * 8);
    }
    this.#lanesOf(register, fact, (local, type, offset) => {
      body.get(slot);
      body.get(local);
      body.access(type === I32 ? OP.i32Store : OP.v128Store, 2, offset);
    });
  }

  /** Loads a register from the slot into the locals of its fact. */
  load(register: number, fact: Fact, slot: number): void {
    const body = this.#body;
    if (register <= SCC) {
      const offset = scalarOffset(register);
      if (fact.kind === 'scalar') {
        body.get(slot);
        body.access(OP.i32Load, 2, offset);
        body.set(this.scalar(register));
      } else if (fact.kind === 'mask') {
        for (let index = 0; index < 8; index++) {
          const bit = (lane: number): number => 1 << (4 * index + lane);
          const bits = [bit(0), bit(1), bit(2), bit(3)];
          body.get(slot);
          body.access(OP.v128Load32Splat, 2, offset);
          body.v128(bits);
          body.op(OP.v128And);
          body.v128(bits);
          body.op(OP.i32x4Eq);
          body.set(this.group(register, index, false));
        }
      }
      return;
    }
    if (fact.kind === 'pair') {
      body.get(slot);
      body.access(OP.i64Load, 3, SLOT_BASES + (register - FIRST_VGPR) * 8);
      body.set(this.sum(register));
    }
    this.#lanesOf(register, fact, (local, type, offset) => {
      body.get(slot);
      body.access(type === I32 ? OP.i32Load : OP.v128Load, 2, offset);
      body.set(local);
    });
  }

  /** Each local of a VGPR's lanes with its offset in the slot. A base lies where the first lane of its class does. */
  #lanesOf(register: number, fact: Fact, visit: (local: number, type: WasmType, offset: number) => void): void {
    const isOffset = fact.kind === 'pair';
    const form = fact.kind === 'pair' ? fact.offset : fact;
    const start = SLOT_VGPRS + (register - FIRST_VGPR) * this.#waveSize * 4;
    if (form.kind === 'vector') {
      for (let index = 0; index < this.#waveSize / 4; index++)
        visit(this.group(register, index, isOffset), V128, start + index * 16);
    } else if (form.kind === 'shaped') {
      for (const [index, group] of form.partition.first.entries()) {
        visit(this.base(register, index, isOffset), I32, start + group * 16);
      }
    }
  }

  #local(register: number, part: number, type: WasmType): number {
    const key = register * PARTS + part;
    const found = this.#locals.get(key);
    if (found !== undefined) return found;
    const local = this.#body.local(type);
    this.#locals.set(key, local);
    return local;
  }
}

/** A value with a form of its own: the high half of a sum is computed where a successor does not take it as one. */
function computed(lanes: Lanes, v: Vec): Vec {
  return v.pair === undefined ? v : new WideLanes(lanes).highOfSum(v.pair);
}

function scalarOffset(register: number): number {
  return register === SCC ? SLOT_SCC : SLOT_SGPRS + register * 4;
}

/** A block's registers at entry, from locals. */
export class LocalSource extends FactSource {
  readonly #locals: RegisterLocals;

  constructor(locals: RegisterLocals, ...rest: ConstructorParameters<typeof FactSource>) {
    super(...rest);
    this.#locals = locals;
  }

  protected scalarNode(register: number, zeros: number): number {
    return this.lanes.dag.get(this.#locals.scalar(register), I32, zeros);
  }
  protected maskNodes(register: number): readonly number[] {
    return Array.from({ length: 8 }, (_, index) => this.lanes.dag.get(this.#locals.group(register, index, false), V128));
  }
  protected vectorNodes(register: number, isOffset: boolean): readonly number[] {
    const { dag, shapes } = this.lanes;
    return Array.from({ length: shapes.groups }, (_, index) => dag.get(this.#locals.group(register, index, isOffset), V128));
  }
  protected baseNode(register: number, index: number, zeros: number, isOffset: boolean): number {
    return this.lanes.dag.get(this.#locals.base(register, index, isOffset), I32, zeros);
  }
  protected sumNode(register: number): number {
    return this.lanes.dag.get(this.#locals.sum(register), I64);
  }
}
