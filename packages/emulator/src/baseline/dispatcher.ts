/** What runs the blocks of baseline code: for each wave it calls one block after the other out of a table. */
import { createModule, instantiateModule, type ClockSource, type CompileOptions } from '../compile/compiler.js';
import type { Fact } from '../compile/facts.js';
import type { KernelStart } from '../compile/initial-registers.js';
import { isExecRegister } from '../compile/program.js';
import { RegisterLocals } from '../compile/register-locals.js';
import { FIRST_VGPR, SCC } from '../compile/registers.js';
import type { Shapes } from '../compile/shapes.js';
import { CONTROL, WAVE, WaveFrame, type WaveEntry } from '../compile/wave-frame.js';
import {
  CONTROL_EXIT,
  CONTROL_FUEL,
  EXIT_BARRIER,
  EXIT_MISSING,
  EXIT_NONE,
  EXIT_YIELD,
  SLOT_EXIT,
  SLOT_PC,
  SLOT_SGPRS,
  slotBytes,
} from '../compile/wave-state.js';
import type { FunctionBody, FunctionType } from '../wasm/module-builder.js';
import { I32, OP, VOID } from '../wasm/opcodes.js';
import { BLOCK_TYPE } from './block.js';
import { TABLE } from './piece.js';

const RUN_TYPE: FunctionType = { params: [I32, I32, I32, I32], results: [I32] };
/** The last parameter. */
const LAST = 3;
/** Fuel that a block uses: about as many as the instructions of an average one; and a wave, beside its blocks. */
const BLOCK_FUEL = 16;
const WAVE_FUEL = 1;

export interface DispatcherOptions {
  readonly compile: CompileOptions;
  readonly vgprCount: number;
  readonly shapes: Shapes;
  /** Absent: waves do not begin in it. */
  readonly start: KernelStart | undefined;
}

export interface Dispatcher {
  /**
   * Fresh waves from block 0 on: control block, first wave, end of waves, the last exit behind which the next wave comes (EXIT_END, or
   * EXIT_BARRIER where each wave has a slot of its own) → next wave.
   */
  readonly start?: (control: number, wave: number, end: number, lastExit: number) => number;
  /** Waves whose registers are in their slots: control block, first wave, end of waves, block → next wave. */
  readonly resume: (control: number, wave: number, end: number, block: number) => number;
  /** Stands in the table for a block that is not made. */
  readonly missing: () => number;
}

/** The forms of registers in a wave's slot between blocks, by register. */
export function plainFacts(vgprCount: number): Fact[] {
  return Array.from({ length: FIRST_VGPR + vgprCount }, (_, register) =>
    register < FIRST_VGPR ? { kind: 'scalar', zeros: register === SCC ? ~1 : 0 } : { kind: 'vector', zeros: 0 },
  );
}

export function createDispatcher(
  options: DispatcherOptions,
  { memory, clock, table }: { memory: WebAssembly.Memory; clock: ClockSource; table: WebAssembly.Table },
): Dispatcher {
  const module = new WebAssembly.Module(compileDispatcher(options));
  // Safe: these are the module's exports, with these types.
  return instantiateModule(module, { memory, clock }, { [TABLE]: { [TABLE]: table } }) as unknown as Dispatcher;
}

function compileDispatcher({ compile, vgprCount, shapes, start }: DispatcherOptions): Uint8Array<ArrayBuffer> {
  const { builder } = createModule(compile, shapes.waveSize);
  builder.importTable(TABLE, TABLE);
  const options = { type: builder.typeIndex(BLOCK_TYPE), slotBytes: slotBytes(vgprCount, shapes.waveSize) };
  if (start !== undefined) {
    const { index, body } = builder.addFunction(RUN_TYPE);
    builder.exportFunction('start', index);
    emitRun(body, { shapes, start, registers: startFacts(start, vgprCount, shapes), fuel: WAVE_FUEL }, options);
  }
  const resume = builder.addFunction(RUN_TYPE);
  builder.exportFunction('resume', resume.index);
  emitRun(resume.body, { shapes, start: undefined, registers: [], fuel: WAVE_FUEL }, options);
  const missing = builder.addFunction(BLOCK_TYPE);
  builder.exportFunction('missing', missing.index);
  missing.body.i32(~EXIT_MISSING);
  return builder.finish();
}

