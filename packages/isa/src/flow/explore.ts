import type { ControlFacts, InstructionFacts, RegisterRange } from '../facts/instruction-facts.js';
import type { Instruction } from '../instruction.js';
import type { CodeMap } from './code-map.js';
import { DWORD_BYTES, MARK } from './code-map.js';
import { joinWords, KnownValues, LINK_HIGH, LINK_LOW, WRITTEN_WORDS } from './known-values.js';

/** Where an indirect transfer goes: an offset, back to the caller, or nobody knows. */
export type Target = number | 'return' | 'unknown';

export interface ExploreOptions {
  readonly kernels: readonly number[];
  readonly functions: readonly number[];
  readonly baseAddress: bigint;
  readonly callsPreserve: 'convention' | 'nothing';
}

/** Register pair in which the compiler's calling convention has the return address (LLVM AMDGPUUsage, "Non-Kernel Functions"). */
const RETURN_ADDRESS: RegisterRange = { file: 'sgpr', first: 30, count: 2 };
/** How often every instruction may be followed on average before the search for addresses is given up. */
const MOST_VISITS = 24;

/**
 * Finds what is reachable: first by the targets that instructions have in them, then by following addresses in registers. Marks the
 * map; afterwards {@link Explorer.targets} has the goal of each indirect transfer.
 */
export class Explorer {
  readonly code: CodeMap;
  readonly #options: ExploreOptions;
  /** By offset of the transfer. */
  readonly targets: Map<number, Target> = new Map<number, Target>();
  /** By function: the registers that it may write before it returns. Missing: it does not return as far as is known. */
  readonly #written = new Map<number, Uint32Array>();
  /** By function: leaders of the runs that call it. */
  readonly #callers = new Map<number, Set<number>>();
  readonly #states = new Map<number, KnownValues>();
  readonly #queue: number[] = [];
  readonly #isQueued: Uint8Array;
  /** Leader of the run through each visited dword, when it was last followed. */
  readonly #runs: Int32Array;

  constructor(code: CodeMap, options: ExploreOptions) {
    this.code = code;
    this.#options = options;
    this.#isQueued = new Uint8Array(code.marks.length);
    this.#runs = new Int32Array(code.marks.length).fill(-1);
  }

  run(): void {
    const { kernels, functions } = this.#options;
    for (const offset of [...kernels, ...functions]) {
      this.code.mark(offset, MARK.entry);
      this.#explore(offset);
    }
    for (const offset of kernels) this.#enter(offset, new KnownValues(offset));
    for (const offset of functions) this.#enter(offset, calledState(offset, RETURN_ADDRESS));
    this.#follow();
  }

