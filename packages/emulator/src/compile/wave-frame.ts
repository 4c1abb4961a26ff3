/** What surrounds the code of a segment: the loop over waves, the registers they begin with, the numbers of their workgroups. */
import { InternalError } from '@doorbell/abi';
import { SGPR_EXEC } from '../ir/block.js';
import type { FunctionBody } from '../wasm/module-builder.js';
import { I32, OP, VOID } from '../wasm/opcodes.js';
import type { Fact } from './facts.js';
import type { KernelStart } from './initial-registers.js';
import type { RegisterLocals } from './register-locals.js';
import { FIRST_VGPR, SCC, isVgpr } from './registers.js';
import type { Shapes } from './shapes.js';
import {
  CONTROL_FUEL,
  CONTROL_GRID,
  CONTROL_GROUPS_X,
  CONTROL_GROUPS_Y,
  CONTROL_GROUP_ITEMS,
  CONTROL_ITEM_IDS,
  CONTROL_LDS,
  CONTROL_LDS_BYTES,
  CONTROL_SLOTS,
  CONTROL_SLOT_BYTES,
  CONTROL_USER_SGPRS,
  CONTROL_WAVE,
  CONTROL_WAVES_PER_GROUP,
  CONTROL_WORKGROUP,
} from './wave-state.js';

/** Parameters of a segment. */
export const CONTROL = 0;
export const WAVE = 1;
const END = 2;

/** What waves come with. */
export interface WaveEntry {
  readonly shapes: Shapes;
  /** Waves begin here; absent: their registers are in their slots. */
  readonly start: KernelStart | undefined;
  /** The registers that matter, and how they are held. */
  readonly registers: Iterable<readonly [register: number, fact: Fact]>;
  /** What each wave uses of the fuel. */
  readonly fuel: number;
}

export class WaveFrame {
  /** Locals: fuel left, the wave's slot, LDS and its size. */
  readonly fuel: number;
  readonly slot: number;
  readonly lds: number;
  readonly ldsBytes: number;
  readonly #body: FunctionBody;
  readonly #entry: WaveEntry;
  readonly #registers: RegisterLocals;
  readonly #waveInGroup: number;
  readonly #group: readonly [number, number, number];

  constructor(body: FunctionBody, entry: WaveEntry, registers: RegisterLocals) {
    this.#body = body;
    this.#entry = entry;
    this.#registers = registers;
    this.fuel = body.local(I32);
    this.slot = body.local(I32);
    this.lds = body.local(I32);
    this.ldsBytes = body.local(I32);
    this.#waveInGroup = body.local(I32);
    this.#group = [body.local(I32), body.local(I32), body.local(I32)];
  }

