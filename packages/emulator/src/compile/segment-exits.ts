/** How a segment leaves a wave: what the wave's slot and the control block are told. */
import type { IndirectExit, Value } from '../ir/block.js';
import type { FunctionBody } from '../wasm/module-builder.js';
import { OP } from '../wasm/opcodes.js';
import type { Lowering } from './lowering.js';
import type { BlockResult, Program } from './program.js';
import type { RegisterLocals } from './register-locals.js';
import { FIRST_VGPR, SCC, isVgpr } from './registers.js';
import { CONTROL, WAVE, type WaveFrame } from './wave-frame.js';
import {
  CONTROL_EXIT,
  CONTROL_FUEL,
  CONTROL_PC,
  EXIT_INDIRECT,
  SLOT_EXIT,
  SLOT_MODE,
  SLOT_PC,
  SLOT_SCC,
  SLOT_SGPRS,
  SLOT_TARGET,
  SLOT_VGPRS,
} from './wave-state.js';

export class SegmentExits {
  readonly #body: FunctionBody;
  readonly #program: Program;
  readonly #registers: RegisterLocals;
  readonly #frame: WaveFrame;

  constructor(body: FunctionBody, program: Program, registers: RegisterLocals, frame: WaveFrame) {
    this.#body = body;
    this.#program = program;
    this.#registers = registers;
    this.#frame = frame;
  }

  storeSlot(offset: number, value: number): void {
    this.#body.get(this.#frame.slot);
    this.#body.i32(value);
    this.#body.access(OP.i32Store, 2, offset);
  }

  #storeControl(offset: number, value: number): void {
    this.#body.get(CONTROL);
    this.#body.i32(value);
    this.#body.access(OP.i32Store, 2, offset);
  }

  /** Saves the wave so that it goes on at a block; its locals are set as the block's facts say. */
  suspend(block: number, exit: number): void {
    const { facts, liveness } = this.#program;
    for (const register of liveness.carried[block] ?? []) {
      const fact = facts[block]?.[register];
      if (fact !== undefined) this.#registers.save(register, fact, this.#frame.slot);
    }
    this.storeSlot(SLOT_EXIT, exit);
    this.storeSlot(SLOT_PC, block);
  }

  /** Returns from the segment, which tells its caller why. */
  leave(exit: number): void {
    const body = this.#body;
    this.#storeControl(CONTROL_EXIT, exit);
    body.get(CONTROL);
    body.get(this.#frame.fuel);
    body.access(OP.i32Store, 2, CONTROL_FUEL);
    body.get(WAVE);
    body.op(OP.return);
  }

  /** Returns because of the instruction at a byte offset of the code. */
  stop(exit: number, pc: number): void {
    this.#storeControl(CONTROL_PC, pc);
    this.leave(exit);
  }

  /** The slot's 64-bit word for an address or a request. */
  storeTarget(lowering: Lowering, value: Value): void {
    lowering.dag.settle(lowering.scalarWide(value));
    this.#body.get(this.#frame.slot);
    lowering.dag.emit(lowering.scalarWide(value));
    this.#body.access(OP.i64Store, 3, SLOT_TARGET);
  }

  /** Goes on at an address. The code there expects any register: all are saved in plain form. */
  indirect(lowering: Lowering, result: BlockResult, { target, mode }: IndirectExit): void {
    const body = this.#body;
    const { dag, lanes } = lowering;
    this.storeTarget(lowering, target);
    dag.settle(lowering.scalar(mode));
    const { registerCount } = this.#program.liveness;
    for (let register = 0; register < registerCount; register++) {
      if (isVgpr(register)) {
        const start = SLOT_VGPRS + (register - FIRST_VGPR) * lanes.shapes.waveSize * 4;
        for (const [index, node] of lanes.groups(lowering.force(result.vector(register))).entries()) {
          body.get(this.#frame.slot);
          dag.emit(node);
          body.access(OP.v128Store, 2, start + index * 16);
        }
      } else {
        body.get(this.#frame.slot);
        dag.emit(lowering.bitsOf(result.uniform(register)));
        body.access(OP.i32Store, 2, register === SCC ? SLOT_SCC : SLOT_SGPRS + register * 4);
      }
    }
    body.get(this.#frame.slot);
    dag.emit(lowering.scalar(mode));
    body.access(OP.i32Store, 2, SLOT_MODE);
    this.storeSlot(SLOT_EXIT, EXIT_INDIRECT);
    this.leave(EXIT_INDIRECT);
  }
}
