/**
 * Runs a range of workgroups in one worker. Waves that reach the end in one go never leave the compiled code; a wave that waits at a
 * barrier, yields or is out of fuel has its registers in a slot of its workgroup's block, and the workgroup goes on in turn with
 * others, so that workgroups that wait for each other all make progress.
 */
import { InternalError } from '@doorbell/abi';
import type { GroupRun } from '../executor.js';
import type { Segment } from '../compile/compiler.js';
import { clearRecord, readRecord } from '../compile/fault-record.js';
import {
  CONTROL_DRIVER_ENTRY,
  CONTROL_DRIVER_GROUP,
  CONTROL_DRIVER_WAVE,
  CONTROL_EXIT,
  CONTROL_FUEL,
  CONTROL_LDS,
  CONTROL_PC,
  CONTROL_PRIVATE,
  CONTROL_SLOTS,
  CONTROL_WAVE,
  DRIVER_CLEAN,
  DRIVER_MIXED,
  EXIT_BARRIER,
  EXIT_END,
  EXIT_ILLEGAL,
  EXIT_INDIRECT,
  EXIT_MISSING,
  EXIT_NONE,
  EXIT_REQUEST,
  EXIT_TRAP,
  EXIT_YIELD,
  SLOT_EXIT,
  SLOT_PC,
  SLOT_SCC,
  SLOT_SGPRS,
  SLOT_MODE,
  SLOT_TARGET,
  SLOT_TRAP,
} from '../compile/wave-state.js';
import { decodeRequest, NO_REGISTER, WAVE_REQUEST, type WaveRequest } from '../ir/wave-request.js';
import { CALL_MS, fuelFor, learnSpeed, type Speed } from './call-fuel.js';
import { GroupBarriers, type RequestResult } from './group-barriers.js';
import type { GroupBlock, GroupLayout, GroupMemory } from './group-memory.js';
import type { RunnableProgram } from './runnable-program.js';
import type { Stop, StoppedWave } from './stop.js';
import { placeField } from './wave-place.js';

/** States of a wave. */
const FRESH = 0;
const READY = 1;
const AT_BARRIER = 2;
const ENDED = 3;
/** At a named barrier. */
const AT_NAMED = 4;

/** A workgroup in progress. */
interface Group {
  /** Linear number in the dispatch. */
  readonly id: number;
  readonly block: GroupBlock;
  readonly states: Uint8Array;
  /** Where each wave goes on. */
  readonly programs: RunnableProgram[];
  readonly entries: Int32Array;
  /** How often a wave of it ran out of fuel in baseline code. */
  yields: number;
  /** From the first request about one on. */
  barriers: GroupBarriers | undefined;
}

export interface RunContext {
  readonly view: DataView;
  readonly memory: GroupMemory;
  readonly layout: GroupLayout;
  /** The best code that there is for fresh waves. */
  readonly program: () => RunnableProgram;
  /** Asks for better code before more of the code at hand is made, if the dispatch is vast; whether it did. */
  readonly askEarly: () => boolean;
  /** Better code for a wave that has run for long in baseline code, from a block on. */
  readonly patientYields: number;
  readonly middle: (program: RunnableProgram, block: number) => RunnableProgram | undefined;
  /** The program at an indirect jump's target, or undefined if there is no code. */
  readonly target: (address: bigint, mode: number) => RunnableProgram | undefined;
  /** Number of the worker, for registers that say where a wave runs. */
  readonly worker: number;
  /** A wave interrupts the host; the argument is its M0. */
  readonly onInterrupt: (message: number) => void;
  readonly now: () => number;
  /** Of each call; undefined: adapted to the time that calls take. */
  readonly fuel: number | undefined;
  /** Learned by all runs of a dispatch. */
  readonly speed: Speed;
}