  /** Marks what is reachable by targets in the instructions. */
  #explore(first: number): void {
    const { code } = this;
    const todo = [first];
    for (let start = todo.pop(); start !== undefined; start = todo.pop()) {
      if (!code.contains(start)) continue;
      this.#lead(start);
      for (let offset = start; code.contains(offset) && !code.has(offset, MARK.visited); ) {
        code.mark(offset, MARK.visited);
        const instruction = code.at(offset);
        if (instruction === undefined) break;
        const next = offset + instruction.sizeBytes;
        const { control } = code.factsAt(offset, instruction);
        if (control.kind === 'jump') todo.push(offset + control.target);
        else if (control.kind === 'branch') todo.push(offset + control.target, next);
        else if (control.kind === 'call') {
          if (control.target !== undefined) this.#addFunction(offset + control.target, todo);
          todo.push(next);
        }
        if (endsBlock(control)) break;
        offset = next;
        // Another run came this way before: here they join.
        if (code.contains(offset) && code.has(offset, MARK.visited)) this.#lead(offset);
      }
    }
  }

  /** Makes a block begin at the offset. A run that was followed through it is followed anew, and ends there. */
  #lead(offset: number): void {
    if (this.code.has(offset, MARK.leader)) return;
    this.code.mark(offset, MARK.leader);
    const run = this.#runs[offset / DWORD_BYTES] ?? -1;
    if (run >= 0) this.#enqueue(run * DWORD_BYTES);
  }

  #addFunction(offset: number, todo: number[]): void {
    if (!this.code.contains(offset)) return;
    this.code.mark(offset, MARK.entry);
    todo.push(offset);
  }

  /** Follows values along the blocks until nothing new is learnt. */
  #follow(): void {
    let budget = MOST_VISITS * (this.code.marks.length + 1);
    for (let head = 0; head < this.#queue.length || this.#giveUpWaiting(); head++) {
      const leader = this.#queue[head];
      if (leader === undefined) break;
      this.#isQueued[leader / DWORD_BYTES] = 0;
      budget -= this.#walk(leader);
      if (budget < 0) {
        // What was learnt may not hold on every way.
        for (const offset of this.targets.keys()) this.targets.set(offset, 'unknown');
        return;
      }
    }
  }

  /** Calls of functions that never were seen to return: anything may be written there. Whether there were any. */
  #giveUpWaiting(): boolean {
    const before = this.#queue.length;
    for (const entry of this.#callers.keys()) if (!this.#written.has(entry)) this.#returns(entry, EVERYTHING);
    return this.#queue.length > before;
  }

  /** Follows one run from its leader; the number of instructions. */
  #walk(leader: number): number {
    const { code } = this;
    const state = this.#states.get(leader)?.copy();
    if (state === undefined) return 1;
    let count = 0;
    for (let offset = leader; ; ) {
      const instruction = code.at(offset);
      if (instruction === undefined) return count + 1;
      count++;
      this.#runs[offset / DWORD_BYTES] = leader / DWORD_BYTES;
      const next = offset + instruction.sizeBytes;
      const facts = code.factsAt(offset, instruction);
      if (this.#transfer(instruction, facts, offset, state, leader)) return count;
      state.step(instruction, facts, this.#options.baseAddress, next);
      if (!code.contains(next)) return count;
      if (code.has(next, MARK.leader)) {
        this.#enter(next, state);
        return count;
      }
      offset = next;
    }
  }

  /** Hands the state on where control goes; false: it goes on after the instruction. */
  #transfer(instruction: Instruction, facts: InstructionFacts, offset: number, state: KnownValues, leader: number): boolean {
    const next = offset + instruction.sizeBytes;
    const { control } = facts;
    switch (control.kind) {
      case 'jump':
        this.#enter(offset + control.target, state);
        return true;
      case 'branch':
        this.#enter(offset + control.target, state);
        this.#enter(next, state);
        return true;
      case 'call':
        state.recordWrites(facts);
        this.#call(control, offset, next, state, leader);
        return true;
      case 'indirect':
        this.#goto(offset, this.#resolve(control.through, state), state);
        return true;
      case 'end':
      case 'illegal':
        return true;
      default:
        return false;
    }
  }

  #call(control: ControlFacts & { kind: 'call' }, offset: number, next: number, state: KnownValues, leader: number): void {
    const target = control.target === undefined ? this.#resolve(control.through, state) : offset + control.target;
    if (control.target === undefined) this.#note(offset, target);
    let written: Uint32Array | undefined = EVERYTHING;
    if (typeof target === 'number' && this.code.contains(target)) {
      this.code.mark(target, MARK.entry);
      this.#explore(target);
      this.#enter(target, calledState(target, control.link));
      const callers = this.#callers.get(target);
      if (callers) callers.add(leader);
      else this.#callers.set(target, new Set([leader]));
      written = this.#written.get(target);
    }
    // Where the callee does not return, nothing comes after; when it does, the call is followed again.
    if (written === undefined) return;
    const after = this.#options.baseAddress + BigInt(next);
    state.setPair(control.link, Number(after & 0xffffffffn), Number((after >> 32n) & 0xffffffffn));
    state.afterCall(written, this.#options.callsPreserve === 'convention');
    this.#enter(next, state);
  }

  #goto(offset: number, target: Target, state: KnownValues): void {
    this.#note(offset, target);
    if (target === 'return') this.#returns(state.owner, state.written ?? EVERYTHING);
    else if (target === 'unknown') this.#returns(state.owner, EVERYTHING);
    else {
      this.#explore(target);
      this.#enter(target, state);
    }
  }

  /** A function returns, or may, and has written these registers: its callers go on with that. */
  #returns(entry: number, written: Uint32Array): void {
    const known = this.#written.get(entry);
    if (known === undefined) this.#written.set(entry, written.slice());
    else if (!joinWords(known, written)) return;
    for (const leader of this.#callers.get(entry) ?? []) this.#enqueue(leader);
  }

  /** The last word on a transfer counts: what is known only becomes less. */
  #note(offset: number, target: Target): void {
    this.targets.set(offset, target);
  }

  #resolve(through: RegisterRange | undefined, state: KnownValues): Target {
    const pair = state.pair(through);
    if (pair === undefined) return 'unknown';
    const [low, high] = pair;
    if (low === LINK_LOW && high === LINK_HIGH) return 'return';
    if (low < 0 || high < 0) return 'unknown';
    const address = BigInt.asIntN(64, (BigInt(high) << 32n) | BigInt(low));
    const target = address - this.#options.baseAddress;
    // An address outside stays unknown: nothing is known of the code there.
    return target >= 0n && target < BigInt(this.code.sizeBytes) && target % 4n === 0n ? Number(target) : 'unknown';
  }

  /** Brings a state to a leader; follows it again if less is known there now. */
  #enter(offset: number, state: KnownValues): void {
    if (!this.code.contains(offset)) return;
    const known = this.#states.get(offset);
    if (known === undefined) this.#states.set(offset, state.copy());
    else {
      if (known.owner !== state.owner) this.#share(known.owner, state.owner);
      if (!known.meet(state)) return;
    }
    this.#enqueue(offset);
  }

  /** Two functions have code in common: which one returns there is not told apart. */
  #share(first: number, second: number): void {
    this.#returns(first, EVERYTHING);
    this.#returns(second, EVERYTHING);
  }

  #enqueue(offset: number): void {
    const slot = offset / DWORD_BYTES;
    if (this.#isQueued[slot] === 1) return;
    this.#isQueued[slot] = 1;
    this.#queue.push(offset);
  }
}

const EVERYTHING = new Uint32Array(WRITTEN_WORDS).fill(0xffffffff);

/** What is known when a function begins. */
function calledState(entry: number, link: RegisterRange | undefined): KnownValues {
  const state = new KnownValues(entry, new Uint32Array(WRITTEN_WORDS));
  state.setPair(link, LINK_LOW, LINK_HIGH);
  return state;
}

/** Whether control does not simply go on after the instruction. */
export function endsBlock(control: ControlFacts): boolean {
  switch (control.kind) {
    case 'jump':
    case 'branch':
    case 'call':
    case 'indirect':
    case 'end':
    case 'illegal':
      return true;
    case 'fall':
    case 'trap':
    case 'barrier':
    case 'halt':
    case 'sleep':
      return false;
    default:
      control satisfies never;
      return false;
  }
}
