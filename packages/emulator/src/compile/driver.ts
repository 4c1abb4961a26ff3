/**
 * The group driver of a kernel with barriers: runs whole workgroups, segment by segment, as long as all waves of a workgroup stop at
 * the same place. Parameters: control block, first workgroup, end of workgroups. Result: the workgroup it stopped at; the control
 * block says where in it.
 */
import type { FunctionBody, FunctionType } from '../wasm/module-builder.js';
import { I32, OP, VOID } from '../wasm/opcodes.js';
import {
  CONTROL_DRIVER_ENTRY,
  CONTROL_DRIVER_GROUP,
  CONTROL_DRIVER_WAVE,
  CONTROL_EXIT,
  CONTROL_FUEL,
  CONTROL_SLOTS,
  CONTROL_SLOT_BYTES,
  CONTROL_WAVES_PER_GROUP,
  DRIVER_CLEAN,
  DRIVER_MIXED,
  EXIT_END,
  EXIT_NONE,
  SLOT_EXIT,
  SLOT_PC,
} from './wave-state.js';

export const DRIVER_TYPE: FunctionType = { params: [I32, I32, I32], results: [I32] };

/** What a wave's way from one barrier to the next costs at least, in instructions. */
const ROUND_FUEL = 16;

const CONTROL = 0;
const GROUP = 1;
const END = 2;

/** `segments`: function index by entry block; block 0 is the kernel's start. */
export function emitDriver(body: FunctionBody, segments: ReadonlyMap<number, number>): void {
  const [reached, entry, wave, slot, exit, pc, waves] = Array.from({ length: 7 }, () => body.local(I32));
  if (reached === undefined || entry === undefined || wave === undefined || slot === undefined) return;
  if (exit === undefined || pc === undefined || waves === undefined) return;
  const load = (base: number, offset: number): void => {
    body.get(base);
    body.access(OP.i32Load, 2, offset);
  };
  const store = (offset: number, value: () => void): void => {
    body.get(CONTROL);
    value();
    body.access(OP.i32Store, 2, offset);
  };
  const leave = (state: number): void => {
    store(CONTROL_DRIVER_ENTRY, () => body.i32(state));
    body.get(GROUP);
    body.op(OP.return);
  };
  const firstWave = (): void => {
    body.get(GROUP);
    body.get(waves);
    body.op(OP.i32Mul);
  };
  load(CONTROL, CONTROL_WAVES_PER_GROUP);
  body.set(waves);
  body.open(OP.loop, VOID); // workgroups
  store(CONTROL_DRIVER_GROUP, () => body.get(GROUP));
  body.i32(0);
  body.set(entry);
  store(CONTROL_DRIVER_ENTRY, () => body.get(entry));
  body.get(CONTROL);
  firstWave();
  firstWave();
  body.get(waves);
  body.op(OP.i32Add);
  body.call(segments.get(0) ?? 0);
  firstWave();
  body.op(OP.i32Sub);
  body.set(reached);
  body.open(OP.block, VOID); // leaves the workgroup: all its waves have ended
  body.open(OP.loop, VOID); // segments
  // Stopped early: the wave is told, the entry is there already.
  load(CONTROL, CONTROL_EXIT);
  body.i32(EXIT_NONE);
  body.op(OP.i32Ne);
  body.get(reached);
  body.get(waves);
  body.op(OP.i32Ne);
  body.op(OP.i32Or);
  body.open(OP.if, VOID);
  store(CONTROL_DRIVER_WAVE, () => body.get(reached));
  body.get(GROUP);
  body.op(OP.return);
  body.end();
  load(CONTROL, CONTROL_SLOTS);
  body.tee(slot);
  body.access(OP.i32Load, 2, SLOT_EXIT);
  body.set(exit);
  load(slot, SLOT_PC);
  body.set(pc);
  body.i32(1);
  body.set(wave);
  body.open(OP.block, VOID);
  body.open(OP.loop, VOID); // waves
  body.get(wave);
  body.get(waves);
  body.op(OP.i32Eq);
  body.brIf(1);
  body.get(slot);
  load(CONTROL, CONTROL_SLOT_BYTES);
  body.op(OP.i32Add);
  body.set(slot);
  load(slot, SLOT_EXIT);
  body.get(exit);
  body.op(OP.i32Ne);
  load(slot, SLOT_PC);
  body.get(pc);
  body.op(OP.i32Ne);
  body.get(exit);
  body.i32(EXIT_END);
  body.op(OP.i32Ne);
  body.op(OP.i32And);
  body.op(OP.i32Or);
  body.open(OP.if, VOID);
  leave(DRIVER_MIXED);
  body.end();
  body.get(wave);
  body.i32(1);
  body.op(OP.i32Add);
  body.set(wave);
  body.br(0);
  body.end();
  body.end();
  body.get(exit);
  body.i32(EXIT_END);
  body.op(OP.i32Eq);
  body.brIf(1);
  // Each round costs: a loop whose only way round is a barrier must end when the fuel is gone, too.
  store(CONTROL_FUEL, () => {
    load(CONTROL, CONTROL_FUEL);
    body.get(waves);
    body.i32(ROUND_FUEL);
    body.op(OP.i32Mul);
    body.op(OP.i32Sub);
  });
  load(CONTROL, CONTROL_FUEL);
  body.i32(0);
  body.op(OP.i32LtS);
  body.open(OP.if, VOID);
  leave(DRIVER_MIXED);
  body.end();
  body.get(pc);
  body.set(entry);
  store(CONTROL_DRIVER_ENTRY, () => body.get(entry));
  for (const [block, index] of segments) {
    if (block === 0) continue;
    body.get(entry);
    body.i32(block);
    body.op(OP.i32Eq);
    body.open(OP.if, VOID);
    body.get(CONTROL);
    body.i32(0);
    body.get(waves);
    body.call(index);
    body.set(reached);
    body.br(1);
    body.end();
  }
  body.op(OP.unreachable); // a barrier goes on at one of the segments
  body.end();
  body.end();
  body.get(GROUP);
  body.i32(1);
  body.op(OP.i32Add);
  body.tee(GROUP);
  body.get(END);
  body.op(OP.i32LtU);
  load(CONTROL, CONTROL_FUEL);
  body.i32(0);
  body.op(0x4a); // i32.gt_s
  body.op(OP.i32And);
  body.brIf(0);
  body.end();
  leave(DRIVER_CLEAN);
  body.op(OP.unreachable);
}
