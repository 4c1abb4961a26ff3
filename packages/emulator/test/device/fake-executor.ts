/** An executor whose kernels are TypeScript: each workgroup is a generator that yields where a wave would. */
import type { Dispatch, Executor, GroupRun, MadeCode, PreparedKernel, RunOutcome, WaveFault } from '../../src/executor.js';

/** What one workgroup does; it may return a fault. */
export type FakeKernel = (group: number, dispatch: Dispatch) => Generator<undefined, WaveFault | undefined> | undefined;

interface FakeRun extends GroupRun {
  finishedGroups: number;
  isStarved: boolean;
  readonly kernel: FakeKernel;
  readonly dispatch: Dispatch;
  readonly end: number;
  next: number;
  current: Generator<undefined, WaveFault | undefined> | undefined;
}

export class FakeExecutor implements Executor {
  readonly kernels: Map<bigint, FakeKernel> = new Map<bigint, FakeKernel>();
  /** Thrown, or returned as a fault, by the next prepare. */
  onPrepare: ((dispatch: Dispatch) => WaveFault | undefined) | undefined;
  readonly makingMs = 0;
  prepared = 0;
  dropped = 0;

  prepare(dispatch: Dispatch): PreparedKernel | WaveFault {
    this.prepared += 1;
    const fault = this.onPrepare?.(dispatch);
    return fault ?? { descriptorAddress: dispatch.descriptorAddress };
  }

  start(kernel: PreparedKernel, dispatch: Dispatch, first: number, count: number): GroupRun {
    const body = this.kernels.get(kernel.descriptorAddress);
    if (body === undefined) throw new Error('no such kernel');
    const run: FakeRun = {
      finishedGroups: 0,
      isStarved: false,
      kernel: body,
      dispatch,
      next: first,
      end: first + count,
      current: undefined,
    };
    return run;
  }

  drop(): void {
    this.dropped += 1;
  }

  warmUp(): boolean {
    return false;
  }

  makeCode(): MadeCode {
    return 'none';
  }

  resume(handle: GroupRun): RunOutcome {
    const run = handle as FakeRun;
    for (;;) {
      if (run.current === undefined) {
        if (run.next === run.end) return { kind: 'done' };
        run.current = run.kernel(run.next, run.dispatch) ?? empty();
      }
      const step = run.current.next();
      if (step.done !== true) return { kind: 'yield' };
      if (step.value !== undefined) return { kind: 'fault', fault: step.value };
      run.current = undefined;
      run.next += 1;
      run.finishedGroups += 1;
    }
  }
}

// eslint-disable-next-line require-yield -- a workgroup that ends at once
function* empty(): Generator<undefined, undefined> {
  return undefined;
}

export function fault(kind: WaveFault['kind'], more: Partial<WaveFault> = {}): WaveFault {
  return {
    kind,
    message: `a ${kind} fault`,
    pc: 0x42_1234_5678n,
    disassembly: 's_trap 2',
    bytes: 'bf900002',
    workgroup: [0, 0, 0],
    wave: 0,
    ...more,
  };
}
