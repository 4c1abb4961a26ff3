/**
 * Runs one wave again in the reference interpreter from where its segment began, to find the access that failed. Stores go to an
 * overlay: memory does not change.
 */
import type { CfgBlock } from '../compile/cfg.js';
import { FIRST_VGPR, SCC } from '../compile/registers.js';
import type { Fact } from '../compile/facts.js';
import type { ClockSource } from '../compile/compiler.js';
import { SLOT_BASES, SLOT_SCC, SLOT_SGPRS, SLOT_VGPRS } from '../compile/wave-state.js';
import { createWaveState, evaluateBlock, type BlockFault, type Outcome, type WaveState } from '../evaluate/index.js';
import { SGPR_EXEC } from '../ir/block.js';
import type { FaultedRun } from './fault.js';
import type { StoppedWave } from './stop.js';
import { itemFields } from './item-shapes.js';
import type { MemoryView } from './memory-view.js';
import { OverlayMemory } from './overlay-memory.js';

/** More blocks than this are not replayed. */
const MAX_BLOCKS = 2_000_000;

export function replayWave(run: FaultedRun, stopped: StoppedWave, view: MemoryView, clock: ClockSource): BlockFault | undefined {
  const { outcome } = replay(run, stopped, view, clock);
  return outcome?.kind === 'fault' ? outcome.fault : undefined;
}

/** The lowest active lane where a wave stopped by itself; undefined when the replay does not come there, or finds none active. */
export function replayToStop(
  run: FaultedRun,
  stopped: StoppedWave,
  { pc, view, clock }: { readonly pc: number; readonly view: MemoryView; readonly clock: ClockSource },
): number | undefined {
  const wave = waveAtStop(run, stopped, { pc, view, clock });
  if (wave === undefined) return undefined;
  const [low, high] = [wave.sgprs[SGPR_EXEC] ?? 0, wave.sgprs[SGPR_EXEC + 1] ?? 0];
  if (low !== 0) return 31 - Math.clz32(low & -low);
  return high === 0 || wave.waveSize === 32 ? undefined : 63 - Math.clz32(high & -high);
}

function waveAtStop(
  run: FaultedRun,
  stopped: StoppedWave,
  { pc, view, clock }: { readonly pc: number; readonly view: MemoryView; readonly clock: ClockSource },
): WaveState | undefined {
  // The block that stopped has left its registers.
  if (stopped.program.isBaseline) return savedWave(run, stopped, view);
  const { outcome, wave } = replay(run, stopped, view, clock);
  return (outcome?.kind === 'trap' || outcome?.kind === 'illegal') && outcome.pc === pc ? wave : undefined;
}

/** The wave where it stopped again; no outcome where it did not. */
function replay(
  run: FaultedRun,
  stopped: StoppedWave,
  view: MemoryView,
  clock: ClockSource,
): { readonly wave: WaveState; readonly outcome?: Outcome } {
  const { program } = stopped;
  const wave = stopped.isFresh ? freshWave(run, stopped) : savedWave(run, stopped, view);
  const memory = waveMemory(run, stopped, view, clock);
  // Baseline code makes a block's IR anew whenever it is asked for.
  const blocks = new Map<number, CfgBlock | undefined>();
  let index = stopped.entry;
  for (let count = 0; count < MAX_BLOCKS; count++) {
    if (!blocks.has(index)) blocks.set(index, program.block(index));
    const block = blocks.get(index);
    if (block === undefined) return { wave };
    const outcome = evaluateBlock(block.ir, wave, memory);
    if (outcome.kind === 'next') {
      const next = block.successors.find((successor) => program.placeOf(successor)?.start === outcome.to);
      if (next === undefined) return { wave };
      index = next;
    } else if (outcome.kind === 'trap' && block.successors[0] !== undefined) index = block.successors[0];
    else return { wave, outcome };
  }
  return { wave };
}

/** Memory as a wave sees it. */
export function waveMemory(run: FaultedRun, stopped: StoppedWave, view: MemoryView, clock: ClockSource): OverlayMemory {
  const { ldsBytes, privateBytes, waveSize } = run.layout;
  return new OverlayMemory(view, clock, {
    lds: stopped.block.lds,
    ldsBytes,
    privateBase: stopped.block.private + stopped.wave * waveSize * privateBytes,
    privateBytes,
    waveSize,
  });
}