/** The registers that a fresh wave begins with; the others are 0. */
function startFacts(start: KernelStart, vgprCount: number, shapes: Shapes): Map<number, Fact> {
  const facts = new Map<number, Fact>();
  for (const register of start.sgprs.keys()) facts.set(register, { kind: 'scalar', zeros: 0 });
  for (let register = 0; register < FIRST_VGPR; register++) {
    if (isExecRegister(register, shapes)) facts.set(register, start.fullWaves ? { kind: 'scalar', zeros: 0 } : { kind: 'mask' });
  }
  for (let index = 0; index < start.items.length; index++) facts.set(FIRST_VGPR + index, { kind: 'vector', zeros: 0 });
  return facts;
}

interface RunOptions {
  /** Of a block's function. */
  readonly type: number;
  readonly slotBytes: number;
}

function emitRun(body: FunctionBody, entry: WaveEntry, options: RunOptions): void {
  const registers = new RegisterLocals(body, entry.shapes.waveSize);
  const frame = new WaveFrame(body, entry, registers);
  const pc = body.local(I32);
  const exit = body.local(I32);
  const store = (base: number, offset: number, value: () => void): void => {
    body.get(base);
    value();
    body.access(OP.i32Store, 2, offset);
  };
  const leave = (reason: () => void): void => {
    store(CONTROL, CONTROL_EXIT, reason);
    store(CONTROL, CONTROL_FUEL, () => body.get(frame.fuel));
    body.get(WAVE);
    body.op(OP.return);
  };
  frame.prologue();
  body.open(OP.loop, VOID);
  frame.beginWave();
  if (entry.start !== undefined) {
    body.get(frame.slot);
    body.i32(SLOT_SGPRS);
    body.op(OP.i32Add);
    body.i32(0);
    body.i32(options.slotBytes - SLOT_SGPRS);
    body.op(OP.memoryFill);
    body.code.byte(0);
    for (const [register, fact] of entry.registers) registers.save(register, fact, frame.slot);
  }
  if (entry.start === undefined) body.get(LAST);
  else body.i32(0);
  body.set(pc);
  body.open(OP.loop, VOID);
  store(frame.slot, SLOT_PC, () => body.get(pc));
  body.get(CONTROL);
  body.get(frame.slot);
  body.get(pc);
  body.callIndirect(options.type);
  body.tee(pc);
  body.i32(0);
  body.op(OP.i32GeS);
  body.open(OP.if, VOID);
  body.get(frame.fuel);
  body.i32(BLOCK_FUEL);
  body.op(OP.i32Sub);
  body.tee(frame.fuel);
  body.i32(0);
  body.op(OP.i32GeS);
  body.brIf(1);
  store(frame.slot, SLOT_PC, () => body.get(pc));
  store(frame.slot, SLOT_EXIT, () => body.i32(EXIT_YIELD));
  leave(() => body.i32(EXIT_YIELD));
  body.end();
  body.end();
  body.get(pc);
  body.i32(-1);
  body.op(OP.i32Xor);
  body.set(exit);
  store(frame.slot, SLOT_EXIT, () => body.get(exit));
  body.get(exit);
  if (entry.start === undefined) body.i32(EXIT_BARRIER);
  else body.get(LAST);
  body.op(OP.i32GtU);
  body.open(OP.if, VOID);
  leave(() => body.get(exit));
  body.end();
  frame.endWave();
  body.end();
  leave(() => body.i32(EXIT_NONE));
  body.op(OP.unreachable);
}