export class WorkgroupRun implements GroupRun {
  readonly #context: RunContext;
  readonly #end: number;
  readonly #groups: Group[] = [];
  #next: number;
  /** A block for workgroups that run without leaving compiled code. */
  #block: GroupBlock | undefined;
  /** Waves of workgroup {@link #next} that are done already: the range stopped between two waves. */
  #wavesDone = 0;
  #finished = 0;
  /** Of the call under way. */
  #fuel = 0;
  #turnMs = CALL_MS;
  #isStarved = false;
  #isIdle = false;
  /** The turn is over, whatever time is left: something else comes first. */
  #isOver = false;

  constructor(context: RunContext, first: number, count: number) {
    this.#context = context;
    this.#next = first;
    this.#end = first + count;
  }

  get finishedGroups(): number {
    return this.#finished;
  }

  /** The last {@link run} could do nothing but wait for code. */
  get isIdle(): boolean {
    return this.#isIdle && !this.#isStarved;
  }

  /** Nothing of it is in progress, for want of a block. */
  get isStarved(): boolean {
    return this.#isStarved;
  }

  /** Goes on for about `budgetMs`; undefined: not finished yet. */
  run(budgetMs: number): 'done' | Stop | undefined {
    const start = this.#context.now();
    this.#turnMs = Math.min(CALL_MS, budgetMs);
    this.#isOver = false;
    do {
      this.#isIdle = true;
      const stop = this.#turn();
      if (stop !== undefined) return stop;
      if (this.#next >= this.#end && this.#groups.length === 0) {
        this.#releaseBlock();
        return 'done';
      }
      if (this.#isStarved) return undefined;
    } while (!this.#isIdle && !this.#isOver && this.#context.now() - start < budgetMs);
    return undefined;
  }

  /** Gives back all memory; the run is over. */
  release(): void {
    this.#releaseBlock();
    for (const group of this.#groups) this.#context.memory.release(group.block);
    this.#groups.length = 0;
  }

  #releaseBlock(): void {
    if (this.#block !== undefined) this.#context.memory.release(this.#block);
    this.#block = undefined;
  }

  /** One call for new workgroups, and one turn of each workgroup in progress. */
  #turn(): Stop | undefined {
    if (this.#next < this.#end) {
      const stop = this.#start();
      if (stop !== undefined) return stop;
    }
    for (let i = 0; i < this.#groups.length; ) {
      const group = this.#groups[i];
      if (group === undefined) break;
      const stop = this.#step(group);
      if (stop !== undefined) return stop;
      if (group.states.every((state) => state === ENDED)) {
        this.#groups.splice(i, 1);
        this.#context.memory.release(group.block);
        this.#finished++;
      } else i++;
    }
    return undefined;
  }

  #start(): Stop | undefined {
    const program = this.#context.program();
    // It runs whole workgroups.
    if (program.driver !== undefined && this.#wavesDone === 0) return this.#startDriven(program, program.driver);
    if (!program.hasBarrier) return this.#startRange(program);
    const block = this.#freshBlock();
    if (block !== undefined) this.#beginGroup(program, block);
    return undefined;
  }

  /** Workgroups with barriers: as many as the fuel lasts, while the waves of each go the same way. */
  #startDriven(program: RunnableProgram, driver: Segment): Stop | undefined {
    const { layout, memory } = this.#context;
    const block = this.#freshBlock();
    if (block === undefined) return undefined;
    this.#prepareCall(block);
    this.#isIdle = false;
    const start = this.#context.now();
    let reached: number;
    try {
      reached = driver(memory.control, this.#next, this.#end) >>> 0;
    } catch (error) {
      if (!(error instanceof WebAssembly.RuntimeError)) throw error;
      const entry = this.#control(CONTROL_DRIVER_ENTRY);
      const wave = (this.#control(CONTROL_WAVE) >>> 0) % layout.waves;
      return {
        kind: 'trap',
        wave: { group: this.#control(CONTROL_DRIVER_GROUP) >>> 0, wave, block, program, entry, isFresh: entry === 0 },
        access: readRecord(this.#context.view, memory.control),
        error,
      };
    }
    this.#learnSpeed(this.#context.now() - start);
    const entry = this.#control(CONTROL_DRIVER_ENTRY);
    this.#finished += reached - this.#next;
    this.#next = reached;
    if (entry === DRIVER_CLEAN) return undefined;
    const group = this.#beginGroup(program, block);
    const stoppedAt = entry === DRIVER_MIXED ? layout.waves : this.#control(CONTROL_DRIVER_WAVE);
    for (let wave = 0; wave < stoppedAt; wave++) this.#take(group, wave);
    if (entry > 0) {
      group.states.fill(READY, stoppedAt);
      group.entries.fill(entry, stoppedAt);
    }
    const exit = this.#control(CONTROL_EXIT);
    if (entry === DRIVER_MIXED || exit === EXIT_NONE) return undefined;
    return this.#settle(group, stoppedAt, exit, program, entry, entry === 0 ? FRESH : READY);
  }

  /** Workgroups without barriers, as far as is known: as many as the fuel lasts. */
  #startRange(program: RunnableProgram): Stop | undefined {
    const { waves } = this.#context.layout;
    const block = this.#freshBlock();
    if (block === undefined) return undefined;
    const first = this.#next * waves + this.#wavesDone;
    const called = this.#call(program, program.entry, block, first, this.#end * waves, FRESH);
    if (typeof called === 'object') return called;
    if (called === undefined) throw new InternalError('no code for fresh waves');
    const exit = this.#control(CONTROL_EXIT);
    const group = Math.floor(called / waves);
    const wave = called % waves;
    this.#finished += group - this.#next;
    this.#next = group;
    this.#wavesDone = wave;
    if (exit === EXIT_NONE) return undefined;
    if (exit === EXIT_MISSING && program.isRepeatable && this.#context.askEarly()) {
      // The wave begins again, in the code that is made meanwhile.
      this.#isOver = true;
      return undefined;
    }
    return this.#settle(this.#beginGroup(program, block), wave, exit, program, program.entry, FRESH);
  }

  /** The block for the workgroup that is next; undefined: there is no room. */
  #freshBlock(): GroupBlock | undefined {
    const { layout, memory } = this.#context;
    this.#block ??= memory.allocate(layout);
    this.#isStarved = this.#block === undefined && this.#groups.length === 0;
    return this.#block;
  }

  /** The workgroup that is next keeps the block and goes on in turn, but for its waves that are done. */
  #beginGroup(program: RunnableProgram, block: GroupBlock): Group {
    const { waves } = this.#context.layout;
    const group: Group = {
      id: this.#next++,
      block,
      states: new Uint8Array(waves).fill(ENDED, 0, this.#wavesDone),
      programs: new Array<RunnableProgram>(waves).fill(program),
      entries: new Int32Array(waves),
      yields: 0,
      barriers: undefined,
    };
    this.#groups.push(group);
    this.#block = undefined;
    this.#wavesDone = 0;
    return group;
  }

  /** Runs every wave of a workgroup that can run, until all wait, yield or are done, or the turn is over. */
  #step(group: Group): Stop | undefined {
    const { states, programs, entries } = group;
    const { waves } = this.#context.layout;
    const begun = this.#context.now();
    for (;;) {
      let hasYielded = false;
      let ran = false;
      for (let wave = 0; wave < waves; ) {
        if (states[wave] === AT_NAMED && group.barriers?.mayGoOn(wave) === true) states[wave] = READY;
        const state = states[wave] ?? ENDED;
        if (state !== FRESH && state !== READY) {
          wave++;
          continue;
        }
        const [program, entry] = [programs[wave] ?? this.#context.program(), entries[wave] ?? 0];
        let end = wave + 1;
        while (end < waves && states[end] === state && programs[end] === program && entries[end] === entry) end++;
        const base = state === FRESH ? group.id * waves : 0;
        const called = this.#call(program, entry, group.block, base + wave, base + end, state, group);
        if (called === undefined) {
          hasYielded = true;
          wave = end;
          continue;
        }
        if (typeof called === 'object') return called;
        ran = true;
        const reached = called - base;
        const exit = this.#control(CONTROL_EXIT);
        for (let done = wave; done < reached; done++) this.#take(group, done);
        if (exit === EXIT_NONE) {
          // Out of fuel between two waves: the others of the workgroup and other workgroups come next.
          if (reached < end) hasYielded = true;
          wave = Math.max(end, wave + 1);
          continue;
        }
        const stop = this.#settle(group, reached, exit, program, entry, state);
        if (stop !== undefined) return stop;
        hasYielded = true;
        wave = reached + 1;
      }
      if (this.#release(group)) {
        // A loop over a barrier has fuel anew in each round: time must end it.
        if (hasYielded || this.#context.now() - begun >= this.#turnMs) return undefined;
        continue;
      }
      if (!ran || hasYielded) return undefined;
    }
  }

  /** Opens the barrier when every wave that has not ended waits at it. */
  #release(group: Group): boolean {
    let waiting = 0;
    for (const state of group.states) {
      if (state === AT_BARRIER) waiting++;
      else if (state !== ENDED) return false;
    }
    if (waiting === 0) return false;
    for (let wave = 0; wave < group.states.length; wave++) if (group.states[wave] === AT_BARRIER) group.states[wave] = READY;
    group.barriers?.restart();
    return true;
  }

  /** Takes over what a wave that came to an end or a barrier left in its slot. */
  #take(group: Group, wave: number): void {
    const slot = this.#slot(group.block, wave);
    const { view } = this.#context;
    const exit = view.getInt32(slot + SLOT_EXIT, true);
    if (exit === EXIT_BARRIER) {
      group.states[wave] = AT_BARRIER;
      group.entries[wave] = view.getInt32(slot + SLOT_PC, true);
    } else if (exit === EXIT_END) group.states[wave] = ENDED;
    else throw new InternalError(`wave left with ${exit}`);
  }

  /** A wave that the call stopped at. */
  #settle(group: Group, wave: number, exit: number, program: RunnableProgram, entry: number, state: number): Stop | undefined {
    const slot = this.#slot(group.block, wave);
    const { view } = this.#context;
    group.states[wave] = READY;
    group.programs[wave] = program;
    const stopped = (): StoppedWave => ({
      group: group.id,
      wave,
      block: group.block,
      program,
      ...(program.isBaseline ? this.#baselineEntry(slot) : { entry, isFresh: state === FRESH }),
    });
    switch (exit) {
      case EXIT_BARRIER:
        group.states[wave] = AT_BARRIER;
        group.entries[wave] = view.getInt32(slot + SLOT_PC, true);
        return undefined;
      case EXIT_MISSING:
        group.entries[wave] = view.getInt32(slot + SLOT_PC, true);
        // At once, so that no other wave stops there.
        program.resume(group.entries[wave] ?? 0);
        return undefined;
      case EXIT_YIELD:
        group.entries[wave] = view.getInt32(slot + SLOT_PC, true);
        if (program.isBaseline && ++group.yields > this.#context.patientYields) this.#improve(group, wave);
        return undefined;
      case EXIT_REQUEST:
        group.entries[wave] = view.getInt32(slot + SLOT_PC, true);
        this.#request(group, wave, slot);
        return undefined;
      case EXIT_INDIRECT: {
        const address = view.getBigUint64(slot + SLOT_TARGET, true);
        const target = this.#context.target(address, view.getUint32(slot + SLOT_MODE, true));
        if (target === undefined) return { kind: 'target', wave: stopped(), address };
        group.programs[wave] = target;
        group.entries[wave] = target.entry;
        return undefined;
      }
      case EXIT_TRAP:
        return { kind: 's_trap', wave: stopped(), pc: this.#control(CONTROL_PC), id: view.getInt32(slot + SLOT_TRAP, true) };
      case EXIT_ILLEGAL:
        return { kind: 'illegal', wave: stopped(), pc: this.#control(CONTROL_PC) };
      default:
        throw new InternalError(`a call ended with ${exit}`);
    }
  }

  #request(group: Group, wave: number, slot: number): void {
    const { view } = this.#context;
    const request = decodeRequest(view.getUint32(slot + SLOT_TARGET, true), view.getUint32(slot + SLOT_TARGET + 4, true));
    const { scc, value, waits = false } = this.#answer(group, wave, request);
    if (scc !== undefined) view.setInt32(slot + SLOT_SCC, scc ? 1 : 0, true);
    if (value !== undefined && request.register !== NO_REGISTER)
      view.setUint32(slot + SLOT_SGPRS + 4 * request.register, value, true);
    if (waits) group.states[wave] = AT_NAMED;
  }

  #answer(group: Group, wave: number, request: WaveRequest): RequestResult {
    const { layout, worker, onInterrupt } = this.#context;
    switch (request.operation) {
      case WAVE_REQUEST.interrupt:
        onInterrupt(request.about);
        return {};
      case WAVE_REQUEST.place:
        return { value: placeField(request.about, { worker, group: group.id, wave }) };
      default: {
        group.barriers ??= new GroupBarriers(layout.waves);
        const count = (wanted: number): number => group.states.filter((state) => state === wanted).length;
        return group.barriers.do(wave, request, { waiting: count(AT_BARRIER), members: layout.waves - count(ENDED) });
      }
    }
  }

  /** The wave leaves baseline code if there is something better. */
  #improve(group: Group, wave: number): void {
    const better = this.#context.middle(group.programs[wave] ?? this.#context.program(), group.entries[wave] ?? 0);
    if (better === undefined) return;
    group.programs[wave] = better;
    group.entries[wave] = better.entry;
  }

  #call(
    program: RunnableProgram,
    entry: number,
    block: GroupBlock,
    first: number,
    end: number,
    state: number,
    group?: Group,
  ): number | Stop | undefined {
    const { memory, now, layout } = this.#context;
    const { control } = memory;
    const segment = state === FRESH ? program.start(group === undefined ? EXIT_END : EXIT_BARRIER) : program.resume(entry);
    if (segment === undefined) return undefined;
    this.#isIdle = false;
    this.#prepareCall(block);
    const start = now();
    let result: number;
    try {
      result = segment(control, first, end);
    } catch (error) {
      if (!(error instanceof WebAssembly.RuntimeError)) throw error;
      const at = this.#control(CONTROL_WAVE) >>> 0;
      const isFresh = state === FRESH;
      const id = isFresh ? Math.floor(at / layout.waves) : (group?.id ?? 0);
      const wave = isFresh ? at % layout.waves : at;
      const access = readRecord(this.#context.view, control);
      const begun = program.isBaseline ? this.#baselineEntry(this.#slot(block, wave)) : { entry, isFresh };
      return { kind: 'trap', wave: { group: id, wave, block, program, ...begun }, access, error };
    }
    this.#learnSpeed(now() - start);
    return result >>> 0;
  }

  /** The block that a wave is in. */
  #baselineEntry(slot: number): Pick<StoppedWave, 'entry' | 'isFresh'> {
    return { entry: this.#context.view.getInt32(slot + SLOT_PC, true), isFresh: false };
  }

  #prepareCall(block: GroupBlock): void {
    const { view, memory } = this.#context;
    const { control } = memory;
    clearRecord(view, control);
    this.#fuel = this.#context.fuel ?? fuelFor(this.#context.speed, this.#turnMs, this.#groups.length);
    view.setInt32(control + CONTROL_FUEL, this.#fuel, true);
    view.setUint32(control + CONTROL_LDS, block.lds, true);
    view.setUint32(control + CONTROL_PRIVATE, block.private, true);
    view.setUint32(control + CONTROL_SLOTS, block.slots, true);
  }

  #learnSpeed(elapsedMs: number): void {
    learnSpeed(this.#context.speed, { used: this.#fuel - this.#control(CONTROL_FUEL), elapsedMs });
  }

  #control(offset: number): number {
    return this.#context.view.getInt32(this.#context.memory.control + offset, true);
  }

  #slot(block: GroupBlock, wave: number): number {
    return block.slots + wave * this.#context.layout.slotBytes;
  }
}