function freshWave(run: FaultedRun, stopped: StoppedWave): WaveState {
  const { dispatch, registers, itemIds, layout } = run;
  const wave = createWaveState(run.kernel.decoder.waveSize, run.kernel.vgprCount);
  const [groupsX, groupsY] = dispatch.groups;
  const group = [
    stopped.group % groupsX,
    Math.floor(stopped.group / groupsX) % groupsY,
    Math.floor(stopped.group / (groupsX * groupsY)),
  ] as const;
  for (const [register, source] of registers.sgprs) {
    if (source.kind === 'user') wave.sgprs[register] = registers.userSgprs[source.index] ?? 0;
    else if (source.kind === 'group') wave.sgprs[register] = group[source.axis];
    else if (source.kind === 'groups-yz') wave.sgprs[register] = group[1] | (group[2] << 16);
    else wave.sgprs[register] = stopped.wave << 25;
  }
  const first = stopped.wave * layout.waveSize;
  const items = dispatch.workgroup[0] * dispatch.workgroup[1] * dispatch.workgroup[2];
  for (let lane = 0; lane < layout.waveSize; lane++) {
    const id = itemIds[first + lane] ?? 0;
    const ids = [id & 1023, (id >>> 10) & 1023, id >>> 20];
    for (const [register, { shift, mask }] of itemFields(registers.items).entries()) {
      wave.vgprs[register * layout.waveSize + lane] = (id >>> shift) & mask;
    }
    const inside = ids.every(
      (item, axis) => (group[axis] ?? 0) * (dispatch.workgroup[axis] ?? 1) + item < (dispatch.grid[axis] ?? 1),
    );
    if (first + lane < items && inside) {
      const half = SGPR_EXEC + (lane >> 5);
      wave.sgprs[half] = (wave.sgprs[half] ?? 0) | (1 << (lane & 31));
    }
  }
  return wave;
}

/** The registers of a wave in its slot, in the forms that the entry's facts say. */
function savedWave(run: FaultedRun, stopped: StoppedWave, view: MemoryView): WaveState {
  const wave = createWaveState(run.kernel.decoder.waveSize, run.kernel.vgprCount);
  const slot = stopped.block.slots + stopped.wave * run.layout.slotBytes;
  for (const [register, fact] of stopped.program.registersAt(stopped.entry).entries()) {
    if (fact === undefined) continue;
    if (register < FIRST_VGPR) {
      const offset = register === SCC ? SLOT_SCC : SLOT_SGPRS + register * 4;
      const value = fact.kind === 'constant' ? fact.value : view.view.getUint32(slot + offset, true);
      if (register === SCC) wave.scc = value & 1;
      else wave.sgprs[register] = value;
      continue;
    }
    readLanes(view, slot, register - FIRST_VGPR, fact, run.layout.waveSize, wave.vgprs);
  }
  return wave;
}

function readLanes(view: MemoryView, slot: number, vgpr: number, fact: Fact, waveSize: number, vgprs: Uint32Array): void {
  const start = slot + SLOT_VGPRS + vgpr * waveSize * 4;
  const lane = (form: Fact, index: number): number => {
    switch (form.kind) {
      case 'constant':
        return form.value;
      case 'lanes':
        return form.pattern.lanes[index] ?? 0;
      case 'vector':
        return view.view.getInt32(start + index * 4, true);
      case 'shaped': {
        const group = form.partition.first[form.partition.classes[index >> 2] ?? 0] ?? 0;
        return view.view.getInt32(start + group * 16, true) + (form.pattern.lanes[index] ?? 0);
      }
      default:
        return 0;
    }
  };
  for (let index = 0; index < waveSize; index++) {
    if (fact.kind !== 'pair') {
      vgprs[vgpr * waveSize + index] = lane(fact, index);
      continue;
    }
    const base = view.view.getBigInt64(slot + SLOT_BASES + vgpr * 8, true);
    const sum = base + BigInt(lane(fact.offset, index) >>> 0) * BigInt(fact.multiplier);
    vgprs[vgpr * waveSize + index] = Number(BigInt.asUintN(32, sum >> 32n));
  }
}
