/**
 * Two versions of code where it pays: where EXEC changes, a test whether all lanes are active leads to a copy of the code in which
 * EXEC is known to be full. The copies go on until EXEC changes again.
 *
 * A loop in which EXEC changes has a full copy as well. When a lane leaves it, the rest of that round runs in a third copy, up to
 * the loop's header, and the general loop goes on from there: so each of the three is entered at one place, and control flow stays
 * reducible. The general loop does not lead back into the full one.
 */
import type { Block } from '../ir/block.js';
import { SGPR_EXEC } from '../ir/block.js';
import type { Cfg, CfgBlock } from './cfg.js';
import { findCycles, type Cycle } from './cycles.js';

/** Loops of more instructions than this have no full copy if EXEC changes in them. */
const MAX_LOOP = 400;

/** How a block of the result relates to the block it was made of. */
type Version = 'general' | 'full' | 'rest';

/** The graph with copies added behind its blocks. */
export function splitFullExec(cfg: Cfg): Cfg {
  return new Splitter(cfg.blocks).split(cfg);
}

class Splitter {
  readonly #blocks: readonly CfgBlock[];
  readonly #changes: readonly boolean[];
  /** By block: it may have a full copy. */
  readonly #hasCopy: boolean[];
  /** By block: header of the loop with a full copy in which EXEC changes; -1: in none. */
  readonly #loop: Int32Array;
  readonly #result: CfgBlock[];
  /** What each block of the result was made of: blocks that are added while the list is gone through are handled as well. */
  readonly #sources: number[];
  readonly #versions: Version[];
  readonly #copies = { full: new Map<number, number>(), rest: new Map<number, number>() };

  constructor(blocks: readonly CfgBlock[]) {
    this.#blocks = blocks;
    this.#changes = blocks.map((block) => writesExec(block.ir));
    this.#hasCopy = blocks.map(() => true);
    this.#loop = new Int32Array(blocks.length).fill(-1);
    for (const cycle of findCycles(blocks)) this.#classify(cycle);
    this.#result = blocks.map((block) => ({ ...block, successors: [], predecessors: [] }));
    this.#sources = blocks.map((block) => block.index);
    this.#versions = blocks.map(() => 'general');
  }

  split(cfg: Cfg): Cfg {
    for (let index = 0; index < this.#result.length; index++) {
      const block = this.#result[index];
      if (block !== undefined) this.#connect(block, this.#sources[index] ?? 0, this.#versions[index] ?? 'general');
    }
    for (const block of this.#result) {
      for (const successor of block.successors) this.#result[successor]?.predecessors.push(block.index);
    }
    return { ...cfg, blocks: this.#result };
  }

  #classify({ blocks, header, inner }: Cycle): void {
    if (!this.#isChanged(blocks)) return;
    if (header === undefined) {
      for (const block of blocks) this.#hasCopy[block] = false;
      return;
    }
    const size = blocks.reduce((sum, block) => sum + (this.#blocks[block]?.instructionCount ?? 0), 0);
    const stops = blocks.some((block) => (this.#blocks[block]?.continuation ?? -1) >= 0);
    if (size <= MAX_LOOP && !stops && !inner.some((cycle) => this.#isChanged(cycle.blocks))) {
      for (const block of blocks) this.#loop[block] = header;
      return;
    }
    this.#hasCopy[header] = false;
    for (const cycle of inner) this.#classify(cycle);
  }

  #isChanged(blocks: readonly number[]): boolean {
    return blocks.some((block) => this.#changes[block] === true);
  }

  #connect(block: CfgBlock, source: number, version: Version): void {
    const targets = this.#blocks[source]?.successors ?? [];
    const [only] = targets;
    if (this.#changes[source] !== true || only === undefined || targets.length > 1) {
      block.successors.push(...targets.map((target) => this.#unguarded(source, target, version)));
    } else if (this.#hasCopy[only] === true && (version === 'full' || !this.#staysInLoop(source, only))) {
      block.successors.push(this.#copy(only, 'full'), this.#notFull(source, only, version));
      block.hasGuard = true;
    } else block.successors.push(this.#notFull(source, only, version));
  }

  /** Where an edge leads on which EXEC is what it was before the block. */
  #unguarded(source: number, target: number, version: Version): number {
    if (version !== 'full' || this.#changes[source] === true) return this.#notFull(source, target, version);
    return this.#hasCopy[target] === true ? this.#copy(target, 'full') : target;
  }

  #notFull(source: number, target: number, version: Version): number {
    if (version === 'general' || !this.#staysInLoop(source, target) || this.#loop[source] === target) return target;
    return this.#copy(target, 'rest');
  }

  #staysInLoop(source: number, target: number): boolean {
    return (this.#loop[source] ?? -1) >= 0 && this.#loop[source] === this.#loop[target];
  }

  #copy(source: number, version: 'full' | 'rest'): number {
    const found = this.#copies[version].get(source);
    if (found !== undefined) return found;
    const index = this.#result.length;
    const block = this.#blocks[source];
    this.#copies[version].set(source, index);
    this.#sources.push(source);
    this.#versions.push(version);
    if (block !== undefined) {
      this.#result.push({ ...block, index, successors: [], predecessors: [], isFull: version === 'full' });
    }
    return index;
  }
}

function writesExec(ir: Block): boolean {
  return ir.writes.some((write) => write.file === 'sgpr' && write.index >= SGPR_EXEC);
}
