/**
 * Registers that go through memory so that the engine treats their locals well: around rare calls, and on the way into and out of loops
 * over the register budget.
 */
import type { FunctionBody } from '../wasm/module-builder.js';
import { OP } from '../wasm/opcodes.js';
import type { Program } from './program.js';
import { findTightLoops } from './register-budget.js';
import type { RegisterLocals } from './register-locals.js';
import type { Structure } from './structure.js';
import { CONTROL } from './wave-frame.js';
import { AREA_RENEW, MAX_RENEWED } from './wave-state.js';

/** More v128 locals than this are left to the engine at a rare call. */
const MAX_AROUND_CALL = 64;

export class RenewedLocals {
  readonly #body: FunctionBody;
  readonly #program: Program;
  readonly #registers: RegisterLocals;
  readonly #loopBlocks: ReadonlySet<number>;
  readonly #tightLoops: ReadonlyMap<number, ReadonlySet<number>>;

  constructor(body: FunctionBody, program: Program, registers: RegisterLocals, structure: Structure) {
    this.#body = body;
    this.#program = program;
    this.#registers = registers;
    const headers = structure.order.filter((block) => structure.isLoopHeader(block));
    this.#loopBlocks = new Set(headers.flatMap((header) => [...structure.loopBlocks(header)]));
    this.#tightLoops = findTightLoops(program, structure);
  }

  /** On the way into a loop over budget, and out of it, locals are defined anew, by way of memory (register-budget.ts). */
  cross(from: number, to: number): void {
    const [left, entered] = [this.#tightLoops.get(from), this.#tightLoops.get(to)];
    if (left === entered) return;
    const locals = this.#vectorsAt(to, (register) => left?.has(register) === true || entered?.has(register) === true);
    if (locals.length > MAX_RENEWED) return;
    moveVectors(this.#body, locals, 'store');
    moveVectors(this.#body, locals, 'load');
  }

  /** The v128 locals that hold registers at a block's entry. */
  #vectorsAt(block: number, isWanted: (register: number) => boolean): readonly number[] {
    const { facts, liveness } = this.#program;
    const locals: number[] = [];
    for (const register of liveness.carried[block] ?? []) {
      const fact = facts[block]?.[register];
      if (fact !== undefined && isWanted(register)) locals.push(...this.#registers.vectors(register, fact));
    }
    return locals;
  }

  /**
   * Emits a rare call. In a loop, what lies in locals goes through memory around it: a value that lives across a call is spilled
   * by the engine on the frequent path as well.
   */
  around(block: number, emitCall: () => void): void {
    const locals = this.#loopBlocks.has(block) ? this.#vectorsAt(block, () => true) : [];
    const isWorth = locals.length <= MAX_AROUND_CALL;
    if (isWorth) moveVectors(this.#body, locals, 'store');
    emitCall();
    if (isWorth) moveVectors(this.#body, locals, 'load');
  }
}

/**
 * Stores v128 locals to the area for renewed ones, from place `first` on, or loads them. Not in the wave's slot: a replay of the segment
 * takes the registers that it began with from there.
 */
export function moveVectors(body: FunctionBody, locals: readonly number[], direction: 'store' | 'load', first = 0): void {
  for (const [index, local] of locals.entries()) {
    body.get(CONTROL);
    if (direction === 'store') body.get(local);
    body.access(direction === 'store' ? OP.v128Store : OP.v128Load, 2, AREA_RENEW + (first + index) * 16);
    if (direction === 'load') body.set(local);
  }
}