  #load(offset: number, local: number): void {
    this.#body.get(CONTROL);
    this.#body.access(OP.i32Load, 2, offset);
    this.#body.set(local);
  }

  prologue(): void {
    const body = this.#body;
    this.#load(CONTROL_FUEL, this.fuel);
    this.#load(CONTROL_LDS, this.lds);
    this.#load(CONTROL_LDS_BYTES, this.ldsBytes);
    if (this.#entry.start === undefined) return;
    const [x, y, z] = this.#group;
    const group = z;
    body.get(WAVE);
    body.get(CONTROL);
    body.access(OP.i32Load, 2, CONTROL_WAVES_PER_GROUP);
    body.op(OP.i32RemU);
    body.set(this.#waveInGroup);
    body.get(WAVE);
    body.get(CONTROL);
    body.access(OP.i32Load, 2, CONTROL_WAVES_PER_GROUP);
    body.op(OP.i32DivU);
    body.set(group);
    for (const [local, count] of [
      [x, CONTROL_GROUPS_X],
      [y, CONTROL_GROUPS_Y],
    ] as const) {
      body.get(group);
      body.get(CONTROL);
      body.access(OP.i32Load, 2, count);
      body.op(OP.i32RemU);
      body.set(local);
      body.get(group);
      body.get(CONTROL);
      body.access(OP.i32Load, 2, count);
      body.op(OP.i32DivU);
      body.set(group);
    }
  }

  beginWave(): void {
    const body = this.#body;
    body.get(CONTROL);
    body.get(WAVE);
    body.access(OP.i32Store, 2, CONTROL_WAVE);
    body.get(CONTROL);
    body.access(OP.i32Load, 2, CONTROL_SLOTS);
    body.get(this.#entry.start === undefined ? WAVE : this.#waveInGroup);
    body.get(CONTROL);
    body.access(OP.i32Load, 2, CONTROL_SLOT_BYTES);
    body.op(OP.i32Mul);
    body.op(OP.i32Add);
    body.set(this.slot);
    const { start, registers } = this.#entry;
    for (const [register, fact] of registers) {
      if (start === undefined) this.#registers.load(register, fact, this.slot);
      else this.#initialise(register, fact, start);
    }
  }

  endWave(): void {
    const body = this.#body;
    body.get(WAVE);
    body.i32(1);
    body.op(OP.i32Add);
    body.set(WAVE);
    if (this.#entry.start !== undefined) this.#advanceGroup();
    body.get(this.fuel);
    body.i32(this.#entry.fuel);
    body.op(OP.i32Sub);
    body.tee(this.fuel);
    body.i32(0);
    body.op(0x4a); // i32.gt_s
    body.get(WAVE);
    body.get(END);
    body.op(OP.i32LtU);
    body.op(OP.i32And);
    body.brIf(0);
  }

  #advanceGroup(): void {
    const body = this.#body;
    const [x, y, z] = this.#group;
    const step = (local: number, count: number): void => {
      body.get(local);
      body.i32(1);
      body.op(OP.i32Add);
      body.tee(local);
      body.get(CONTROL);
      body.access(OP.i32Load, 2, count);
      body.op(OP.i32Eq);
      body.open(OP.if, VOID);
      body.i32(0);
      body.set(local);
    };
    step(this.#waveInGroup, CONTROL_WAVES_PER_GROUP);
    step(x, CONTROL_GROUPS_X);
    step(y, CONTROL_GROUPS_Y);
    body.get(z);
    body.i32(1);
    body.op(OP.i32Add);
    body.set(z);
    body.end();
    body.end();
    body.end();
  }

  /** Gives a register of a fresh wave its value. */
  #initialise(register: number, fact: Fact, start: KernelStart): void {
    const body = this.#body;
    if (fact.kind === 'constant' || fact.kind === 'lanes') return;
    if (isVgpr(register)) {
      this.#initialiseVgpr(register, fact, start);
      return;
    }
    if (fact.kind === 'mask') {
      if (register >= SGPR_EXEC && !start.fullWaves) this.#initialExec(register);
      else {
        const value = register >= SGPR_EXEC ? -1 : 0;
        for (let index = 0; index < 8; index++) {
          body.v128([value, value, value, value]);
          body.set(this.#registers.group(register, index, false));
        }
      }
      return;
    }
    const source = start.sgprs.get(register);
    switch (source?.kind) {
      case undefined:
        body.i32(register >= SGPR_EXEC && register < SCC ? -1 : 0);
        break;
      case 'user':
        body.get(CONTROL);
        body.access(OP.i32Load, 2, CONTROL_USER_SGPRS + source.index * 4);
        break;
      case 'group':
        body.get(this.#group[source.axis]);
        break;
      case 'groups-yz':
        body.get(this.#group[2]);
        body.i32(16);
        body.op(OP.i32Shl);
        body.get(this.#group[1]);
        body.op(OP.i32Or);
        break;
      case 'wave':
        body.get(this.#waveInGroup);
        body.i32(25);
        body.op(OP.i32Shl);
        break;
      default:
        source satisfies never;
    }
    body.set(this.#registers.scalar(register));
  }

  /** Pushes the address of the wave's packed work-item ids. */
  #itemIds(): void {
    const body = this.#body;
    body.get(CONTROL);
    body.get(this.#waveInGroup);
    body.i32(this.#entry.shapes.waveSize * 4);
    body.op(OP.i32Mul);
    body.op(OP.i32Add);
  }

  #initialiseVgpr(register: number, fact: Fact, start: KernelStart): void {
    const body = this.#body;
    const items = start.items[register - FIRST_VGPR];
    if (fact.kind === 'vector') {
      for (let index = 0; index < this.#entry.shapes.groups; index++) {
        if (items !== undefined) {
          this.#itemIds();
          body.access(OP.v128Load, 2, CONTROL_ITEM_IDS + index * 16);
          if (items.mask !== -1) {
            body.i32(items.shift);
            body.op(OP.i32x4ShrU);
            body.v128([items.mask, items.mask, items.mask, items.mask]);
            body.op(OP.v128And);
          }
        } else body.v128([0, 0, 0, 0]);
        body.set(this.#registers.group(register, index, false));
      }
    } else if (fact.kind === 'shaped') {
      for (const [index, group] of fact.partition.first.entries()) {
        if (items !== undefined) {
          this.#itemIds();
          body.access(OP.i32Load, 2, CONTROL_ITEM_IDS + group * 16);
          if (items.mask !== -1) {
            body.i32(items.shift);
            body.op(OP.i32ShrU);
            body.i32(items.mask);
            body.op(OP.i32And);
          }
        } else body.i32(0);
        body.set(this.#registers.base(register, index, false));
      }
    } else throw new InternalError(`a fresh register as ${fact.kind}`);
  }

  /** Lanes that have a work-item: flat id below the workgroup's size, each id inside the grid. */
  #initialExec(register: number): void {
    const body = this.#body;
    const { waveSize } = this.#entry.shapes;
    const half = register - SGPR_EXEC;
    for (let index = 0; index < 8; index++) {
      const group = half * 8 + index;
      body.v128([0, 1, 2, 3].map((lane) => group * 4 + lane));
      body.get(CONTROL);
      body.access(OP.i32Load, 2, CONTROL_GROUP_ITEMS);
      body.get(this.#waveInGroup);
      body.i32(waveSize);
      body.op(OP.i32Mul);
      body.op(OP.i32Sub);
      body.op(OP.i32x4Splat);
      body.op(OP.i32x4LtS);
      for (let axis = 0; axis < 3; axis++) {
        this.#itemIds();
        body.access(OP.v128Load, 2, CONTROL_ITEM_IDS + group * 16);
        if (axis > 0) {
          body.i32(10 * axis);
          body.op(OP.i32x4ShrU);
        }
        body.v128([1023, 1023, 1023, 1023]);
        body.op(OP.v128And);
        // Work-items left in the grid from the group's first.
        body.get(CONTROL);
        body.access(OP.i32Load, 2, CONTROL_GRID + axis * 4);
        body.get(this.#group[axis] ?? 0);
        body.get(CONTROL);
        body.access(OP.i32Load, 2, CONTROL_WORKGROUP + axis * 4);
        body.op(OP.i32Mul);
        body.op(OP.i32Sub);
        body.op(OP.i32x4Splat);
        body.op(OP.i32x4LtU);
        body.op(OP.v128And);
      }
      body.set(this.#registers.group(register, index, false));
    }
  }
}
