/** Turns a stopped wave into a fault report: where, what, which lane and address. */
import { disassemble } from '@doorbell/isa';
import type { ClockSource } from '../compile/compiler.js';
import { LANE_UNKNOWN, type FaultedAccess } from '../compile/fault-record.js';
import type { BlockFault } from '../evaluate/index.js';
import type { Dispatch, WaveFault } from '../executor.js';
import type { StoppedWave, Stop } from './stop.js';
import type { InitialRegisters } from './kernel-start.js';
import type { GroupLayout } from './group-memory.js';
import type { CompiledKernel } from './kernel.js';
import type { MemoryView } from './memory-view.js';
import type { OverlayMemory } from './overlay-memory.js';
import { replayToStop, replayWave, waveMemory } from './replay.js';

/** What a report needs of a run. */
export interface FaultedRun {
  readonly kernel: CompiledKernel;
  readonly dispatch: Dispatch;
  readonly layout: GroupLayout;
  readonly registers: InitialRegisters;
  readonly itemIds: Uint32Array;
}

export class FaultReporter {
  readonly #view: MemoryView;
  readonly #clock: ClockSource;

  constructor(view: MemoryView, clock: ClockSource) {
    this.#view = view;
    this.#clock = clock;
  }

  /** Code at `address` is not there or not executable. */
  codeFetch(dispatch: Dispatch, address: bigint, workgroup: readonly [number, number, number], wave: number): WaveFault {
    void dispatch;
    const offset = this.#view.offsetOf(address, 4);
    const flags = offset < 0 ? 0 : this.#view.pageFlags(offset);
    const failure = flags === 0 ? 'not-present' : 'no-execute';
    return {
      kind: 'code-fetch',
      message: `Instructions were fetched from 0x${address.toString(16)}, which is ${failure === 'not-present' ? 'not mapped' : 'not executable'}.`,
      pc: address,
      disassembly: '',
      bytes: '',
      address,
      access: 'execute',
      failure,
      workgroup,
      wave,
    };
  }

  report(run: FaultedRun, stop: Stop): WaveFault {
    const { wave } = stop;
    const workgroup = workgroupOf(run.dispatch, wave.group);
    switch (stop.kind) {
      case 'target':
        return this.codeFetch(run.dispatch, stop.address, workgroup, wave.wave);
      case 's_trap':
        return {
          ...this.#at(run, wave, stop.pc),
          ...this.#laneAt(run, wave, stop.pc),
          kind: 'trap',
          message: `s_trap ${stop.id}: ${stop.id === 2 ? 'the kernel aborted' : 'a trap without a handler'}.`,
          trapId: stop.id,
        };
      case 'illegal': {
        const reason = wave.program.reasonAt(wave.entry, stop.pc) ?? 'not an instruction';
        if (stop.pc >= run.kernel.image.bytes.length) {
          return this.codeFetch(run.dispatch, run.kernel.image.address + BigInt(stop.pc), workgroup, wave.wave);
        }
        return {
          ...this.#at(run, wave, stop.pc),
          ...this.#laneAt(run, wave, stop.pc),
          kind: 'illegal-instruction',
          message: `Illegal instruction: ${reason}.`,
        };
      }
      case 'trap':
        return this.#memoryFault(run, stop);
      default:
        return stop satisfies never;
    }
  }

  #memoryFault(run: FaultedRun, { wave, access, error }: Extract<Stop, { kind: 'trap' }>): WaveFault {
    const found = this.#failedAccess(run, wave, access);
    if (found === undefined) {
      const entry = wave.program.placeOf(wave.entry)?.start ?? 0;
      return {
        ...this.#at(run, wave, entry),
        kind: 'memory',
        message: `A memory access failed after this instruction (${error.message}); it did not fail again when the wave was replayed.`,
      };
    }
    const { lane } = found;
    const isAperture = found.failure === 'aperture';
    const failure = found.failure === 'read-only' ? 'read-only' : found.failure === 'no-execute' ? 'no-execute' : 'not-present';
    const reason = found.failure === 'unaligned' ? 'not aligned' : failure === 'read-only' ? 'read-only' : 'not mapped';
    return {
      ...this.#at(run, wave, found.pc),
      kind: isAperture ? 'aperture' : 'memory',
      message: isAperture
        ? `Private memory ${found.access} at offset 0x${(found.address & 0xffff_ffffn).toString(16)}; a work-item has ${run.layout.privateBytes} bytes.`
        : `Memory ${found.access} at 0x${found.address.toString(16)}, which is ${reason}.`,
      address: found.address,
      access: found.access,
      failure,
      ...(lane < 0 ? {} : { lane }),
    };
  }

  /** The record of compiled code where there is one; the replay finds the rest. */
  #failedAccess(run: FaultedRun, wave: StoppedWave, access: FaultedAccess | undefined): BlockFault | undefined {
    if (access === undefined) return replayWave(run, wave, this.#view, this.#clock);
    const recorded = explainAccess(waveMemory(run, wave, this.#view, this.#clock), access);
    if (access.lane !== LANE_UNKNOWN) return recorded;
    const replayed = replayWave(run, wave, this.#view, this.#clock);
    return replayed?.pc === recorded.pc && replayed.address === recorded.address ? replayed : recorded;
  }

  /** The first lane that was active when the wave stopped. */
  #laneAt(run: FaultedRun, wave: StoppedWave, pc: number): { readonly lane?: number } {
    const lane = replayToStop(run, wave, { pc, view: this.#view, clock: this.#clock });
    return lane === undefined ? {} : { lane };
  }

  #at(run: FaultedRun, wave: StoppedWave, pc: number): Omit<WaveFault, 'kind' | 'message'> {
    const { image, decoder } = run.kernel;
    const decoded = decoder.decode(image.bytes, pc);
    const sizeBytes = decoded.ok ? decoded.instruction.sizeBytes : decoded.failure.sizeBytes;
    const bytes = image.bytes.subarray(pc, pc + sizeBytes);
    const [line] = disassemble(bytes, { processor: run.dispatch.processor, waveSize: decoder.waveSize });
    return {
      pc: image.address + BigInt(pc),
      disassembly: line?.text ?? '',
      bytes: Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join(' '),
      workgroup: workgroupOf(run.dispatch, wave.group),
      wave: wave.wave,
    };
  }
}

/** The first dword of an access that fails, and why. */
function explainAccess(memory: OverlayMemory, { pc, lane, address, space, access, bytes }: FaultedAccess): BlockFault {
  const step = access === 'atomic' ? bytes : Math.min(bytes, 4);
  for (let at = 0; at < bytes; at += step) {
    const place = address + BigInt(at);
    const position = { low: Number(place & 0xffff_ffffn), high: Number((place >> 32n) & 0xffff_ffffn) };
    const fault = memory.check(space, position, step, lane, access);
    if (fault !== undefined) return { ...fault, pc, lane, address: place, access };
  }
  // The host's protection says so, whatever the page table says by now.
  return { failure: 'not-present', pc, lane, address, access };
}

function workgroupOf(dispatch: Dispatch, group: number): [number, number, number] {
  const [x, y] = dispatch.groups;
  return [group % x, Math.floor(group / x) % y, Math.floor(group / (x * y))];
}
