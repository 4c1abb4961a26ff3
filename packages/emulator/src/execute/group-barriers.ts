/**
 * The barriers of a workgroup whose state waves see or change: named barriers, and which wave is the first at the workgroup's own
 * (LLVM, AMDGPUExecutionSynchronization; AMD RDNA4 ISA document, S_BARRIER_SIGNAL_ISFIRST, S_GET_BARRIER_STATE).
 */
import { InternalError } from '@doorbell/abi';
import { LAST_NAMED_BARRIER, NO_REGISTER, WAVE_REQUEST, type WaveRequest } from '../ir/wave-request.js';

/** Waves at the workgroup's own barrier and waves that have not ended. */
export interface GroupCounts {
  readonly waiting: number;
  readonly members: number;
}

export interface RequestResult {
  readonly scc?: boolean;
  /** For the scalar register that the request names. */
  readonly value?: number;
  /** The wave waits until {@link GroupBarriers.mayGoOn}. */
  readonly waits?: boolean;
}

const DONE: RequestResult = {};

export class GroupBarriers {
  /** By number of the barrier; 0 is one that nothing changes. */
  readonly #members: Uint8Array = new Uint8Array(LAST_NAMED_BARRIER + 1);
  readonly #signals: Uint8Array = new Uint8Array(LAST_NAMED_BARRIER + 1);
  readonly #isValid: Uint8Array = new Uint8Array(LAST_NAMED_BARRIER + 1);
  /** By wave: the barrier that it joined last, and whether that was completed since. */
  readonly #joined: Uint8Array;
  readonly #isComplete: Uint8Array;
  /** Waves that have signalled the workgroup's barrier and do not wait at it yet. */
  readonly #hasSignalled: Uint8Array;

  constructor(waves: number) {
    this.#joined = new Uint8Array(waves);
    this.#isComplete = new Uint8Array(waves);
    this.#hasSignalled = new Uint8Array(waves);
  }

  /** A wave that waited for a named barrier goes on, if it was completed. */
  mayGoOn(wave: number): boolean {
    if (this.#isComplete[wave] !== 1) return false;
    this.#isComplete[wave] = 0;
    return true;
  }

  /** The workgroup's barrier opened. */
  restart(): void {
    this.#hasSignalled.fill(0);
  }

  do(wave: number, request: WaveRequest, counts: GroupCounts): RequestResult {
    const { operation, barrier, members } = request;
    if (operation === WAVE_REQUEST.groupIsFirst) return this.#signalGroup(wave, counts);
    if (operation === WAVE_REQUEST.groupState)
      return { value: stateWord(counts.waiting + sum(this.#hasSignalled), counts.members, 1) };
    const joined = this.#joined[wave] ?? 0;
    const number = barrier > LAST_NAMED_BARRIER ? 0 : barrier;
    switch (operation) {
      case WAVE_REQUEST.signal:
      case WAVE_REQUEST.signalIsFirst: {
        const scc = number !== 0 && this.#signals[number] === 0;
        if (number !== 0) this.#signal(number, members);
        return operation === WAVE_REQUEST.signal ? DONE : { scc };
      }
      case WAVE_REQUEST.wait:
        return number === 0 || joined === 0 ? DONE : { waits: true };
      case WAVE_REQUEST.init:
        if (number === 0) return DONE;
        this.#members[number] = members;
        this.#signals[number] = 0;
        this.#isValid[number] = 1;
        return DONE;
      case WAVE_REQUEST.join:
        this.#joined[wave] = number;
        this.#isComplete[wave] = 0;
        return DONE;
      case WAVE_REQUEST.leave:
        return { scc: joined !== 0 && this.#leave(wave, joined) };
      case WAVE_REQUEST.state:
        return { value: stateWord(this.#signals[number] ?? 0, this.#members[number] ?? 0, this.#isValid[number] ?? 0) };
      default:
        throw new InternalError(
          `barrier request ${operation} for ${request.register === NO_REGISTER ? 'no register' : request.register}`,
        );
    }
  }

  /** A workgroup of one wave has no barrier to be the first at. */
  #signalGroup(wave: number, { waiting, members }: GroupCounts): RequestResult {
    const scc = this.#joined.length > 1 && members > 0 && waiting === 0 && sum(this.#hasSignalled) === 0;
    this.#hasSignalled[wave] = 1;
    return { scc };
  }

  #signal(barrier: number, members: number): void {
    if (members !== 0) this.#members[barrier] = members;
    this.#isValid[barrier] = 1;
    this.#signals[barrier] = (this.#signals[barrier] ?? 0) + 1;
    this.#completeIfFull(barrier);
  }

  #leave(wave: number, barrier: number): boolean {
    this.#joined[wave] = 0;
    const left = Math.max(0, (this.#members[barrier] ?? 0) - 1);
    this.#members[barrier] = left;
    if ((this.#signals[barrier] ?? 0) > 0) this.#completeIfFull(barrier);
    return left === 0;
  }

  #completeIfFull(barrier: number): void {
    if (this.#signals[barrier] !== this.#members[barrier]) return;
    this.#signals[barrier] = 0;
    this.#joined.forEach((joined, wave) => {
      if (joined === barrier) this.#isComplete[wave] = 1;
    });
  }
}

const sum = (flags: Uint8Array): number => flags.reduce((count, flag) => count + flag, 0);

const stateWord = (signals: number, members: number, isValid: number): number => (signals << 16) | (members << 4) | isValid;
