/**
 * Baseline code: made in one pass over the blocks, without facts, for a kernel's first calls. Every register is in the wave's slot between
 * blocks; a block is one function, and a dispatcher calls one after the other. Exports: `start` for fresh waves, `resume` for waves
 * whose registers are in their slots.
 */
import type { Cfg } from '../compile/cfg.js';
import { createModule, instantiateModule, type ClockSource, type CompileOptions } from '../compile/compiler.js';
import { Dag } from '../compile/dag.js';
import type { Fact } from '../compile/facts.js';
import { isExecRegister, type KernelStart, type Program } from '../compile/program.js';
import { RegisterLocals } from '../compile/register-locals.js';
import { FIRST_VGPR, SCC } from '../compile/registers.js';
import { Shapes } from '../compile/shapes.js';
import { CONTROL, WAVE, WaveFrame } from '../compile/wave-frame.js';
import {
  CONTROL_EXIT,
  CONTROL_FUEL,
  EXIT_BARRIER,
  EXIT_NONE,
  EXIT_YIELD,
  SLOT_EXIT,
  SLOT_PC,
  SLOT_SGPRS,
  slotBytes,
} from '../compile/wave-state.js';
import type { FunctionBody, FunctionType } from '../wasm/module-builder.js';
import { I32, OP, VOID } from '../wasm/opcodes.js';
import { BLOCK_TYPE, emitBlock, type BlockContext } from './block.js';

const RUN_TYPE: FunctionType = { params: [I32, I32, I32, I32], results: [I32] };
const ENTRY = 3;

/** The blocks of a graph as a program in which every register is held in its plain form. */
export function plainProgram(cfg: Cfg, vgprCount: number, shapes: Shapes, start: KernelStart | undefined): Program {
  const registerCount = FIRST_VGPR + vgprCount;
  const facts: Fact[] = Array.from({ length: registerCount }, (_, register) =>
    register < FIRST_VGPR ? { kind: 'scalar', zeros: register === SCC ? ~1 : 0 } : { kind: 'vector', zeros: 0 },
  );
  const all = new Uint8Array(registerCount).fill(1);
  const rows = cfg.blocks.map(() => all);
  const carried = Array.from({ length: registerCount }, (_, register) => register);
  return {
    cfg,
    liveness: {
      registerCount,
      live: rows,
      inactive: rows,
      liveAtEnd: rows,
      inactiveAtEnd: rows,
      carried: cfg.blocks.map(() => carried),
    },
    shapes,
    facts: cfg.blocks.map(() => facts),
    isReached: cfg.blocks.map(() => true),
    start,
  };
}

export function compileBaseline(program: Program, options: CompileOptions): Uint8Array<ArrayBuffer> {
  const { cfg, shapes, start, liveness } = program;
  const waveSize = shapes.waveSize === 64 ? 64 : 32;
  const { builder, context } = createModule(options, waveSize);
  let copy = -1;
  const copyLanes = (): number => {
    if (copy < 0) {
      const { index, body } = builder.addFunction({ params: [I32, I32], results: [] });
      copy = index;
      emitCopy(body, waveSize);
    }
    return copy;
  };
  const blocks: BlockContext = { module: context, waveSize, shapes: new Shapes(4), dag: new Dag(), copyLanes };
  for (const block of cfg.blocks) {
    const { index, body } = builder.addFunction(BLOCK_TYPE);
    builder.addToTable(index);
    emitBlock(body, block, blocks);
  }
  const type = builder.typeIndex(BLOCK_TYPE);
  // A block counts as the average one.
  const count = cfg.blocks.reduce((sum, block) => sum + block.instructionCount, 0);
  const cost = Math.max(1, Math.round(count / cfg.blocks.length));
  const bytes = slotBytes(liveness.registerCount - FIRST_VGPR, waveSize);
  if (start !== undefined) {
    const { index, body } = builder.addFunction(RUN_TYPE);
    builder.exportFunction('start', index);
    emitRun(body, startProgram(program, start), { type, cost, slotBytes: bytes });
  }
  const { index, body } = builder.addFunction(RUN_TYPE);
  builder.exportFunction('resume', index);
  emitRun(body, { ...program, liveness: { ...liveness, registerCount: 0 }, start: undefined }, { type, cost, slotBytes: bytes });
  return builder.finish();
}

/** Control block, first wave, end of waves, entry block → next wave. */
type Run = (control: number, wave: number, end: number, entry: number) => number;

export interface BaselineInstance {
  /** Absent where the program is entered with any registers. */
  readonly start: Run | undefined;
  readonly resume: Run;
}

/** The functions of {@link compileBaseline}'s module, on a memory. */
export function instantiateBaseline(
  bytes: Uint8Array<ArrayBuffer>,
  memory: WebAssembly.Memory,
  clock: ClockSource,
): BaselineInstance {
  // Safe: these are the module's exports, with these types.
  return instantiateModule(bytes, memory, clock) as unknown as BaselineInstance;
}

/** The registers that a fresh wave begins with; the others are 0. */
function startProgram(program: Program, start: KernelStart): Program {
  const { shapes, liveness } = program;
  const facts = new Array<Fact | undefined>(liveness.registerCount).fill(undefined);
  for (const register of start.sgprs.keys()) facts[register] = { kind: 'scalar', zeros: 0 };
  for (let register = 0; register < FIRST_VGPR; register++) {
    if (isExecRegister(register, shapes)) facts[register] = start.fullWaves ? { kind: 'scalar', zeros: 0 } : { kind: 'mask' };
  }
  for (let index = 0; index < start.items.length; index++) facts[FIRST_VGPR + index] = { kind: 'vector', zeros: 0 };
  return { ...program, facts: [facts] };
}

interface RunOptions {
  /** Of a block's function. */
  readonly type: number;
  /** Fuel that a block uses. */
  readonly cost: number;
  readonly slotBytes: number;
}

function emitRun(body: FunctionBody, program: Program, options: RunOptions): void {
  const registers = new RegisterLocals(body, program.shapes.waveSize);
  const frame = new WaveFrame(body, program, registers, 0);
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
  if (program.start !== undefined) {
    body.get(frame.slot);
    body.i32(SLOT_SGPRS);
    body.op(OP.i32Add);
    body.i32(0);
    body.i32(options.slotBytes - SLOT_SGPRS);
    body.op(OP.memoryFill);
    body.code.byte(0);
    for (const [register, fact] of (program.facts[0] ?? []).entries()) {
      if (fact !== undefined) registers.save(register, fact, frame.slot);
    }
  }
  body.get(ENTRY);
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
  body.i32(options.cost);
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
  body.i32(EXIT_BARRIER);
  body.op(OP.i32GtU);
  body.open(OP.if, VOID);
  leave(() => body.get(exit));
  body.end();
  frame.endWave();
  body.end();
  leave(() => body.i32(EXIT_NONE));
  body.op(OP.unreachable);
}

/** (from, to): the dwords of a wave's lanes. */
function emitCopy(body: FunctionBody, waveSize: number): void {
  for (let offset = 0; offset < waveSize * 4; offset += 16) {
    body.get(1);
    body.get(0);
    body.access(OP.v128Load, 2, offset);
    body.access(OP.v128Store, 2, offset);
  }
}
