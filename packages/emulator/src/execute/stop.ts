/** Why compiled code stopped, for a reason that the executor reports. */
import type { FaultedAccess } from '../compile/fault-record.js';
import type { GroupBlock } from './group-memory.js';
import type { RunnableProgram } from './runnable-program.js';

/** Where compiled code was when it stopped for a reason that the executor reports. */
export interface StoppedWave {
  readonly group: number;
  readonly wave: number;
  readonly block: GroupBlock;
  readonly program: RunnableProgram;
  /** Block from which on the wave can be run again: its registers at that point are in the slot, or fresh. */
  readonly entry: number;
  readonly isFresh: boolean;
}

export type Stop =
  /** A trap of the WebAssembly code: a memory access failed. */
  | {
      readonly kind: 'trap';
      readonly wave: StoppedWave;
      /** What the code recorded of the access; undefined where it accessed several lanes at once. */
      readonly access: FaultedAccess | undefined;
      readonly error: WebAssembly.RuntimeError;
    }
  | { readonly kind: 's_trap'; readonly wave: StoppedWave; readonly pc: number; readonly id: number }
  | { readonly kind: 'illegal'; readonly wave: StoppedWave; readonly pc: number }
  | { readonly kind: 'target'; readonly wave: StoppedWave; readonly address: bigint };
