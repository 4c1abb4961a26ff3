import { factsOf, type Instruction } from '@doorbell/isa';

/** What is known of the entries of a table: nothing yet, they go on to the next instruction or where a register says, they name a target. */
const KINDS = { unknown: 0, plain: 1, branch: 2 } as const;

/**
 * Where the branches and calls of a region go, against where its instructions begin: what lies at another place was never decoded.
 * One bit for each dword.
 */
export class BranchTargets {
  readonly #starts: Uint32Array;
  readonly #targets: Uint32Array;
  readonly #lengthBytes: number;
  /** By entry. */
  readonly #kinds = new Uint8Array(1 << 15);

  constructor(lengthBytes: number) {
    this.#lengthBytes = lengthBytes;
    const words = Math.ceil(lengthBytes / (4 * 32));
    this.#starts = new Uint32Array(words);
    this.#targets = new Uint32Array(words);
  }

  /** An instruction, or padding, begins here. */
  // hot
  addStart(offset: number): void {
    const dword = offset >>> 2;
    this.#starts[dword >>> 5] = (this.#starts[dword >>> 5] ?? 0) | (1 << (dword & 31));
  }

  /** Whether the instruction goes out of the region; if it goes to a place in it, that is noted. */
  // hot
  leaves(instruction: Instruction, offset: number): boolean {
    const { entry } = instruction;
    if (this.#kinds[entry] === KINDS.plain) return false;
    return this.#note(instruction, offset);
  }

  #note(instruction: Instruction, offset: number): boolean {
    const { control } = factsOf(instruction);
    const goes = control.kind === 'jump' || control.kind === 'branch' || control.kind === 'call';
    const { entry } = instruction;
    if (entry < this.#kinds.length) this.#kinds[entry] = goes ? KINDS.branch : KINDS.plain;
    if (!goes || control.target === undefined) return false;
    const target = offset + control.target;
    if (target < 0 || target >= this.#lengthBytes) return true;
    const dword = target >>> 2;
    this.#targets[dword >>> 5] = (this.#targets[dword >>> 5] ?? 0) | (1 << (dword & 31));
    return false;
  }

  /** Offsets that something goes to and where no instruction begins. */
  *strays(): Iterable<number> {
    for (const [word, targets] of this.#targets.entries()) {
      const stray = targets & ~(this.#starts[word] ?? 0);
      if (stray === 0) continue;
      for (let bit = 0; bit < 32; bit++) if (((stray >>> bit) & 1) !== 0) yield (word * 32 + bit) * 4;
    }
  }
}
